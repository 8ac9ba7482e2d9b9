//! `crd` as the program runs it, in this process, and the definition as the cluster has it.

use std::{cell::RefCell, fmt::Debug, io, rc::Rc, time::Duration};

use clap::Parser;
use http::Request;
use kube::{Client, Config, config::KubeConfigOptions, config::Kubeconfig};
use kubectl_copyrator::{
    cli::crd::{CrdArguments, CrdCommand},
    cluster::Definitions,
    commands::crd::{CrdError, install, print, uninstall},
    output::{Palette, Streams, write_error},
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::sandbox::Sandbox;

/// The definition's name.
pub const NAME: &str = "copyratorrules.copyrator.dev";
/// The definition as result lines name it.
pub const LINE: &str = "customresourcedefinition.apiextensions.k8s.io/copyratorrules.copyrator.dev";
/// The other definition as result lines name it.
pub const OTHER_LINE: &str =
    "customresourcedefinition.apiextensions.k8s.io/exchangerates.copyrator.dev";
/// The definition's path.
pub const PATH: &str =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/copyratorrules.copyrator.dev";
/// The path of the rules.
pub const RULES: &str = "/apis/copyrator.dev/v1alpha1/copyratorrules";

#[derive(Parser)]
struct Program {
    #[command(flatten)]
    arguments: CrdArguments,
}

/// What a command left.
#[derive(Debug)]
pub struct Ended {
    /// Standard output.
    pub out: String,
    /// Standard error, with the error at its end.
    pub err: String,
    /// Whether it succeeded.
    pub succeeded: bool,
}

#[derive(Clone, Default)]
struct Captured(Rc<RefCell<Vec<u8>>>);

impl io::Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Captured {
    fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).expect("the program prints UTF-8")
    }
}

/// Runs `crd` with these arguments, until `cancellation`.
pub async fn crd(client: &Client, arguments: &str, cancellation: &CancellationToken) -> Ended {
    let (out, err) = (Captured::default(), Captured::default());
    let mut streams = Streams {
        out: Box::new(out.clone()),
        err: Box::new(err.clone()),
        out_is_terminal: false,
        err_is_terminal: false,
        in_is_terminal: false,
    };
    let program = Program::parse_from(std::iter::once("crd").chain(arguments.split(' ')));
    let definitions = Definitions::new(client.clone(), None);
    let result: Result<(), CrdError> = match program.arguments.command {
        CrdCommand::Install(arguments) => {
            install(&definitions, &arguments, &mut streams, cancellation).await
        }
        CrdCommand::Uninstall(arguments) => {
            uninstall(&definitions, &arguments, &mut streams, cancellation).await
        }
        CrdCommand::Print(arguments) => print(&arguments, &mut streams),
    };
    if let Err(error) = &result {
        write_error(&mut streams, error, &[], Palette::default()).expect("memory can be written");
    }
    Ended {
        out: out.text(),
        err: err.text(),
        succeeded: result.is_ok(),
    }
}

impl Ended {
    /// Asserts that it succeeded and printed these lines.
    #[track_caller]
    pub fn prints(self, lines: &[impl AsRef<str> + Debug]) -> Self {
        assert!(self.succeeded, "{self:#?}");
        let lines: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
        assert_eq!(self.out.lines().collect::<Vec<_>>(), lines, "{self:#?}");
        self
    }

    /// Asserts that it failed, printed nothing and said this.
    #[track_caller]
    pub fn fails(self, text: &str) -> Self {
        self.fails_after(&[""; 0], text)
    }

    /// Asserts that it failed after it had printed these lines, and said this.
    #[track_caller]
    pub fn fails_after(self, lines: &[impl AsRef<str> + Debug], text: &str) -> Self {
        assert!(!self.succeeded, "{self:#?}");
        let lines: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
        assert_eq!(self.out.lines().collect::<Vec<_>>(), lines, "{self:#?}");
        self.says(text)
    }

    /// Asserts that standard error contains a text.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(self.err.contains(text), "no {text:?} in {self:#?}");
        self
    }
}

