//! What an image is called in full. `busybox:1` is short for `docker.io/library/busybox:1`.

/// The full name that a short one stands for, by the rules of Docker, which Kubernetes follows.
pub(crate) fn full(name: &str) -> String {
    let tagged = match name.rsplit_once('/').map_or(name, |(_, last)| last) {
        last if last.contains(':') => name.to_owned(),
        _ => format!("{name}:latest"),
    };
    match tagged.split_once('/') {
        None => format!("docker.io/library/{tagged}"),
        Some((host, _)) if is_registry(host) => tagged,
        Some(_) => format!("docker.io/{tagged}"),
    }
}

fn is_registry(part: &str) -> bool {
    part == "localhost" || part.contains(['.', ':'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_those_of_docker_s_registry() {
        assert_eq!(full("busybox:1"), "docker.io/library/busybox:1");
        assert_eq!(full("busybox"), "docker.io/library/busybox:latest");
        assert_eq!(full("me/tool:1"), "docker.io/me/tool:1");
    }

    #[test]
    fn names_with_a_registry_are_full() {
        assert_eq!(full("ghcr.io/me/tool:1"), "ghcr.io/me/tool:1");
        assert_eq!(full("localhost/tool"), "localhost/tool:latest");
        assert_eq!(full("localhost:5000/tool"), "localhost:5000/tool:latest");
    }
}
