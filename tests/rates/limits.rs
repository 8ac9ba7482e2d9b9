//! Providers that want to be asked less.

use jiff::Timestamp;
use kubectl_copyrator::rates::provider::{Feeds as _, Origin, ProviderType, WebOptions};

use super::{
    feeds::{RATES, feed, fetch, options, own, web, why},
    replies::{answer, ok, status},
    server::Server,
};

#[tokio::test]
async fn a_short_wait_is_waited() {
    for code in [429, 503] {
        let server = Server::start(move |_, before| match before {
            0 => status(code, &[("retry-after", "1")]),
            _ => ok(RATES),
        })
        .await;
        let begun = std::time::Instant::now();
        assert!(fetch(&server.url("/")).await.is_ok());
        assert!(begun.elapsed().as_secs_f64() > 0.9, "{:?}", begun.elapsed());
    }
}

#[tokio::test]
async fn a_long_wait_is_left_to_the_next_run() {
    for code in [429, 503] {
        let server = Server::always(status(code, &[("retry-after", "600")])).await;
        let error = fetch(&server.url("/")).await.unwrap_err();
        assert_eq!(error.word(), "RateLimited");
        assert_eq!(
            error.failure.to_string(),
            "it wants no more requests for now"
        );
        let wait = error
            .until()
            .unwrap()
            .duration_since(Timestamp::now())
            .as_secs();
        assert!((540..=600).contains(&wait), "{wait}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_limit_without_an_end_is_respected_too() {
    let server = Server::always(status(429, &[])).await;
    let error = fetch(&server.url("/")).await.unwrap_err();
    assert_eq!((error.word(), error.until()), ("RateLimited", None));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_provider_s_own_pause_is_known() {
    let server = Server::always(status(429, &[])).await;
    let feed = feed(ProviderType::OpenErApi, &server.url("/"), Origin::Own);
    let error = web(options()).fetch(&feed, None).await.unwrap_err();
    let wait = error
        .until()
        .unwrap()
        .duration_since(Timestamp::now())
        .as_secs();
    assert!((1140..=1200).contains(&wait), "{wait}");
}

#[tokio::test]
async fn a_limit_may_be_told_without_its_status() {
    let body = r#"{"success":false,"error":{"code":104,"type":"usage_limit_reached"}}"#;
    let server = Server::always(answer(200, &[], body)).await;
    let feed = feed(
        ProviderType::ExchangeRateHost,
        &server.url("/"),
        Origin::Own,
    );
    let got = web(options()).fetch(&feed, Some(&"abc".into())).await;
    let message = "it wants no more requests for now: \"error 104: usage_limit_reached\"";
    assert_eq!(why(got), ("RateLimited", message.to_owned()));
}

#[tokio::test]
async fn the_next_run_does_not_ask_before_the_wait_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::always(status(429, &[("retry-after", "600")])).await;
    let cached = || WebOptions {
        cache: Some(folder.path().to_owned()),
        ..options()
    };
    let feed = own(&server.url("/"));
    for _ in 0..3 {
        let error = web(cached()).fetch(&feed, None).await.unwrap_err();
        assert_eq!(error.word(), "RateLimited");
        assert!(error.until().is_some());
    }
    assert_eq!(server.requests().len(), 1);
    let insisting = WebOptions {
        ignore_cache: true,
        ..cached()
    };
    assert!(web(insisting).fetch(&feed, None).await.is_err());
    assert_eq!(server.requests().len(), 2);
}
