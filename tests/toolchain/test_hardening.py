"""Found by review: near names, unactivated environments, interrupted and damaged sources."""

import subprocess
import sys
from pathlib import Path

import pytest

from splyce_bench import space
from splyce_bench.errors import UserError
from splyce_bench.provenance import source_state
from splyce_bench.toolchain import environment, resolve, source
from splyce_bench.toolchain.build_pass import cxx_compiler
from splyce_bench.toolchain.cache import cache_usage
from splyce_bench.toolchain.model import Found, Request, UnsuitableError
from splyce_bench.toolchain.plugin import check_plugin
from splyce_bench.toolchain.probe import missing_passes


def ask(cache: Path, tarball: Path) -> Request:
    return Request("source", None, "ref", str(tarball), cache)


def pack(folder: Path, tarball: Path, mode="cf"):
    subprocess.run(["tar", mode, tarball, "-C", folder.parent, folder.name], check=True)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("      --splyce     - text", []),
        ("      --splyce=<string> - text", []),
        ("      --splyce-debug - text", ["splyce"]),
        ("      --other - like --splyce but not it", ["splyce"]),
    ],
)
def test_a_pass_is_listed_by_its_whole_name(text, missing):
    assert missing_passes(["splyce"], text) == missing


def test_the_check_of_a_plugin_takes_no_longer_name(tmp_path):
    tool, plugin = tmp_path / "mlir-opt", tmp_path / "p.so"
    tool.write_text("#!/bin/sh\necho '  --splyce-debug - text'\n")
    tool.chmod(0o755)
    plugin.touch()
    with pytest.raises(UserError, match="registers no pass named splyce"):
        check_plugin(tool, plugin, ["splyce"])


def test_a_mlir_opt_that_cannot_run_is_named(tmp_path):
    for name in ("mlir-opt", "p.so"):
        (tmp_path / name).touch()
    with pytest.raises(UserError, match="cannot run .*mlir-opt: Permission denied"):
        check_plugin(tmp_path / "mlir-opt", tmp_path / "p.so", ["x"])


def test_cmake_is_found_without_an_activated_environment(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    first = environment.tools_environment()["PATH"].split(":")[0]
    assert first == str(Path(sys.executable).parent)


def test_source_runs_its_steps_in_that_environment(tmp_path, monkeypatch):
    program = tmp_path / "made-up-cmake"
    program.write_text("#!/bin/sh\nexit 7\n")
    program.chmod(0o755)
    monkeypatch.setattr(source, "tools_environment", lambda: {"PATH": str(tmp_path)})
    with pytest.raises(UserError, match="exit code 7"):
        source.run(["made-up-cmake"], "configuring", None)


def test_a_chosen_compiler_that_is_absent_is_not_replaced(monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(UserError, match="CXX=no-such-compiler is no program"):
        cxx_compiler()


def test_what_is_already_built_counts_towards_the_space(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(source, "used_bytes", lambda _: 1_000_000_000)
    monkeypatch.setattr(source, "check_space", lambda _folder, needed, *_: asked.append(needed))
    with pytest.raises(UserError, match="no such file"):
        source.find(ask(tmp_path / "cache", tmp_path / "absent.tar"))
    assert asked == [(source.SOURCE_GB + source.BUILD_GB - 1) * 1e9]


def test_used_bytes_of_a_folder_that_is_not_there(tmp_path):
    assert space.used_bytes(tmp_path / "absent") == 0


def test_a_wrong_tarball_leaves_nothing_that_the_right_one_would_meet(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other/readme").touch()
    tarball, folder = tmp_path / "x.tar", tmp_path / "cache"
    pack(tmp_path / "other", tarball)
    with pytest.raises(UserError, match=r"x\.tar has no llvm/CMakeLists\.txt"):
        source.fetch_sources(ask(folder, tarball), folder)
    (tmp_path / "project/llvm").mkdir(parents=True)
    (tmp_path / "project/llvm/CMakeLists.txt").touch()
    pack(tmp_path / "project", tarball)
    sources = source.fetch_sources(ask(folder, tarball), folder)
    assert (sources / "llvm/CMakeLists.txt").exists()


@pytest.mark.parametrize("mode", ["cJf", "czf", "cjf"])
def test_a_tarball_damaged_in_the_middle(tmp_path, mode):
    folder, tarball = tmp_path / "project", tmp_path / "x.tar.compressed"
    folder.mkdir()
    (folder / "text").write_text("".join(f"line {i}\n" for i in range(60000)))
    pack(folder, tarball, mode)
    content = bytearray(tarball.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 64] = bytes(64)
    tarball.write_bytes(content)
    (tmp_path / "out").mkdir()
    with pytest.raises(UserError, match="cannot unpack"):
        source.unpack(str(tarball), tmp_path / "out")


def test_a_python_without_tar_filters_unpacks_too(tmp_path, monkeypatch):
    monkeypatch.delattr("tarfile.tar_filter")
    (tmp_path / "project").mkdir()
    (tmp_path / "project/text").touch()
    pack(tmp_path / "project", tmp_path / "x.tar")
    seen = []
    monkeypatch.setattr("tarfile.TarFile.extract", lambda *args, **named: seen.append(named))
    source.unpack(str(tmp_path / "x.tar"), tmp_path / "out")
    assert seen == [{}]


def test_auto_says_which_providers_it_passed_over(tmp_path, monkeypatch, capsys):
    def unsuitable(_):
        raise UnsuitableError("typo is not a folder", "correct toolchain.prefix")

    monkeypatch.setattr(
        resolve,
        "PROVIDERS",
        {"path": unsuitable, "system": lambda _: Found("system", tmp_path, tmp_path)},
    )
    monkeypatch.setattr(resolve, "describe", lambda found: {"provider": found.provider})
    request = Request("auto", tmp_path / "typo", "ref", None, tmp_path)
    assert resolve.resolve(request) == {"provider": "system"}
    assert "not path: typo is not a folder; correct" in capsys.readouterr().out


def test_cache_usage_lists_toolchains_one_by_one(tmp_path):
    for name, size in (("toolchains/a/x", 10), ("toolchains/.b.part/y", 30), ("matrices/m", 20)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(bytes(size))
    expected = [("toolchains/.b.part", 30), ("matrices", 20), ("toolchains/a", 10)]
    assert cache_usage(tmp_path) == expected
    assert cache_usage(tmp_path / "absent") == []


def test_the_state_of_the_sources(tmp_path):
    (tmp_path / "a.cpp").write_text("one")
    outside = source_state(tmp_path)
    assert (outside["commit"], outside["dirty"]) == (None, None)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*git, *command], check=True)
    (tmp_path / "b.cpp").write_text("two")
    assert source_state(tmp_path)["dirty"]
    assert source_state(tmp_path)["key"] != outside["key"]
