//! Keys, which only the provider ever sees.

use std::{
    fs,
    io::Write,
    sync::{Arc, Mutex},
};

use kubectl_copyrator::rates::provider::{
    Feed, Feeds as _, KeySource, Origin, Permissions, ProviderType, Source, Span, UrlPermission,
    Web, WebOptions,
};
use tracing_subscriber::fmt::MakeWriter;

use super::{
    feeds::{feed, options, web, why},
    replies::{answer, ok, status},
    server::Server,
};

const KEY: &str = "hunter2-key";
const WITH_KEYS: [ProviderType; 2] = [
    ProviderType::OpenExchangeRates,
    ProviderType::ExchangeRateHost,
];

fn body(kind: ProviderType) -> &'static [u8] {
    match kind {
        ProviderType::OpenExchangeRates => {
            include_bytes!("../fixtures/rates/open-exchange-rates.json")
        }
        _ => include_bytes!("../fixtures/rates/exchangerate-host.json"),
    }
}

#[tokio::test]
async fn a_key_goes_where_the_provider_wants_it() {
    for kind in WITH_KEYS {
        let server = Server::always(ok(body(kind))).await;
        let feed = feed(kind, &server.url("/"), Origin::Own);
        assert!(web(options()).fetch(&feed, Some(&KEY.into())).await.is_ok());
        let request = &server.requests()[0];
        if kind == ProviderType::OpenExchangeRates {
            assert_eq!(request.target(), "/latest.json");
            assert_eq!(request.header("authorization"), Some("Token hunter2-key"));
        } else {
            assert_eq!(request.target(), "/live?access_key=hunter2-key");
        }
    }
}

#[tokio::test]
async fn without_a_key_nobody_is_asked() {
    let server = Server::always(ok("")).await;
    let feed = feed(
        ProviderType::OpenExchangeRates,
        &server.url("/"),
        Origin::Own,
    );
    let told = "it needs a key; set OPENEXCHANGERATES_APP_ID, or name a Secret in secretKeyRef";
    assert_eq!(
        why(web(options()).fetch(&feed, None).await),
        ("KeyMissing", told.to_owned())
    );
    let got = web(options()).fetch(&feed, Some(&"a\nb".into())).await;
    assert_eq!(why(got).0, "BadKey");
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn another_host_never_gets_the_key() {
    for kind in WITH_KEYS {
        let other = Server::always(ok(body(kind))).await;
        let to = other.url("/elsewhere");
        let server = Server::start(move |_, _| status(302, &[("location", &to)])).await;
        let feed = feed(kind, &server.url("/"), Origin::Own);
        assert!(web(options()).fetch(&feed, Some(&KEY.into())).await.is_ok());
        assert!(!other.requests()[0].text().contains(KEY), "{kind}");
    }
}

#[tokio::test]
async fn the_same_host_gets_it_again() {
    for kind in WITH_KEYS {
        let server = Server::start(move |request, _| match request.target() {
            target if target.starts_with("/v2") => ok(body(kind)),
            _ => status(302, &[("location", "/v2")]),
        })
        .await;
        let feed = feed(kind, &server.url("/"), Origin::Own);
        assert!(web(options()).fetch(&feed, Some(&KEY.into())).await.is_ok());
        assert!(server.requests()[1].text().contains(KEY), "{kind}");
    }
}

#[tokio::test]
async fn a_server_that_hands_the_key_on_is_not_followed() {
    let other = Server::always(ok("")).await;
    let to = other.url("");
    let server = Server::start(move |request, _| {
        let location = format!("{to}{}", request.target());
        status(302, &[("location", &location)])
    })
    .await;
    let feed = feed(
        ProviderType::ExchangeRateHost,
        &server.url("/"),
        Origin::Own,
    );
    let got = web(options()).fetch(&feed, Some(&KEY.into())).await;
    assert_eq!(
        why(got),
        (
            "BadRedirect",
            "it redirects to another host, with the key".to_owned()
        )
    );
    assert_eq!(other.requests().len(), 0);
}

#[tokio::test]
async fn the_environment_s_key_is_not_sent_where_an_object_wants_it() {
    let server = Server::always(ok(body(ProviderType::OpenExchangeRates))).await;
    let permissions = |urls| Permissions {
        urls,
        ..Permissions::for_objects_of_others()
    };
    let feed = |key| Feed {
        source: Source::new(
            ProviderType::OpenExchangeRates,
            Some(server.url("/").parse().unwrap()),
            key,
            Origin::Cluster,
        )
        .unwrap(),
        span: Span::Latest,
    };
    let any = Web::new(options(), permissions(UrlPermission::Any)).unwrap();
    let got = any.fetch(&feed(None), Some(&KEY.into())).await;
    assert_eq!(why(got).0, "NotPermitted");
    assert_eq!(server.requests().len(), 0);
    let of_their_own = KeySource::Secret {
        namespace: "shop".to_owned(),
        name: "oxr".to_owned(),
        key: "app-id".to_owned(),
    };
    assert!(
        any.fetch(&feed(Some(of_their_own)), Some(&KEY.into()))
            .await
            .is_ok()
    );
    let named = UrlPermission::Prefixes(vec![server.url("/").parse().unwrap()]);
    let named = Web::new(options(), permissions(named)).unwrap();
    assert!(named.fetch(&feed(None), Some(&KEY.into())).await.is_ok());
}

/// What is logged, at every level and by every library.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no holder panics").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn a_key_is_in_no_log_no_error_and_no_cache() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(log.clone())
        .finish();
    let logging = tracing::subscriber::set_default(subscriber);
    let folder = tempfile::tempdir().unwrap();
    let options = || WebOptions {
        cache: Some(folder.path().to_owned()),
        ..options()
    };
    // The server repeats all that it is told, whichever way it answers.
    let echo = Server::start(|request, before| {
        let text = request.text().replace("\r\n", " ");
        let json = format!(r#"{{"error":true,"message":"{text}","success":false,"error":{{"code":1,"info":"{text}"}}}}"#);
        match before % 4 {
            0 => answer(403, &[("etag", &format!("\"{text}\""))], json),
            1 => ok(json),
            2 => ok(format!("your request was {text}")),
            _ => ok(format!(r#"{{"success":true,"timestamp":1,"base":"{text}","source":"{text}","rates":{{}},"quotes":{{}}}}"#)),
        }
    })
    .await;
    for kind in WITH_KEYS {
        let echo = feed(kind, &echo.url("/"), Origin::Own);
        for _ in 0..4 {
            let error = web(options())
                .fetch(&echo, Some(&KEY.into()))
                .await
                .unwrap_err();
            assert!(
                !format!("{error} {error:?}").contains("hunter2"),
                "{error:?}"
            );
        }
        let good = Server::always(answer(200, &[("etag", "\"a\"")], body(kind))).await;
        let good = feed(kind, &good.url("/"), Origin::Own);
        assert!(web(options()).fetch(&good, Some(&KEY.into())).await.is_ok());
        let nobody = feed(kind, "http://127.0.0.1:1/", Origin::Own);
        let error = web(options())
            .fetch(&nobody, Some(&KEY.into()))
            .await
            .unwrap_err();
        assert!(
            !format!("{error} {error:?}").contains("hunter2"),
            "{error:?}"
        );
    }
    drop(logging);
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("the provider is asked"), "nothing was logged");
    assert!(!log.contains("hunter2"), "{log}");
    let files: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    assert_eq!(files.len(), WITH_KEYS.len());
    for file in files {
        let content = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
        assert!(!content.contains("hunter2"), "{content}");
    }
}
