//! A node's containerd, asked by its own client.

use std::io::{Read, empty};
use std::process::Command;
use std::time::{Duration, Instant};

use super::programs::run;
use super::settings::SOCKET;
use crate::error::Error;

const PATIENCE: Duration = Duration::from_secs(20);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The containerd of a node, by a process in the node's mount namespace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Containerd {
    pub(crate) process: u32,
}

impl Containerd {
    /// Loads an archive of one image, whose full name this is, and waits until kubelet finds it.
    pub(crate) fn load(self, image: &str, archive: impl Read) -> Result<(), Error> {
        self.ask(&["import", "-"], archive)?;
        self.wait_until_known(image)
    }

    /// What kubelet asks learns of images by events, one after the other, and labels what it has
    /// learned of. So once it has labelled a name that was given after the import, it knows the
    /// image.
    fn wait_until_known(self, image: &str) -> Result<(), Error> {
        let last = format!("{image}-loaded");
        self.ask(&["tag", "--force", image, &last], empty())?;
        let filter = format!("name=={last},labels.\"io.cri-containerd.image\"==managed");
        let deadline = Instant::now() + PATIENCE;
        while self.ask(&["list", "--quiet", &filter], empty())?.is_empty() {
            if Instant::now() > deadline {
                return Err(Error::Image {
                    image: image.to_owned(),
                    reason: "containerd has it, but kubelet didn't learn of it".to_owned(),
                });
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    fn ask(self, arguments: &[&str], input: impl Read) -> Result<String, Error> {
        let mut command = Command::new("nsenter");
        command
            .arg(format!("--target={}", self.process))
            .args(["--mount", "ctr", "--address", SOCKET])
            .args(["--namespace", "k8s.io", "images"])
            .args(arguments);
        run(&mut command, input)
    }
}
