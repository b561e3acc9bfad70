#!/bin/sh
# A host with an ssh server, in namespaces of its own that the caller made. Words: its name, its address, the folder of the fleet, the size of its disk.
# It is gone when standard input is closed, and all that runs on it.
set -e
name=$1 address=$2 folder=$3 size=$4
hostname "$name"
mount -t tmpfs -o mode=755 tmpfs /run
mkdir /run/sshd
mount -t tmpfs -o "size=$size" tmpfs "$folder/data"
mount -t tmpfs tmpfs "$folder/home"
mkdir "$folder/home/.cache"
# What a host leaves here is its own; the project itself may lie here too, and stays.
root=${folder%/artifacts/*}
mkdir /run/project
mount --rbind "$root" /run/project
mount -t tmpfs tmpfs /var/tmp
if [ ! -e "$folder" ]; then
    mkdir -p "$root"
    mount --rbind /run/project "$root"
fi
echo "$name" | sha256sum | cut -c1-32 > /run/machine-id
mount --bind /run/machine-id /etc/machine-id
ip link set lo up
until ip link show eth0 > /dev/null 2>&1; do sleep 0.05; done
ip address add "$address/30" dev eth0
ip link set eth0 up
"$(command -v sshd)" -f "$folder/sshd_config" -o "ListenAddress=$address" -E "$folder/$name.log"
echo ready
cat > /dev/null
