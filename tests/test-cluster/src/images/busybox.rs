//! The image that every node has: busybox, under all its names. It also holds pods' namespaces open.

use std::io::empty;
use std::process::Command;

use super::Image;
use crate::error::Error;
use crate::nodes::{SANDBOX_IMAGE, program, run};

const BUSYBOX: &str = "/bin/busybox";

/// The image, made of this machine's busybox.
pub(crate) fn busybox() -> Result<Image, Error> {
    let path = program("busybox").ok_or_else(|| Error::Image {
        image: SANDBOX_IMAGE.to_owned(),
        reason: "this machine has no busybox".to_owned(),
    })?;
    let names = run(Command::new(&path).arg("--list"), empty())?;
    let image = Image::new(SANDBOX_IMAGE)
        .program(BUSYBOX, &path)?
        .entrypoint(&[BUSYBOX, "sleep", "infinity"])
        .user("65532:65532")
        .variable("PATH", "/bin");
    let linked = names.lines().filter(|name| *name != "busybox");
    Ok(linked.fold(image, |image, name| {
        image.link(&format!("/bin/{name}"), BUSYBOX)
    }))
}
