# What the rules share, without rules: the plan, wildcard constraints, the lock of a run.
import os
import re
import sys

from splyce_bench.errors import UserError
from splyce_bench.plan import MODES, load_plan
from splyce_bench.workflow import (
    hold_run,
    let_scheduler_sleep,
    print_failures_of,
    print_headline_of,
    print_problems_of,
    put_python_on_path,
)


def or_end(function, *arguments):
    try:
        return function(*arguments)
    except UserError as error:
        # Snakemake would wrap an exception in its own traceback.
        print(f"error: {error}", file=sys.stderr)
        os._exit(1)


PLAN = or_end(load_plan, config)
RUN_LOCK = or_end(hold_run, PLAN, workflow)

put_python_on_path()

RUN = PLAN.run
BUILD = PLAN.build
# Of the machine that reads this, which on a cluster is the job's own node, and no more than its
# `--cores`; what is asked of the scheduler stands in profiles/slurm.
MACHINE_CORES = os.cpu_count()
# A study is compiled and measured on one CPU model.
CONSTRAINT = PLAN.config["slurm"]["constraint"]
EXPERIMENTS = sorted(PLAN.experiments)
INPUTS = PLAN.inputs.ids


def any_of(names):
    return "|".join(re.escape(name) for name in names)


# On a cluster these run where Snakemake does: they want the network, or take seconds.
localrules:
    build_toolchain,
    fetch_matrix,
    summarize_experiment,
    summarize_claims,
    summarize_goals,
    summarize_table,
    summarize_ports,
    plot_figure,
    build_report,
    check_results,


wildcard_constraints:
    experiment=any_of(EXPERIMENTS),
    kernel=any_of(PLAN.kernels),
    pipeline=any_of(PLAN.pipelines),
    input=any_of(INPUTS),
    mode=any_of(MODES),
    cores="[0-9]+",
    table=any_of(PLAN.names_of("table")),
    ports=any_of(PLAN.names_of("ports")),
    figure=any_of(PLAN.names_of("figure")),
    target=any_of(["all", "report", *EXPERIMENTS]),


def print_problems():
    # On a cluster this machine is not the one that measures.
    if workflow.local_exec:
        print_problems_of(PLAN, sys.argv[1:])


def print_headline():
    print_headline_of(PLAN)


def print_failures():
    print_failures_of(PLAN)


def plugins_of(w):
    ours = BUILD / "pass" / "lib" / "SplycePlugin.so"
    return [ours if p == "splyce" else p for p in PLAN.pipelines[w.pipeline].plugins]


def source_files_of(w):
    return or_end(PLAN.inputs.source_files, w.kernel, w.input)


def sources_of(w):
    return PLAN.pipelines[w.pipeline].source_tree()


def group_of(w):
    return PLAN.group(w.experiment, w.kernel, w.input, int(w.cores))


def kernels_of(w):
    return PLAN.kernels_of(group_of(w))


def raw_of(w):
    return [
        path
        for name in PLAN.experiments_of(w.target)
        for path in [*PLAN.groups(name), *PLAN.counter_groups(name)]
    ]


def simulated_of(w):
    # Whether they are needed is known only when perf has been asked.
    group = group_of(w)
    wanted = PLAN.is_simulated(w.experiment)
    return list(PLAN.simulated_kernels(group).values()) if wanted else []


def small_input_of(w):
    return PLAN.simulated_input(group_of(w))


def drawn_of(w):
    drawn = [
        path for name in PLAN.experiments_of(w.target) for path in PLAN.drawings(name)
    ]
    goals = PLAN.goals_of(PLAN.experiments_of(w.target))
    page = [RUN / "report.html"] if w.target in ("all", "report") else []
    return drawn + goals + page
