//! A leader whose rights are taken away.

use k8s_openapi::api::rbac::v1::{PolicyRule, Role, RoleBinding, RoleRef, Subject};
use kube::{
    Api, Client, Config,
    api::{DeleteParams, PostParams},
    config::{KubeConfigOptions, Kubeconfig},
    core::ObjectMeta,
};
use tokio::time::Instant;

use super::contender::{Contest, LEASE, LEASE_DURATION, RENEW_DEADLINE, RETRY_PERIOD, contest};

const NAME: &str = "elector";

/// A client that acts as somebody of this name.
async fn client_of(contest: &Contest, user: &str) -> Client {
    let kubeconfig = Kubeconfig::read_from(contest.sandbox.kubeconfig()).expect("it is valid");
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
    let mut config = config.expect("the kubeconfig makes a configuration");
    config.auth_info.impersonate = Some(user.to_owned());
    Client::try_from(config).expect("a client")
}

fn named(name: &str) -> ObjectMeta {
    ObjectMeta {
        name: Some(name.to_owned()),
        ..ObjectMeta::default()
    }
}

/// The rights that the guide grants: the Lease by its name, and to make one.
async fn grant(contest: &Contest, user: &str) {
    let rule = |verbs: &[&str], names: &[&str]| PolicyRule {
        api_groups: Some(vec!["coordination.k8s.io".to_owned()]),
        resources: Some(vec!["leases".to_owned()]),
        verbs: verbs.iter().map(ToString::to_string).collect(),
        resource_names: (!names.is_empty())
            .then(|| names.iter().map(ToString::to_string).collect()),
        ..PolicyRule::default()
    };
    let granted = Role {
        metadata: named(NAME),
        rules: Some(vec![
            rule(&["get", "list", "watch", "update"], &[LEASE]),
            rule(&["create"], &[]),
        ]),
    };
    let roles: Api<Role> = contest.sandbox.api("own");
    roles
        .create(&PostParams::default(), &granted)
        .await
        .expect("the Role is made");
    bind(contest, user).await;
}

async fn bind(contest: &Contest, user: &str) {
    let binding = RoleBinding {
        metadata: named(NAME),
        role_ref: RoleRef {
            api_group: "rbac.authorization.k8s.io".to_owned(),
            kind: "Role".to_owned(),
            name: NAME.to_owned(),
        },
        subjects: Some(vec![Subject {
            kind: "User".to_owned(),
            name: user.to_owned(),
            ..Subject::default()
        }]),
    };
    let bindings: Api<RoleBinding> = contest.sandbox.api("own");
    bindings
        .create(&PostParams::default(), &binding)
        .await
        .expect("the binding is made");
}

#[tokio::test]
async fn a_leader_without_rights_stops_in_time_and_is_a_candidate_again() {
    contest("election-rights", async |contest| {
        let user = contest.sandbox.name("user");
        grant(&contest, &user).await;
        let first = contest.enter_as(1, client_of(&contest, &user).await);
        contest.successor(None).await;
        let second = contest.enter(2);
        contest.leaders(RETRY_PERIOD * 2).await;
        let bindings: Api<RoleBinding> = contest.sandbox.api("own");
        let revoked = bindings.delete(NAME, &DeleteParams::default()).await;
        revoked.expect("the binding is deleted");
        let begun = Instant::now();
        let (_, leader) = contest.successor(Some(1)).await;
        assert_eq!(leader, 2);
        assert!(
            begun.elapsed() >= LEASE_DURATION.checked_sub(RETRY_PERIOD * 2).unwrap(),
            "{:?}",
            begun.elapsed()
        );
        assert!(first.told("Lost(NotRenewed)") && first.told("Forbidden"));
        // Its rights come back, and it isn't the worse for it.
        bind(&contest, &user).await;
        contest.leaders(RENEW_DEADLINE).await;
        second.end().await;
        let (_, leader) = contest.successor(Some(2)).await;
        assert_eq!(leader, 1);
    })
    .await;
}
