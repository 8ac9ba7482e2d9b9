//! The installation: what `deploy` applies, what `rbac` grants, and the chart that does the same.

mod chart;
mod granted;
mod image;
mod installed;
mod lease;
mod minimal;
mod refused;
