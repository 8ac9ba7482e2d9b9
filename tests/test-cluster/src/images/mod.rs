//! Container images without a registry: made of files of this machine, loaded into nodes.

mod archive;
mod busybox;
mod image;
mod libraries;
mod reference;

pub(crate) use busybox::busybox;
pub use image::Image;
