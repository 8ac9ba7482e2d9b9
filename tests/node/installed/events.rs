//! The Events that a controller publishes, as people find them.

use std::collections::BTreeMap;

use k8s_openapi::api::{core::v1::Secret, events::v1::Event};
use kube::{
    Api, ResourceExt,
    api::{DeleteParams, ListParams},
};
use serde_json::json;

use super::{answer::Answer, installation::Installation};
use crate::sandbox::{eventually, planted, secret};

const TARGETS: usize = 30;

/// An object that Events are about, and where they are.
struct Subject {
    kind: &'static str,
    name: String,
    uid: String,
    events: Api<Event>,
}

#[tokio::test]
async fn they_are_few_and_say_what_happened_to_whom() {
    let Some(installation) = Installation::new("node-events").await else {
        return;
    };
    let sandbox = installation.sandbox();
    prepare(&installation).await;
    let rule = sandbox.name("rule");
    let flags = ["--only=rules", "--replicas=1", "--rule", &rule];
    installation.deploy(&flags).await.succeeded();
    let subjects = installation.subjects().await;
    let (leader, _) = installation.leader(installation.ready(1).await).await;
    for subject in &subjects {
        let events = subject.both().await;
        let instance = installation.holder().await;
        for event in events.values() {
            subject.is_regarded(event);
            assert_eq!(
                event.reporting_controller.as_deref(),
                Some("copyrator.dev/controller")
            );
            assert_eq!(event.reporting_instance.as_ref(), Some(&instance));
            assert!(
                event.series.is_none() && event.event_time.is_some(),
                "{event:#?}"
            );
        }
        let copied = &events["Copied"];
        assert_eq!(copied.type_.as_deref(), Some("Normal"));
        let conflict = &events["Conflict"];
        assert_eq!(conflict.type_.as_deref(), Some("Warning"));
        let note = conflict.note.as_deref().unwrap_or_default();
        assert!(note.contains(&sandbox.name("team-taken")), "{note}");
    }
    let described = installation.kubectl(&["describe", "copyratorrule", &rule], "");
    let source = sandbox.name("source");
    let listed = installation.kubectl(&["events", "-n", &source, "--for=Secret/regcred"], "");
    for text in [described, listed] {
        assert!(
            text.contains("Copied") && text.contains("Conflict"),
            "{text}"
        );
    }
    // The same again makes a series of the Event, which is told at the latest when the controller ends.
    let edit = json!({"metadata": {"labels": {"edited": "yes"}}});
    sandbox
        .patch_secret("team-taken", "regcred", "somebody", edit)
        .await;
    let conflicts = ["result=\"conflict\""];
    let twice = |metrics: &Answer| metrics.sum("copyrator_reconciles_total", &conflicts) == 2;
    leader.measures(twice).await;
    let deleted = installation
        .pods()
        .delete(&leader.name(), &DeleteParams::default())
        .await;
    deleted.expect("the pod is deleted");
    for subject in &subjects {
        subject
            .eventually(|events| {
                let conflicts = events
                    .iter()
                    .filter(|event| event.reason.as_deref() == Some("Conflict"));
                conflicts
                    .filter_map(|event| event.series.as_ref())
                    .any(|series| series.count == 2)
            })
            .await;
    }
}

/// Many namespaces to be copied to, of which one has a Secret of somebody else.
async fn prepare(installation: &Installation) {
    let sandbox = installation.sandbox();
    let teams: Vec<_> = (0..TARGETS).map(|team| format!("team-{team}")).collect();
    let teams: Vec<_> = teams.iter().map(String::as_str).collect();
    sandbox.namespaces(&["source", "team-taken"]).await;
    sandbox.namespaces(&teams).await;
    sandbox.create_regcred(&planted("first")).await;
    let taken = secret("regcred", &[("password", "theirs")]);
    sandbox.create_secret("team-taken", &taken).await;
    sandbox.apply_rule(&sandbox.rule()).await;
}

impl Installation {
    /// The rule and its original.
    async fn subjects(&self) -> [Subject; 2] {
        let sandbox = self.sandbox();
        let rule = sandbox.stored_rule("rule").await;
        let uid = rule["metadata"]["uid"].as_str().expect("a rule has a uid");
        let original: Secret = sandbox.regcred("source").await;
        [
            Subject {
                kind: "CopyratorRule",
                name: sandbox.name("rule"),
                uid: uid.to_owned(),
                events: Api::namespaced(sandbox.client.clone(), "default"),
            },
            Subject {
                kind: "Secret",
                name: "regcred".to_owned(),
                uid: original.uid().expect("a Secret has a uid"),
                events: sandbox.api("source"),
            },
        ]
    }
}

impl Subject {
    async fn eventually(&self, holds: impl Fn(&[&Event]) -> bool) {
        eventually(&self.events, ListParams::default(), |events| {
            let about: Vec<_> = events
                .iter()
                .copied()
                .filter(|event| self.is_of(event))
                .collect();
            holds(&about)
        })
        .await;
    }

    /// Waits until all is told, and gives one of each reason. Of the copies there may be two: what isn't made
    /// within a second, on a busy machine, is told half a minute later.
    async fn both(&self) -> BTreeMap<String, Event> {
        self.eventually(|events| {
            let told: usize = of_reason(events, "Copied").map(objects).sum();
            told >= TARGETS && of_reason(events, "Conflict").next().is_some()
        })
        .await;
        let all = self.events.list(&ListParams::default()).await;
        let all = all.expect("Events can be listed");
        let about: Vec<_> = all.iter().filter(|event| self.is_of(event)).collect();
        let copied: Vec<_> = of_reason(&about, "Copied").map(objects).collect();
        assert!(copied.len() <= 2, "{about:#?}");
        assert_eq!(copied.iter().sum::<usize>(), TARGETS, "{about:#?}");
        assert_eq!(of_reason(&about, "Conflict").count(), 1, "{about:#?}");
        assert_eq!(about.len(), copied.len() + 1, "{about:#?}");
        let by_reason = about.into_iter().cloned();
        by_reason
            .map(|event| (event.reason.clone().unwrap_or_default(), event))
            .collect()
    }

    fn is_of(&self, event: &Event) -> bool {
        let regarding = event.regarding.as_ref();
        regarding.and_then(|regarding| regarding.uid.as_deref()) == Some(&self.uid)
    }

    fn is_regarded(&self, event: &Event) {
        let regarding = event.regarding.as_ref().expect("it is about something");
        assert_eq!(regarding.kind.as_deref(), Some(self.kind));
        assert_eq!(regarding.name.as_deref(), Some(&*self.name));
    }
}

fn of_reason<'a>(events: &[&'a Event], reason: &str) -> impl Iterator<Item = &'a Event> {
    let events = events.iter().copied();
    events.filter(move |event| event.reason.as_deref() == Some(reason))
}

/// Of how many objects an Event tells.
fn objects(event: &Event) -> usize {
    let words = event.note.as_deref().unwrap_or_default().split(' ');
    let mut numbers = words.filter_map(|word| word.parse().ok());
    numbers.next().expect("its note says how many")
}
