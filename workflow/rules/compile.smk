# Compile a kernel with a pipeline; never once per matrix.


rule compile_kernel:
    input:
        toolchain=BUILD / "toolchain.json",
        plugins=plugins_of,
        sources=sources_of,
    output:
        directory(BUILD / "kernels" / "{kernel}" / "{pipeline}" / "{mode}"),
    log:
        RUN / "logs" / "compile" / "{kernel}" / "{pipeline}" / "{mode}.log",
    priority: 2
    conda:
        "../../environment.yml"
    resources:
        constraint=CONSTRAINT,
    params:
        spec=lambda w: PLAN.compile_spec(w.kernel, w.pipeline, w.mode),
        plugin=BUILD / "pass" / "lib" / "SplycePlugin.so",
    message:
        "Compiling {wildcards.kernel} with {wildcards.pipeline} ({wildcards.mode})"
    shell:
        "exec python -m splyce_bench.compile --spec {params.spec:q} --toolchain {input.toolchain:q}"
        " --plugin {params.plugin:q} --out {output:q} --log {log:q}.steps > {log:q} 2>&1"
