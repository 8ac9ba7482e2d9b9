//! The program and what it publishes in pods of a real node: kubelet, containerd, images and volumes.

mod ground;
mod installed;
mod pods;
mod program;
mod rates;
