//! Which credentials are sent when there are several.

use super::fixtures::{CERTIFICATE, KEY, Place, TWO, options, password, secret, some, token};

fn with_user(user: &str) -> Place {
    Place::with(&TWO.replace("{token: dev-token}", user))
}

#[test]
fn a_token_displaces_everything_but_a_client_certificate() {
    let place = with_user(
        "{username: u, password: p, tokenFile: f, exec: {command: c}, client-certificate: c.crt, client-key: c.key}",
    );
    place.write("c.crt", CERTIFICATE);
    place.write("c.key", KEY);
    let user = place
        .config(&options(|it| it.token = secret("mine")))
        .auth_info;
    assert_eq!(token(&user), Some("mine"));
    assert!(user.username.is_none() && user.password.is_none());
    assert!(user.token_file.is_none() && user.exec.is_none());
    assert!(user.client_certificate.is_some());
}

#[test]
fn a_user_name_displaces_tokens_and_plugins() {
    let place = with_user("{token: dev-token, exec: {command: c}}");
    let user = place.config(&options(|it| {
        it.username = some("me");
        it.password = secret("opensesame");
    }));
    let user = user.auth_info;
    assert_eq!(user.username.as_deref(), Some("me"));
    assert_eq!(password(&user), Some("opensesame"));
    assert!(token(&user).is_none() && user.exec.is_none());
}

#[test]
fn a_client_certificate_displaces_the_kubeconfigs_and_leaves_its_token() {
    let place = with_user("{token: t, client-certificate-data: AAAA, client-key-data: AAAA}");
    let certificate = place.write("mine.crt", CERTIFICATE);
    let key = place.write("mine.key", KEY);
    let user = place.config(&options(|it| {
        it.client_certificate = Some(certificate.clone());
        it.client_key = Some(key);
    }));
    let user = user.auth_info;
    assert_eq!(user.client_certificate.as_deref(), certificate.to_str());
    assert!(user.client_certificate_data.is_none() && user.client_key_data.is_none());
    assert_eq!(token(&user), Some("t"));
}

#[test]
fn empty_means_absent() {
    let place = with_user(r#"{token: "", username: "", tokenFile: ""}"#);
    let user = place.config(&options(|_| ())).auth_info;
    assert!(user.token.is_none() && user.username.is_none() && user.token_file.is_none());
}

#[test]
fn plain_http_gets_no_credentials_but_impersonation() {
    let place = Place::with(&TWO.replace("https://dev", "http://dev"));
    let user = place
        .config(&options(|it| it.impersonate.user = some("jane")))
        .auth_info;
    assert_eq!(token(&user), None);
    assert_eq!(user.impersonate.as_deref(), Some("jane"));
}

#[test]
fn a_missing_user_doesnt_matter_if_the_flags_say_who_we_are() {
    let place = Place::with(&TWO.replace("name: dev-user", "name: gone"));
    let user = place
        .config(&options(|it| it.token = secret("mine")))
        .auth_info;
    assert_eq!(token(&user), Some("mine"));
}
