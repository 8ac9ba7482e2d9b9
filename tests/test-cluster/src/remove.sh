# Removes what a cluster leaves: $1 is its folder, $2 the name of its nodes' control groups.
#
# A control group can only be removed when nothing runs in it any more, so when they are gone, no
# pod writes into the folder, and no mount of a node's is left in it.
tries=400
while groups=$(find /sys/fs/cgroup -mindepth 1 -maxdepth 2 -name "$2") && [ -n "$groups" ]; do
    # The name has no spaces, and there is one group in each hierarchy.
    # shellcheck disable=SC2086
    find $groups -depth -type d -exec rmdir {} + && break
    tries=$((tries - 1))
    [ $tries -gt 0 ] || break
    sleep 0.05
done 2>/dev/null
exec rm -rf -- "$1"
