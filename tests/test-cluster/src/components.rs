//! The components a test cluster is made of, and the Go modules that pin their versions.

/// A Go module of ours, whose go.mod and go.sum pin what is built.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Module {
    pub(crate) name: &'static str,
    pub(crate) go_mod: &'static str,
    pub(crate) go_sum: &'static str,
    /// The module that it exists for, and whose version its components carry.
    subject: &'static str,
}

pub(crate) static ETCD: Module = Module {
    name: "etcd",
    go_mod: include_str!("../go/etcd/go.mod"),
    go_sum: include_str!("../go/etcd/go.sum"),
    subject: "go.etcd.io/etcd/server/v3",
};

pub(crate) static KUBERNETES: Module = Module {
    name: "kubernetes",
    go_mod: include_str!("../go/kubernetes/go.mod"),
    go_sum: include_str!("../go/kubernetes/go.sum"),
    subject: "k8s.io/kubernetes",
};

pub(crate) static HELM: Module = Module {
    name: "helm",
    go_mod: include_str!("../go/helm/go.mod"),
    go_sum: include_str!("../go/helm/go.sum"),
    subject: "helm.sh/helm/v4",
};

impl Module {
    /// The pinned version, as in `v1.36.3`.
    pub(crate) fn version(&self) -> &'static str {
        self.go_mod
            .lines()
            .filter_map(|line| line.trim().trim_start_matches("require ").split_once(' '))
            .find(|(path, _)| *path == self.subject)
            .and_then(|(_, rest)| rest.split_whitespace().next())
            .expect("the embedded go.mod requires its subject, which a test holds")
    }

    /// Linker flags. Kubernetes stamps its version at link time; an unstamped kubectl can't parse
    /// its own.
    pub(crate) fn linker_flags(&self) -> String {
        if *self != KUBERNETES {
            return "-s -w".to_owned();
        }
        let version = self.version();
        let mut numbers = version.trim_start_matches('v').split('.');
        let (major, minor) = (numbers.next().unwrap_or("0"), numbers.next().unwrap_or("0"));
        let package = "k8s.io/component-base/version";
        format!(
            "-s -w -X {package}.gitVersion={version} -X {package}.gitMajor={major} \
             -X {package}.gitMinor={minor}"
        )
    }
}

/// What a component is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Every cluster: the control plane, and kubectl to look at it.
    ControlPlane,
    /// Clusters with nodes only.
    Node,
    /// No cluster: it works on files.
    Tool,
}

/// One program of the cluster.
#[derive(Debug)]
pub(crate) struct Component {
    /// The program's file name.
    pub(crate) name: &'static str,
    pub(crate) module: &'static Module,
    pub(crate) package: &'static str,
    pub(crate) role: Role,
}

pub(crate) const ETCD_SERVER: &str = "etcd";
pub(crate) const API_SERVER: &str = "kube-apiserver";
pub(crate) const CONTROLLER_MANAGER: &str = "kube-controller-manager";
pub(crate) const KUBECTL: &str = "kubectl";
pub(crate) const SCHEDULER: &str = "kube-scheduler";
pub(crate) const KUBELET: &str = "kubelet";
pub(crate) const PROXY: &str = "kube-proxy";

/// All components, in the order in which they are built.
pub(crate) static COMPONENTS: [Component; 7] = [
    Component {
        name: ETCD_SERVER,
        module: &ETCD,
        package: "go.etcd.io/etcd/server/v3",
        role: Role::ControlPlane,
    },
    kubernetes(
        API_SERVER,
        "k8s.io/kubernetes/cmd/kube-apiserver",
        Role::ControlPlane,
    ),
    kubernetes(
        CONTROLLER_MANAGER,
        "k8s.io/kubernetes/cmd/kube-controller-manager",
        Role::ControlPlane,
    ),
    kubernetes(KUBECTL, "k8s.io/kubernetes/cmd/kubectl", Role::ControlPlane),
    kubernetes(
        SCHEDULER,
        "k8s.io/kubernetes/cmd/kube-scheduler",
        Role::Node,
    ),
    kubernetes(KUBELET, "k8s.io/kubernetes/cmd/kubelet", Role::Node),
    kubernetes(PROXY, "k8s.io/kubernetes/cmd/kube-proxy", Role::Node),
];

const fn kubernetes(name: &'static str, package: &'static str, role: Role) -> Component {
    Component {
        name,
        module: &KUBERNETES,
        package,
        role,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_come_from_the_pinned_modules() {
        assert!(
            KUBERNETES.version().starts_with("v1."),
            "{}",
            KUBERNETES.version()
        );
        assert!(ETCD.version().starts_with("v3."), "{}", ETCD.version());
        assert!(HELM.version().starts_with("v4."), "{}", HELM.version());
    }

    #[test]
    fn kubernetes_is_stamped_with_its_version() {
        let flags = KUBERNETES.linker_flags();
        assert!(
            flags.contains(&format!("gitVersion={}", KUBERNETES.version())),
            "{flags}"
        );
        assert!(flags.contains("gitMajor=1"), "{flags}");
    }

    #[test]
    fn every_component_is_a_tool_of_its_module() {
        for component in &COMPONENTS {
            assert!(
                component.module.go_mod.contains(component.package),
                "{}",
                component.name
            );
        }
    }

    #[test]
    fn every_staging_module_is_pinned_to_the_matching_release() {
        let minor_and_patch = KUBERNETES.version().trim_start_matches("v1.");
        for line in KUBERNETES.go_mod.lines().filter(|line| line.contains("=>")) {
            assert!(line.ends_with(&format!("v0.{minor_and_patch}")), "{line}");
        }
    }
}
