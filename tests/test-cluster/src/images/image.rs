//! An image of one layer, in the form in which `docker save` writes images.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::archive::{Archive, LONGEST_PATH};
use super::{libraries, reference};
use crate::digest;
use crate::error::Error;

/// An image to be loaded into a cluster's nodes. Everything in it belongs to root.
///
/// ```no_run
/// use test_cluster::{Image, TestCluster};
///
/// let cluster = TestCluster::shared_with_nodes().expect("nodes aren't left out");
/// let image = Image::new("tool:test")
///     .program("/usr/bin/tool", "/usr/bin/tool".as_ref())?
///     .entrypoint(&["/usr/bin/tool"])
///     .user("65532:65532");
/// cluster.load_image(&image)?;
/// # Ok::<(), test_cluster::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Image {
    name: String,
    files: BTreeMap<String, Entry>,
    entrypoint: Vec<String>,
    user: String,
    variables: Vec<String>,
}

/// What is at a path.
#[derive(Clone, Debug)]
enum Entry {
    Bytes { content: Vec<u8>, mode: u32 },
    Copy { of: PathBuf, mode: u32 },
    Link { to: String },
}

impl Image {
    /// An empty image, whose user is root. Pods call it by this name, which may be short, as in
    /// `tool:test`, or have a registry, as in `ghcr.io/me/tool:1.0`; and with the tag `latest`, the
    /// default, pods need `imagePullPolicy: Never`.
    pub fn new(name: &str) -> Self {
        Self {
            name: reference::full(name),
            files: BTreeMap::new(),
            entrypoint: Vec::new(),
            user: String::new(),
            variables: Vec::new(),
        }
    }

    /// The full name, with registry and tag.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Puts bytes at a path of the image, with a mode such as `0o644`.
    #[must_use]
    pub fn bytes(self, path: &str, content: &[u8], mode: u32) -> Self {
        let content = content.to_vec();
        self.entry(path, Entry::Bytes { content, mode })
    }

    /// Puts a file of this machine at a path of the image, with its mode. It is read when the image
    /// is loaded.
    pub fn file(self, path: &str, of: &Path) -> Result<Self, Error> {
        let metadata = fs::metadata(of).map_err(Error::file("read", of))?;
        let (of, mode) = (of.to_owned(), metadata.permissions().mode() & 0o777);
        Ok(self.entry(path, Entry::Copy { of, mode }))
    }

    /// Puts a symbolic link at a path of the image.
    #[must_use]
    pub fn link(self, path: &str, to: &str) -> Self {
        let to = to.to_owned();
        self.entry(path, Entry::Link { to })
    }

    /// Puts a program of this machine at a path of the image, and the libraries that it needs
    /// where they are here.
    pub fn program(self, path: &str, of: &Path) -> Result<Self, Error> {
        let libraries = libraries::of(of)?;
        libraries
            .iter()
            .try_fold(self.file(path, of)?, |image, library| {
                image.file(&library.to_string_lossy(), library)
            })
    }

    /// What a container runs unless its pod has a `command`.
    #[must_use]
    pub fn entrypoint(mut self, words: &[&str]) -> Self {
        self.entrypoint = words.iter().map(ToString::to_string).collect();
        self
    }

    /// Who a container runs as unless its pod says otherwise, as in `65532:65532`.
    #[must_use]
    pub fn user(mut self, user: &str) -> Self {
        user.clone_into(&mut self.user);
        self
    }

    /// A variable of the environment.
    #[must_use]
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push(format!("{name}={value}"));
        self
    }

    /// The image as `docker save` would write it.
    pub(crate) fn archive(&self) -> Result<Vec<u8>, Error> {
        let layer = self.layer()?;
        let layer_digest = digest::of_bytes(&layer);
        let config = self.config(&layer_digest).to_string();
        let config_name = format!("{}.json", digest::of_bytes(config.as_bytes()));
        let layer_name = format!("{layer_digest}.tar");
        let manifest = json!([{
            "Config": config_name,
            "RepoTags": [self.name],
            "Layers": [layer_name],
        }]);
        let mut archive = Archive::default();
        archive.file(&config_name, 0o644, config.as_bytes());
        archive.file(&layer_name, 0o644, &layer);
        archive.file("manifest.json", 0o644, manifest.to_string().as_bytes());
        Ok(archive.finish())
    }

    fn entry(mut self, path: &str, entry: Entry) -> Self {
        let path = path.trim_start_matches('/').to_owned();
        self.files.insert(path, entry);
        self
    }

    fn layer(&self) -> Result<Vec<u8>, Error> {
        let mut layer = Archive::default();
        for (path, entry) in &self.files {
            self.check_length(path)?;
            match entry {
                Entry::Bytes { content, mode } => layer.file(path, *mode, content),
                Entry::Copy { of, mode } => {
                    let content = fs::read(of).map_err(Error::file("read", of))?;
                    layer.file(path, *mode, &content);
                }
                Entry::Link { to } => {
                    self.check_length(to)?;
                    layer.link(path, to);
                }
            }
        }
        Ok(layer.finish())
    }

    fn check_length(&self, path: &str) -> Result<(), Error> {
        if path.len() <= LONGEST_PATH {
            return Ok(());
        }
        Err(Error::Image {
            image: self.name.clone(),
            reason: format!("the path {path} is longer than {LONGEST_PATH} bytes"),
        })
    }

    fn config(&self, layer_digest: &str) -> serde_json::Value {
        let architecture = match std::env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            other => other,
        };
        json!({
            "architecture": architecture,
            "os": "linux",
            "config": {
                "Entrypoint": self.entrypoint,
                "Env": self.variables,
                "User": self.user,
            },
            "rootfs": {"type": "layers", "diff_ids": [format!("sha256:{layer_digest}")]},
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_config_says_what_runs_and_as_whom() {
        let image = Image::new("tool:1")
            .entrypoint(&["/tool", "run"])
            .user("65532")
            .variable("A", "b=\"c\"");
        let config = image.config("abc");
        assert_eq!(config["config"]["Entrypoint"], json!(["/tool", "run"]));
        assert_eq!(config["config"]["User"], "65532");
        assert_eq!(config["config"]["Env"], json!(["A=b=\"c\""]));
        assert_eq!(config["rootfs"]["diff_ids"], json!(["sha256:abc"]));
    }

    #[test]
    fn a_path_that_does_not_fit_is_an_error_that_names_it() {
        let path = "a".repeat(LONGEST_PATH + 1);
        let error = Image::new("tool:1")
            .bytes(&path, b"", 0o644)
            .archive()
            .expect_err("it doesn't fit");
        assert!(error.to_string().contains(&path), "{error}");
    }

    #[test]
    fn a_dynamic_program_brings_its_loader() {
        let image = Image::new("sh:1").program("/bin/sh", "/bin/sh".as_ref());
        let image = image.expect("an image");
        let loader = |path: &String| path.contains("ld-linux");
        assert!(image.files.keys().any(loader), "{:?}", image.files.keys());
    }
}
