//! Answers that are used again.

use std::{fs, path::Path, time::Duration};

use jiff::{SignedDuration, Timestamp};
use kubectl_copyrator::rates::provider::{Feeds as _, WebOptions};

use super::{
    feeds::{RATES, options, own, web},
    replies::{answer, ok, stalled, status},
    server::Server,
};

const DATED: [(&str, &str); 2] = [
    ("etag", "\"v1\""),
    ("last-modified", "Fri, 20 Nov 2026 15:56:12 GMT"),
];

fn cached(folder: &Path) -> WebOptions {
    WebOptions {
        cache: Some(folder.to_owned()),
        ..options()
    }
}

/// Rates after which the next ones come that much later.
fn rates_until(wait: SignedDuration) -> String {
    let next = Timestamp::now() + wait;
    format!(
        r#"{{"base": "EUR", "date": "2026-11-20", "rates": {{"USD": 1.1}}, "nextUpdate": "{next}"}}"#
    )
}

#[tokio::test]
async fn an_unchanged_answer_is_not_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|request, _| match request.header("if-none-match") {
        Some("\"v1\"") => status(304, &[]),
        _ => answer(200, &DATED, include_bytes!("../fixtures/rates/rates.csv")),
    })
    .await;
    let feed = own(&server.url("/"));
    let first = web(cached(folder.path())).fetch(&feed, None).await.unwrap();
    for _ in 0..2 {
        assert_eq!(
            web(cached(folder.path())).fetch(&feed, None).await.unwrap(),
            first
        );
    }
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    assert_eq!(requests[0].header("if-none-match"), None);
    for request in &requests[1..] {
        assert_eq!(request.header("if-none-match"), Some("\"v1\""));
        assert_eq!(request.header("if-modified-since"), Some(DATED[1].1));
    }
}

#[tokio::test]
async fn nobody_asks_before_there_is_news() {
    let folder = tempfile::tempdir().unwrap();
    let body = rates_until(SignedDuration::from_hours(1));
    let server = Server::always(ok(body)).await;
    let feed = own(&server.url("/"));
    for _ in 0..3 {
        assert!(web(cached(folder.path())).fetch(&feed, None).await.is_ok());
    }
    assert_eq!(server.requests().len(), 1);
    let insisting = WebOptions {
        ignore_cache: true,
        ..cached(folder.path())
    };
    assert!(web(insisting).fetch(&feed, None).await.is_ok());
    assert_eq!(server.requests().len(), 2);
    assert_eq!(
        server.requests()[1].header("cache-control"),
        Some("no-cache")
    );
}

#[tokio::test]
async fn news_that_were_due_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    // More than the jitter ago.
    let body = rates_until(SignedDuration::from_secs(-90));
    let server = Server::always(ok(body)).await;
    for _ in 0..2 {
        assert!(
            web(cached(folder.path()))
                .fetch(&own(&server.url("/")), None)
                .await
                .is_ok()
        );
    }
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_damaged_cache_is_as_good_as_none() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::always(answer(200, &DATED, RATES)).await;
    let feed = own(&server.url("/"));
    let first = web(cached(folder.path())).fetch(&feed, None).await.unwrap();
    let files: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    let [file] = files.as_slice() else {
        panic!("one file was expected: {files:?}");
    };
    let mut bytes = fs::read(file).unwrap();
    bytes.pop();
    fs::write(file, bytes).unwrap();
    assert_eq!(
        web(cached(folder.path())).fetch(&feed, None).await.unwrap(),
        first
    );
    assert_eq!(server.requests()[1].header("if-none-match"), None);
}

#[tokio::test]
async fn unchanged_said_to_nobody_s_question_is_asked_again() {
    let server = Server::start(|_, before| match before {
        0 => status(304, &[]),
        _ => ok(RATES),
    })
    .await;
    assert!(
        web(options())
            .fetch(&own(&server.url("/")), None)
            .await
            .is_ok()
    );
    let server = Server::always(status(304, &[])).await;
    let error = web(options())
        .fetch(&own(&server.url("/")), None)
        .await
        .unwrap_err();
    assert_eq!(error.failure.to_string(), "HTTP 304 Not Modified");
}

#[tokio::test]
async fn a_bad_answer_is_not_kept_and_the_good_one_before_is() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|_, before| match before {
        1 => ok("{"),
        2 => status(304, &[]),
        _ => answer(200, &DATED, include_bytes!("../fixtures/rates/rates.csv")),
    })
    .await;
    let feed = own(&server.url("/"));
    let first = web(cached(folder.path())).fetch(&feed, None).await.unwrap();
    assert!(web(cached(folder.path())).fetch(&feed, None).await.is_err());
    assert_eq!(
        web(cached(folder.path())).fetch(&feed, None).await.unwrap(),
        first
    );
}

#[tokio::test]
async fn a_provider_out_of_order_is_not_covered_up() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|_, before| match before {
        0 => answer(200, &DATED, include_bytes!("../fixtures/rates/rates.csv")),
        _ => status(500, &[]),
    })
    .await;
    let feed = own(&server.url("/"));
    assert!(web(cached(folder.path())).fetch(&feed, None).await.is_ok());
    let error = web(cached(folder.path()))
        .fetch(&feed, None)
        .await
        .unwrap_err();
    assert_eq!(error.word(), "HttpStatus");
}

#[tokio::test]
async fn a_folder_that_can_t_be_written_does_no_harm() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let server = Server::always(answer(200, &DATED, RATES)).await;
    let feed = own(&server.url("/"));
    for _ in 0..2 {
        assert!(
            web(cached(&file.path().join("rates")))
                .fetch(&feed, None)
                .await
                .is_ok()
        );
    }
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn who_gives_up_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::always(stalled(RATES)).await;
    let web = web(cached(folder.path()));
    let feed = own(&server.url("/"));
    let fetching = web.fetch(&feed, None);
    let given_up = tokio::time::timeout(Duration::from_millis(300), fetching).await;
    assert!(given_up.is_err());
    assert_eq!(server.requests().len(), 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
