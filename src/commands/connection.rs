//! From the flags of the command line to a connection.

use std::{collections::BTreeMap, path::PathBuf};

use crate::{
    cli::KubeFlags,
    cluster::{ConnectError, ConnectOptions, Connection, Impersonation, connect},
};

/// Connects as the flags say.
pub async fn connect_by(flags: &KubeFlags) -> Result<Connection, ConnectError> {
    connect(&options(flags)).await
}

/// What the flags say. As in kubectl, a flag with an empty value says nothing.
fn options(flags: &KubeFlags) -> ConnectOptions {
    // A flag that is added must be passed on too: taking all fields apart makes sure of it.
    let KubeFlags {
        kubeconfig,
        context,
        namespace,
        cluster,
        user,
        server,
        impersonate,
        impersonate_groups,
        impersonate_uid,
        impersonate_extras,
        request_timeout,
        token,
        username,
        password,
        client_certificate,
        client_key,
        certificate_authority,
        tls_server_name,
        insecure_skip_tls_verify,
        disable_compression,
        cache_dir: _,
        verbosity: _,
    } = flags.clone();
    ConnectOptions {
        kubeconfig: path(kubeconfig),
        context: text(context),
        cluster: text(cluster),
        user: text(user),
        namespace: text(namespace),
        server: text(server),
        tls_server_name: text(tls_server_name),
        insecure_skip_tls_verify,
        certificate_authority: path(certificate_authority),
        client_certificate: path(client_certificate),
        client_key: path(client_key),
        token,
        username: text(username),
        password,
        impersonation: Impersonation {
            user: text(impersonate),
            uid: text(impersonate_uid),
            groups: impersonate_groups,
            extras: grouped(impersonate_extras),
        },
        request_timeout: Some(request_timeout).filter(|timeout| !timeout.is_zero()),
        disable_compression,
    }
}

fn text(flag: Option<String>) -> Option<String> {
    flag.filter(|value| !value.is_empty())
}

fn path(flag: Option<PathBuf>) -> Option<PathBuf> {
    flag.filter(|path| !path.as_os_str().is_empty())
}

/// A key that is given several times has several values.
fn grouped(pairs: Vec<(String, String)>) -> BTreeMap<String, Vec<String>> {
    let mut grouped: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (key, value) in pairs {
        grouped.entry(key).or_default().push(value);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::Parser;
    use secrecy::ExposeSecret;

    use super::*;
    use crate::cli::Cli;

    fn parsed(arguments: &[&str]) -> ConnectOptions {
        let arguments = ["kubectl-copyrator"].iter().chain(arguments);
        options(&Cli::try_parse_from(arguments).unwrap().kube)
    }

    #[test]
    fn every_flag_arrives() {
        let options = parsed(&[
            "sync",
            "--kubeconfig=k",
            "--context=co",
            "--cluster=cl",
            "--user=u",
            "-n",
            "ns",
            "-s",
            "https://server",
            "--as=a",
            "--as-group=g1",
            "--as-group=g2",
            "--as-uid=id",
            "--as-user-extra=k1=v1",
            "--as-user-extra=k1=v2",
            "--as-user-extra=k2=v3",
            "--request-timeout=1m30s",
            "--token=t",
            "--username=un",
            "--password=pw",
            "--client-certificate=cc",
            "--client-key=ck",
            "--certificate-authority=ca",
            "--tls-server-name=tn",
            "--insecure-skip-tls-verify",
            "--disable-compression=true",
            "--cache-dir=cd",
            "-v=6",
        ]);
        assert_eq!(options.kubeconfig, Some("k".into()));
        assert_eq!(options.context.as_deref(), Some("co"));
        assert_eq!(options.cluster.as_deref(), Some("cl"));
        assert_eq!(options.user.as_deref(), Some("u"));
        assert_eq!(options.namespace.as_deref(), Some("ns"));
        assert_eq!(options.server.as_deref(), Some("https://server"));
        assert_eq!(options.request_timeout, Some(Duration::from_secs(90)));
        assert_eq!(options.token.unwrap().expose_secret(), "t");
        assert_eq!(options.username.as_deref(), Some("un"));
        assert_eq!(options.password.unwrap().expose_secret(), "pw");
        assert_eq!(options.client_certificate, Some("cc".into()));
        assert_eq!(options.client_key, Some("ck".into()));
        assert_eq!(options.certificate_authority, Some("ca".into()));
        assert_eq!(options.tls_server_name.as_deref(), Some("tn"));
        assert!(options.insecure_skip_tls_verify && options.disable_compression);
        let extras = [("k1", vec!["v1", "v2"]), ("k2", vec!["v3"])];
        let expected = Impersonation {
            user: Some("a".to_owned()),
            uid: Some("id".to_owned()),
            groups: vec!["g1".to_owned(), "g2".to_owned()],
            extras: extras
                .map(|(key, values)| {
                    (
                        key.to_owned(),
                        values.into_iter().map(str::to_owned).collect(),
                    )
                })
                .into(),
        };
        assert_eq!(options.impersonation, expected);
    }

    #[test]
    fn flags_are_accepted_before_and_after_the_command() {
        for arguments in [
            ["-n", "a", "crd", "install"],
            ["crd", "-n", "a", "install"],
            ["crd", "install", "-n", "a"],
        ] {
            assert_eq!(parsed(&arguments).namespace.as_deref(), Some("a"));
        }
    }

    #[test]
    fn what_is_empty_or_zero_says_nothing() {
        let options = parsed(&[
            "sync",
            "--context=",
            "--kubeconfig=",
            "--request-timeout=0s",
        ]);
        assert_eq!((options.context, options.kubeconfig), (None, None));
        assert_eq!(options.request_timeout, None);
        assert!(!parsed(&["sync", "--insecure-skip-tls-verify=false"]).insecure_skip_tls_verify);
    }

    #[test]
    fn secrets_are_not_shown() {
        let arguments = [
            "x",
            "sync",
            "--token=hush-token",
            "--password=hush-password",
        ];
        let cli = Cli::try_parse_from(arguments).unwrap();
        let shown = format!("{cli:?} {:?}", options(&cli.kube));
        assert!(!shown.contains("hush"), "{shown}");
    }
}
