#!/bin/bash
# Follow the README on a bare Debian, as an ordinary user who installs exactly what each message names, until the
# smoke study has run. A slow check (a quarter of an hour), no part of `make test`; docs/toolchains.md has its result.
#
#   scripts/try-stranger.sh bookworm|sid     needs root, debootstrap and 6 GB
#
# FOLDER (default /tmp/splyce-stranger) keeps debootstrap's base; the machine that is tried is a copy, made anew.
# MIRROR=http://... is for debootstrap. The certificate and index of this machine's pip (PIP_CERT, PIP_INDEX_URL) are
# that machine's as well, in /etc/pip.conf.
set -euo pipefail

suite=${1:?usage: scripts/try-stranger.sh bookworm|sid}
folder=${FOLDER:-/tmp/splyce-stranger}
mirror=${MIRROR:-http://deb.debian.org/debian}
clone=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
base=$folder/$suite-base machine=$folder/$suite log=$folder/$suite.log
packages=()

fail() {
  echo "error: $1" >&2
  exit 1
}

[[ $suite == bookworm || $suite == sid ]] || fail "unknown release '$suite'; allowed: bookworm, sid"
[ "$(id -u)" = 0 ] || fail "a chroot needs root; try: sudo $0 $suite"
command -v debootstrap > /dev/null || fail "debootstrap is missing; try: apt install debootstrap"

# In a mount namespace of its own, so that nothing stays mounted however this ends.
if [ "${SPLYCE_STRANGER_NAMESPACE:-}" != yes ]; then
  SPLYCE_STRANGER_NAMESPACE=yes exec unshare --mount "$0" "$suite"
fi

make_base() {
  if [ ! -e "$base.done" ]; then
    rm -rf "$base"
    mkdir -p "$folder"
    debootstrap --variant=minbase "$suite" "$base" "$mirror" > "$log"
    touch "$base.done"
  fi
}

make_machine() {
  rm -rf --one-file-system "$machine"
  cp -a "$base" "$machine"
  mount -t proc proc "$machine/proc"
  mount --rbind /sys "$machine/sys"
  mount --rbind /dev "$machine/dev"
  mkdir -p "$machine/dev/shm"
  give_pip_its_index
  # A mirror's Release file may be older than it says it is good for.
  echo 'Acquire::Check-Valid-Until "false";' > "$machine/etc/apt/apt.conf.d/90mirror"
  as_root apt-get update > "$log" 2>&1
  as_root useradd --uid 1000 --create-home --shell /bin/bash stranger
  git clone --quiet --bare --single-branch "$clone" "$machine/srv/splyce-bench.git"
  as_root chown -R stranger: /srv/splyce-bench.git
}

give_pip_its_index() {
  echo '[global]' > "$machine/etc/pip.conf"
  if [ -n "${PIP_INDEX_URL:-}" ]; then echo "index-url = $PIP_INDEX_URL" >> "$machine/etc/pip.conf"; fi
  if [ -n "${PIP_CERT:-}" ]; then
    cp "$PIP_CERT" "$machine/etc/pip-cert.pem"
    echo "cert = /etc/pip-cert.pem" >> "$machine/etc/pip.conf"
  fi
}

as_root() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    chroot "$machine" "$@"
}

as_stranger() { # FOLDER COMMAND
  chroot --userspec=1000:1000 "$machine" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/stranger \
    USER=stranger LOGNAME=stranger LANG=C.UTF-8 /bin/bash -c "cd $1 && $2"
}

named_in() { # the packages that the last line of a call names: ours, or the shell's own of a program
  grep -v '^make: ' "$1" | tail -n 1 |
    sed -nE 's/^error: .*: sudo apt install (.*)$/\1/p; s/^.*: ([^ :]+): command not found$/\1/p'
}

follow() { # FOLDER COMMAND: the command, and what it asks for, until it succeeds
  local wanted
  echo "\$ $2"
  until as_stranger "$1" "$2" > "$log" 2>&1; do
    wanted=$(named_in "$log")
    [ -n "$wanted" ] || { tail -n 40 "$log" >&2; fail "the last line names no package; all is in $log"; }
    for package in $wanted; do
      [[ " ${packages[*]} " != *" $package "* ]] || fail "$package is installed, and asked for again; see $log"
    done
    tail -n 2 "$log" | grep -v '^make: '
    echo "  installing $wanted"
    # shellcheck disable=SC2086 # several packages
    as_root apt-get install --yes $wanted > "$folder/$suite-apt.log" 2>&1 ||
      { tail -n 20 "$folder/$suite-apt.log" >&2; fail "cannot install $wanted"; }
    # shellcheck disable=SC2206
    packages+=($wanted)
  done
}

# The README's lines; tests/workflow/test_documented_commands.py holds them to be the same.
first='git clone <this repository> splyce-bench && cd splyce-bench'
second='make smoke'

make_base
make_machine
git -C "$clone" log -1 --format="trying %h of %cs on $suite: %s"
follow /home/stranger "${first/<this repository>/\/srv\/splyce-bench.git}"
begun=$SECONDS
follow /home/stranger/splyce-bench "$second"
grep -E '^(claims|A/A control)|steps .* done' "$log" | tail -n 3
cp "$log" "$folder/$suite-smoke.log"
echo "the last \`$second\` and those that stopped before it took $((SECONDS - begun)) s"
follow /home/stranger/splyce-bench "$second"
grep -q 'Nothing to be done' "$log" || fail "the second call did something; see $log"

told=$(sed -n 's/^    sudo apt install //p' "$clone/README.md")
for package in "${packages[@]}"; do
  [[ " $told " == *" $package "* ]] || fail "the README does not name $package among: $told"
done
echo "all passed on $suite with $(as_root python3 --version); had to be installed: ${packages[*]}"
