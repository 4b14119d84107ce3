"""Dry runs of every target and preset, and bad input before the first job."""

import re

import pytest
import yaml

TARGETS = [
    "all",
    "report",
    "controls",
    "lanes",
    "predictability",
    *(f"table{number}" for number in (1, 2, 3, 4)),
    *(f"figure{number}" for number in range(12, 18)),
]


@pytest.mark.parametrize("scale", ["paper", "smoke"])
@pytest.mark.parametrize("target", TARGETS)
def test_every_target_plans_without_the_network(clone, target, scale):
    result = clone.snakemake(
        "-n",
        target,
        config=(f"scale={scale}",),
        http_proxy="http://127.0.0.1:9",
        https_proxy="http://127.0.0.1:9",
    )
    assert result.returncode == 0, result.stderr
    assert "measure_group" in result.stdout + result.stderr


def test_a_figure_measures_only_its_own_groups(clone):
    text = clone.planned("figure13")
    assert re.search(r"measure_group +6\b", text)
    assert re.search(r"compile_kernel +2\b", text)
    assert "table1" not in text


def test_the_lanes_are_drawn_as_three_tables_and_two_figures(clone):
    text = clone.planned("lanes")
    tables = [f"tables/{name}.md" for name in ("lanes", "lanes_matrices", "lanes_skewed")]
    for name in (*tables, "figures/lanes_density.svg", "figures/lanes_matrices.png"):
        assert f"results/tiny/{name}" in text
    for name in ("lanes", "lanes_matrices", "lanes_skewed"):
        assert f"results/tiny/tidy/goals/{name}.csv" in text
    assert "fetch_matrix" in text


def test_an_experiment_shows_its_own_groups_though_it_gives_a_target_its_name(clone):
    text = clone.snakemake("-n", "-p", "results/tiny/tidy/lanes.csv").stdout
    assert "results/tiny/raw/lanes/" in text
    assert "results/tiny/raw/lanes_skewed/" not in text


def test_a_study_measures_what_it_reads_and_draws_it_too(clone):
    text = clone.planned("predictability")
    assert re.search(r"summarize_experiment +5\b", text)
    assert re.search(r"plot_figure +5\b", text)
    assert re.search(r"summarize_table +2\b", text)
    assert "figure13" not in text


def test_the_paper_scale_is_as_published(clone):
    text = clone.snakemake("-n", "-p", "figure13", config=()).stdout
    assert '"shape": [5000, 5000]' in text


@pytest.mark.parametrize(
    ("arguments", "config", "expected"),
    [
        (
            ("-n", "all"),
            ("scale=huge",),
            "--config: scale: 'huge' is not allowed; allowed: paper, smoke",
        ),
        (("-n", "all"), ("sede=3",), "--config: unknown key 'sede'; did you mean 'seed'"),
        (("-n", "all"), ("seed=x",), "--config: seed: expected integer, found 'x'"),
        (
            ("--config", "scale=smoke", "all"),
            (),
            "'all' stands after --config but is not KEY=VALUE",
        ),
    ],
)
def test_bad_arguments_are_one_message(clone, arguments, config, expected):
    result = clone.snakemake(*arguments, config=config)
    assert result.returncode != 0
    assert expected in result.stderr
    assert "Traceback" not in result.stderr


def edited(clone, name, change):
    path = clone.folder / name
    table = yaml.safe_load(path.read_text())
    change(table)
    path.write_text(yaml.safe_dump(table))


@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [
        (
            "experiments/table1.yaml",
            lambda t: t["groups"][0].update(kernel="spgem"),
            "table1.yaml: groups.0.kernel: unknown kernel 'spgem'; did you mean 'spgemm'",
        ),
        (
            "experiments/table1.yaml",
            lambda t: t["groups"][0]["pipelines"].append("config9"),
            "groups.0.pipelines: unknown pipeline 'config9'",
        ),
        (
            "experiments/table1.yaml",
            lambda t: t["groups"].append(t["groups"][0]),
            "table1.yaml: groups: spgemm/d5/c1 (kernel/input/cores) is asked for twice",
        ),
        (
            "experiments/lanes.yaml",
            lambda t: t.update(baseline="scipy"),
            "lanes.yaml: baseline: 'scipy' is a library, which is measured apart",
        ),
        (
            "config/pipelines.yaml",
            lambda t: t["ref-masked"].update(transform=[]),
            "config/pipelines.yaml: ref-masked: ",
        ),
        (
            "experiments/table1.yaml",
            lambda t: t["groups"][0].update(matrices=["x"]),
            "experiments/table1.yaml: groups.0: unknown key 'matrices'",
        ),
        (
            "experiments/predictability.yaml",
            lambda t: t["reads"].append("figur16"),
            "experiments/predictability.yaml: reads: unknown experiment 'figur16'; "
            "did you mean 'figure16'",
        ),
        (
            "experiments/table1.yaml",
            lambda t: t.update(groups=[]),
            "experiments/table1.yaml: groups: expected what is measured, or no group and in",
        ),
        (
            "experiments/lanes.yaml",
            lambda t: t["drawings"].update(ports="lanes_ports"),
            "experiments/lanes.yaml: drawings.ports: is made of counters; add `counters: beside`",
        ),
        (
            "experiments/lanes.yaml",
            lambda t: t["goals"][0].pop("value"),
            "lanes.yaml: goals.0: 'value' is a required property; it is: a claim of",
        ),
        (
            "experiments/lanes.yaml",
            lambda t: t["goals"][0].update(over="confg5"),
            "experiments/lanes.yaml: goals.0.over: unknown pipeline 'confg5'; did you mean",
        ),
        (
            "experiments/lanes.yaml",
            lambda t: t["goals"][0].update(kind="mean"),
            "experiments/lanes.yaml: goals.0.kind: 'mean' is not allowed; allowed: best, ",
        ),
        (
            "experiments/table4.yaml",
            lambda t: t["groups"][0].update(inputs={"matrices": ["HB/nowhere"]}),
            "inputs.matrices: unknown matrix 'HB/nowhere'",
        ),
        (
            "config/kernels.yaml",
            lambda t: t["spgemm"].update(expression="A[i,j] = B[i,k] * C[j]"),
            "config/kernels.yaml: spgemm.expression: index 'k' is used in B[i,k] only",
        ),
        (
            "config/kernels.yaml",
            lambda t: t["spgemm"]["formats"].update(B="csf"),
            "spgemm.formats.B: the format has 3 levels but the operand has 2 indices",
        ),
        (
            "config/pipelines.yaml",
            lambda t: t["config5"].update(transfrom=[]),
            "config/pipelines.yaml: config5: unknown key 'transfrom'; did you mean 'transform'",
        ),
        (
            "config/default.yaml",
            lambda t: t["measure"].update(repitions=5),
            "config/default.yaml: measure: unknown key 'repitions'",
        ),
    ],
)
def test_bad_files_are_one_message(clone, name, change, expected):
    edited(clone, name, change)
    result = clone.snakemake("-n", "all")
    assert result.returncode != 0
    assert expected in result.stderr
    assert "Traceback" not in result.stderr


def test_home_may_be_read_only(clone):
    result = clone.snakemake("-n", "all", HOME="/proc", XDG_CACHE_HOME="")
    assert result.returncode == 0, result.stderr
