# Boots one node: $1 is its folder, $2 the folder of Kubernetes' binaries, $3 its control group,
# $4 its name and $5 its address.
#
# It is the first process of a PID namespace, so when it ends, however it ends, all that the node
# runs ends with it, pods too. Its mounts are of a namespace of their own, and go the same way.
set -eu
folder=$1 binaries=$2 cgroup=$3 name=$4 address=$5

# Fixed paths of containerd, kubelet, kube-proxy and CNI. The machine's own are out of their sight.
for path in /run /var/lib /var/log; do
    mount -t tmpfs tmpfs "$path"
done

# kubelet tunes the machine's kernel. Let it write to files instead.
for flag in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops \
    kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
    shadow=$folder/kernel/$flag
    mkdir -p "${shadow%/*}"
    cat "/proc/sys/$flag" >"$shadow"
    mount --bind "$shadow" "/proc/sys/$flag"
done

# An empty group is the proof that all of the node is gone.
for processes in /sys/fs/cgroup/"$cgroup"/system/cgroup.procs \
    /sys/fs/cgroup/*/"$cgroup"/system/cgroup.procs; do
    [ ! -e "$processes" ] || echo 0 >"$processes"
done

echo 1 >/proc/sys/net/ipv4/ip_forward

trap 'exit 1' TERM

# Runs a program that the node can't do without.
keep() {
    program=$1
    shift
    {
        code=0
        "$@" >"$folder/$program.log" 2>&1 || code=$?
        echo "$program ended with exit code $code; the end of $folder/$program.log:"
        tail -n 12 "$folder/$program.log"
        kill -TERM $$
    } &
}

keep containerd containerd --config "$folder/containerd.toml"
until [ -S /run/containerd/containerd.sock ]; do
    sleep 0.05
done
keep kubelet "$binaries/kubelet" --config "$folder/kubelet.yaml" \
    --kubeconfig "$folder/kubelet.kubeconfig" --root-dir "$folder/kubelet" \
    --cert-dir "$folder/pki" --hostname-override "$name" --node-ip "$address"
keep kube-proxy "$binaries/kube-proxy" --config "$folder/kube-proxy.yaml"
while :; do
    wait || :
done
