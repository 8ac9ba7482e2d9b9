//! `crd` on a real API server.

mod install;
mod uninstall;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::{
    Api,
    api::{Patch, PatchParams},
};
use serde_json::Value;

use crate::sandbox::Sandbox;

const NAME: &str = "copyratorrules.copyrator.dev";

fn api(sandbox: &Sandbox) -> Api<CustomResourceDefinition> {
    Api::all(sandbox.client.clone())
}

/// Changes the definition behind the program's back.
async fn tamper(sandbox: &Sandbox, change: Value) {
    let patch = Patch::Merge(change);
    let definitions = api(sandbox);
    let parameters = PatchParams::default();
    let patched = definitions.patch(NAME, &parameters, &patch).await;
    patched.expect("the definition is changed");
}
