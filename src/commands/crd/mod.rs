//! `crd`: installs, removes and prints the CustomResourceDefinitions.

mod check;
mod install;
mod print;
mod run;
mod uninstall;

pub use run::run;
