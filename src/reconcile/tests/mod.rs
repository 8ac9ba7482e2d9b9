//! Tests of the engine's decisions and plans on worlds that are plain data.

mod decisions;
mod observation;
mod planner_properties;
mod takeovers;
pub mod world;
