//! Each provider's answers, whole and otherwise.

use kubectl_copyrator::rates::provider::{Feed, Feeds as _, Origin, ProviderType, Span};

use super::{
    feeds::{RATES, feed, fetch, options, own, web, why},
    replies::{answer, chunked, ok, packed},
    server::Server,
};

#[tokio::test]
async fn each_provider_is_asked_in_its_own_way() {
    let table: [(ProviderType, Option<&str>, &str, &[u8]); 7] = [
        (
            ProviderType::Ecb,
            None,
            "/eurofxref-daily.xml",
            include_bytes!("../fixtures/rates/ecb-daily.xml"),
        ),
        (
            ProviderType::Frankfurter,
            None,
            "/v2/rates?base=EUR",
            include_bytes!("../fixtures/rates/frankfurter-v2-latest.json"),
        ),
        (
            ProviderType::FrankfurterV1,
            None,
            "/v1/latest?base=EUR",
            include_bytes!("../fixtures/rates/frankfurter-v1-latest.json"),
        ),
        (
            ProviderType::OpenErApi,
            None,
            "/v6/latest/EUR",
            include_bytes!("../fixtures/rates/open-er-api.json"),
        ),
        (
            ProviderType::OpenExchangeRates,
            Some("abc"),
            "/latest.json",
            include_bytes!("../fixtures/rates/open-exchange-rates.json"),
        ),
        (
            ProviderType::ExchangeRateHost,
            Some("abc"),
            "/live?access_key=abc",
            include_bytes!("../fixtures/rates/exchangerate-host.json"),
        ),
        (ProviderType::Url, None, "/", RATES),
    ];
    for (kind, key, target, body) in table {
        let server = Server::always(ok(body)).await;
        let key = key.map(Into::into);
        let feed = feed(kind, &server.url("/"), Origin::Own);
        let quotations = web(options()).fetch(&feed, key.as_ref()).await.unwrap();
        assert_eq!(quotations, kind.provider().read(body).unwrap(), "{kind}");
        assert_eq!(server.targets(), [target], "{kind}");
        let request = &server.requests()[0];
        let agent = concat!("kubectl-copyrator/", env!("CARGO_PKG_VERSION"));
        assert_eq!(request.header("user-agent"), Some(agent));
        assert_eq!(request.header("accept-encoding"), Some("gzip"));
    }
}

#[tokio::test]
async fn a_history_holds_only_the_days_that_were_asked_for() {
    let server = Server::always(ok(include_bytes!("../fixtures/rates/history.csv"))).await;
    let since = |day: &str| Feed {
        span: Span::Since(day.parse().unwrap()),
        ..own(&server.url("/history.csv"))
    };
    let days = async |day: &str| {
        let quotations = web(options()).fetch(&since(day), None).await.unwrap();
        quotations
            .days
            .into_keys()
            .map(|day| day.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(days("2026-11-01").await, ["2026-11-19", "2026-11-20"]);
    assert_eq!(days("2026-11-20").await, ["2026-11-20"]);
    assert_eq!(
        days("2026-11-21").await,
        ["2026-11-20"],
        "the latest ones are better than none"
    );
}

#[tokio::test]
async fn an_answer_may_be_packed_or_in_pieces_or_of_any_type() {
    for reply in [
        packed(RATES),
        chunked(RATES),
        answer(200, &[("content-type", "text/plain")], RATES),
    ] {
        let server = Server::always(reply).await;
        assert_eq!(fetch(&server.url("/")).await.unwrap().base.code(), "EUR");
    }
}

#[tokio::test]
async fn a_page_of_a_captive_portal_is_told_from_rates() {
    let page = "<!DOCTYPE html><html><title>Welcome to the hotel</title></html>";
    let server = Server::always(answer(200, &[("content-type", "text/html")], page)).await;
    let message = "got HTML, not CSV; a login page, or the wrong address?";
    assert_eq!(
        why(fetch(&server.url("/")).await),
        ("GotHtml", message.to_owned())
    );
    for kind in ProviderType::ALL {
        let feed = feed(kind, &server.url("/"), Origin::Own);
        let got = web(options()).fetch(&feed, Some(&"abc".into())).await;
        assert_eq!(why(got).0, "GotHtml", "{kind}");
    }
    let requests = server.requests().len();
    assert_eq!(
        requests,
        1 + ProviderType::ALL.len(),
        "asking again would help nobody"
    );
}

#[tokio::test]
async fn what_a_provider_says_is_told_whatever_the_status() {
    let refused = include_bytes!("../fixtures/rates/open-exchange-rates-401.json");
    let server = Server::always(answer(401, &[], refused)).await;
    let feed = feed(
        ProviderType::OpenExchangeRates,
        &server.url("/api"),
        Origin::Own,
    );
    let error = web(options())
        .fetch(&feed, Some(&"abc".into()))
        .await
        .unwrap_err();
    assert_eq!(error.word(), "HttpStatus");
    let text = "OpenExchangeRates (127.0.0.1): HTTP 401 Unauthorized: \"invalid_app_id\"";
    assert_eq!(error.to_string(), text);
    assert_eq!(server.requests().len(), 1);

    let server = Server::always(ok(include_bytes!(
        "../fixtures/rates/exchangerate-host-refused.json"
    )))
    .await;
    let feed = super::feeds::feed(
        ProviderType::ExchangeRateHost,
        &server.url("/"),
        Origin::Own,
    );
    let got = web(options()).fetch(&feed, Some(&"abc".into())).await;
    let message = "the provider refuses: \"error 101: missing_access_key\"";
    assert_eq!(why(got), ("ProviderError", message.to_owned()));
}

#[tokio::test]
async fn a_status_alone_is_told_too() {
    let server = Server::always(answer(404, &[], "<html>not here</html>")).await;
    assert_eq!(
        why(fetch(&server.url("/")).await),
        ("HttpStatus", "HTTP 404 Not Found".to_owned())
    );
}

#[tokio::test]
async fn an_error_shows_no_query() {
    let server = Server::always(ok("{")).await;
    let error = fetch(&server.url("/rates.json?token=hunter2"))
        .await
        .unwrap_err();
    let text = format!(
        "URL (http://127.0.0.1:{}/rates.json): the JSON ends in the middle",
        server.port()
    );
    assert_eq!(error.to_string(), text);
    assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
}
