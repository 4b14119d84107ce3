# Performance counters of a group, apart from its timed samples; simulated where there are none.


rule count_group:
    input:
        kernels=kernels_of,
        simulated=simulated_of,
        data=RUN / "inputs" / "{kernel}" / "{input}",
        small=small_input_of,
        toolchain=BUILD / "toolchain.json",
        runtime=BUILD / "runtime.so",
    output:
        RUN / "counters" / "{experiment}" / "{kernel}" / "{input}" / "c{cores}.json",
    log:
        RUN
        / "logs"
        / "counters"
        / "{experiment}"
        / "{kernel}"
        / "{input}"
        / "c{cores}.log",
    conda:
        "../../environment.yml"
    threads: MACHINE_CORES
    resources:
        constraint=CONSTRAINT,
    params:
        task=lambda w: PLAN.counter_task(group_of(w)),
        share=PLAN.config["counters"]["least_share_pct"],
        store=RUN / "store",
    message:
        "Counting {wildcards.experiment}: {wildcards.kernel} on {wildcards.input}, {wildcards.cores} core(s)"
    shell:
        "exec python -m splyce_bench.counters group --task {params.task:q} --threads {threads}"
        " --least-share-pct {params.share} --input {input.data:q} --simulated-input {input.small:q}"
        " --toolchain {input.toolchain:q} --runtime {input.runtime:q} --store {params.store:q}"
        " --log {log:q} --out {output:q}"
