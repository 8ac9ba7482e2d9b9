//! A controller with no more rights than its rule needs.

use k8s_openapi::api::core::v1::Secret;
use kube::{
    Api, Client, Config,
    api::ListParams,
    config::{KubeConfigOptions, Kubeconfig},
};
use serde_json::json;

use super::installation::Installation;
use crate::sandbox::{Sandbox, label, planted, secret};

#[tokio::test]
async fn it_does_the_whole_job_and_can_do_no_more() {
    let Some(installation) = Installation::new("node-minimal").await else {
        return;
    };
    let sandbox = installation.sandbox();
    prepare(sandbox).await;
    let rule = sandbox.name("rule");
    let flags = [
        "--only=rules",
        "--roles=minimal",
        "--replicas=1",
        "--rule",
        &rule,
    ];
    installation.deploy(&flags).await.succeeded();
    let replicas = installation.ready(1).await;
    sandbox
        .eventually_password("team-a", Some(&planted("first")))
        .await;
    sandbox.rotate_regcred(&planted("second")).await;
    sandbox
        .eventually_password("team-a", Some(&planted("second")))
        .await;
    let edit = json!({"stringData": {"password": planted("edited")}});
    sandbox
        .patch_secret("team-a", "regcred", "somebody", edit)
        .await;
    sandbox
        .eventually_password("team-a", Some(&planted("second")))
        .await;
    sandbox
        .namespace("team-b", &[("registry", "private")])
        .await;
    sandbox
        .eventually_password("team-b", Some(&planted("second")))
        .await;
    sandbox
        .relabel_namespace("team-a", json!({"registry": null}))
        .await;
    sandbox.eventually_password("team-a", None).await;
    // Created twice, changed twice, removed once.
    let log = installation.log(&replicas[0], "written", 5).await;
    let refused = log.lines_with("forbidden");
    let [told] = &refused[..] else {
        panic!("{refused:#?}");
    };
    assert_eq!(told["message"], "found");
    let finding = told["finding"].as_str().unwrap_or_default();
    assert!(
        finding.contains("listed by the names that rules give them"),
        "{finding}"
    );
    can_do_no_more(&installation).await;
}

/// A rule that names its source exactly, and another Secret beside it.
async fn prepare(sandbox: &Sandbox) {
    sandbox.namespaces(&["source"]).await;
    sandbox
        .namespace("team-a", &[("registry", "private")])
        .await;
    sandbox.create_regcred(&planted("first")).await;
    let other = secret("other", &[("password", &planted("other"))]);
    sandbox.create_secret("source", &other).await;
    let target = "selector: {matchLabels: {registry: private}}";
    let rule = sandbox.rule_with("Secret", "names: [regcred]", target);
    sandbox.apply_rule(&rule).await;
}

async fn can_do_no_more(installation: &Installation) {
    let client = installation.impersonated().await;
    let (source, team) = (
        installation.sandbox().name("source"),
        installation.sandbox().name("team-b"),
    );
    let of_source = Api::<Secret>::namespaced(client.clone(), &source);
    assert!(of_source.get("regcred").await.is_ok());
    let copies = Api::<Secret>::namespaced(client.clone(), &team);
    let copy = copies.get("regcred").await.expect("its copy can be read");
    assert_eq!(
        label(&copy, "app.kubernetes.io/managed-by"),
        Some("kubectl-copyrator")
    );
    let all = Api::<Secret>::all(client);
    let everything = ListParams::default();
    let refused = [
        of_source.get("other").await.err(),
        of_source.list(&everything).await.err(),
        all.list(&everything).await.err(),
        copies
            .delete("other", &kube::api::DeleteParams::default())
            .await
            .err(),
    ];
    for (at, error) in refused.into_iter().enumerate() {
        assert!(
            matches!(&error, Some(kube::Error::Api(status)) if status.code == 403),
            "{at}: {error:?}"
        );
    }
}

impl Installation {
    /// A client that has the rights of the installation's service account.
    async fn impersonated(&self) -> Client {
        let kubeconfig = Kubeconfig::read_from(self.sandbox().kubeconfig());
        let kubeconfig = kubeconfig.expect("the test cluster's kubeconfig is valid");
        let config =
            Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
        let mut config = config.expect("the kubeconfig makes a configuration");
        let (namespace, name) = (self.sandbox().name("system"), self.name());
        config.auth_info.impersonate = Some(format!("system:serviceaccount:{namespace}:{name}"));
        Client::try_from(config).expect("a client")
    }
}
