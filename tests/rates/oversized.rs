//! Answers that are larger than any list of rates.

use std::time::{Duration, Instant};

use kubectl_copyrator::rates::provider::{Feeds as _, WebOptions};

use super::{
    feeds::{fetch, options, own, web, why},
    replies::{chunked, ok, packed},
    server::Server,
};

fn small() -> WebOptions {
    WebOptions {
        max_body: 1 << 20,
        ..options()
    }
}

#[tokio::test]
async fn an_answer_over_the_limit_is_not_taken() {
    let large = vec![b' '; (1 << 20) + 1];
    for reply in [ok(&large), chunked(&large), packed(&large)] {
        let server = Server::always(reply).await;
        let got = web(small()).fetch(&own(&server.url("/")), None).await;
        assert_eq!(
            why(got),
            ("TooLarge", "the answer is larger than 1 MiB".to_owned())
        );
        assert_eq!(
            server.requests().len(),
            1,
            "it won't be smaller the next time"
        );
    }
}

#[tokio::test]
async fn an_answer_at_the_limit_is_taken() {
    let whole = [
        super::feeds::RATES,
        &vec![b' '; (1 << 20) - super::feeds::RATES.len()],
    ]
    .concat();
    for reply in [ok(&whole), chunked(&whole), packed(&whole)] {
        let server = Server::always(reply).await;
        assert!(
            web(small())
                .fetch(&own(&server.url("/")), None)
                .await
                .is_ok()
        );
    }
}

#[tokio::test]
async fn a_bomb_is_only_unpacked_to_the_limit() {
    let bomb = packed(&vec![b' '; 64 << 20]);
    let server = Server::always(bomb).await;
    let begun = Instant::now();
    assert_eq!(why(fetch(&server.url("/")).await).0, "TooLarge");
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
}
