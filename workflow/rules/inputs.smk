# Make the operands of a kernel, as folders of memory-mapped arrays.


# Deleted after its last measurement. All cores, although one is used, and the lowest priority: an
# input is made when nothing can be measured yet, and so the disk holds one at a time.
rule generate_input:
    input:
        source_files_of,
    output:
        temp(directory(RUN / "inputs" / "{kernel}" / "{input}")),
    log:
        RUN / "logs" / "inputs" / "{kernel}" / "{input}.log",
    conda:
        "../../environment.yml"
    threads: MACHINE_CORES
    params:
        recipe=lambda w: PLAN.inputs.recipe(w.kernel, w.input),
    message:
        "Making input {wildcards.input} of {wildcards.kernel}"
    shell:
        "exec python -m splyce_bench.inputs --spec {params.recipe:q} --out {output:q} > {log:q} 2>&1"
