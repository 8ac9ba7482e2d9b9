//! A folder with kubeconfigs in it, as the only surroundings that a test has.

use std::{collections::HashMap, env, ffi::OsString, fs, path::PathBuf};

use kube::{Config, config::AuthInfo};
use secrecy::{ExposeSecret, SecretString};
use tempfile::TempDir;

use super::super::{
    ConnectOptions,
    environment::Environment,
    resolve::{Resolved, resolve},
};

/// Two contexts; the current one is `dev`.
pub const TWO: &str = r#"
apiVersion: v1
kind: Config
current-context: dev
contexts:
- name: dev
  context: {cluster: dev-cluster, user: dev-user, namespace: dev-namespace}
- name: production
  context: {cluster: production-cluster, user: production-user}
clusters:
- name: dev-cluster
  cluster: {server: "https://dev.example:6443", tls-server-name: dev.internal}
- name: production-cluster
  cluster: {server: "https://production.example:6443"}
users:
- name: dev-user
  user: {token: dev-token}
- name: production-user
  user: {username: admin, password: opensesame}
"#;

/// Looks like a certificate as long as nobody reads what it certifies.
pub const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
/// Looks like a key.
pub const KEY: &str = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";

/// The surroundings of one test.
pub struct Place {
    pub folder: TempDir,
    pub environment: Environment,
}

impl Place {
    /// Nothing but an empty folder, which is the home folder too.
    pub fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let environment = Environment {
            variables: HashMap::new(),
            home: Some(folder.path().join("home")),
            service_account: folder.path().join("service-account"),
            is_interactive: false,
        };
        Self {
            folder,
            environment,
        }
    }

    /// With a kubeconfig that `KUBECONFIG` names.
    pub fn with(kubeconfig: &str) -> Self {
        let mut place = Self::empty();
        place.write("config", kubeconfig);
        place.list(&["config"]);
        place
    }

    /// A file's path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file into the folder.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Sets a variable.
    pub fn set(&mut self, name: &str, value: &str) {
        let variables = &mut self.environment.variables;
        variables.insert(OsString::from(name), OsString::from(value));
    }

    /// Sets `KUBECONFIG` to a list of files in the folder.
    pub fn list(&mut self, names: &[&str]) {
        let paths = names.iter().map(|name| self.folder.path().join(name));
        let list = env::join_paths(paths).unwrap();
        self.set("KUBECONFIG", list.to_str().unwrap());
    }

    /// What the options come to.
    pub fn resolved(&self, options: &ConnectOptions) -> Resolved {
        match resolve(options, &self.environment) {
            Ok(resolved) => resolved,
            Err(error) => panic!("{error}"),
        }
    }

    /// The configuration that the options come to.
    pub fn config(&self, options: &ConnectOptions) -> Config {
        self.resolved(options).config
    }

    /// The error that the options come to, without the folder's path.
    pub fn error(&self, options: &ConnectOptions) -> String {
        let error = resolve(options, &self.environment).err().expect("an error");
        let folder = self.folder.path().to_str().unwrap();
        error.to_string().replace(folder, "FOLDER")
    }
}

/// Options that differ from none as `change` says.
pub fn options(change: impl FnOnce(&mut ConnectOptions)) -> ConnectOptions {
    let mut options = ConnectOptions::default();
    change(&mut options);
    options
}

/// A text in an option.
#[expect(clippy::unnecessary_wraps, reason = "the flags are options")]
pub fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// A secret in an option.
#[expect(clippy::unnecessary_wraps, reason = "the flags are options")]
pub fn secret(text: &str) -> Option<SecretString> {
    Some(SecretString::from(text))
}

/// The token, in the open.
pub fn token(user: &AuthInfo) -> Option<&str> {
    user.token.as_ref().map(ExposeSecret::expose_secret)
}

/// The password, in the open.
pub fn password(user: &AuthInfo) -> Option<&str> {
    user.password.as_ref().map(ExposeSecret::expose_secret)
}
