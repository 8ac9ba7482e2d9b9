//! The definitions of the custom resources, against a real API server.

mod check;
mod columns;
mod command;
mod install;
mod rules;
mod status;
mod uninstall;
mod waiting;
