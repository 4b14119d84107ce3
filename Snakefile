# Table of contents: version, configuration, stages, and the targets a user names.
from snakemake.utils import min_version

min_version("9.0")


configfile: "config/default.yaml"


if config["scale"] == "smoke":

    configfile: "config/smoke.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/toolchain.smk"
include: "workflow/rules/collection.smk"
include: "workflow/rules/inputs.smk"
include: "workflow/rules/compile.smk"
include: "workflow/rules/measure.smk"
include: "workflow/rules/counters.smk"
include: "workflow/rules/report.smk"


rule all:
    default_target: True
    input:
        PLAN.run / "checked" / "all.json",


onstart:
    let_scheduler_sleep(workflow)
    print_problems()


onsuccess:
    print_headline()


onerror:
    print_failures()
