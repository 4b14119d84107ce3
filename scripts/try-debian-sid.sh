#!/bin/sh
# Try the harness with the LLVM/MLIR of Debian sid, from nothing: a chroot, the pass's tests, a smoke run.
# A slow check (5 to 8 minutes on one core), no part of `make test`. docs/toolchains.md has its last result.
#
#   scripts/try-debian-sid.sh [FOLDER]     needs root, debootstrap and 5 GB
#
# FOLDER (default /tmp/splyce-sid) keeps the chroot: a second call tries the present commit in it.
# LLVM=22 and MIRROR=http://... may be set.
set -eu

folder=${1:-/tmp/splyce-sid}
llvm=${LLVM:-23}
mirror=${MIRROR:-http://deb.debian.org/debian}
clone=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
bundle=/etc/ssl/certs/ca-certificates.crt

[ "$(id -u)" = 0 ] || { echo "error: a chroot needs root; try: sudo $0 $folder" >&2; exit 1; }
command -v debootstrap > /dev/null ||
  { echo "error: debootstrap is missing; try: apt install debootstrap" >&2; exit 1; }

# In a mount namespace of its own, so that nothing stays mounted however this ends.
if [ "${SPLYCE_SID_NAMESPACE:-}" != yes ]; then
  SPLYCE_SID_NAMESPACE=yes exec unshare --mount "$0" "$folder"
fi

if [ ! -e "$folder/installed" ]; then
  debootstrap --variant=minbase sid "$folder" "$mirror"
fi
mount -t proc proc "$folder/proc"
mount --rbind /sys "$folder/sys"
mount --rbind /dev "$folder/dev"
mkdir -p "$folder/dev/shm"

inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    chroot "$folder" "$@"
}

if [ ! -e "$folder/installed" ]; then
  # A mirror's Release file may be older than it says it is good for.
  inside apt-get -o Acquire::Check-Valid-Until=false update
  inside apt-get install -y --no-install-recommends ca-certificates g++ git make python3 python3-dev \
    python3-venv "libmlir-$llvm-dev" "mlir-$llvm-tools" "llvm-$llvm-dev" "llvm-$llvm-tools"
  # A proxy's certificate, where the host has one.
  if [ -e "$bundle" ]; then cp "$bundle" "$folder$bundle"; fi
  touch "$folder/installed"
fi

rm -rf "$folder/root/splyce-bench"
git clone --quiet "$clone" "$folder/root/splyce-bench"
git -C "$clone" log -1 --format='trying %h of %cs: %s'

inside sh -eu -c '
  cd /root/splyce-bench
  make setup
  . .venv/bin/activate
  system="toolchain={provider: system}"
  snakemake build_pass --config "$system"
  export SPLYCE_TOOLCHAIN_JSON=$PWD/build/system/toolchain.json SPLYCE_PASS_DIR=$PWD/build/system/pass
  python -m pytest tests/pass tests/kernels tests/compile
  snakemake all --config scale=smoke "$system"
'
echo "all passed with LLVM $llvm of Debian sid"
