//! `ExchangeRate`s and what they publish, as the yardstick writes it: just as the program does.

use std::{ffi::OsString, path::Path};

use serde_json::{Map, Value, json};

use super::{Stage, content};
use crate::{error::Outcome, measured::Measured, raw::Request};

const NAMESPACE: &str = "rates";
const QUERY: &str = "fieldManager=kubectl-copyrator";
const MAPS: &str = "/api/v1/namespaces/rates/configmaps";
const RATES: &str = "/apis/copyrator.dev/v1alpha1/namespaces/rates/exchangerates";
const CONTENT: &str = "copyrator.dev/content";

/// What the program makes of one `ExchangeRate`: its ConfigMap and its status.
pub struct RatesTemplate {
    map: Value,
    status: Value,
}

/// One `ExchangeRate` and its ConfigMap, as they are.
pub struct RateState {
    name: String,
    uid: String,
    version: String,
    map_version: Option<String>,
}

impl Stage {
    /// Makes the namespace that all of it is in.
    pub fn add_rates_namespace(&self) -> Outcome<()> {
        self.set(vec![content::namespace(NAMESPACE)]).map(drop)
    }

    /// Makes `ExchangeRate`s, all of which ask at this address, in the place of those that are there.
    pub fn renew_exchange_rates(&self, count: usize, url: &str) -> Outcome<()> {
        let old = self.rate_states()?;
        let maps = old.iter().filter(|state| state.map_version.is_some());
        let maps = maps.map(|state| Request::delete(format!("{MAPS}/{}", state.name)));
        let rates = old
            .iter()
            .map(|state| Request::delete(format!("{RATES}/{}", state.name)));
        self.set(rates.chain(maps).collect())?;
        let new = (0..count).map(|index| {
            let body = json!({
                "apiVersion": "copyrator.dev/v1alpha1",
                "kind": "ExchangeRate",
                "metadata": {"name": format!("rate-{index:05}")},
                "spec": {"quotes": ["USD", "JPY", "CHF"], "providers": [{"type": "URL", "url": url}]},
            });
            Request::post(RATES, &body)
        });
        self.set(new.collect()).map(drop)
    }

    /// What the program has made of the first one.
    pub fn rates_template(&self) -> Outcome<RatesTemplate> {
        let uris = [format!("{MAPS}/rate-00000"), format!("{RATES}/rate-00000")];
        let requests = uris.map(|uri| Request::get(uri, "application/json"));
        let answer = self.set(requests.to_vec())?;
        let map: Value = serde_json::from_str(&answer.bodies[0])?;
        let rate: Value = serde_json::from_str(&answer.bodies[1])?;
        Ok(RatesTemplate {
            map,
            status: rate["status"].clone(),
        })
    }

    /// Finds the `ExchangeRate`s and their ConfigMaps.
    pub fn rate_states(&self) -> Outcome<Vec<RateState>> {
        let accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
        let requests = [MAPS, RATES].map(|uri| Request::get(uri, accept));
        let answer = self.set(requests.to_vec())?;
        let maps: Value = serde_json::from_str(&answer.bodies[0])?;
        let rates: Value = serde_json::from_str(&answer.bodies[1])?;
        let text = |item: &Value, field: &str| item["metadata"][field].as_str().map(str::to_owned);
        let items = |list: &Value| list["items"].as_array().cloned().unwrap_or_default();
        let maps: Map<String, Value> = items(&maps)
            .iter()
            .filter_map(|map| Some((text(map, "name")?, text(map, "resourceVersion")?.into())))
            .collect();
        let states = items(&rates).into_iter().map(|rate| {
            let name = text(&rate, "name")?;
            let map_version = maps.get(&name).and_then(Value::as_str);
            Some(RateState {
                map_version: map_version.map(str::to_owned),
                uid: text(&rate, "uid")?,
                version: text(&rate, "resourceVersion")?,
                name,
            })
        });
        let states: Option<Vec<_>> = states.collect();
        states.ok_or_else(|| "an ExchangeRate without a state".into())
    }

