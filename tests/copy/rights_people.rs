//! People with few rights, and the administrator who gives them more.

use std::{io::Write, path::PathBuf, process::Stdio, time::Duration};

use k8s_openapi::api::authorization::v1::{
    ResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec,
};
use kube::{Api, Client, api::PostParams};
use test_cluster::TestCluster;

use crate::sandbox::{Invocation, Ran, Sandbox};

/// Somebody who may read what a run reads, and nothing more.
pub struct Person {
    /// The user's name.
    pub name: String,
    client: Client,
}

impl Person {
    /// A new person, named after the test.
    pub async fn who_reads(sandbox: &Sandbox) -> Self {
        Self::named(sandbox, &sandbox.name("jane")).await
    }

    /// A new person with this name.
    pub async fn named(sandbox: &Sandbox, name: &str) -> Self {
        let role = sandbox.name("reader");
        apply(&format!(
            "apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {{name: {role}}}
rules: [{{apiGroups: [''], resources: [namespaces, secrets, configmaps], verbs: [get, list]}}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {{name: {role}}}
roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {role}}}
subjects: [{{apiGroup: rbac.authorization.k8s.io, kind: User, name: '{name}'}}]
"
        ));
        let person = Self {
            name: name.to_owned(),
            client: sandbox.client.clone(),
        };
        person.eventually_may("get", "", "").await;
        person
    }

    /// Lets the person do this to Secrets in a namespace: to those with these names, or to all.
    pub async fn allow(&self, verb: &str, namespace: &str, names: &[&str]) {
        let role = format!("{verb}-{}", names.join("-"));
        let names_field = if names.is_empty() {
            String::new()
        } else {
            format!(", resourceNames: [{}]", names.join(", "))
        };
        let user = &self.name;
        apply(&format!(
            "apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {{name: '{role}', namespace: {namespace}}}
rules: [{{apiGroups: [''], resources: [secrets], verbs: [{verb}]{names_field}}}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {{name: '{role}', namespace: {namespace}}}
roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: Role, name: '{role}'}}
subjects: [{{apiGroup: rbac.authorization.k8s.io, kind: User, name: '{user}'}}]
"
        ));
        let name = names.first().copied().unwrap_or_default();
        self.eventually_may(verb, namespace, name).await;
    }

    /// Waits until the API server has taken notice of what was granted.
    pub async fn eventually_may(&self, verb: &str, namespace: &str, name: &str) {
        let deadline = std::time::Instant::now() + Duration::from_mins(1);
        while !self.may(verb, namespace, name).await {
            assert!(
                std::time::Instant::now() < deadline,
                "{} may still not {verb} in {namespace}",
                self.name
            );
            tokio::task::yield_now().await;
        }
    }

    /// Whether the person may do this to Secrets.
    pub async fn may(&self, verb: &str, namespace: &str, name: &str) -> bool {
        let attributes = ResourceAttributes {
            verb: Some(verb.to_owned()),
            namespace: Some(namespace.to_owned()),
            name: Some(name.to_owned()),
            resource: Some("secrets".to_owned()),
            ..ResourceAttributes::default()
        };
        let review = SubjectAccessReview {
            spec: SubjectAccessReviewSpec {
                user: Some(self.name.clone()),
                resource_attributes: Some(attributes),
                ..SubjectAccessReviewSpec::default()
            },
            ..SubjectAccessReview::default()
        };
        let reviews = Api::<SubjectAccessReview>::all(self.client.clone());
        let review = reviews.create(&PostParams::default(), &review).await;
        let status = review.expect("the review is made").status;
        status.expect("a review has a status").allowed
    }

    /// The program with the person's own kubeconfig, on the shared cluster.
    pub fn program(&self, arguments: &[&str]) -> Invocation {
        let kubeconfig: PathBuf = TestCluster::shared()
            .user(&self.name, &[])
            .expect("a new user");
        Invocation::new(&kubeconfig, arguments)
    }

    /// Syncs a rule given on standard input.
    pub async fn sync(&self, rule: &str) -> Ran {
        self.program(&["sync", "-f", "-"]).stdin(rule).run().await
    }
}

/// Applies manifests as the administrator.
pub fn apply(manifests: &str) {
    let mut child = TestCluster::shared()
        .kubectl()
        .args(["apply", "-f", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("kubectl starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    stdin
        .write_all(manifests.as_bytes())
        .expect("kubectl reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("kubectl ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}\n{manifests}");
}

/// The manifests among the lines on standard error, as a person would select them on the screen.
pub fn manifests(ran: &Ran) -> &str {
    let (_, rest) = ran
        .stderr
        .split_once("(kubectl apply -f):\n\n")
        .expect("manifests are printed");
    let (manifests, _) = rest.split_once("\n\n").expect("an empty line follows");
    manifests
}
