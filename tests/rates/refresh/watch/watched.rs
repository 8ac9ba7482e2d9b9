//! A desk that is watched: what is waited for, and never by the clock.

use k8s_openapi::api::core::v1::ConfigMap;
use kube::{Api, api::ListParams, core::DynamicObject};

use crate::{
    rates::refresh::desk::Desk,
    sandbox::{Running, eventually},
};

/// What a watch says once everything was read and worked off.
pub const READY: &str = "watching for changes";

fn named(name: &str) -> ListParams {
    ListParams::default().fields(&format!("metadata.name={name}"))
}

impl Desk {
    /// The desk's namespace is watched, and all that was there is worked off.
    pub async fn watch(&self, more: &[&str]) -> Running {
        let arguments = [&["refresh", "--watch"], more].concat();
        let running = self.program(&arguments).start().await;
        running.says(READY).await;
        running
    }

    /// Waits until this holds of a ConfigMap.
    pub async fn eventually(&self, name: &str, holds: impl Fn(Option<&ConfigMap>) -> bool) {
        let configmaps: Api<ConfigMap> = self.sandbox.api("shop");
        eventually(&configmaps, named(name), |found| {
            holds(found.first().copied())
        })
        .await;
    }

    /// Waits until a ConfigMap publishes this rate.
    pub async fn eventually_rate(&self, name: &str, rate: &str) {
        self.eventually(name, |found| {
            let data = found.and_then(|found| found.data.as_ref());
            data.and_then(|data| data.get("rate"))
                .is_some_and(|known| known == rate)
        })
        .await;
    }

    /// Waits until the condition `Ready` of an `ExchangeRate` has this reason, and is of its last generation.
    pub async fn eventually_ready(&self, name: &str, reason: &str) {
        let rates: Api<DynamicObject> = self.rates("shop");
        eventually(&rates, named(name), |rates| {
            rates.first().is_some_and(|rate| {
                let status = &rate.data["status"];
                status["observedGeneration"].as_i64() == rate.metadata.generation
                    && status["conditions"][0]["reason"] == reason
            })
        })
        .await;
    }
}