    /// Runs a program's `rates refresh` as the user; also the CPU time of the control plane meanwhile.
    pub fn refresh(&self, program: &Path) -> Outcome<(Measured, f64)> {
        let mut arguments = [
            "rates",
            "refresh",
            "--no-cache",
            "--namespace",
            NAMESPACE,
            "--kubeconfig",
        ]
        .map(OsString::from)
        .to_vec();
        arguments.push(self.user().kubeconfig.clone().into());
        arguments.push("--cache-dir".into());
        arguments.push(self.cluster().dir().join("provider-cache").into());
        self.run_counted(program, &arguments)
    }
}

impl RatesTemplate {
    /// Publishes rates where there are none.
    pub fn post(&self, state: &RateState, generation: usize) -> Request {
        let metadata = &self.map["metadata"];
        let body = json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {
                "name": state.name,
                "namespace": NAMESPACE,
                "labels": self.labels(state),
                "annotations": self.annotations(state, generation),
                "ownerReferences": [{
                    "apiVersion": metadata["ownerReferences"][0]["apiVersion"],
                    "kind": "ExchangeRate",
                    "name": state.name,
                    "uid": state.uid,
                    "controller": true,
                }],
            },
            "data": self.map["data"],
        });
        Request::write(
            "POST",
            format!("{MAPS}?{QUERY}"),
            "application/json",
            body.to_string(),
        )
    }

    /// Publishes other rates in the place of those that are there, by a JSON Patch in the program's words.
    pub fn patch(&self, state: &RateState, generation: usize) -> Request {
        let mark = format!("v1:{generation:064x}");
        let body = json!([
            {"op": "replace", "path": "/metadata/resourceVersion", "value": state.map_version},
            {"op": "add", "path": "/metadata/annotations/copyrator.dev~1content", "value": mark},
            {"op": "add", "path": "/binaryData", "value": ""},
            {"op": "remove", "path": "/binaryData"},
            {"op": "add", "path": "/data", "value": self.data(generation)},
        ]);
        patch(format!("{MAPS}/{}?{QUERY}", state.name), &body)
    }

    /// Says so in the status.
    pub fn status(&self, state: &RateState, generation: usize) -> Request {
        let mut status = self.status.clone();
        status["rates"][0]["rate"] = rate(generation).into();
        let body = json!([
            {"op": "replace", "path": "/metadata/resourceVersion", "value": state.version},
            {"op": "add", "path": "/status", "value": status},
        ]);
        patch(format!("{RATES}/{}/status?{QUERY}", state.name), &body)
    }

    fn data(&self, generation: usize) -> Value {
        let mut data = self.map["data"].clone();
        data["USD"] = rate(generation).into();
        data
    }

    fn labels(&self, state: &RateState) -> Value {
        let mut labels = self.map["metadata"]["labels"].clone();
        labels["copyrator.dev/exchange-rate"] = state.name.as_str().into();
        labels
    }

    /// The mark of the content only has to have the right form: another one means another content.
    fn annotations(&self, state: &RateState, generation: usize) -> Value {
        let mut annotations = self.map["metadata"]["annotations"].clone();
        let place = format!("{NAMESPACE}/{}", state.name);
        annotations["copyrator.dev/owner"] = format!("cluster/{place}").into();
        annotations["copyrator.dev/source"] = place.as_str().into();
        annotations["copyrator.dev/target"] = place.into();
        annotations[CONTENT] = format!("v1:{generation:064x}").into();
        annotations
    }
}

fn rate(generation: usize) -> String {
    format!("1.0{}", 2_000 + generation % 1_000)
}

fn patch(uri: String, body: &Value) -> Request {
    Request::write(
        "PATCH",
        uri,
        "application/json-patch+json",
        body.to_string(),
    )
}
