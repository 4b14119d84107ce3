"""A plugin that does not load must not go unnoticed: mlir-opt says so and exits 0."""

import subprocess
from pathlib import Path

import pytest

from splyce_bench.errors import UserError
from splyce_bench.toolchain.build_pass import configure, cxx_compiler
from splyce_bench.toolchain.plugin import check_plugin


@pytest.fixture
def mlir_opt(toolchain):
    return Path(toolchain["tools"]["mlir-opt"])


def test_our_plugin_loads(mlir_opt, pass_dir):
    check_plugin(mlir_opt, pass_dir / "lib" / "SplycePlugin.so", ["splyce"])


def test_a_plugin_without_the_pass_asked_for(mlir_opt, pass_dir):
    with pytest.raises(UserError, match="registers no pass named other-pass"):
        check_plugin(mlir_opt, pass_dir / "lib" / "SplycePlugin.so", ["other-pass"])


def test_a_path_that_does_not_exist(mlir_opt, tmp_path):
    with pytest.raises(UserError, match=r"nowhere\.so: no such pass plugin"):
        check_plugin(mlir_opt, tmp_path / "nowhere.so", ["x"])


def test_a_shared_object_that_is_no_plugin(mlir_opt, tmp_path):
    (tmp_path / "empty.c").write_text("")
    plugin = tmp_path / "empty.so"
    subprocess.run(["cc", "-shared", str(tmp_path / "empty.c"), "-o", str(plugin)], check=True)
    with pytest.raises(UserError, match=r"empty\.so: does not load"):
        check_plugin(mlir_opt, plugin, ["x"])


def test_llvm_linked_twice_is_explained(tmp_path):
    tool = tmp_path / "mlir-opt"
    tool.write_text("#!/bin/sh\necho \"Option 'x' registered more than once!\" >&2\nexit 134\n")
    tool.chmod(0o755)
    plugin = tmp_path / "p.so"
    plugin.touch()
    with pytest.raises(UserError, match="LLVM is linked into it a second time"):
        check_plugin(tool, plugin, ["x"])


def test_a_missing_compiler_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(UserError, match=r"no C\+\+ compiler found .*install g\+\+"):
        cxx_compiler()


def test_the_pass_is_configured_for_the_toolchain(toolchain, tmp_path):
    command = configure(toolchain, Path("splyce_pass"), tmp_path)
    assert f"-DMLIR_DIR={toolchain['mlir_dir']}" in command
