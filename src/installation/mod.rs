//! The objects that let the program run in a cluster: its rights, and what runs it.

mod container;
mod controller;
mod cron_job;
mod identity;
mod image;
mod names;
mod objects;
mod pod;
mod quantity;
mod resources;
mod roles;
mod settings;
mod timetable;

pub use identity::{INSTALLED_IN_LABEL, Identity};
pub use image::{Image, ImageError};
pub use names::{NameError, label, name, subdomain};
pub use objects::{Installed, objects};
pub use quantity::{Compute, ComputeError};
pub use resources::{CLUSTER_ROLE_BINDINGS, ROLE_BINDINGS, Reach, made_of};
pub use roles::{Account, RoleSet};
pub use settings::{
    Controller, CronJobs, Parts, PullPolicy, RateSettings, Running, Settings, own_rights,
};
pub use timetable::{Timetable, TimetableError};
