//! The yardstick: prepared requests by bare HTTP/1.1, as fast as the API server takes them.

mod child;
mod connection;
mod follow;
mod job;
mod send;
mod stream;

pub use child::{send_as_child, send_in_child};
pub use connection::{Connection, tls};
pub use follow::{FollowJob, Follower, PLACE, follow_as_child};
pub use job::{Job, Request};
pub use send::{Sent, send};
pub use stream::Lines;
