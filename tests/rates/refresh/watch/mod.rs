//! `rates refresh --watch`: rates that are kept fresh without an end.

mod beginning;
mod changes;
mod damage;
mod moments;
mod outages;
mod providers;
mod watched;
