//! Tests of what objects may have us ask.

use std::fs;

use super::*;
use crate::rates::provider::Address;

fn source(kind: ProviderType, url: Option<&str>, given_by: Origin) -> Source {
    Source::new(kind, url.map(|url| url.parse().unwrap()), None, given_by).unwrap()
}

fn others(urls: UrlPermission) -> Permissions {
    Permissions {
        urls,
        ..Permissions::for_objects_of_others()
    }
}

fn reach(
    permissions: &Permissions,
    kind: ProviderType,
    url: &str,
    given_by: Origin,
) -> Result<Reach, String> {
    let source = source(kind, Some(url), given_by);
    let reach = permissions.reach(&source, source.endpoint().url());
    reach.map_err(|failure| failure.to_string())
}

fn of_url(permissions: &Permissions, url: &str) -> Result<Reach, String> {
    reach(permissions, ProviderType::Url, url, Origin::Cluster)
}

fn prefixes(texts: &[&str]) -> UrlPermission {
    UrlPermission::Prefixes(texts.iter().map(|text| text.parse().unwrap()).collect())
}

#[test]
fn a_person_s_own_files_are_not_restricted() {
    let strict = Permissions::for_objects_of_others();
    let url = "http://127.0.0.1:8080/";
    assert_eq!(
        reach(&strict, ProviderType::Url, url, Origin::Own),
        Ok(Reach::Anywhere)
    );
    assert_eq!(
        reach(&strict, ProviderType::OpenExchangeRates, url, Origin::Own),
        Ok(Reach::Anywhere)
    );
    assert!(of_url(&strict, url).is_err());
}

#[test]
fn the_providers_own_addresses_are_always_allowed() {
    let strict = Permissions::for_objects_of_others();
    for kind in ProviderType::ALL {
        let Some(endpoint) = kind.provider().endpoint() else {
            continue;
        };
        let source = source(kind, None, Origin::Cluster);
        let url = source.endpoint();
        assert_eq!(strict.reach(&source, url.url()).unwrap(), Reach::Anywhere);
        assert_eq!(
            reach(&strict, kind, endpoint, Origin::Cluster),
            Ok(Reach::Anywhere)
        );
    }
}

#[test]
fn public_means_https_and_no_network_of_one_s_own() {
    let public = others(UrlPermission::Public);
    assert_eq!(
        of_url(&public, "https://rates.example/a"),
        Ok(Reach::Public)
    );
    let https = "not permitted: objects may only name https: addresses";
    assert_eq!(
        of_url(&public, "http://rates.example/a").unwrap_err(),
        https
    );
    let own = "not permitted: objects may only name addresses of the public internet";
    for url in [
        "https://localhost/",
        "https://10.0.0.1/",
        "https://[::1]/",
        "https://mirror.shop.svc/",
    ] {
        assert_eq!(of_url(&public, url).unwrap_err(), own, "{url}");
    }
}

#[test]
fn prefixes_allow_what_begins_so_and_nothing_else() {
    let some = others(prefixes(&["http://mirror.shop.svc/rates"]));
    assert_eq!(
        of_url(&some, "http://mirror.shop.svc/rates/eur.json"),
        Ok(Reach::Anywhere)
    );
    assert!(of_url(&some, "http://mirror.shop.svc/other").is_err());
    assert!(of_url(&some, "https://rates.example/").is_err());
    assert!(of_url(&others(UrlPermission::None), "https://rates.example/").is_err());
    assert_eq!(
        of_url(&others(UrlPermission::Any), "http://10.0.0.1/"),
        Ok(Reach::Anywhere)
    );
}

