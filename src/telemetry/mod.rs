//! What a controller tells of itself: metrics, its health, and both over HTTP.

mod answer;
mod health;
mod loop_monitor;
mod metrics;
mod rates_metrics;
mod repetition;
mod serve;

pub use answer::Telemetry;
pub use health::Health;
pub use loop_monitor::LoopMonitor;
pub use metrics::Metrics;
pub use rates_metrics::{RateMeasure, RatesMetrics};
pub use repetition::Repetition;
pub use serve::{HealthServer, ServeError};
