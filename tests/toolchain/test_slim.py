"""What an image keeps of a toolchain: enough to run its tools, and nothing else."""

import json
import subprocess

import pytest

from splyce_bench.errors import UserError
from splyce_bench.toolchain.slim import copy_runtime, shared_libraries


def compiled(folder, *arguments):
    subprocess.run(["cc", *arguments], cwd=folder, check=True)


@pytest.fixture
def prefix(tmp_path):
    """An install prefix with a tool that loads a library beside it, and a header."""
    folder = tmp_path / "llvm"
    for name in ("bin", "include", "lib/cmake/mlir", "lib/cmake/llvm"):
        (folder / name).mkdir(parents=True)
    (folder / "include/x.h").touch()
    (folder / "lib/cmake/mlir/MLIRConfig.cmake").touch()
    (folder / "lib/cmake/llvm/LLVMConfig.cmake").touch()
    (folder / "x.c").write_text("int answer(void) { return 42; }\n")
    (folder / "main.c").write_text("int answer(void);\nint main(void) { return answer(); }\n")
    compiled(folder, "-shared", "-fPIC", "x.c", "-o", "lib/libx.so")
    compiled(folder, "main.c", "-o", "bin/tool", "-Llib", "-lx", "-Wl,-rpath,$ORIGIN/../lib")
    return folder


@pytest.fixture
def toolchain(prefix, tmp_path):
    path = tmp_path / "toolchain.json"
    cmake = prefix / "lib" / "cmake"
    record = {"tools": {"mlir-opt": str(prefix / "bin/tool")}}
    record |= {"mlir_dir": str(cmake / "mlir"), "llvm_dir": str(cmake / "llvm")}
    path.write_text(json.dumps(record))
    return path


def test_the_copy_runs_without_the_original(prefix, toolchain, tmp_path):
    root = tmp_path / "image"
    copy_runtime(toolchain, [], root)
    copy = root / prefix.relative_to("/")
    prefix.rename(tmp_path / "gone")
    assert subprocess.run([copy / "bin/tool"], check=False).returncode == 42
    names = {str(p.relative_to(copy)) for p in copy.rglob("*") if p.is_file()}
    assert names == {
        "bin/tool",
        "lib/libx.so",
        "lib/cmake/llvm/LLVMConfig.cmake",
        "lib/cmake/mlir/MLIRConfig.cmake",
    }


def test_libraries_that_only_a_plugin_loads_are_kept(prefix, toolchain, tmp_path):
    compiled(prefix, "-shared", "-fPIC", "x.c", "-o", "lib/libmore.so")
    (tmp_path / "plugin.c").write_text("int answer(void);\nint plugin(void) { return answer(); }\n")
    link = [f"-L{prefix}/lib", "-lmore", f"-Wl,-rpath,{prefix}/lib"]
    compiled(tmp_path, "-shared", "-fPIC", "plugin.c", "-o", "plugin.so", *link)
    copy_runtime(toolchain, [tmp_path / "plugin.so"], tmp_path / "image")
    assert (tmp_path / "image" / prefix.relative_to("/") / "lib/libmore.so").exists()


def test_a_missing_library_is_named(prefix):
    (prefix / "lib/libx.so").unlink()
    with pytest.raises(UserError, match=r"bin/tool: its libraries libx\.so are not found"):
        shared_libraries(prefix / "bin/tool")


def test_what_is_no_program_is_named(prefix):
    with pytest.raises(UserError, match=r"ldd .*main\.c failed: .*not a dynamic executable"):
        shared_libraries(prefix / "main.c")
