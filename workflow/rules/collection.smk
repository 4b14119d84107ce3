# Matrices of the SuiteSparse collection, fetched into the cache that runs and clones share.


# Polite: at most as many transfers at once as the profile's limit for `downloads`.
rule fetch_matrix:
    output:
        RUN / "matrices" / "{group}" / "{matrix}.json",
    log:
        RUN / "logs" / "matrices" / "{group}" / "{matrix}.log",
    conda:
        "../../environment.yml"
    resources:
        downloads=1,
    params:
        wanted=lambda w: fetch_arguments(PLAN, w.group, w.matrix),
        cache=PLAN.cache,
    message:
        "Fetching {wildcards.group}/{wildcards.matrix}"
    shell:
        "exec python -m splyce_bench.collection fetch --group {wildcards.group:q}"
        " --name {wildcards.matrix:q} {params.wanted:q} --cache {params.cache:q}"
        " --out {output:q} > {log:q} 2>&1"
