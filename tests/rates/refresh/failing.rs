//! Providers that fail: the last good rates stay, byte for byte, and the reason is told.

use http::{Method, StatusCode};

use super::{
    answers::{ecb, simple, today},
    desk::{Desk, PATH, RATES},
    provider::Answer,
};
use crate::sandbox::Fault;

/// Asserts that with this answer nothing of the ConfigMap changes, and that the condition has this reason.
async fn keeps_its_rates(desk: &Desk, answer: Answer, reason: &str, text: &str) {
    let before = desk.configmap("eur").await;
    desk.provider.answer(PATH, answer);
    let ran = desk.refresh().await.succeeded();
    assert_eq!(ran.stdout, "", "{ran:#?}");
    let warning = format!(
        "Warning: exchangerate {}/eur: its rates of {} are kept: ",
        desk.namespace(),
        today()
    );
    let ran = ran.says(&warning).says(text);
    assert_eq!(desk.configmap("eur").await, before, "{ran:#?}");
    let [ready, told, message] = desk.condition("eur", "Ready").await;
    assert_eq!([&*ready, &*told], ["False", reason], "{message}");
    assert!(
        message.starts_with("the last good rates are kept: ") && message.contains(text),
        "{message}"
    );
    assert_eq!(
        desk.condition("eur", "Fresh").await[..2],
        ["True", "UpToDate"]
    );
    let (ran, writes) = desk.writes_of(&["refresh"]).await;
    ran.succeeded();
    assert_eq!(writes, [""; 0], "it is told already");
}

/// A desk with published rates and their history.
async fn published(prefix: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    desk.apply("eur", "quotes: [USD, JPY], history: 10").await;
    desk.refresh().await.succeeded().says("1 created");
    desk
}

#[tokio::test]
async fn an_error_of_the_server_changes_nothing() {
    let desk = published("er-error").await;
    let answer = Answer::Whole(503, "back soon".to_owned());
    keeps_its_rates(&desk, answer, "HttpStatus", "HTTP 503").await;
    desk.provider.has(PATH, simple(today(), RATES));
    desk.refresh().await.wrote_nothing();
    let ready = desk.condition("eur", "Ready").await;
    assert_eq!(ready[..2], ["True", "Published"], "it is taken back");
}

#[tokio::test]
async fn a_page_in_place_of_rates_changes_nothing() {
    let desk = published("er-html").await;
    let page = "<!DOCTYPE html><html><body>Please log in</body></html>";
    let answer = Answer::Whole(200, page.to_owned());
    keeps_its_rates(&desk, answer, "GotHtml", "got HTML").await;
}

#[tokio::test]
async fn half_an_answer_changes_nothing() {
    let desk = published("er-half").await;
    let answer = Answer::Half(simple(today(), "USD 1.2 JPY 170"));
    keeps_its_rates(&desk, answer, "Unreachable", "connection was closed").await;
    let whole = simple(today(), "USD 1.2 JPY 170");
    let cut = Answer::Whole(200, whole[..whole.len() - 2].to_owned());
    keeps_its_rates(&desk, cut, "Truncated", "").await;
}

#[tokio::test]
async fn nobody_at_the_address_changes_nothing() {
    let desk = published("er-nobody").await;
    let data = desk.data("eur").await;
    let nobody =
        "quotes: [USD, JPY], history: 10, providers: [{type: URL, url: 'http://127.0.0.1:1/'}]";
    desk.apply("eur", nobody).await;
    let ran = desk.refresh().await.succeeded();
    ran.says("connection refused");
    assert_eq!(desk.data("eur").await, data);
    assert_eq!(desk.condition("eur", "Ready").await[1], "Unreachable");
}

#[tokio::test]
async fn without_rates_from_before_nothing_is_published() {
    let desk = Desk::new("er-norates").await;
    let gone = format!("currency: USD, providers: [{}]", desk.at("/gone.json"));
    desk.apply("eur", &gone).await;
    let ran = desk.refresh().await.failed_with(1);
    ran.says("error: exchangerate ")
        .says("no provider has good rates, and there are none from before: URL (http://")
        .says("HTTP 404");
    assert!(desk.configmap("eur").await.is_none());
    let ready = desk.condition("eur", "Ready").await;
    assert_eq!(ready[..2], ["False", "NoRates"]);
    let fresh = desk.condition("eur", "Fresh").await;
    assert_eq!(fresh[..2], ["Unknown", "NoRates"]);
    let status = desk.status("eur").await;
    assert!(
        status["rates"].is_null() && status["asOf"].is_null(),
        "{status}"
    );
    desk.apply("eur", "currency: USD").await;
    desk.refresh().await.succeeded().says("1 created");
    assert_eq!(desk.condition("eur", "Ready").await[0], "True");
}

#[tokio::test]
async fn the_trouble_of_one_is_not_that_of_others() {
    let desk = Desk::new("er-others").await;
    desk.apply("good", "currency: USD").await;
    let gone = format!("currency: USD, providers: [{}]", desk.at("/gone.json"));
    desk.apply("bad", &gone).await;
    desk.refresh().await.failed_with(1).says("1 created");
    assert!(desk.configmap("good").await.is_some());
    assert_eq!(desk.condition("good", "Ready").await[0], "True");
}

/// The history survives a provider that is down, even one that is asked for a longer one.
#[tokio::test]
async fn the_history_is_kept_too() {
    let desk = Desk::new("er-kept").await;
    let days = [
        (today(), "USD 1.0812"),
        (super::answers::days_ago(1), "USD 1.08"),
    ];
    desk.provider.has("/ecb.xml", ecb(&days));
    let spec = |history: u16| {
        let url = desk.provider.url("/ecb.xml");
        format!("currency: USD, history: {history}, providers: [{{type: ECB, url: '{url}'}}]")
    };
    desk.apply("eur", &spec(10)).await;
    desk.refresh().await.succeeded();
    let before = desk.data("eur").await;
    assert_eq!(before["history.csv"].lines().count(), 3);
    desk.provider
        .answer("/ecb.xml", Answer::Whole(500, String::new()));
    desk.apply("eur", &spec(20)).await;
    desk.refresh().await.succeeded();
    assert_eq!(desk.data("eur").await, before);
}

#[tokio::test]
async fn a_status_that_may_not_be_written_is_a_warning() {
    let desk = Desk::new("er-nostatus").await;
    desk.apply("eur", "currency: USD").await;
    let refuse = |method: &Method, path: &str| {
        if method == Method::PATCH && path.ends_with("/status") {
            let message = "exchangerates/status is forbidden".to_owned();
            Fault::Refuse(StatusCode::FORBIDDEN, "Forbidden", message)
        } else {
            Fault::None
        }
    };
    let proxy = desk
        .sandbox
        .proxy(move |method, uri| refuse(method, uri.path()))
        .await;
    let arguments = desk.arguments(&["refresh"]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ran = proxy.program(&arguments).run().await.succeeded();
    ran.says("1 created").says("its status couldn't be written");
}
