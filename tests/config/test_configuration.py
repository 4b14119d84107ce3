"""Configuration: every mistake is one message with the file, the key, and what is allowed."""

import shutil

import pytest

from splyce_bench.configuration import checked_config, load_schema, load_yaml, validate
from splyce_bench.describe import COMMAND, configuration_page
from splyce_bench.errors import UserError


@pytest.fixture
def base(root):
    return load_yaml(root / "config" / "default.yaml")


def check(root, config):
    return checked_config(config, root / "config")


def test_the_presets_are_valid(root, base):
    assert check(root, base)["scale"] == "paper"
    assert check(root, {**base, "scale": "smoke"})["scale"] == "smoke"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"sede": 3}, "unknown key 'sede'; did you mean 'seed'"),
        ({"scale": "smok"}, "scale: 'smok' is not allowed; allowed: paper, smoke"),
        ({"seed": None}, "seed: expected integer, found nothing"),
        ({"seed": "abc"}, "seed: expected integer, found 'abc'"),
        ({"run": "../x"}, "run: "),
        ({"measure": {"repitions": 5}}, "measure: unknown key 'repitions'"),
    ],
)
def test_mistakes_on_the_command_line(root, base, change, expected):
    with pytest.raises(UserError, match="--config: .*" + expected):
        check(root, {**base, **change})


def test_strings_of_the_command_line_are_coerced(root, base):
    config = {**base, "seed": "7", "run": 2026, "measure": {**base["measure"], "max_seconds": "9"}}
    found = check(root, config)
    assert (found["seed"], found["run"], found["measure"]["max_seconds"]) == (7, "2026", 9)


def test_a_mistake_in_a_file_names_the_file(root, base, tmp_path):
    folder = tmp_path / "config"
    shutil.copytree(root / "config", folder)
    (folder / "smoke.yaml").write_text("measure: {repitions: 5}\n")
    with pytest.raises(UserError, match=r"smoke\.yaml: measure: unknown key 'repitions'"):
        checked_config({**base, "scale": "smoke"}, folder)


def test_yaml_mistakes_name_file_and_line(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text("a: 1\nb: [1, 2\nc: 3\n")
    with pytest.raises(UserError, match=r"x\.yaml:\d+: not valid YAML"):
        load_yaml(path)
    path.write_text("a: 1\na: 2\n")
    with pytest.raises(UserError, match=r"x\.yaml:2: .*key 'a' given twice"):
        load_yaml(path)
    with pytest.raises(UserError, match="no such file"):
        load_yaml(tmp_path / "absent.yaml")


def described(schema, path=""):
    for name, part in schema.get("properties", {}).items():
        yield f"{path}{name}", part
        yield from described(part, f"{path}{name}.")


@pytest.mark.parametrize("name", ["config", "kernels", "pipelines", "experiment"])
def test_every_key_is_described(name):
    schema = load_schema(name)
    parts = dict(described(schema)) | dict(described(schema.get("additionalProperties") or {}))
    assert parts
    assert [key for key, part in parts.items() if not part.get("description")] == []


def test_a_pipeline_with_an_unknown_key(tmp_path):
    table = {"p": {"description": "d", "transfrom": []}}
    with pytest.raises(UserError, match="unknown key 'transfrom'; did you mean 'transform'"):
        validate(table, "pipelines", tmp_path / "pipelines.yaml")


def test_the_configuration_page_is_up_to_date(root):
    page = (root / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert page == configuration_page(), f"run: {COMMAND}"
