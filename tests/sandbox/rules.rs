//! The rules of a test: written, put into the cluster, synced and read.

use kube::{
    Api,
    api::{DeleteParams, ListParams, Patch, PatchParams},
    core::{ApiResource, DynamicObject},
};
use serde_json::{Value, json};

use super::{Fault, Ran, Sandbox};

impl Sandbox {
    /// The rule of [`Self::rule`] with more fields of its spec, one on each line.
    pub fn rule_and(&self, fields: &str) -> String {
        and(&self.rule(), fields)
    }

    /// Another rule of the test: this one under another name.
    pub fn renamed(&self, rule: &str, name: &str) -> String {
        let (from, to) = (self.name("rule"), self.name(name));
        rule.replace(
            &format!("metadata: {{name: {from}}}"),
            &format!("metadata: {{name: {to}}}"),
        )
    }

    /// The same rule with another target, a glob under the test's prefix.
    pub fn aimed(&self, rule: &str, target: &str) -> String {
        let (from, to) = (self.name("team-*"), self.name(target));
        rule.replace(&format!("\"{from}\""), &format!("\"{to}\""))
    }

    /// Runs the program on rules given on standard input.
    pub async fn run_on(&self, arguments: &[&str], rules: &str) -> Ran {
        let arguments = [arguments, &["-f", "-"]].concat();
        self.program(&arguments).stdin(rules).run().await
    }

    /// Runs the program, and gives the requests by which it wrote, or tried to.
    pub async fn writes_of(&self, arguments: &[&str], rules: &str) -> (Ran, Vec<String>) {
        let proxy = self.proxy(|_, _| Fault::None).await;
        let ran = proxy.program(arguments).stdin(rules).run().await;
        let mut requests = proxy.requests();
        requests.retain(|request| !request.starts_with("GET "));
        (ran, requests)
    }

    /// Asserts that a sync of rules on standard input succeeds without a single write.
    pub async fn is_in_step(&self, rules: &str) {
        let (ran, writes) = self.writes_of(&["sync", "-f", "-"], rules).await;
        ran.wrote_nothing();
        assert_eq!(writes, [""; 0]);
    }

    /// Puts a rule into the cluster.
    pub async fn apply_rule(&self, manifest: &str) {
        let rule: Value = serde_saphyr::from_str(manifest).expect("the test's rule is YAML");
        let name = rule["metadata"]["name"]
            .as_str()
            .expect("the test's rule has a name")
            .to_owned();
        let parameters = PatchParams::apply("test").force();
        self.rules()
            .patch(&name, &parameters, &Patch::Apply(rule))
            .await
            .expect("the rule is applied");
    }

    /// Keeps a rule from going, or lets it go.
    pub async fn hold_rule(&self, name: &str, hold: bool) {
        let finalizers = if hold {
            json!(["example.com/hold"])
        } else {
            Value::Null
        };
        let patch = Patch::Merge(json!({"metadata": {"finalizers": finalizers}}));
        let patched = self
            .rules()
            .patch(&self.name(name), &PatchParams::default(), &patch)
            .await;
        patched.expect("the rule is changed");
    }

    /// Deletes a rule from the cluster.
    pub async fn delete_rule(&self, name: &str) {
        let deleted = self
            .rules()
            .delete(&self.name(name), &DeleteParams::default())
            .await;
        deleted.expect("the rule is deleted");
    }

    /// Deletes all rules from the cluster.
    pub async fn delete_all_rules(&self) {
        let (rules, parameters) = (self.rules(), DeleteParams::default());
        let all = ListParams::default();
        rules
            .delete_collection(&parameters, &all)
            .await
            .expect("the rules are deleted");
    }

    /// A rule of the cluster as it is now.
    pub async fn stored_rule(&self, name: &str) -> Value {
        let rule = self.rules().get(&self.name(name)).await;
        serde_json::to_value(rule.expect("the rule can be read")).expect("a rule is JSON")
    }

    /// The rules of the cluster.
    pub fn rules(&self) -> Api<DynamicObject> {
        let resource = ApiResource {
            group: "copyrator.dev".to_owned(),
            version: "v1alpha1".to_owned(),
            api_version: "copyrator.dev/v1alpha1".to_owned(),
            kind: "CopyratorRule".to_owned(),
            plural: "copyratorrules".to_owned(),
        };
        Api::all_with(self.client.clone(), &resource)
    }
}

/// A rule with more fields of its spec, one on each line.
pub fn and(rule: &str, fields: &str) -> String {
    let lines = fields.lines().map(|field| format!("  {field}\n"));
    format!("{rule}{}", lines.collect::<String>())
}
