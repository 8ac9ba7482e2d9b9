//! What is wrong with the arguments is told before anything is asked of a cluster.

use std::path::Path;

use crate::sandbox::Invocation;

/// Runs the program without any cluster.
async fn refusal(arguments: &[&str]) -> String {
    let nowhere = Path::new("/nonexistent/kubeconfig");
    let ran = Invocation::new(nowhere, arguments).run().await;
    ran.failed_with(1).stderr
}

#[tokio::test]
async fn every_mistake_has_its_own_words() {
    for (arguments, said) in [
        (&["--image=Team/x"][..], "--image: \"Team/x\" is no image"),
        (&["--image=x:y:z"], "--image: "),
        (
            &["--replicas=0"],
            "--replicas=0 would install a controller that never runs",
        ),
        (&["--replicas=-1"], "--replicas=-1 is no number of pods"),
        (
            &["--name=It"],
            "--name: \"It\" can't be the name of an installation",
        ),
        (
            &["-n", "a_b"],
            "--namespace: \"a_b\" can't be the name of a namespace",
        ),
        (
            &["--mode=cronjob", "--schedule=often"],
            "--schedule: not a cron expression",
        ),
        (
            &["--mode=cronjob", "--schedule=0 0 30 2 *"],
            "--schedule: this time never comes",
        ),
        (&["--schedule=@daily"], "--schedule is for --mode=cronjob"),
        (
            &["--mode=cronjob", "--replicas=3"],
            "--replicas is for --mode=controller",
        ),
        (
            &["--mode=cronjob", "--metrics-service"],
            "--metrics-service is for --mode=controller",
        ),
        (
            &["--requests=cpu=lots"],
            "--requests: \"lots\" is no quantity of cpu",
        ),
        (
            &["--limits=gpu=1"],
            "--limits: \"gpu\" is no resource of ours",
        ),
        (
            &["--image-pull-secret=A"],
            "--image-pull-secret: \"A\" can't be the name of a Secret",
        ),
        (&["--allow-urls=ftp://a"], "--allow-urls: \"ftp://a\""),
        (
            &["--only=rates", "--rule=a"],
            "--rule and --only=rates contradict each other",
        ),
    ] {
        let arguments = [&["deploy", "-o", "yaml"], arguments].concat();
        let stderr = refusal(&arguments).await;
        assert!(stderr.contains(said), "{arguments:?}: {stderr}");
    }
}

#[tokio::test]
async fn roles_are_for_accounts_that_can_exist() {
    let stderr = refusal(&["rbac", "--service-account=a_b/c"]).await;
    assert!(
        stderr.contains("--service-account: \"a_b\" can't be"),
        "{stderr}"
    );
    let stderr = refusal(&["rbac", "--service-account=nobody"]).await;
    assert!(stderr.contains("NAMESPACE/NAME"), "{stderr}");
}
