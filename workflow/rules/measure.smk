# Measure a group: one kernel, one input, one core count, and the pipelines one experiment compares.


rule build_runtime:
    input:
        "splyce_bench/measure/runtime.c",
    output:
        BUILD / "runtime.so",
    log:
        RUN / "logs" / "build_runtime.log",
    priority: 2
    conda:
        "../../environment.yml"
    message:
        "Building the timing runtime"
    shell:
        "exec python -m splyce_bench.measure build-runtime --out {output:q} > {log:q} 2>&1"


# All cores: nothing else runs beside a measurement.
rule measure_group:
    input:
        kernels=kernels_of,
        data=RUN / "inputs" / "{kernel}" / "{input}",
        toolchain=BUILD / "toolchain.json",
        runtime=BUILD / "runtime.so",
    output:
        RUN / "raw" / "{experiment}" / "{kernel}" / "{input}" / "c{cores}.json",
    log:
        RUN
        / "logs"
        / "measure"
        / "{experiment}"
        / "{kernel}"
        / "{input}"
        / "c{cores}.log",
    priority: 1
    conda:
        "../../environment.yml"
    threads: MACHINE_CORES
    resources:
        constraint=CONSTRAINT,
    params:
        task=lambda w: PLAN.task(group_of(w)),
        store=RUN / "store",
    message:
        "Measuring {wildcards.experiment}: {wildcards.kernel} on {wildcards.input}, {wildcards.cores} core(s)"
    shell:
        "exec python -m splyce_bench.measure group --task {params.task:q} --threads {threads}"
        " --input {input.data:q} --toolchain {input.toolchain:q} --runtime {input.runtime:q}"
        " --store {params.store:q} --log {log:q} --out {output:q}"
