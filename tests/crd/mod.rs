//! The definitions of the custom resources, against a real API server.

mod attempts;
mod check;
mod columns;
mod command;
mod exchange_rates;
mod install;
mod rules;
mod status;
mod uninstall;
mod waiting;
