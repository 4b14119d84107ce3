# Raw results to tidy tables, figures and the page; and the last word, which cells are missing.


rule summarize_experiment:
    input:
        raw=lambda w: PLAN.groups_behind(w.experiment),
        counters=lambda w: PLAN.counter_groups(w.experiment),
    output:
        RUN / "tidy" / "{experiment}.csv",
    log:
        RUN / "logs" / "report" / "tidy-{experiment}.log",
    conda:
        "../../environment.yml"
    message:
        "Summarizing {wildcards.experiment}"
    shell:
        "exec python -m splyce_bench.report tidy --experiment {wildcards.experiment}"
        " --out {output:q} --counters {input.counters:q} --raw {input.raw:q} > {log:q} 2>&1"


rule summarize_claims:
    input:
        raw=[path for name in EXPERIMENTS for path in PLAN.groups(name)],
        counters=[path for name in EXPERIMENTS for path in PLAN.counter_groups(name)],
        experiments=[f"experiments/{name}.yaml" for name in EXPERIMENTS],
    output:
        RUN / "tidy" / "claims.csv",
    log:
        RUN / "logs" / "report" / "claims.log",
    conda:
        "../../environment.yml"
    params:
        scale=PLAN.config["scale"],
    message:
        "Judging the claims"
    shell:
        "exec python -m splyce_bench.report claims --scale {params.scale}"
        " --out {output:q} --counters {input.counters:q} --raw {input.raw:q} > {log:q} 2>&1"


rule summarize_goals:
    input:
        raw=lambda w: PLAN.groups(w.experiment),
        counters=lambda w: PLAN.counter_groups(w.experiment),
        experiment="experiments/{experiment}.yaml",
    output:
        RUN / "tidy" / "goals" / "{experiment}.csv",
    log:
        RUN / "logs" / "report" / "goals-{experiment}.log",
    conda:
        "../../environment.yml"
    params:
        scale=PLAN.config["scale"],
    message:
        "Judging the goals of {wildcards.experiment}"
    shell:
        "exec python -m splyce_bench.report goals --experiment {wildcards.experiment}"
        " --scale {params.scale} --out {output:q} --counters {input.counters:q}"
        " --raw {input.raw:q} > {log:q} 2>&1"


rule summarize_table:
    input:
        tidy=lambda w: PLAN.tidy(PLAN.drawn("table", w.table)),
        goals=lambda w: PLAN.goals_beside(PLAN.drawn("table", w.table)),
    output:
        multiext(str(RUN / "tables" / "{table}"), ".csv", ".md", ".tex"),
    log:
        RUN / "logs" / "report" / "table-{table}.log",
    conda:
        "../../environment.yml"
    params:
        scale=PLAN.config["scale"],
        experiment=lambda w: PLAN.drawn("table", w.table),
        stem=lambda w: RUN / "tables" / w.table,
    message:
        "Writing {wildcards.table}"
    shell:
        "exec python -m splyce_bench.report table --experiment {params.experiment}"
        " --tidy {input.tidy:q} --scale {params.scale} --out-stem {params.stem:q}"
        " --goals {input.goals:q} > {log:q} 2>&1"


rule summarize_ports:
    input:
        lambda w: PLAN.counter_groups(PLAN.drawn("ports", w.ports)),
    output:
        multiext(str(RUN / "tables" / "{ports}"), ".csv", ".md", ".tex"),
    log:
        RUN / "logs" / "report" / "ports-{ports}.log",
    conda:
        "../../environment.yml"
    params:
        scale=PLAN.config["scale"],
        stem=lambda w: RUN / "tables" / w.ports,
    message:
        "Writing the port pressure {wildcards.ports}"
    shell:
        "exec python -m splyce_bench.report ports --scale {params.scale}"
        " --counters {input:q} --out-stem {params.stem:q} > {log:q} 2>&1"


rule plot_figure:
    input:
        tidy=lambda w: PLAN.tidy(PLAN.drawn("figure", w.figure)),
        style="splyce_bench/report/splyce.mplstyle",
    output:
        multiext(str(RUN / "figures" / "{figure}"), ".pdf", ".svg", ".png"),
    log:
        RUN / "logs" / "report" / "figure-{figure}.log",
    conda:
        "../../environment.yml"
    params:
        style=lambda w: PLAN.config["report"]["style"],
        stem=lambda w: RUN / "figures" / w.figure,
    message:
        "Drawing {wildcards.figure}"
    shell:
        "exec python -m splyce_bench.report figure --name {wildcards.figure}"
        " --tidy {input.tidy:q} --style {params.style:q} --out-stem {params.stem:q} > {log:q} 2>&1"


rule build_report:
    input:
        drawings=[path for name in EXPERIMENTS for path in PLAN.drawings(name)],
        claims=RUN / "tidy" / "claims.csv",
        goals=PLAN.goals_of(EXPERIMENTS),
    output:
        RUN / "report.html",
    log:
        RUN / "logs" / "report" / "html.log",
    conda:
        "../../environment.yml"
    params:
        run=lambda w: RUN,
        scale=PLAN.config["scale"],
    message:
        "Writing the report"
    shell:
        "exec python -m splyce_bench.report html --run {params.run:q} --scale {params.scale}"
        " --out {output:q} > {log:q} 2>&1"


# The last rule of every target: prints the cells that are missing, and fails if one failed.
rule check_results:
    input:
        raw=raw_of,
        drawn=drawn_of,
    output:
        RUN / "checked" / "{target}.json",
    log:
        RUN / "logs" / "check_{target}.log",
    # What it refuses once it has set aside: a second attempt would find nothing to check.
    retries: 0
    conda:
        "../../environment.yml"
    params:
        run=RUN,
    message:
        "Checking the outcomes of {wildcards.target}"
    shell:
        "exec python -m splyce_bench.measure check --run {params.run:q} --out {output:q}"
        " --log {log:q} {input.raw:q}"


for target in [*EXPERIMENTS, "report"]:

    rule:
        name:
            target
        input:
            RUN / "checked" / f"{target}.json",
