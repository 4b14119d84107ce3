#!/bin/bash
# Build LLVM/MLIR from source with the provider `source`, interrupted twice on the way (SIGKILL and Ctrl-C), then
# try the pass and a smoke run with it. A slow check, no part of `make test`; docs/toolchains.md has its result.
#
#   scripts/try-source-build.sh TARBALL [build|tests|smoke|all]     needs `make setup`, 6 GB, 5 hours of one core
#
# TARBALL is LLVM's source, a file or an address. FOLDER (default /tmp/splyce-source) is the cache: a call that was
# stopped, at whatever point, goes on with the same command; `timeout 170 scripts/try-source-build.sh ...` again and
# again builds in pieces.
set -euo pipefail

tarball=${1:?usage: scripts/try-source-build.sh TARBALL [build|tests|smoke|all]}
step=${2:-all}
folder=${FOLDER:-/tmp/splyce-source}
# Steps of ninja between two interruptions.
apart=60
cd "$(dirname "$0")/.."
[[ $tarball == *://* ]] || tarball=$(realpath -e "$tarball")
export SPLYCE_CACHE=$folder
config="toolchain={provider: source, source: {tarball: '$tarball'}}"
python=.venv/bin/python
mkdir -p "$folder"

ask() { # PYTHON EXPRESSION, in which `plan` is the plan of this call
  $python -c "import sys; from splyce_bench.plan import load_run; from splyce_bench.toolchain import source
from splyce_bench.toolchain.model import Request
plan = load_run(sys.argv[1:])
at = plan.config['toolchain']['source']
tree = source.folder_of(Request('source', None, at['ref'], at['tarball'], plan.cache))
print($1)" "$config"
}

tree=$(ask tree)
log=$tree/build/.ninja_log

finished_steps() { # a line for each: time of the output, its name
  if [ -e "$log" ]; then tail -n +2 "$log" | cut -f 3,4 | sort -u; fi
}

count() { finished_steps | wc -l; }

begin() { # in a process group of its own, as a terminal would start it
  setsid env --default-signal=INT .venv/bin/snakemake build_pass --config run=source-build "$config" > "$folder/build.log" 2>&1 &
  job=$!
}

stop() { kill "-$1" -- "$2" 2> /dev/null || true; }

leave() { # however this call ends, the build ends with it and its time is counted
  if [ -n "${job:-}" ]; then stop TERM "-$job"; fi
  echo $((SECONDS)) >> "$folder/seconds"
}

interrupt() { # NAME SIGNAL PROCESS-OR-GROUP-SIGN; once, `apart` steps from where the build is
  if [ -e "$folder/$1.done" ] || [ -e "$tree/finished" ]; then return; fi
  local until=$(($(count) + apart))
  begin
  while [ "$(count)" -lt "$until" ]; do
    kill -0 "$job" 2> /dev/null || { cat "$folder/build.log" >&2; exit 1; }
    sleep 1
  done
  stop "$2" "$3$job"
  wait "$job" || true
  job=
  sleep 5
  if pgrep -f "ninja -C $tree/build" > /dev/null; then
    echo "error: ninja goes on after $1" >&2
    exit 1
  fi
  finished_steps > "$folder/$1.steps"
  touch "$folder/$1.done"
  echo "interrupted by $1 after $(count) steps"
}

again() { # NAME: how many of the steps finished before an interruption have another time now
  finished_steps | comm -13 - "$folder/$1.steps" | wc -l
}

build() {
  trap leave EXIT
  trap 'exit 130' INT TERM
  interrupt SIGKILL KILL ''
  interrupt Ctrl-C INT -
  begin
  wait "$job" || { tail -n 40 "$folder/build.log" >&2; exit 1; }
  job=
  echo "configured by: $(ask "' '.join(source.configure_command(tree / 'source', tree / 'build'))")"
  echo "steps: $(count); done again after SIGKILL: $(again SIGKILL), after Ctrl-C: $(again Ctrl-C)"
  echo "seconds: $(($(cat "$folder/seconds" 2> /dev/null | paste -sd+ || echo 0) + SECONDS)) on $(nproc) cores"
  du -sh "$tree/source" "$tree/build"
}

tests() {
  SPLYCE_TOOLCHAIN_JSON=$(ask plan.build)/toolchain.json SPLYCE_PASS_DIR=$(ask plan.build)/pass \
    $python -m pytest tests/pass tests/kernels tests/compile
}

smoke() {
  .venv/bin/snakemake all --config scale=smoke run=source-smoke "$config"
}

case $step in
  build | tests | smoke) $step ;;
  all) build && tests && smoke ;;
  *) echo "error: unknown step '$step'; allowed: build, tests, smoke, all" >&2; exit 1 ;;
esac
echo "$step: passed"
