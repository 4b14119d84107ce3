#!/bin/bash
# Try the harness on a SLURM of one machine, from nothing: munged, slurmctld and two slurmd are started
# in a folder of their own, used, and stopped. A slow check, no part of `make test`; docs/cluster.md has
# its last result.
#
#   scripts/try-slurm.sh [TARGET ...]    needs root, and from Debian: apt install slurm-wlm munge
#
# TARGET (default figure13) is run at smoke scale; FOLDER=/somewhere keeps everything there.
# 1. figure13 where time and memory are too little at first: the scheduler kills jobs for either, and each is
#    finished by an attempt with more.
# 2. The target through the queue, over two nodes; one measuring job is killed by scancel, and retried.
# 3. The same command has nothing to do.
# 4. A study begun on another CPU model refuses the nodes.
set -euo pipefail

clone=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
folder=${FOLDER:-$(mktemp -d -t splyce-slurm-XXXXXX)}
targets=("${@:-figure13}")
host=$(hostname -s)

fail() { echo "error: $*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail "slurmd needs root; try: sudo $0 $*"
for program in munged slurmctld slurmd sbatch; do
  [ -n "$(PATH=$PATH:/usr/sbin command -v $program)" ] ||
    fail "$program is missing; try: apt install slurm-wlm munge"
done
[ -x "$clone/.venv/bin/python" ] || fail "$clone/.venv is missing; run make setup first"

rm -rf "$folder"/{state,spooltry1,spooltry2}
mkdir -p "$folder"/{munge,state,spooltry1,spooltry2,log}
chmod 755 "$folder"
export SLURM_CONF=$folder/slurm.conf

daemons=()
stop() {
  scancel --me 2> /dev/null || true
  for pid in "${daemons[@]}"; do kill "$pid" 2> /dev/null || true; done
  wait
}
trap stop EXIT

start() { # NAME COMMAND...: a daemon in the foreground of a background job, so that we know its id
  local name=$1
  shift
  "$@" > "$folder/log/$name" 2>&1 &
  daemons+=($!)
}

# Snakemake's job step forgets every SLURM_*, this private configuration too; srun is told again.
wrap_srun() {
  mkdir -p "$folder/bin"
  printf '#!/bin/sh\nSLURM_CONF=%s exec %s "$@"\n' "$SLURM_CONF" "$(command -v srun)" > "$folder/bin/srun"
  chmod +x "$folder/bin/srun"
  export PATH=$folder/bin:$PATH
}

start_slurm() {
  dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 status=none
  chmod 700 "$folder/munge"
  chmod 400 "$folder/munge/key"
  start munged munged --foreground --force --key-file "$folder/munge/key" --socket "$folder/munge.socket" \
    --pid-file "$folder/munge/pid" --log-file "$folder/munge/log" --seed-file "$folder/munge/seed"
  cpus=$(nproc)
  memory=$(awk '/^MemTotal/ { print int(0.9 * $2 / 1024) }' /proc/meminfo)
  cat > "$SLURM_CONF" << END
ClusterName=try
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
AccountingStorageType=accounting_storage/none
# In place of a site's cgroups: what a job's processes hold is added up each second.
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
KillWait=5
MpiDefault=none
MinJobAge=3600
ReturnToService=2
NodeName=try1 NodeHostname=$host NodeAddr=127.0.0.1 Port=16818 CPUs=$cpus RealMemory=$memory Feature=this
NodeName=try2 NodeHostname=$host NodeAddr=127.0.0.1 Port=16819 CPUs=$cpus RealMemory=$memory Feature=this
PartitionName=main Nodes=try1,try2 Default=YES State=UP
END
  while [ ! -S "$folder/munge.socket" ]; do sleep 0.2; done
  start slurmctld slurmctld -D
  start slurmd1 slurmd -D -N try1
  start slurmd2 slurmd -D -N try2
  for _ in $(seq 60); do
    if [ "$(sinfo -h -N -t idle 2> /dev/null | wc -l)" = 2 ]; then return; fi
    sleep 1
  done
  tail -n 20 "$folder"/log/* >&2
  fail "the nodes did not come up; their logs are above, and in $folder/log"
}

# The plugin in a folder of its own: the environment of the clone stays as it is.
install_plugin() {
  rm -rf "$folder/plugin"
  "$clone/.venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
    --target "$folder/plugin" -r "$clone/requirements-slurm.lock"
  export PYTHONPATH=$folder/clone:$folder/plugin
}

study() { # RUN PROFILE TARGET...: through the queue; polls more often than on a real cluster
  local run=$1 profile=$2
  shift 2
  "$clone/.venv/bin/python" -m splyce_bench.snakemake_cli "$@" --workflow-profile "profiles/$profile" \
    --slurm-status-command squeue --slurm-init-seconds-before-status-checks 3 \
    --config scale=smoke "run=$run" slurm='{constraint: this}'
}

# Waits for a measuring job and has the scheduler kill it.
kill_one() {
  for _ in $(seq 1800); do
    id=$(squeue -h -t running -o '%i %k' 2> /dev/null | awk '/rule_measure_group/ { print $1; exit }')
    if [ -n "$id" ]; then
      sleep 2
      scancel "$id"
      echo "scancel $id"
      return
    fi
    sleep 0.5
  done
}

# The profile, with a minute for each measurement and next to no memory for each input, at first.
make_scarce_profile() {
  mkdir -p profiles/scarce
  sed -e '/^  generate_input:/s/mem_mb: 8000 \* attempt/mem_mb: 20 + 8000 * (attempt - 1)/' \
    -e '/^  measure_group:/s/runtime: 240 \* attempt/runtime: 1 * attempt/' \
    profiles/slurm/config.yaml > profiles/scarce/config.yaml
  [ "$(diff profiles/slurm/config.yaml profiles/scarce/config.yaml | grep -c '^>')" = 2 ] ||
    fail "profiles/slurm has other resources than this script expects"
}

# Stops a measuring job's process, so that the job's time passes.
freeze_one() {
  for _ in $(seq 1800); do
    for pid in $(pgrep -f 'splyce_bench.measure group'); do
      if [ "$(readlink "/proc/$pid/cwd")" = "$folder/clone" ]; then
        kill -STOP "$pid"
        echo "stopped process $pid"
        return
      fi
    done
    sleep 0.5
  done
}

expect_state() { # RULE PATTERN: a job of the rule whose line in `scontrol show jobs` has it; prints how many
  jobs_of "$1" | grep -cE -- "$2" || fail "no job of $1 has '$2'; see SLURM_CONF=$SLURM_CONF scontrol show jobs"
}

expect() { # FILE TEXT
  grep -qF -- "$2" "$1" || { tail -n 40 "$1" >&2; fail "'$2' is missing in $1"; }
}

jobs_of() { scontrol --oneliner show jobs | grep "Comment=rule_$1"; } # RULE

expect_whole_nodes() {
  if jobs_of measure_group | grep -v "NumCPUs=$(nproc) .*Features=this"; then
    fail "these measuring jobs had no whole node of the constraint"
  fi
  if jobs_of generate_input | grep -v "NumCPUs=1 "; then fail "these jobs took more than a core"; fi
}

nodes_used() { jobs_of measure_group | grep -o " NodeList=[a-z0-9]*" | sort | uniq -c | xargs; }

rm -rf "$folder/clone"
git clone --quiet "$clone" "$folder/clone"
git -C "$clone" log -1 --format='trying %h of %cs: %s'
start_slurm
wrap_srun
install_plugin
cd "$folder/clone"

make_scarce_profile
freeze_one &
killer=$!
study killed scarce figure13 > "$folder/log/killed" 2>&1 || { tail -n 60 "$folder/log/killed" >&2; fail "the study failed"; }
wait "$killer"
expect "$folder/log/killed" "SLURM status is: 'TIMEOUT'"
late=$(expect_state measure_group ' JobState=TIMEOUT .* TimeLimit=00:01:00 ')
again=$(expect_state measure_group ' JobState=COMPLETED .* TimeLimit=00:02:00 ')
[ "$late" = "$again" ] || fail "$late jobs ran out of time, and $again were finished in twice the time"
large=$(grep -lr "exceeded memory limit" .snakemake/slurm_logs/rule_generate_input | wc -l) ||
  fail "no input ran out of memory; the jobs' own lines are in $folder/clone/.snakemake/slurm_logs"
again=$(expect_state generate_input ' JobState=COMPLETED .* MinMemoryNode=8020M ')
[ "$large" = "$again" ] || fail "$large jobs ran out of memory, and $again were finished with more"
echo "1. passed: $late killed for time, $large for memory, each finished by its next attempt"

kill_one &
killer=$!
study slurm slurm "${targets[@]}" > "$folder/log/first" 2>&1 || { tail -n 60 "$folder/log/first" >&2; fail "the study failed"; }
wait "$killer"
expect "$folder/log/first" "Trying to restart job"
expect_whole_nodes
echo "2. passed: through the queue, whole nodes to measure ($(nodes_used)), one killed and retried"

study slurm slurm "${targets[@]}" > "$folder/log/again" 2>&1
expect "$folder/log/again" "Nothing to be done"
echo "3. passed: nothing is done twice"

echo '{"cpu": "Another CPU", "node": "elsewhere"}' > results/slurm/store/study_cpu.json
if study slurm slurm figure13 --retries 0 --forcerun measure_group > "$folder/log/refused" 2>&1; then
  fail "a node of another CPU model was not refused; see $folder/log/refused"
fi
expect "$folder/log/refused" "was begun on 'Another CPU' (node elsewhere"
echo "4. passed: a node of another CPU model is refused"
echo "all passed with $(sbatch --version)"
