//! Files and addresses that objects of the cluster may name, and those that they may not.

use std::{fs, os::unix::fs::symlink};

use super::{
    answers::{simple, today},
    desk::{Desk, PATH, RATES},
};

/// A desk with a file of rates in its folder `allowed`, another one outside, and a link to that inside.
async fn with_files(prefix: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    let allowed = desk.folder().join("allowed");
    fs::create_dir(&allowed).expect("a folder");
    let outside = desk.folder().join("outside.json");
    for file in [&allowed.join("rates.json"), &outside] {
        fs::write(file, simple(today(), RATES)).expect("a file");
    }
    symlink(&outside, allowed.join("link.json")).expect("a link");
    desk
}

impl Desk {
    fn file(&self, path: &str) -> String {
        let file = self.folder().join(path);
        format!(
            "currency: USD, providers: [{{type: URL, url: 'file://{}'}}]",
            file.display()
        )
    }
}

#[tokio::test]
async fn a_file_is_only_read_where_that_is_allowed() {
    let desk = with_files("er-files").await;
    let allowed = desk.folder().join("allowed");
    let flag = format!("--allow-files={}", allowed.display());
    desk.apply("eur", &desk.file("allowed/rates.json")).await;
    let told = "not permitted: the file is in no folder that objects may name (--allow-files)";
    desk.refresh().await.failed_with(1).says(told);
    let elsewhere = format!("--allow-files={}/none", desk.folder().display());
    let ran = desk.run(&["refresh", &elsewhere]).await;
    ran.failed_with(1).says(told);
    desk.run(&["refresh", &flag])
        .await
        .succeeded()
        .says("1 created");
    assert_eq!(desk.data("eur").await["rate"], "1.0812");
    for path in [
        "outside.json",
        "allowed/../outside.json",
        "allowed/link.json",
        "allowed/%2e%2e/outside.json",
    ] {
        desk.apply("out", &desk.file(path)).await;
        let ran = desk.run(&["refresh", "out", &flag]).await;
        ran.failed_with(1).says(told);
        assert!(desk.configmap("out").await.is_none(), "{path}");
    }
}

#[tokio::test]
async fn the_existence_of_a_file_is_not_told() {
    let desk = with_files("er-exists").await;
    let mut told = Vec::new();
    for path in ["outside.json", "missing.json"] {
        desk.apply("eur", &desk.file(path)).await;
        let ran = desk.refresh().await.failed_with(1);
        told.push(ran.stderr.replace(path, "FILE"));
    }
    assert_eq!(told[0], told[1]);
}

#[tokio::test]
async fn a_persons_own_file_may_name_any() {
    let desk = with_files("er-ownfile").await;
    for path in ["allowed/rates.json", "outside.json", "allowed/link.json"] {
        let manifest = desk.rate("eur", &desk.file(path));
        let program = desk.program(&["refresh", "-f", "-", "--allow-urls=none"]);
        program.stdin(&manifest).run().await.succeeded();
    }
}

#[tokio::test]
async fn addresses_are_only_asked_where_that_is_allowed() {
    let desk = Desk::new("er-urls").await;
    desk.apply("eur", "currency: USD").await;
    let other = desk.provider.url("/other/");
    for (flags, told) in [
        (
            &["--allow-urls=none"][..],
            "objects may not name this address (--allow-urls)",
        ),
        (
            &["--allow-urls=public"],
            "objects may only name https: addresses",
        ),
        (
            &["--allow-urls", &other],
            "objects may not name this address (--allow-urls)",
        ),
    ] {
        let arguments = [&["refresh"][..], flags].concat();
        let ran = desk.run(&arguments).await.failed_with(1);
        ran.says("not permitted: ").says(told);
        assert_eq!(desk.provider.targets(), [""; 0], "{flags:?}");
        let condition = desk.condition("eur", "Ready").await;
        assert_eq!(condition[..2], ["False", "NoRates"]);
    }
    let root = desk.provider.url("/");
    let ran = desk
        .run(&["refresh", "--allow-urls", &other, "--allow-urls", &root])
        .await;
    ran.succeeded().says("1 created");
    assert_eq!(desk.provider.targets(), [PATH]);
    let ran = desk.run(&["refresh", "--allow-urls=ftp://a"]).await;
    ran.failed_with(1).says("--allow-urls: ");
}

#[tokio::test]
async fn an_address_within_the_network_is_not_public() {
    let desk = Desk::new("er-public").await;
    for url in [
        "https://127.0.0.1:1/",
        "https://localhost:1/",
        "https://[::1]:1/",
        "https://10.0.0.1/",
        "https://169.254.169.254/latest",
    ] {
        let spec = format!("currency: USD, providers: [{{type: URL, url: '{url}'}}]");
        desk.apply("eur", &spec).await;
        let ran = desk.run(&["refresh", "--allow-urls=public"]).await;
        ran.failed_with(1).says("of the public internet");
    }
}
