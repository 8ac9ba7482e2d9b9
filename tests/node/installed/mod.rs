//! The installation as a user makes it: by `deploy`, with pods that the node runs and the rights that they have.

mod answer;
mod controller;
mod cron_job;
mod events;
mod installation;
mod lease;
mod log;
mod minimal;
mod rates;
mod replica;
mod takeover;
