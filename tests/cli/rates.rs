//! `rates` where no cluster is needed: against files, and a server of the test's own.

use std::{fmt::Write as _, fs, path::Path};

use insta::assert_snapshot;
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use super::nowhere::run;
use crate::sandbox::Ran;

const JSON: &str = r#"{
  "base": "EUR",
  "date": "2026-11-20",
  "rates": {"CHF": 0.9321, "JPY": "157.43", "USD": 1.0812, "KWD": 0.33171}
}"#;

const ECB: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <Cube><Cube time="2026-11-20"><Cube currency="USD" rate="1.0812"/><Cube currency="JPY" rate="157.43"/></Cube></Cube>
</gesmes:Envelope>"#;

/// A folder with a file, and the file's URL.
fn file(name: &str, text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, text).expect("the file is written");
    let url = format!("file://{}", path.display());
    (folder, url)
}

/// A history of ten days, of which two are a weekend.
fn history() -> String {
    let rates = [
        "1.09", "1.0871", "1.0822", "1.0793", "1.0801", "1.0844", "1.0839", "1.0812",
    ];
    let days = [11, 12, 13, 16, 17, 18, 19, 20];
    let mut text = String::from("date,base,quote,rate,inverse\n");
    for (day, rate) in days.iter().zip(rates) {
        writeln!(text, "2026-11-{day},EUR,USD,{rate},0.92").expect("a String takes all");
    }
    text
}

/// A server that answers each request for one path with this text, and all others with 404.
async fn serve(path: &'static str, text: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let length = stream.read(&mut request).await.unwrap_or(0);
            let asked = String::from_utf8_lossy(&request[..length]).into_owned();
            let (status, body) = if asked.starts_with(&format!("GET {path} ")) {
                ("200 OK", text)
            } else {
                ("404 Not Found", "")
            };
            let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n", body.len());
            let answer = format!("{head}connection: close\r\n\r\n{body}");
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    format!("http://{address}")
}

async fn get(arguments: &str, url: &str) -> Ran {
    let words = ["rates", "get"].into_iter().chain(arguments.split(' '));
    let words: Vec<&str> = words.chain(["--url", url]).collect();
    run(&words).await
}

async fn chart(arguments: &str, url: &str) -> Ran {
    let words = ["rates", "chart"].into_iter().chain(arguments.split(' '));
    let words: Vec<&str> = words.chain(["--url", url]).collect();
    run(&words).await
}

