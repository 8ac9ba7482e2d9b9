//! Kubeconfig files that hold all they need, so that they can be copied elsewhere.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::certificates::KeyedCertificate;

/// A kubeconfig of one user, who shows a client certificate.
pub(crate) fn text(url: &str, ca: &str, user: &str, credentials: &KeyedCertificate) -> String {
    let ca = STANDARD.encode(ca);
    let certificate = STANDARD.encode(&credentials.certificate);
    let key = STANDARD.encode(&credentials.key);
    let user = quoted(user);
    format!(
        "\
apiVersion: v1
kind: Config
clusters:
- name: test-cluster
  cluster:
    server: {url}
    certificate-authority-data: {ca}
users:
- name: {user}
  user:
    client-certificate-data: {certificate}
    client-key-data: {key}
contexts:
- name: test-cluster
  context:
    cluster: test-cluster
    user: {user}
current-context: test-cluster
"
    )
}

/// A YAML scalar of any text without control characters, as in `system:kube-scheduler`.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kubeconfig_is_self_contained() {
        let credentials = KeyedCertificate {
            certificate: "C".into(),
            key: "K".into(),
        };
        let text = text("https://127.0.0.1:1", "A", "o'brien", &credentials);
        assert!(text.contains("server: https://127.0.0.1:1\n"), "{text}");
        assert!(
            text.contains("certificate-authority-data: QQ==\n"),
            "{text}"
        );
        assert!(text.contains("client-certificate-data: Qw==\n"), "{text}");
        assert!(text.contains("client-key-data: Sw==\n"), "{text}");
        assert!(text.contains("user: 'o''brien'\n"), "{text}");
    }
}
