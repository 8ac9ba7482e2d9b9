//! Somebody with few rights in a desk's namespace.

use std::{io::Write as _, process::Stdio, time::Duration};

use k8s_openapi::api::authorization::v1::{
    ResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec,
};
use kube::{Api, api::PostParams};
use test_cluster::TestCluster;

use super::desk::Desk;
use crate::sandbox::Ran;

/// Somebody with few rights.
pub struct Clerk<'a> {
    desk: &'a Desk,
    /// The user's name.
    pub name: String,
}

impl<'a> Clerk<'a> {
    /// Somebody who may do this in the desk's namespace: resources, each with verbs such as `get list`.
    pub async fn who_may(desk: &'a Desk, rights: &[(&str, &str)]) -> Self {
        let clerk = Self {
            desk,
            name: desk.sandbox.name("clerk"),
        };
        clerk.allow("clerk", rights).await;
        clerk
    }

    /// Lets them do this, too; the role has this name.
    pub async fn allow(&self, role: &str, rights: &[(&str, &str)]) {
        let rules: Vec<String> = rights
            .iter()
            .map(|(resource, verbs)| {
                let group = group(resource);
                let verbs = verbs.replace(' ', ", ");
                format!("{{apiGroups: ['{group}'], resources: ['{resource}'], verbs: [{verbs}]}}")
            })
            .collect();
        let (rules, user, namespace) = (rules.join(", "), &self.name, self.desk.namespace());
        apply(&format!(
            "apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {{name: {role}, namespace: {namespace}}}
rules: [{rules}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {{name: {role}, namespace: {namespace}}}
roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: Role, name: {role}}}
subjects: [{{apiGroup: rbac.authorization.k8s.io, kind: User, name: '{user}'}}]
"
        ));
        for (resource, verbs) in rights {
            for verb in verbs.split(' ') {
                self.eventually_may(verb, resource).await;
            }
        }
    }

    /// Waits until the API server has taken notice of what was granted.
    pub async fn eventually_may(&self, verb: &str, resource: &str) {
        let waiting = async {
            while !self.may(verb, resource).await {
                tokio::task::yield_now().await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_mins(1), waiting).await;
        waited.unwrap_or_else(|_| panic!("{} may still not {verb} {resource}", self.name));
    }

    /// Whether they may do this in the desk's namespace.
    pub async fn may(&self, verb: &str, resource: &str) -> bool {
        let (plural, subresource) = match resource.split_once('/') {
            Some((plural, subresource)) => (plural, Some(subresource.to_owned())),
            None => (resource, None),
        };
        let attributes = ResourceAttributes {
            verb: Some(verb.to_owned()),
            namespace: Some(self.desk.namespace()),
            group: Some(group(resource).to_owned()),
            resource: Some(plural.to_owned()),
            subresource,
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
        let reviews = Api::<SubjectAccessReview>::all(self.desk.sandbox.client.clone());
        let review = reviews.create(&PostParams::default(), &review).await;
        let status = review.expect("the review is made").status;
        status.expect("a review has a status").allowed
    }

    /// Runs the desk's program as them.
    pub async fn run(&self, arguments: &[&str]) -> Ran {
        let arguments = [arguments, &["--as", &self.name]].concat();
        self.desk.run(&arguments).await
    }
}

fn group(resource: &str) -> &'static str {
    if resource.starts_with("exchangerates") {
        "copyrator.dev"
    } else {
        ""
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
        .unwrap_or_else(|| panic!("no manifests in {ran:#?}"));
    let (manifests, _) = rest.split_once("\n\n").expect("an empty line follows");
    manifests
}
