//! Rates in files.

use std::fs;

use kubectl_copyrator::rates::provider::{
    Feeds as _, FilePermission, Permissions, Web, WebOptions,
};

use super::feeds::{RATES, fetch, of_object, options, web, why};

fn url(path: &std::path::Path) -> String {
    format!("file://{}", path.display())
}

#[tokio::test]
async fn a_person_s_own_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my rates.json");
    fs::write(&file, RATES).unwrap();
    assert!(fetch(&url(&file)).await.is_ok());
    fs::write(&file, "{").unwrap();
    assert_eq!(why(fetch(&url(&file)).await).0, "Truncated");
    fs::remove_file(&file).unwrap();
    let told = (
        "Unreadable",
        "the file can't be read: entity not found".to_owned(),
    );
    assert_eq!(why(fetch(&url(&file)).await), told);
}

#[tokio::test]
async fn a_file_has_a_limit_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rates.json");
    fs::write(&file, vec![b' '; (1 << 20) + 1]).unwrap();
    let small = WebOptions {
        max_body: 1 << 20,
        ..options()
    };
    let got = web(small)
        .fetch(&super::feeds::own(&url(&file)), None)
        .await;
    assert_eq!(
        why(got),
        ("TooLarge", "the answer is larger than 1 MiB".to_owned())
    );
}

#[tokio::test]
async fn an_object_only_has_files_of_allowed_folders_read() {
    let folder = tempfile::tempdir().unwrap();
    let allowed = folder.path().join("allowed");
    fs::create_dir(&allowed).unwrap();
    for file in [allowed.join("rates.json"), folder.path().join("other.json")] {
        fs::write(file, RATES).unwrap();
    }
    let permissions = Permissions {
        files: FilePermission::Folders(vec![allowed.clone()]),
        ..Permissions::for_objects_of_others()
    };
    let web = Web::new(options(), permissions).unwrap();
    let fetch = async |path: &str| {
        web.fetch(&of_object(&url(&folder.path().join(path))), None)
            .await
    };
    assert!(fetch("allowed/rates.json").await.is_ok());
    for path in [
        "other.json",
        "allowed/../other.json",
        "allowed/%2e%2e/other.json",
        "missing.json",
    ] {
        let told = "not permitted: the file is in no folder that objects may name (--allow-files)";
        assert_eq!(
            why(fetch(path).await),
            ("NotPermitted", told.to_owned()),
            "{path}"
        );
    }
}
