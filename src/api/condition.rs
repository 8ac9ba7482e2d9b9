//! Conditions, as the API conventions have them
//! (<https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties>).

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};

/// What a condition says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// `True`, `False` or `Unknown`.
    pub status: &'static str,
    /// One word in `CamelCase`.
    pub reason: &'static str,
    /// A sentence, which is the same as long as nothing has changed.
    pub message: String,
}

/// The longest message of a condition: the whole status is read by every list.
const LONGEST_MESSAGE: usize = 1024;

impl Verdict {
    /// A verdict; a message that is too long is cut.
    pub fn new(status: &'static str, reason: &'static str, message: &str) -> Self {
        Self {
            status,
            reason,
            message: message.chars().take(LONGEST_MESSAGE).collect(),
        }
    }

    /// A condition of this name that says so of a generation. Its time is that of the last change of its
    /// status, which `former` conditions tell.
    pub fn into_condition(
        self,
        name: &str,
        former: &[Condition],
        generation: Option<i64>,
        now: Timestamp,
    ) -> Condition {
        let mut former = former.iter();
        let same = former.find(|former| former.type_ == name && former.status == self.status);
        Condition {
            type_: name.to_owned(),
            status: self.status.to_owned(),
            reason: self.reason.to_owned(),
            message: self.message,
            observed_generation: generation,
            last_transition_time: same.map_or_else(
                || Time(whole_seconds(now)),
                |former| former.last_transition_time.clone(),
            ),
        }
    }
}

/// As Kubernetes writes times: what has more digits would look changed when it is read again.
pub fn whole_seconds(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}