#[test]
fn the_key_of_the_environment_only_goes_where_it_is_allowed_by_name() {
    let oxr = ProviderType::OpenExchangeRates;
    let url = "https://thief.example/api";
    for urls in [UrlPermission::Public, UrlPermission::Any] {
        let error = reach(&others(urls), oxr, url, Origin::Cluster).unwrap_err();
        assert!(
            error.contains("the key of the environment isn't sent"),
            "{error}"
        );
    }
    let another = reach(
        &others(UrlPermission::Any),
        oxr,
        "https://api.exchangerate.host",
        Origin::Cluster,
    );
    assert!(another.is_err(), "{another:?}");
    let named = others(prefixes(&["https://thief.example"]));
    assert_eq!(
        reach(&named, oxr, url, Origin::Cluster),
        Ok(Reach::Anywhere)
    );
    let secret = KeySource::Secret {
        namespace: "shop".to_owned(),
        name: "oxr".to_owned(),
        key: "app-id".to_owned(),
    };
    let address: Address = url.parse().unwrap();
    let own = Source::new(oxr, Some(address.clone()), Some(secret), Origin::Cluster).unwrap();
    let public = others(UrlPermission::Public);
    assert_eq!(public.reach(&own, address.url()).unwrap(), Reach::Public);
}

#[test]
fn a_redirection_is_held_to_the_same() {
    let to = |permissions: &Permissions, source: &Source, from: &str, to: &str| {
        let (from, to) = (Url::parse(from).unwrap(), Url::parse(to).unwrap());
        permissions.reach_of_redirect(source, (&from, Reach::Public), &to)
    };
    let public = others(UrlPermission::Public);
    let at = "https://rates.example/";
    let given = source(ProviderType::Url, Some(at), Origin::Cluster);
    assert!(to(&public, &given, at, "https://10.0.0.1/").is_err());
    assert_eq!(
        to(&public, &given, at, "https://other.example/"),
        Ok(Reach::Public)
    );
    let named = others(prefixes(&[at]));
    assert!(to(&named, &given, at, "https://other.example/").is_err());

    let strict = Permissions::for_objects_of_others();
    let ecb = source(ProviderType::Ecb, None, Origin::Cluster);
    let at = "https://www.ecb.europa.eu/a";
    assert_eq!(
        to(&strict, &ecb, at, "https://www.ecb.europa.eu/b"),
        Ok(Reach::Public)
    );
    assert_eq!(
        to(&strict, &ecb, at, "https://data.ecb.europa.eu/b"),
        Ok(Reach::Public)
    );
    assert!(to(&strict, &ecb, at, "https://169.254.169.254/").is_err());
}

#[test]
fn only_files_in_allowed_folders_are_read_wherever_links_lead() {
    let folder = tempfile::tempdir().unwrap();
    let allowed = folder.path().join("allowed");
    fs::create_dir(&allowed).unwrap();
    fs::write(allowed.join("rates.json"), "{}").unwrap();
    fs::write(folder.path().join("secret"), "x").unwrap();
    let permissions = Permissions {
        files: FilePermission::Folders(vec![allowed.clone()]),
        ..Permissions::for_objects_of_others()
    };
    let file = |given_by, path: &Path| {
        let source = source(ProviderType::Url, Some("file:///x"), given_by);
        permissions
            .file(&source, path)
            .map_err(|failure| failure.to_string())
    };
    assert!(file(Origin::Cluster, &allowed.join("rates.json")).is_ok());
    let refused = Err(
        "not permitted: the file is in no folder that objects may name (--allow-files)".to_owned(),
    );
    assert_eq!(
        file(Origin::Cluster, &folder.path().join("secret")),
        refused
    );
    assert_eq!(
        file(Origin::Cluster, &folder.path().join("not-there")),
        refused
    );
    assert_eq!(
        file(Origin::Cluster, &folder.path().join("allowed-not")),
        refused
    );
    let missing = Err("the file can't be read: entity not found".to_owned());
    assert_eq!(file(Origin::Cluster, &allowed.join("not-there")), missing);
    assert!(file(Origin::Own, &folder.path().join("secret")).is_ok());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path().join("secret"), allowed.join("link")).unwrap();
        assert_eq!(file(Origin::Cluster, &allowed.join("link")), refused);
    }
}

#[test]
fn no_folder_means_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rates.json");
    fs::write(&file, "{}").unwrap();
    let source = source(ProviderType::Url, Some("file:///x"), Origin::Cluster);
    assert!(
        Permissions::for_objects_of_others()
            .file(&source, &file)
            .is_err()
    );
    assert!(Permissions::for_own_objects().file(&source, &file).is_ok());
}
