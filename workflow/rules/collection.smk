# Fetch members of the SuiteSparse Matrix Collection into the cache; the record says what came of it.
from splyce_bench.collection.matrix_list import NAME
from splyce_bench.collection.records import fetch_arguments


# profiles/default limits `downloads`: several at once, but polite.
rule fetch_matrix:
    output:
        RUN / "matrices" / "{group}" / "{name}.json",
    log:
        RUN / "logs" / "matrices" / "{group}" / "{name}.log",
    wildcard_constraints:
        group=NAME.pattern,
        name=NAME.pattern,
    conda:
        "../../environment.yml"
    resources:
        downloads=1,
    params:
        arguments=lambda w: fetch_arguments(
            PLAN.config["collection"], PLAN.inputs.member(w.group, w.name)
        ),
        cache=PLAN.cache,
    message:
        "Fetching {wildcards.group}/{wildcards.name}"
    shell:
        "exec python -m splyce_bench.collection fetch --group {wildcards.group:q}"
        " --name {wildcards.name:q} {params.arguments:q} --cache {params.cache:q}"
        " --out {output:q} > {log:q} 2>&1"
