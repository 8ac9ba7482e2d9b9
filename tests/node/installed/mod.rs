//! The installation as a user makes it: by `deploy`, with pods that the node runs and the rights that they have.

mod answer;
mod controller;
mod installation;
mod lease;
mod log;
mod replica;
mod takeover;
