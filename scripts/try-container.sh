#!/bin/sh
# Build the image without a container engine and run the smoke study in it, with no network and as a user
# whom the image does not know. A slow check, no part of `make test`; docs/container.md has its last result.
#
#   scripts/try-container.sh [base|image|smoke|all]     needs root, buildah, debootstrap and 25 GB
#
# FOLDER (default /tmp/splyce-container) keeps the images: steps can be given one by one, and base only once.
# MIRROR=http://... is for debootstrap. PIP_INDEX_URL, PIP_CERT and the proxy variables reach the build as
# arguments where they are set. BUILD_ARGS='--build-arg TOOLCHAIN=source' builds the other image.
set -eu

step=${1:-all}
folder=${FOLDER:-/tmp/splyce-container}
clone=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
base=localhost/debian:12 image=localhost/splyce-bench
# An owner of results who has no entry in the image's /etc/passwd.
user=12345

fail() {
  echo "error: $1" >&2
  exit 1
}

[ "$(id -u)" = 0 ] || fail "chroot isolation needs root; try: sudo $0 $step"
for program in buildah debootstrap unshare; do
  command -v $program > /dev/null || fail "$program is missing; try: apt install buildah debootstrap util-linux"
done

store() {
  buildah --root "$folder/storage" --runroot "$folder/run" --storage-driver vfs "$@"
}

make_base() {
  if [ ! -e "$folder/bookworm.done" ]; then
    rm -rf "$folder/bookworm"
    debootstrap --variant=minbase bookworm "$folder/bookworm" ${MIRROR:+"$MIRROR"}
    rm -rf "$folder"/bookworm/var/cache/apt/archives/*.deb "$folder"/bookworm/var/lib/apt/lists/*
    touch "$folder/bookworm.done"
  fi
  container=$(store from scratch)
  store add --quiet "$container" "$folder/bookworm" /
  store commit --quiet --rm "$container" "$base"
}

make_image() {
  # The commit, not the folder: what is not committed is not tried.
  rm -rf "$folder/context"
  mkdir -p "$folder/context"
  git -C "$clone" archive HEAD | tar -x -C "$folder/context"
  set --
  for name in PIP_INDEX_URL http_proxy https_proxy no_proxy; do
    if printenv $name > /dev/null; then set -- "$@" --build-arg $name; fi
  done
  if [ -n "${PIP_CERT:-}" ]; then
    # Not in its own place, which belongs to a package of the image.
    set -- "$@" --build-arg PIP_CERT=/pip-cert.pem --volume "$PIP_CERT:/pip-cert.pem:ro"
  fi
  store bud --isolation chroot "$@" ${BUILD_ARGS:-} --build-arg BASE=$base \
    --build-arg COMMIT="$(git -C "$clone" rev-parse HEAD)" --tag $image "$folder/context"
  store images
}

inside() {
  # A network namespace of its own: what needs a network fails.
  unshare --net buildah --root "$folder/storage" --runroot "$folder/run" --storage-driver vfs \
    run --isolation chroot --user $user:$user \
    --volume "$folder/results:/splyce-bench/results" "$container" -- "$@"
}

run_smoke() {
  rm -rf "$folder/results"
  mkdir -p "$folder/results"
  chown $user:$user "$folder/results"
  container=$(store from --pull-never $image)
  trap 'store rm "$container" > /dev/null' EXIT
  # `buildah run` knows no entry point: it is asked for, and given.
  command=$(store inspect --type image --format '{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.Cmd}}' \
    $image | tr -d '[]')
  [ "$command" = "snakemake all --config scale=smoke" ] || fail "the image's command is: $command"
  inside splyce-bench doctor all --config scale=smoke
  inside $command
  inside $command 2>&1 | grep "Nothing to be done" || fail "the second call did something"
  [ -z "$(find "$folder/results" ! -user $user)" ] || fail "results do not belong to the caller"
  grep -q '"kind": "simulated"' -r "$folder/results/smoke/counters" || fail "no counters were simulated"
  du -sh "$folder/results"
}

case $step in
  base) make_base ;;
  image) make_image ;;
  smoke) run_smoke ;;
  all) make_base && make_image && run_smoke ;;
  *) fail "unknown step '$step'; allowed: base, image, smoke, all" ;;
esac
echo "$step: passed"
