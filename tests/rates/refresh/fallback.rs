//! The next provider, when the one before has no good rates.

use super::{
    answers::{days_ago, ecb, frankfurter, simple, today},
    desk::Desk,
    provider::Answer,
};

/// A desk whose `eur` asks first the ECB's mirror, then Frankfurter's, both with rates.
async fn of_two(prefix: &str, fields: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    desk.provider
        .has("/ecb.xml", ecb(&[(today(), "USD 1.0812 JPY 163.2")]));
    let body = frankfurter(today(), "USD 1.0813 JPY 163.3 AED 4.2553");
    desk.provider.has("/frankfurter/v2/rates", body);
    let providers = format!(
        "providers: [{{type: ECB, url: '{}'}}, {{type: Frankfurter, url: '{}'}}]",
        desk.provider.url("/ecb.xml"),
        desk.provider.url("/frankfurter")
    );
    desk.apply("eur", &format!("{fields}, {providers}")).await;
    desk
}

#[tokio::test]
async fn the_first_one_with_good_rates_is_the_only_one_asked() {
    let desk = of_two("er-firstone", "quotes: [USD, JPY]").await;
    desk.refresh().await.succeeded();
    assert_eq!(desk.provider.targets(), ["/ecb.xml"]);
    assert_eq!(desk.data("eur").await["USD"], "1.0812");
    assert_eq!(desk.status("eur").await["provider"], "ECB");
}

#[tokio::test]
async fn a_provider_that_fails_is_passed_over_and_told() {
    let desk = of_two("er-next", "quotes: [USD, JPY]").await;
    desk.provider
        .answer("/ecb.xml", Answer::Whole(200, "<html></html>".to_owned()));
    let ran = desk.refresh().await.succeeded();
    ran.says("Warning: exchangerate ")
        .says("ECB (127.0.0.1): got HTML, not XML")
        .says("; the next provider was asked");
    assert_eq!(desk.data("eur").await["USD"], "1.0813");
    assert_eq!(desk.status("eur").await["provider"], "Frankfurter");
    let ready = desk.condition("eur", "Ready").await;
    assert_eq!(ready[..2], ["True", "Published"]);
}

#[tokio::test]
async fn a_currency_that_the_first_one_lacks_is_had_from_the_next() {
    let desk = of_two("er-lacks", "quotes: [USD, AED]").await;
    let ran = desk.refresh().await.succeeded();
    assert!(!ran.stderr.contains("Warning"), "{ran:#?}");
    let data = desk.data("eur").await;
    assert_eq!([&*data["AED"], &*data["USD"]], ["4.2553", "1.0813"]);
    assert_eq!(desk.status("eur").await["provider"], "Frankfurter");
}

#[tokio::test]
async fn a_currency_that_all_lack_is_named() {
    let desk = of_two("er-unknown", "quotes: [USD, XAF]").await;
    let ran = desk.refresh().await.failed_with(1);
    ran.says("ECB: ").says("Frankfurter: ").says("XAF");
    assert!(desk.configmap("eur").await.is_none());
    assert_eq!(desk.condition("eur", "Ready").await[1], "NoRates");
}

#[tokio::test]
async fn of_old_rates_the_newest_are_taken() {
    let desk = of_two("er-newest", "quotes: [USD, JPY]").await;
    let old = |days, rates| (days_ago(days), rates);
    desk.provider
        .has("/ecb.xml", ecb(&[old(20, "USD 1.07 JPY 160")]));
    let body = frankfurter(days_ago(40), "USD 1.06 JPY 159");
    desk.provider.has("/frankfurter/v2/rates", body);
    let ran = desk.refresh().await.failed_with(1);
    ran.says("are stale");
    assert_eq!(desk.data("eur").await["USD"], "1.07");
    assert_eq!(desk.status("eur").await["provider"], "ECB");
    let body = frankfurter(today(), "USD 1.08 JPY 161");
    desk.provider.has("/frankfurter/v2/rates", body);
    desk.refresh().await.succeeded();
    assert_eq!(desk.data("eur").await["USD"], "1.08");
}

#[tokio::test]
async fn another_provider_can_be_asked_once() {
    let desk = of_two("er-asked", "quotes: [USD, JPY]").await;
    desk.run(&["refresh", "--provider=Frankfurter"])
        .await
        .succeeded();
    assert_eq!(desk.provider.targets(), ["/frankfurter/v2/rates?base=EUR"]);
    assert_eq!(desk.data("eur").await["USD"], "1.0813");
    desk.refresh().await.succeeded().says("1 configured");
    assert_eq!(desk.data("eur").await["USD"], "1.0812");
    let ran = desk.run(&["refresh", "--provider=Oanda"]).await;
    ran.failed_with(1).says("--provider: ").says("Oanda");
}

#[tokio::test]
async fn each_provider_is_read_in_its_own_form() {
    let desk = Desk::new("er-forms").await;
    let oxr = super::answers::open_exchange_rates(today(), "EUR 0.92 JPY 150");
    desk.provider.has("/oxr/latest.json", oxr);
    desk.provider.has(
        "/url.csv",
        format!("date,base,quote,rate\n{},EUR,USD,1.0812\n", today()),
    );
    desk.provider
        .has("/own.json", simple(today(), "USD 1.0812"));
    for (name, path) in [("csv", "/url.csv"), ("json", "/own.json")] {
        let spec = format!("currency: USD, providers: [{}]", desk.at(path));
        desk.apply(name, &spec).await;
    }
    desk.refresh().await.succeeded().says("2 created");
    assert_eq!(desk.data("csv").await, desk.data("json").await);
}