#[tokio::test]
async fn rates_are_a_table_in_the_order_of_the_question() {
    let (_folder, url) = file("rates.json", JSON);
    let ran = get("eur/USD,JPY", &url).await.succeeded();
    assert_eq!(ran.stderr, "");
    assert_snapshot!(ran.stdout, @"
    PAIR      RATE     INVERSE          DATE         PROVIDER
    EUR/USD   1.0812   0.9248982612     2026-11-20   URL
    EUR/JPY   157.43   0.006352029473   2026-11-20   URL
    ");
    let crosses = get("USD/JPY,EUR,CHF", &url).await.succeeded();
    assert_snapshot!(crosses.stdout, @"
    PAIR      RATE           INVERSE          DATE         PROVIDER
    USD/JPY   145.6067333    0.006867814267   2026-11-20   URL
    USD/EUR   0.9248982612   1.0812           2026-11-20   URL
    USD/CHF   0.8620976693   1.159961378      2026-11-20   URL
    ");
}

#[tokio::test]
async fn amounts_are_converted_to_the_smallest_unit() {
    let (_folder, url) = file("rates.json", JSON);
    let ran = get("EUR/USD,JPY,KWD 1250.50", &url).await.succeeded();
    assert_snapshot!(ran.stdout, @"
    PAIR      RATE      INVERSE          DATE         PROVIDER   AMOUNT
    EUR/USD   1.0812    0.9248982612     2026-11-20   URL        1352.04 USD
    EUR/JPY   157.43    0.006352029473   2026-11-20   URL        196866 JPY
    EUR/KWD   0.33171   3.014681499      2026-11-20   URL        414.803 KWD
    ");
}

#[tokio::test]
async fn programs_get_exact_numbers() {
    let (_folder, url) = file("rates.json", JSON);
    let json = get("JPY/USD 1000 -o json", &url).await.succeeded();
    let report: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(report["apiVersion"], "copyrator.dev/v1alpha1");
    assert_eq!(report["kind"], "Rates");
    assert_eq!(report["asOf"], "2026-11-20");
    assert_eq!(report["rates"][0]["rate"], "0.006867814267");
    assert_eq!(report["rates"][0]["inverse"], "145.6067333");
    assert_eq!(report["rates"][0]["amount"], "6.87");
    let yaml = get("EUR/USD -o yaml", &url).await.succeeded();
    assert!(yaml.stdout.contains("rate: \"1.0812\"\n"), "{yaml:?}");
}

#[tokio::test]
async fn a_mirror_can_stand_in_for_the_ecb() {
    let mirror = serve("/eurofxref/eurofxref-daily.xml", ECB).await;
    let url = format!("{mirror}/eurofxref");
    let ran = get("USD/EUR --provider ecb", &url).await.succeeded();
    assert_snapshot!(ran.stdout, @"
    PAIR      RATE           INVERSE   DATE         PROVIDER
    USD/EUR   0.9248982612   1.0812    2026-11-20   ECB
    ");
    let wrong = get("USD/EUR --provider ECB", &mirror).await.failed_with(1);
    assert_eq!(wrong.stdout, "");
    assert_eq!(wrong.stderr, "error: ECB (127.0.0.1): HTTP 404 Not Found\n");
}

#[tokio::test]
async fn a_chart_is_drawn_without_letters_that_the_locale_lacks() {
    let (_folder, url) = file("history.csv", &history());
    let ran = chart("EUR/USD", &url).await.succeeded();
    assert_eq!(ran.stderr, "");
    assert!(ran.stdout.is_ascii());
    assert_snapshot!(ran.stdout, @"
    EUR/USD  2026-11-11 to 2026-11-20  URL

    1.0900 |**
           | ***
           |   ***
           |     ***
           |       ***
           |         **
           |          ***
    1.0846 |            **                                        *****
           |             **                                      **   ******
           |              ***                                   **         ***
           |                ****                              ***            ***
           |                   *******                       **                ***
           |                         *******                **                   **
           |                               *******     ******
    1.0793 |                                     *******
           +-----------------------------------------------------------------------
            2026-11-11                                                   2026-11-20

    first  1.09    2026-11-11
    low    1.0793  2026-11-16
    high   1.09    2026-11-11
    last   1.0812  2026-11-20  -0.81%
    ");
    let short = chart("EUR/USD --days 2", &url).await.succeeded();
    assert!(
        short.stdout.contains("2026-11-19 to 2026-11-20"),
        "{short:?}"
    );
}

#[tokio::test]
async fn a_chart_can_be_a_picture() {
    let (folder, url) = file("history.csv", &history());
    let printed = chart("EUR/USD -o svg", &url).await.succeeded();
    assert!(printed.stdout.starts_with("<svg "), "{printed:?}");
    let picture = folder.path().join("eur-usd.svg");
    let arguments = format!("EUR/USD --svg {}", picture.display());
    let written = chart(&arguments, &url).await.succeeded();
    assert_eq!(written.stdout, "");
    assert_eq!(fs::read_to_string(&picture).unwrap(), printed.stdout);
    let nowhere = Path::new("/no-such-folder/eur-usd.svg");
    let arguments = format!("EUR/USD --svg {}", nowhere.display());
    let refused = chart(&arguments, &url).await.failed_with(1);
    assert_snapshot!(refused.stderr, @"error: cannot write /no-such-folder/eur-usd.svg: No such file or directory (os error 2)");
}

#[tokio::test]
async fn mistakes_are_told_with_a_way_out() {
    let (_folder, url) = file("rates.json", JSON);
    let mut told = String::new();
    for line in [
        "get",
        "get EURUSD",
        "get EUR/ZZZ",
        "get EUR/GBP,SEK,USD",
        "get EUR/USD 1e3",
        "get EUR/USD -o svg",
        "get EUR/USD --provider=bank",
        "get EUR/USD --provider=ECB",
        "get EUR/USD --provider=ECB,Frankfurter",
        "chart EUR/USD,JPY",
        "chart EUR/USD --days=1",
        "chart EUR/USD -o json",
        "chart EUR/USD -o svg --svg=a.svg",
        "draw EUR/USD",
    ] {
        let words = ["rates"].into_iter().chain(line.split(' '));
        let words: Vec<&str> = words.chain(["--url", &url]).collect();
        let ran = run(&words).await.failed_with(1);
        assert_eq!(ran.stdout, "", "{line}");
        write!(
            told,
            "$ kubectl copyrator rates {line} --url=…\n{}\n",
            ran.stderr
        )
        .unwrap();
    }
    assert_snapshot!(told, @r#"
    $ kubectl copyrator rates get --url=…
    error: the following required arguments were not provided:
      <BASE/QUOTE[,QUOTE...]>
    See 'kubectl copyrator rates get -h' for help and examples

    $ kubectl copyrator rates get EURUSD --url=…
    error: invalid pair "EURUSD": it must be BASE/QUOTE with the codes of two currencies, such as EUR/USD, or with several quotes, such as EUR/USD,JPY
    See 'kubectl copyrator rates get -h' for help and examples

    $ kubectl copyrator rates get EUR/ZZZ --url=…
    error: "ZZZ" is no currency code of ISO 4217; codes have three capital letters, such as EUR

    $ kubectl copyrator rates get EUR/GBP,SEK,USD --url=…
    error: URL: no rate is given for GBP, SEK

    $ kubectl copyrator rates get EUR/USD 1e3 --url=…
    error: "1e3" is not an amount: write a decimal number such as 1250.50, of at most 28 digits

    $ kubectl copyrator rates get EUR/USD -o svg --url=…
    error: unable to match a printer suitable for the output format "svg", allowed formats are: json,wide,yaml
    See 'kubectl copyrator rates get -h' for help and examples

    $ kubectl copyrator rates get EUR/USD --provider=bank --url=…
    error: "bank" is no provider; the providers are ECB, Frankfurter, FrankfurterV1, OpenERAPI, OpenExchangeRates, ExchangeRateHost, URL

    $ kubectl copyrator rates get EUR/USD --provider=ECB --url=…
    error: the provider ECB can't be asked in a file; only the provider URL can

    $ kubectl copyrator rates get EUR/USD --provider=ECB,Frankfurter --url=…
    error: --url is the address of one provider; name only one with --provider

    $ kubectl copyrator rates chart EUR/USD,JPY --url=…
    error: a chart shows one pair; name one quote

    $ kubectl copyrator rates chart EUR/USD --days=1 --url=…
    error: invalid value '1' for '--days <NUMBER>': 1 is not in 2..=3660
    See 'kubectl copyrator rates chart -h' for help and examples

    $ kubectl copyrator rates chart EUR/USD -o json --url=…
    error: unable to match a printer suitable for the output format "json", allowed formats are: svg
    See 'kubectl copyrator rates chart -h' for help and examples

    $ kubectl copyrator rates chart EUR/USD -o svg --svg=a.svg --url=…
    error: the argument '--output <FORMAT>' cannot be used with '--svg <FILE>'
    See 'kubectl copyrator rates chart -h' for help and examples

    $ kubectl copyrator rates draw EUR/USD --url=…
    error: unrecognized subcommand 'draw'
    See 'kubectl copyrator rates -h' for help and examples
    "#);
    let ftp = get("EUR/USD", "ftp://mirror.example").await.failed_with(1);
    assert_snapshot!(ftp.stderr, @r#"error: --url: it begins with "ftp", but only https:, http: and file: can be asked"#);
    let lost = get("EUR/USD", "file:///no-such-file").await.failed_with(1);
    assert_snapshot!(lost.stderr, @"error: URL (file:///no-such-file): the file can't be read: entity not found");
    let no_key = run(&["rates", "get", "EUR/USD", "--provider", "OpenExchangeRates"]).await;
    assert_snapshot!(no_key.failed_with(1).stderr, @"error: OpenExchangeRates (openexchangerates.org): it needs a key; set OPENEXCHANGERATES_APP_ID, or name a Secret in secretKeyRef");
}
