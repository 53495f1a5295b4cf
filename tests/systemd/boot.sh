#!/bin/sh
# boot.sh ROOTFS TREE SITE PYTHON: a real systemd as the first process of namespaces of its own, on a throw-away copy of ROOTFS.
# TREE, SITE (a site-packages folder) and PYTHON (what a Python was installed under) are seen, read-only, as /opt/ethos, /opt/site and
# /opt/python. Needs root. Ends when it is killed.
set -eu
groups=/sys/fs/cgroup/unified
[ -d "$groups" ] || groups=/sys/fs/cgroup
mkdir -p "$groups/ethos-units-$$"
echo $$ > "$groups/ethos-units-$$/cgroup.procs"

exec unshare --mount --uts --ipc --net --pid --cgroup --fork --kill-child --propagation private sh -eu -c '
    room=/mnt
    mount -t tmpfs tmpfs "$room"
    mkdir "$room/upper" "$room/work" "$room/root"
    mount -t overlay -o "lowerdir=$1,upperdir=$room/upper,workdir=$room/work" overlay "$room/root"
    cd "$room/root"
    mkdir -p opt/ethos opt/site opt/python outside
    mount --bind "$2" opt/ethos && mount -o remount,bind,ro opt/ethos
    mount --bind "$3" opt/site && mount -o remount,bind,ro opt/site
    mount --bind "$4" opt/python && mount -o remount,bind,ro opt/python
    mount -t proc proc proc
    mount -t sysfs -o ro sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    mount -t tmpfs -o mode=755 tmpfs run
    mount -t tmpfs -o mode=1777 tmpfs tmp
    mount -t tmpfs -o mode=755 tmpfs dev
    mkdir dev/pts dev/shm
    mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
    mount -t tmpfs tmpfs dev/shm
    ln -s pts/ptmx dev/ptmx
    mknod -m 666 dev/null c 1 3
    mknod -m 666 dev/zero c 1 5
    mknod -m 666 dev/full c 1 7
    mknod -m 666 dev/random c 1 8
    mknod -m 666 dev/urandom c 1 9
    mknod -m 666 dev/tty c 5 0
    mknod -m 600 dev/console c 1 3
    pivot_root . outside
    umount --lazy /outside
    exec env -i container=ethos PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
' boot "$1" "$2" "$3" "$4"
