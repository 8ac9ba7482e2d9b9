//! The requests that read and write definitions.

use http::Method;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::{Value, json};

use super::{
    CrdError, Standing,
    standing::{Readiness, contains},
};
use crate::{
    api::SCHEMA_REVISION,
    cluster::{
        Connection,
        request::{Outgoing, Scale, Sender},
    },
    reconcile::{ApiError, Depth, FIELD_MANAGER, Failure, Verb},
};

const COLLECTION: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// The definitions in a cluster.
pub struct Definitions {
    pub(super) sender: Sender,
}

/// A definition as it is in the cluster.
#[derive(Clone, Debug)]
pub struct Existing {
    /// All of it.
    pub definition: CustomResourceDefinition,
    raw: Value,
}

impl Existing {
    /// Whose it is, and how new.
    pub fn standing(&self) -> Standing {
        Standing::of(&self.definition)
    }

    /// Whether it is in use.
    pub fn readiness(&self) -> Readiness {
        Readiness::of(&self.definition)
    }

    /// Whether it has all that `wanted` has, without asking the API server.
    pub fn has(&self, wanted: &CustomResourceDefinition) -> bool {
        contains(&self.raw, &written(&json!(wanted)))
    }
}

/// The parts of a definition that are ours to write.
fn written(definition: &Value) -> Value {
    let metadata = &definition["metadata"];
    json!({
        "metadata": {
            "labels": metadata["labels"],
            "annotations": metadata["annotations"],
        },
        "spec": definition["spec"],
    })
}

impl Definitions {
    /// The definitions of the cluster that is connected to.
    pub fn new(connection: &Connection) -> Self {
        Self {
            sender: Sender::new(connection.client.clone(), connection.request_timeout),
        }
    }

    /// Reads a definition.
    pub async fn get(&self, name: &str) -> Result<Option<Existing>, ApiError> {
        let uri = format!("{COLLECTION}/{name}");
        match self.send(Verb::Get, name, Method::GET, uri, None).await {
            Ok(existing) => Ok(Some(existing)),
            Err(ApiError {
                failure: Failure::NotFound(_),
                ..
            }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Creates a definition.
    pub async fn create(
        &self,
        wanted: &CustomResourceDefinition,
        dry_run: bool,
    ) -> Result<(), ApiError> {
        let uri = format!("{COLLECTION}?{}", write_parameters(dry_run));
        let body = ("application/json", json!(wanted).to_string());
        let name = name(wanted);
        self.send(Verb::Create, name, Method::POST, uri, Some(body))
            .await
            .map(drop)
    }

    /// Whether a definition may be replaced by ours.
    pub fn may_replace(existing: &Existing, force: bool) -> Result<(), CrdError> {
        let name = name(&existing.definition).to_owned();
        if existing.readiness() == Readiness::Terminating {
            return Err(CrdError::Terminating(name));
        }
        match existing.standing() {
            Standing::Newer(installed) if !force => Err(CrdError::Newer {
                name,
                installed,
                ours: SCHEMA_REVISION,
            }),
            Standing::Foreign { managers } if !force => Err(CrdError::Foreign {
                name,
                managers: managers.join(", "),
                advice: "look at it with kubectl get crd -o yaml, and take it over with --force",
            }),
            _ => Ok(()),
        }
    }

    /// Makes an existing definition like ours, unless it is already: the API server tells, by what
    /// would become of it. Gives whether anything was, or would have been, changed.
    pub async fn update(
        &self,
        existing: &Existing,
        wanted: &CustomResourceDefinition,
        dry_run: bool,
    ) -> Result<bool, ApiError> {
        let rehearsed = self.patch(existing, wanted, true).await?;
        if written(&rehearsed.raw) == written(&existing.raw) {
            return Ok(false);
        }
        if !dry_run {
            self.patch(existing, wanted, false).await?;
        }
        Ok(true)
    }

    /// Replaces the spec and adds our marks, leaving others' labels and annotations alone.
    async fn patch(
        &self,
        existing: &Existing,
        wanted: &CustomResourceDefinition,
        dry_run: bool,
    ) -> Result<Existing, ApiError> {
        let marks = |field: &str| {
            let mut marks = existing.raw["metadata"][field].clone();
            if !marks.is_object() {
                marks = json!({});
            }
            let wanted = json!(wanted)["metadata"][field].clone();
            for (key, value) in wanted.as_object().into_iter().flatten() {
                marks[key] = value.clone();
            }
            marks
        };
        let patch = json!([
            {"op": "replace", "path": "/metadata/resourceVersion",
             "value": existing.definition.metadata.resource_version},
            {"op": "add", "path": "/metadata/labels", "value": marks("labels")},
            {"op": "add", "path": "/metadata/annotations", "value": marks("annotations")},
            {"op": "replace", "path": "/spec", "value": wanted.spec},
        ]);
        let name = name(wanted);
        let uri = format!("{COLLECTION}/{name}?{}", write_parameters(dry_run));
        let body = ("application/json-patch+json", patch.to_string());
        self.send(Verb::Patch, name, Method::PATCH, uri, Some(body))
            .await
    }

    /// Deletes exactly this definition, and with it all its objects.
    pub async fn delete(&self, existing: &Existing, dry_run: bool) -> Result<(), ApiError> {
        let name = name(&existing.definition);
        let mut options = json!({
            "apiVersion": "v1",
            "kind": "DeleteOptions",
            "preconditions": {"uid": existing.definition.metadata.uid},
        });
        if dry_run {
            options["dryRun"] = json!(["All"]);
        }
        let body = ("application/json", options.to_string());
        let uri = format!("{COLLECTION}/{name}");
        let outgoing = Outgoing {
            method: Method::DELETE,
            uri,
            scale: Scale::Object,
            depth: Depth::Full,
            body: Some(body),
        };
        match self.sender.send(outgoing).await {
            Ok(_) | Err(Failure::NotFound(_)) => Ok(()),
            Err(failure) => Err(error(Verb::Delete, name, failure)),
        }
    }

    async fn send(
        &self,
        verb: Verb,
        name: &str,
        method: Method,
        uri: String,
        body: Option<(&'static str, String)>,
    ) -> Result<Existing, ApiError> {
        let outgoing = Outgoing {
            method,
            uri,
            scale: Scale::Object,
            depth: Depth::Full,
            body,
        };
        let answer = self.sender.send(outgoing).await;
        answer
            .and_then(|answer| parse(&answer))
            .map_err(|failure| error(verb, name, failure))
    }
}

fn parse(answer: &[u8]) -> Result<Existing, Failure> {
    let malformed = |error: serde_json::Error| Failure::Malformed(error.to_string());
    let raw: Value = serde_json::from_slice(answer).map_err(malformed)?;
    let definition = serde_json::from_slice(answer).map_err(malformed)?;
    Ok(Existing { definition, raw })
}

fn error(verb: Verb, name: &str, failure: Failure) -> ApiError {
    ApiError {
        verb,
        subject: format!("customresourcedefinition.apiextensions.k8s.io/{name}"),
        failure,
    }
}

fn write_parameters(dry_run: bool) -> String {
    let mut parameters = format!("fieldManager={FIELD_MANAGER}&fieldValidation=Strict");
    if dry_run {
        parameters.push_str("&dryRun=All");
    }
    parameters
}

/// A definition's name: one without is none.
pub(super) fn name(definition: &CustomResourceDefinition) -> &str {
    definition.metadata.name.as_deref().unwrap_or_default()
}
