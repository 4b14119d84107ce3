# Find or make an LLVM/MLIR, and build our pass with it.
from splyce_bench.toolchain.request import pass_sources, toolchain_arguments


rule build_toolchain:
    output:
        BUILD / "toolchain.json",
    log:
        RUN / "logs" / "build_toolchain.log",
    priority: 2
    conda:
        "../../environment.yml"
    params:
        arguments=toolchain_arguments(PLAN.config["toolchain"]),
        cache=PLAN.cache,
    message:
        "Finding an LLVM/MLIR (provider {config[toolchain][provider]})"
    shell:
        "exec python -m splyce_bench.toolchain resolve {params.arguments:q}"
        " --cache {params.cache:q} --out {output:q} > {log:q} 2>&1"


rule build_pass:
    input:
        toolchain=BUILD / "toolchain.json",
        sources=pass_sources(),
    output:
        plugin=BUILD / "pass" / "lib" / "SplycePlugin.so",
        tool=BUILD / "pass" / "bin" / "splyce-opt",
        record=BUILD / "pass" / "pass.json",
    log:
        RUN / "logs" / "build_pass.log",
    priority: 2
    conda:
        "../../environment.yml"
    threads: MACHINE_CORES
    params:
        build=BUILD / "pass-build",
        out=BUILD / "pass",
    message:
        "Building the pass"
    shell:
        "exec python -m splyce_bench.toolchain build-pass --toolchain {input.toolchain:q}"
        " --source splyce_pass --build {params.build:q} --out {params.out:q} > {log:q} 2>&1"
