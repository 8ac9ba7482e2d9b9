//! A test's exchange desk: a namespace `shop` with `ExchangeRate`s, and a provider of the test's own.

use std::{collections::BTreeMap, path::Path, time::Duration};

use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api,
    api::{DeleteParams, Patch, PatchParams, PropagationPolicy},
    core::{ApiResource, DynamicObject},
};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use super::{
    answers::{simple, today},
    provider::Provider,
};
use crate::sandbox::{Fault, Invocation, Ran, Sandbox};

/// The rates that a new desk's provider has.
pub const RATES: &str = "JPY 163.2 USD 1.0812";

/// The path of the desk's provider at which it has rates.
pub const PATH: &str = "/rates.json";

/// A namespace `shop` with `ExchangeRate`s, and a provider of the test's own.
pub struct Desk {
    /// The test's corner of the cluster.
    pub sandbox: Sandbox,
    /// Whom all ask who don't say otherwise. It has [`RATES`] of today at [`PATH`].
    pub provider: Provider,
    cache: tempfile::TempDir,
}

impl Desk {
    /// A desk on the shared cluster; `prefix` is unique among the tests.
    pub async fn new(prefix: &str) -> Self {
        static INSTALLED: OnceCell<()> = OnceCell::const_new();
        let sandbox = Sandbox::new(prefix).await;
        let install = async || {
            sandbox.run(&["crd", "install"]).await.succeeded();
        };
        INSTALLED.get_or_init(install).await;
        Self::in_sandbox(sandbox).await
    }

