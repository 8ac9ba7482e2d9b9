//! The configuration files of a node's programs.

use std::net::Ipv4Addr;
use std::path::Path;

/// Where a node's containerd listens, in the node's own `/run`.
pub(crate) const SOCKET: &str = "/run/containerd/containerd.sock";

/// The image that holds a pod's namespaces open.
pub(crate) const SANDBOX_IMAGE: &str = crate::BUSYBOX_IMAGE;

/// What a node's files depend on.
#[derive(Debug)]
pub(crate) struct Settings<'a> {
    pub(crate) name: &'a str,
    /// The node's own folder.
    pub(crate) folder: &'a Path,
    pub(crate) address: Ipv4Addr,
    /// The range of the node's pods.
    pub(crate) pods: String,
    pub(crate) all_pods: String,
    /// The node's control group, from the root of each hierarchy.
    pub(crate) cgroup: &'a str,
    /// The file of the cluster's certificate authority.
    pub(crate) ca: &'a Path,
    /// The folder of CNI's plugins.
    pub(crate) plugins: &'a Path,
}

impl Settings<'_> {
    /// Without what would make folders or profiles elsewhere on the machine.
    pub(crate) fn containerd(&self) -> String {
        let (folder, plugins) = (self.folder.display(), self.plugins.display());
        format!(
            "\
version = 2
root = '{folder}/containerd'
state = '/run/containerd'
disabled_plugins = ['io.containerd.internal.v1.opt']
[grpc]
address = '{SOCKET}'
[plugins.'io.containerd.grpc.v1.cri']
sandbox_image = '{SANDBOX_IMAGE}'
restrict_oom_score_adj = true
disable_apparmor = true
[plugins.'io.containerd.grpc.v1.cri'.cni]
bin_dir = '{plugins}'
conf_dir = '{folder}/cni'
"
        )
    }

    /// Each pod has a link of its own to the node, so that all it sends passes kube-proxy's rules:
    /// on a bridge, that would take a kernel module.
    pub(crate) fn cni(&self) -> String {
        format!(
            r#"{{
  "cniVersion": "0.4.0",
  "name": "{name}",
  "plugins": [
    {{
      "type": "ptp",
      "ipam": {{
        "type": "host-local",
        "dataDir": "/run/cni",
        "ranges": [[{{"subnet": "{pods}"}}]],
        "routes": [{{"dst": "0.0.0.0/0"}}]
      }}
    }},
    {{"type": "portmap", "capabilities": {{"portMappings": true}}}}
  ]
}}
"#,
            name = self.name,
            pods = self.pods
        )
    }

    /// Volumes follow their ConfigMaps within a second or two; images are never collected, for
    /// nobody could pull them again.
    pub(crate) fn kubelet(&self) -> String {
        let Self {
            address,
            cgroup,
            ca,
            ..
        } = self;
        format!(
            "\
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: {address}
authentication:
  anonymous: {{enabled: false}}
  webhook: {{enabled: false}}
  x509: {{clientCAFile: '{ca}'}}
authorization: {{mode: Webhook}}
cgroupDriver: cgroupfs
cgroupRoot: /{cgroup}
containerRuntimeEndpoint: unix://{SOCKET}
enforceNodeAllocatable: []
evictionHard: {{nodefs.available: 1%, imagefs.available: 1%, memory.available: 20Mi}}
failCgroupV1: false
failSwapOn: false
imageGCHighThresholdPercent: 100
localStorageCapacityIsolation: false
clusterDNS: [127.0.0.1]
resolvConf: ''
syncFrequency: 1s
volumePluginDir: /run/volume-plugins
",
            ca = ca.display()
        )
    }

    /// The limits on connections are the whole kernel's, so they stay as they are.
    pub(crate) fn kube_proxy(&self) -> String {
        format!(
            "\
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: iptables
clusterCIDR: {pods}
hostnameOverride: {name}
clientConnection: {{kubeconfig: '{folder}/kube-proxy.kubeconfig'}}
conntrack: {{maxPerCore: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}}
",
            pods = self.all_pods,
            name = self.name,
            folder = self.folder.display()
        )
    }
}
