//! Objects of a test: made, changed and read with full rights.

use std::collections::BTreeMap;

use k8s_openapi::{
    ByteString,
    api::core::v1::{ConfigMap, Namespace, Secret, ServiceAccount},
    apimachinery::pkg::apis::meta::v1::ObjectMeta,
};
use kube::{
    Api, ResourceExt,
    api::{DeleteParams, Patch, PatchParams, PostParams},
};
use serde_json::{Value, json};

use super::Sandbox;

/// A Secret with these values.
pub fn secret(name: &str, data: &[(&str, &str)]) -> Secret {
    let data = data
        .iter()
        .map(|(key, value)| ((*key).to_owned(), ByteString(value.as_bytes().to_vec())));
    Secret {
        metadata: named(name),
        data: Some(data.collect()),
        ..Secret::default()
    }
}

/// A ConfigMap with these values.
pub fn configmap(name: &str, data: &[(&str, &str)]) -> ConfigMap {
    let data = data
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    ConfigMap {
        metadata: named(name),
        data: Some(data.collect()),
        ..ConfigMap::default()
    }
}

/// The value of an object's label.
pub fn label<'a>(object: &'a impl ResourceExt, key: &str) -> Option<&'a str> {
    object.labels().get(key).map(String::as_str)
}

/// The value of an object's annotation.
pub fn annotation<'a>(object: &'a impl ResourceExt, key: &str) -> Option<&'a str> {
    object.annotations().get(key).map(String::as_str)
}

/// A value of a Secret, as text.
pub fn text(secret: &Secret, key: &str) -> Option<String> {
    let value = secret.data.as_ref()?.get(key)?;
    Some(String::from_utf8(value.0.clone()).expect("the test's values are text"))
}

fn named(name: &str) -> ObjectMeta {
    ObjectMeta {
        name: Some(name.to_owned()),
        ..ObjectMeta::default()
    }
}

impl Sandbox {
    /// Makes namespaces without labels.
    pub async fn namespaces(&self, names: &[&str]) {
        for name in names {
            self.namespace(name, &[]).await;
        }
    }

    /// Makes a namespace with these labels.
    pub async fn namespace(&self, name: &str, labels: &[(&str, &str)]) {
        let labels: BTreeMap<String, String> = labels
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        let metadata = ObjectMeta {
            labels: Some(labels),
            ..named(&self.name(name))
        };
        let namespace = Namespace {
            metadata,
            ..Namespace::default()
        };
        let namespaces = Api::<Namespace>::all(self.client.clone());
        namespaces
            .create(&PostParams::default(), &namespace)
            .await
            .expect("the namespace is made");
    }

    /// Changes the labels of a namespace; null removes one.
    pub async fn relabel_namespace(&self, name: &str, labels: Value) {
        let namespaces = Api::<Namespace>::all(self.client.clone());
        let patch = Patch::Merge(json!({"metadata": {"labels": labels}}));
        let name = self.name(name);
        namespaces
            .patch(&name, &PatchParams::default(), &patch)
            .await
            .expect("the labels are changed");
    }

    /// Makes a Secret in a namespace.
    pub async fn create_secret(&self, namespace: &str, secret: &Secret) {
        let secrets: Api<Secret> = self.api(namespace);
        secrets
            .create(&PostParams::default(), secret)
            .await
            .expect("the Secret is made");
    }

    /// Copies a namespace's `regcred` with all its labels and annotations, as people do by hand.
    pub async fn clone_regcred(&self, from: &str, to: &str, name: &str) {
        let original = self
            .secret(from, "regcred")
            .await
            .expect("there is something to clone");
        let metadata = ObjectMeta {
            labels: original.metadata.labels,
            annotations: original.metadata.annotations,
            ..named(name)
        };
        self.create_secret(
            to,
            &Secret {
                metadata,
                data: original.data,
                ..Secret::default()
            },
        )
        .await;
    }

    /// Makes a Secret `regcred` with one value in the source namespace.
    pub async fn create_regcred(&self, value: &str) {
        self.create_secret("source", &secret("regcred", &[("password", value)]))
            .await;
    }