    /// A desk in a corner that has the definition.
    pub async fn in_sandbox(sandbox: Sandbox) -> Self {
        sandbox.namespaces(&["shop"]).await;
        let provider = Provider::start().await;
        provider.has(PATH, simple(today(), RATES));
        Self {
            sandbox,
            provider,
            cache: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    /// The folder of the desk's own.
    pub fn folder(&self) -> &Path {
        self.cache.path()
    }

    /// The namespace.
    pub fn namespace(&self) -> String {
        self.sandbox.name("shop")
    }

    /// The provider that answers at this path of the desk's, as a spec has it.
    pub fn at(&self, path: &str) -> String {
        format!("{{type: URL, url: '{}'}}", self.provider.url(path))
    }

    /// An `ExchangeRate` with these fields of the spec. It asks the desk's provider unless they say another.
    pub fn rate(&self, name: &str, fields: &str) -> String {
        let namespace = self.namespace();
        let metadata = format!("{{name: {name}, namespace: {namespace}}}");
        self.manifest(&metadata, fields)
    }

    /// The same with any metadata.
    pub fn manifest(&self, metadata: &str, fields: &str) -> String {
        let providers = if fields.contains("providers:") {
            String::new()
        } else {
            format!(", providers: [{}]", self.at(PATH))
        };
        format!(
            "apiVersion: copyrator.dev/v1alpha1\nkind: ExchangeRate\nmetadata: {metadata}\n\
             spec: {{{fields}{providers}}}\n"
        )
    }

    /// Puts an `ExchangeRate` with these fields into the cluster.
    pub async fn apply(&self, name: &str, fields: &str) {
        self.apply_manifest("shop", &self.rate(name, fields)).await;
    }

    /// Puts an `ExchangeRate` into the namespace with this short name.
    pub async fn apply_manifest(&self, namespace: &str, manifest: &str) {
        let rate: Value = serde_saphyr::from_str(manifest).expect("the test's manifest is YAML");
        let name = rate["metadata"]["name"]
            .as_str()
            .expect("a name")
            .to_owned();
        let parameters = PatchParams::apply("test").force();
        let applied = self
            .rates(namespace)
            .patch(&name, &parameters, &Patch::Apply(rate))
            .await;
        applied.expect("the ExchangeRate is applied");
    }

    /// Changes an `ExchangeRate` by a merge patch.
    pub async fn patch(&self, name: &str, change: Value) {
        let parameters = PatchParams::default();
        let patched = self
            .rates("shop")
            .patch(name, &parameters, &Patch::Merge(change))
            .await;
        patched.expect("the ExchangeRate is changed");
    }

    /// Deletes an `ExchangeRate`; what it published is left to the controllers.
    pub async fn delete(&self, name: &str) {
        let parameters = DeleteParams::default();
        let deleted = self.rates("shop").delete(name, &parameters).await;
        deleted.expect("the ExchangeRate is deleted");
    }

    /// Deletes an `ExchangeRate`, and waits until it is gone; what it published stays, without its reference.
    pub async fn delete_alone(&self, name: &str) {
        let parameters = DeleteParams {
            propagation_policy: Some(PropagationPolicy::Orphan),
            ..DeleteParams::default()
        };
        let deleted = self.rates("shop").delete(name, &parameters).await;
        deleted.expect("the ExchangeRate is deleted");
        while self
            .rates("shop")
            .get_opt(name)
            .await
            .expect("readable")
            .is_some()
        {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// An `ExchangeRate` as it is now.
    pub async fn stored(&self, name: &str) -> Value {
        let rate = self.rates("shop").get(name).await;
        serde_json::to_value(rate.expect("it can be read")).expect("it is JSON")
    }

    /// What the status of an `ExchangeRate` says; null if nothing.
    pub async fn status(&self, name: &str) -> Value {
        self.stored(name).await["status"].clone()
    }

    /// A condition of an `ExchangeRate` as status, reason and message.
    pub async fn condition(&self, name: &str, kind: &str) -> [String; 3] {
        let status = self.status(name).await;
        let conditions = status["conditions"].as_array().expect("conditions").iter();
        let mut of_kind = conditions.filter(|condition| condition["type"] == kind);
        let condition = of_kind
            .next()
            .unwrap_or_else(|| panic!("no {kind} in {status}"));
        ["status", "reason", "message"]
            .map(|field| condition[field].as_str().expect("a text").to_owned())
    }

    /// The `ExchangeRate`s of the namespace with this short name.
    pub fn rates(&self, namespace: &str) -> Api<DynamicObject> {
        let resource = ApiResource {
            group: "copyrator.dev".to_owned(),
            version: "v1alpha1".to_owned(),
            api_version: "copyrator.dev/v1alpha1".to_owned(),
            kind: "ExchangeRate".to_owned(),
            plural: "exchangerates".to_owned(),
        };
        let namespace = self.sandbox.name(namespace);
        Api::namespaced_with(self.sandbox.client.clone(), &namespace, &resource)
    }

    /// The arguments with those that every run of a desk has.
    pub fn arguments(&self, arguments: &[&str]) -> Vec<String> {
        let folder = self.folder().to_str().expect("a path in UTF-8");
        let namespace = self.namespace();
        let words = ["rates"].iter().chain(arguments).copied();
        words
            .chain(["-n", &namespace, "--cache-dir", folder])
            .map(ToOwned::to_owned)
            .collect()
    }

    /// The program about the desk's rates: `refresh`, `diff` or `prune`, with more arguments.
    pub fn program(&self, arguments: &[&str]) -> Invocation {
        let arguments = self.arguments(arguments);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.sandbox.program(&arguments)
    }

    /// Runs [`Self::program`].
    pub async fn run(&self, arguments: &[&str]) -> Ran {
        self.program(arguments).run().await
    }

    /// Refreshes the namespace.
    pub async fn refresh(&self) -> Ran {
        self.run(&["refresh"]).await
    }

    /// Runs [`Self::program`], and gives the requests by which it wrote, or tried to.
    pub async fn writes_of(&self, arguments: &[&str]) -> (Ran, Vec<String>) {
        let arguments = self.arguments(arguments);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let proxy = self.sandbox.proxy(|_, _| Fault::None).await;
        let ran = proxy.program(&arguments).run().await;
        let mut requests = proxy.requests();
        requests.retain(|request| !request.starts_with("GET "));
        (ran, requests)
    }

    /// A ConfigMap of the namespace, if it is there.
    pub async fn configmap(&self, name: &str) -> Option<ConfigMap> {
        self.sandbox.configmap("shop", name).await
    }

    /// The data of a ConfigMap, which must be there.
    pub async fn data(&self, name: &str) -> BTreeMap<String, String> {
        let found = self.configmap(name).await;
        let found = found.unwrap_or_else(|| panic!("there is no ConfigMap {name}"));
        found.data.unwrap_or_default()
    }

    /// Changes a ConfigMap by a merge patch, as somebody else.
    pub async fn edit(&self, name: &str, change: Value) {
        let parameters = PatchParams {
            field_manager: Some("somebody".to_owned()),
            ..PatchParams::default()
        };
        let configmaps: Api<ConfigMap> = self.sandbox.api("shop");
        let edited = configmaps
            .patch(name, &parameters, &Patch::Merge(change))
            .await;
        edited.expect("the ConfigMap is changed");
    }

    /// Deletes a ConfigMap.
    pub async fn delete_configmap(&self, name: &str) {
        let configmaps: Api<ConfigMap> = self.sandbox.api("shop");
        let deleted = configmaps.delete(name, &DeleteParams::default()).await;
        deleted.expect("the ConfigMap is deleted");
    }

    /// Everything of a ConfigMap and an `ExchangeRate` of the same name, which no run without news changes.
    pub async fn both(&self, name: &str) -> Value {
        json!({"configMap": self.configmap(name).await, "exchangeRate": self.stored(name).await})
    }
}
