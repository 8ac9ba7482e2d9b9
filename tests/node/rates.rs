//! Published rates, as pods consume them.

use std::fs;

use jiff::{Timestamp, tz::TimeZone};
use serde_json::json;
use test_cluster::BUSYBOX_IMAGE;

use super::ground::Ground;

/// A file of rates that an `ExchangeRate` asks, and the ConfigMap `eur` that is published from it.
struct Published {
    ground: Ground,
    folder: tempfile::TempDir,
}

impl Published {
    /// The first rate of the dollar is published.
    async fn new(prefix: &str, rate: &str) -> Option<Self> {
        let ground = Ground::new(prefix).await?;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let published = Self { ground, folder };
        published.refresh(rate).await;
        Some(published)
    }

    /// Publishes another rate of the dollar.
    async fn refresh(&self, rate: &str) {
        let file = self.folder.path().join("rates.json");
        let date = Timestamp::now().to_zoned(TimeZone::UTC).date();
        let rates = json!({"base": "EUR", "date": date.to_string(), "rates": {"USD": rate}});
        fs::write(&file, rates.to_string()).expect("a written file");
        let manifest = format!(
            "apiVersion: copyrator.dev/v1alpha1\nkind: ExchangeRate\n\
             metadata: {{name: eur, namespace: {}}}\n\
             spec: {{currency: USD, providers: [{{type: URL, url: 'file://{}'}}]}}\n",
            self.ground.sandbox.name("shop"),
            file.display(),
        );
        let cache = self.folder.path().to_str().expect("a path in UTF-8");
        let arguments = ["rates", "refresh", "-f", "-", "--cache-dir", cache];
        let program = self.ground.sandbox.program(&arguments);
        program.stdin(&manifest).run().await.succeeded();
    }
}

#[tokio::test]
async fn a_pod_has_them_in_its_environment() {
    let Some(published) = Published::new("node-env", "1.0812").await else {
        return;
    };
    let script = "echo $USD; echo $USD_INVERSE; echo $PRICE_FACTOR";
    let reference = json!({"configMapKeyRef": {"name": "eur", "key": "rate"}});
    let container = json!({
        "image": BUSYBOX_IMAGE,
        "command": ["sh", "-c", script],
        "envFrom": [{"configMapRef": {"name": "eur"}}],
        "env": [{"name": "PRICE_FACTOR", "valueFrom": reference}],
    });
    let ground = &published.ground;
    ground.start("shop", container, json!([])).await;
    let expected = "1.0812\n0.9248982612\n1.0812\n";
    assert_eq!(ground.finished("shop").await, expected);
}

#[tokio::test]
async fn a_mounted_file_of_them_follows_each_refresh() {
    let Some(published) = Published::new("node-volume", "1.0812").await else {
        return;
    };
    let script = "show() { . /rates/rates.env; echo $BASE $USD $(cat /rates/rate) $FIRST; }; \
                  show; until [ $(cat /rates/rate) != 1.0812 ]; do sleep 0.1; done; show";
    let reference = json!({"configMapKeyRef": {"name": "eur", "key": "rate"}});
    let container = json!({
        "image": BUSYBOX_IMAGE,
        "command": ["sh", "-c", script],
        "env": [{"name": "FIRST", "valueFrom": reference}],
        "volumeMounts": [{"name": "rates", "mountPath": "/rates", "readOnly": true}],
    });
    let volumes = json!([{"name": "rates", "configMap": {"name": "eur"}}]);
    let ground = &published.ground;
    ground.start("shop", container, volumes).await;
    ground.heard("shop", "EUR 1.0812 1.0812 1.0812").await;
    published.refresh("1.1").await;
    // All files change at once; the environment is as it was when the container started.
    let expected = "EUR 1.0812 1.0812 1.0812\nEUR 1.1 1.1 1.0812\n";
    assert_eq!(ground.finished("shop").await, expected);
}