    /// A Secret, if it is there.
    pub async fn secret(&self, namespace: &str, name: &str) -> Option<Secret> {
        self.api::<Secret>(namespace)
            .get_opt(name)
            .await
            .expect("the Secret can be read")
    }

    /// The value of `password` in a namespace's `regcred`, if it is there.
    pub async fn password(&self, namespace: &str) -> Option<String> {
        text(&self.secret(namespace, "regcred").await?, "password")
    }

    /// A ConfigMap, if it is there.
    pub async fn configmap(&self, namespace: &str, name: &str) -> Option<ConfigMap> {
        self.api::<ConfigMap>(namespace)
            .get_opt(name)
            .await
            .expect("the ConfigMap can be read")
    }

    /// Changes a Secret by a merge patch, as this field manager.
    pub async fn patch_secret(&self, namespace: &str, name: &str, manager: &str, patch: Value) {
        let parameters = PatchParams {
            field_manager: Some(manager.to_owned()),
            ..PatchParams::default()
        };
        let secrets: Api<Secret> = self.api(namespace);
        secrets
            .patch(name, &parameters, &Patch::Merge(patch))
            .await
            .expect("the Secret is changed");
    }

    /// Deletes a Secret.
    pub async fn delete_secret(&self, namespace: &str, name: &str) {
        let secrets: Api<Secret> = self.api(namespace);
        secrets
            .delete(name, &DeleteParams::default())
            .await
            .expect("the Secret is deleted");
    }

    /// The resourceVersion of a namespace's Secret: it changes with every write.
    pub async fn version(&self, namespace: &str, name: &str) -> Option<String> {
        self.secret(namespace, name)
            .await?
            .metadata
            .resource_version
    }

    /// Makes a Secret as this field manager.
    pub async fn create_secret_as(&self, namespace: &str, manager: &str, secret: &Secret) {
        let parameters = PostParams {
            field_manager: Some(manager.to_owned()),
            ..PostParams::default()
        };
        let created = self.api(namespace).create(&parameters, secret).await;
        created.expect("the Secret is made");
    }

    /// Makes a ConfigMap in a namespace.
    pub async fn create_configmap(&self, namespace: &str, configmap: &ConfigMap) {
        let configmaps: Api<ConfigMap> = self.api(namespace);
        let created = configmaps.create(&PostParams::default(), configmap).await;
        created.expect("the ConfigMap is made");
    }

    /// Writes a ConfigMap over the one of its name.
    pub async fn replace_configmap(&self, namespace: &str, configmap: &ConfigMap) {
        let configmaps: Api<ConfigMap> = self.api(namespace);
        let name = configmap.name_any();
        let written = configmaps
            .replace(&name, &PostParams::default(), configmap)
            .await;
        written.expect("the ConfigMap is written");
    }

    /// Makes a service account.
    pub async fn create_service_account(&self, namespace: &str, name: &str) {
        let account = ServiceAccount {
            metadata: named(name),
            ..ServiceAccount::default()
        };
        let accounts: Api<ServiceAccount> = self.api(namespace);
        let created = accounts.create(&PostParams::default(), &account).await;
        created.expect("the account is made");
    }

    /// A namespace's `regcred`, which must be there.
    pub async fn regcred(&self, namespace: &str) -> Secret {
        let found = self.secret(namespace, "regcred").await;
        found.unwrap_or_else(|| panic!("{namespace} has no regcred"))
    }

    /// Gives the source's `regcred` another password.
    pub async fn rotate_regcred(&self, value: &str) {
        let patch = json!({"stringData": {"password": value}});
        self.patch_secret("source", "regcred", "admin", patch).await;
    }

    /// Makes a namespace's `regcred` immutable.
    pub async fn freeze_regcred(&self, namespace: &str) {
        let patch = json!({"immutable": true});
        self.patch_secret(namespace, "regcred", "somebody", patch)
            .await;
    }

    /// Waits until the controllers have deleted a Secret.
    pub async fn eventually_gone(&self, namespace: &str, name: &str) {
        let deadline = std::time::Instant::now() + std::time::Duration::from_mins(1);
        while self.secret(namespace, name).await.is_some() {
            assert!(
                std::time::Instant::now() < deadline,
                "{namespace}/{name} is still there"
            );
            tokio::task::yield_now().await;
        }
    }
}
