//! What a controller refuses before it begins.

use crate::sandbox::Sandbox;

#[tokio::test]
async fn times_that_do_not_fit_are_refused() {
    let sandbox = Sandbox::new("controller-times").await;
    for (flags, complaint) in [
        (
            ["--renew-deadline=15s", "--lease-duration=15s"],
            "the renew deadline (15s) must be shorter than the lease duration (15s)",
        ),
        (
            ["--retry-period=10s", "--lease-duration=15s"],
            "the retry period (10s) must be shorter than the renew deadline (10s)",
        ),
    ] {
        let arguments = [&["controller", "run"][..], &flags].concat();
        let ran = sandbox.run(&arguments).await.failed_with(1);
        ran.says(&format!("error: {complaint}"));
    }
}

#[tokio::test]
async fn an_address_that_is_taken_is_refused() {
    let sandbox = Sandbox::new("controller-address").await;
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = taken
        .local_addr()
        .expect("a bound port has an address")
        .to_string();
    let ran = sandbox
        .run(&["controller", "run", "--health-address", &address])
        .await;
    ran.failed_with(1).says(&format!(
        "error: cannot serve health and metrics on {address}: "
    ));
}

#[tokio::test]
async fn words_that_mean_nothing_are_refused() {
    let sandbox = Sandbox::new("controller-words").await;
    for arguments in [
        ["--only", "pods"],
        ["--log-format", "xml"],
        ["--health-address", "8080"],
        ["--retry-period", "0s"],
    ] {
        let arguments = [&["controller", "run"][..], &arguments].concat();
        sandbox.run(&arguments).await.failed_with(1).says("error: ");
    }
}