impl Sandbox {
    /// A cluster of the test's own for a while, without the definition.
    pub async fn blank(prefix: &str) -> Self {
        let sandbox = Self::alone(prefix).await;
        sandbox.delete_all_rules().await;
        let ended = sandbox.crd("uninstall --yes --force").await;
        assert!(ended.succeeded, "{ended:#?}");
        sandbox
    }

    /// Runs `crd` with these arguments.
    pub async fn crd(&self, arguments: &str) -> Ended {
        crd(&self.client, arguments, &CancellationToken::new()).await
    }

    /// The definition as the cluster has it.
    pub async fn definition(&self) -> Option<Value> {
        let request = Request::get(PATH)
            .body(Vec::new())
            .expect("a valid request");
        match self.client.request(request).await {
            Ok(definition) => Some(definition),
            Err(kube::Error::Api(status)) if status.code == 404 => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// The resourceVersion of the definition, once the API server is done with its status.
    pub async fn definition_version(&self) -> String {
        let definition = self.definition().await.expect("the definition is there");
        definition["metadata"]["resourceVersion"]
            .as_str()
            .expect("objects have a resourceVersion")
            .to_owned()
    }

    /// Changes the definition by a merge patch.
    pub async fn patch_definition(&self, patch: Value) {
        self.merge(PATH, patch).await;
    }

    /// Changes an object by a merge patch.
    pub async fn merge(&self, path: &str, change: Value) {
        let request = Request::patch(path)
            .header("Content-Type", "application/merge-patch+json")
            .body(change.to_string().into_bytes())
            .expect("a valid request");
        let patched: Result<Value, _> = self.client.request(request).await;
        patched.expect("the object is changed");
    }

    /// Gives the definition another schema revision; null removes it.
    pub async fn set_revision(&self, revision: Value) {
        let annotations = json!({"copyrator.dev/schema-revision": revision});
        self.patch_definition(json!({"metadata": {"annotations": annotations}}))
            .await;
    }

    /// Takes our label from the definition.
    pub async fn disown(&self) {
        let labels = json!({"app.kubernetes.io/managed-by": "somebody"});
        self.patch_definition(json!({"metadata": {"labels": labels}}))
            .await;
    }

    /// A client that acts for a user without rights.
    pub async fn stranger(&self, name: &str) -> Client {
        let kubeconfig = Kubeconfig::read_from(self.kubeconfig()).expect("a kubeconfig");
        let options = KubeConfigOptions::default();
        let config = Config::from_custom_kubeconfig(kubeconfig, &options).await;
        let mut config = config.expect("the kubeconfig makes a configuration");
        config.auth_info.impersonate = Some(self.name(name));
        Client::try_from(config).expect("a client")
    }
}

/// Waits until something holds.
pub async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(30), waiting).await;
    waited.unwrap_or_else(|_| panic!("{what} didn't happen within 30s"));
}

/// Definitions of the test's own.
impl Sandbox {
    /// Makes a definition.
    pub async fn create_definition(&self, definition: &Value) {
        let request = Request::post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions")
            .header("Content-Type", "application/json")
            .body(definition.to_string().into_bytes())
            .expect("a valid request");
        let created: Result<Value, _> = self.client.request(request).await;
        created.expect("the definition is made");
    }

    /// Deletes a definition.
    pub async fn delete_definition(&self, name: &str) {
        let request = Request::delete(definition_path(name)).body(Vec::new());
        let deleted: Result<Value, _> =
            self.client.request(request.expect("a valid request")).await;
        deleted.expect("the definition is deleted");
    }

    /// Whether a definition has got its names.
    pub async fn names_accepted(&self, name: &str) -> bool {
        let request = Request::get(definition_path(name)).body(Vec::new());
        let request = request.expect("a valid request");
        let definition: Value = self
            .client
            .request(request)
            .await
            .expect("the definition is there");
        let conditions = definition["status"]["conditions"].as_array();
        conditions
            .into_iter()
            .flatten()
            .any(|condition| condition["type"] == "NamesAccepted" && condition["status"] == "True")
    }
}

fn definition_path(name: &str) -> String {
    format!("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{name}")
}
