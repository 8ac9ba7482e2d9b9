//! Tests of the cache on a throwaway folder, with a build that writes a line of text.

use std::cell::RefCell;
use std::sync::mpsc;
use std::time::Duration;

use super::*;
use crate::components::COMPONENTS;

/// Asks for the first two components and tells which ones were built for that.
fn built(cache: &Cache, scrutiny: Scrutiny) -> Vec<&'static str> {
    let built = RefCell::new(Vec::new());
    let wanted = [&COMPONENTS[0], &COMPONENTS[1]];
    cache
        .ensure(
            &wanted,
            scrutiny,
            || {},
            |component, output| {
                built.borrow_mut().push(component.name);
                fs::write(output, format!("binary of {}", component.name))
                    .expect("a written binary");
                Ok(())
            },
        )
        .expect("an ensured cache");
    built.into_inner()
}

fn cache() -> (tempfile::TempDir, Cache) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cache = Cache::at(folder.path().join("version"));
    (folder, cache)
}

#[test]
fn everything_is_built_once() {
    let (_folder, cache) = cache();
    assert_eq!(built(&cache, Scrutiny::Quick), ["etcd", "kube-apiserver"]);
    assert_eq!(built(&cache, Scrutiny::Quick), [""; 0]);
    assert_eq!(built(&cache, Scrutiny::Full), [""; 0]);
    let text = fs::read_to_string(cache.binaries().join("etcd")).expect("a binary");
    assert_eq!(text, "binary of etcd");
}

#[test]
fn a_missing_binary_is_built_again() {
    let (_folder, cache) = cache();
    built(&cache, Scrutiny::Quick);
    fs::remove_file(cache.binaries().join("kube-apiserver")).expect("a removed binary");
    assert_eq!(built(&cache, Scrutiny::Quick), ["kube-apiserver"]);
}

#[test]
fn a_truncated_binary_is_built_again() {
    let (_folder, cache) = cache();
    built(&cache, Scrutiny::Quick);
    let path = cache.binaries().join("etcd");
    File::options()
        .write(true)
        .open(&path)
        .and_then(|file| file.set_len(3))
        .expect("a cut");
    assert_eq!(built(&cache, Scrutiny::Quick), ["etcd"]);
}

#[test]
fn a_corrupt_binary_that_looks_the_same_is_found_by_full_scrutiny() {
    let (_folder, cache) = cache();
    built(&cache, Scrutiny::Quick);
    let path = cache.binaries().join("etcd");
    let time = fs::metadata(&path)
        .and_then(|metadata| metadata.modified())
        .expect("a time");
    fs::write(&path, "binary of etcX").expect("a corrupted binary");
    File::options()
        .write(true)
        .open(&path)
        .and_then(|file| file.set_modified(time))
        .expect("time");
    assert_eq!(built(&cache, Scrutiny::Quick), [""; 0]);
    assert_eq!(built(&cache, Scrutiny::Full), ["etcd"]);
}

#[test]
fn a_lost_manifest_costs_a_build() {
    let (_folder, cache) = cache();
    built(&cache, Scrutiny::Quick);
    fs::write(cache.manifest(), "not a manifest\n").expect("a damaged manifest");
    assert_eq!(built(&cache, Scrutiny::Quick), ["etcd", "kube-apiserver"]);
}

#[test]
fn a_failed_build_leaves_nothing_that_looks_built() {
    let (_folder, cache) = cache();
    let fail = |_: &'static Component, output: &Path| {
        fs::write(output, "half a bin").expect("a written binary");
        Err(Error::NoCacheFolder)
    };
    cache
        .ensure(&[&COMPONENTS[0]], Scrutiny::Quick, || {}, fail)
        .expect_err("it fails");
    assert_eq!(built(&cache, Scrutiny::Quick), ["etcd", "kube-apiserver"]);
}

#[test]
fn the_second_of_two_builders_waits_says_so_and_builds_nothing() {
    let (_folder, cache) = cache();
    let (started, has_started) = mpsc::channel();
    let (waits, second_waits) = mpsc::channel();
    std::thread::scope(|scope| {
        let cache = &cache;
        scope.spawn(move || {
            let build = |_: &'static Component, output: &Path| {
                started.send(()).expect("a listener");
                second_waits
                    .recv_timeout(Duration::from_secs(10))
                    .expect("a second builder");
                fs::write(output, "built by the first").map_err(Error::file("write", output))
            };
            cache
                .ensure(&[&COMPONENTS[0]], Scrutiny::Quick, || {}, build)
                .expect("a build");
        });
        has_started
            .recv_timeout(Duration::from_secs(10))
            .expect("a first builder");
        let notice = || waits.send(()).expect("a first builder that listens");
        let build = |_: &'static Component, _: &Path| panic!("it was built already");
        cache
            .ensure(&[&COMPONENTS[0]], Scrutiny::Quick, notice, build)
            .expect("a cached binary");
    });
}
