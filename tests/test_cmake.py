"""The C library as other programs take it: CMake, pkg-config, PlatformIO, C++; and one version everywhere."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from tools import compiler, need, run

ROOT = Path(__file__).parent.parent
CSRC = ROOT / "csrc"
PRINTED = "seat 0: heads 15\nseat 1: heads 1\nseat 2: heads 20\nseat 3: heads 12\n"

#: Programs in C++ that compare what many rounds at once are with what the core makes of one.
BATCH = """
#include "nimmt_batch.h"

int main() {
    nimmt_round rounds[3], round;
    nimmt_stream streams[3], stream;
    nimmt_stream_seed(&stream, 7, 1, 0, 0);
    nimmt_deal(&round, 4, 104, 0, &stream);
    if (nimmt_batch_deal(rounds, streams, 3, 4, 104, 0, 7, 0, 0)) return 1;
    return rounds[1].hands[2][3] != round.hands[2][3] || nimmt_batch_owing(rounds, 3) != 0;
}
"""
SIMULATE = """
#include <stdlib.h>
#include "nimmt_simulate.h"

int main() {
    nimmt_round round;
    nimmt_stream stream;
    nimmt_plan plan = {4, 104, 0, 0, {0, 1, 2, 3}, 0, 0, 0, 1};
    uint16_t scores[3][4];
    void *workspace = malloc(nimmt_workspace_size());
    nimmt_stream_seed(&stream, 7, 2, 0, 0);
    nimmt_deal(&round, 4, 104, 0, &stream);
    nimmt_playout(&round, plan.policies, &stream);
    if (!workspace || nimmt_simulate(&plan, 7, 0, 3, scores[0], 0, 0, workspace)) return 1;
    free(workspace);
    return scores[2][3] != round.heads[3];
}
"""
ROLLOUTS = """
#include "nimmt_rollouts.h"

int main() {
    nimmt_round round;
    nimmt_stream stream;
    uint8_t policies[2] = {1, 2};
    uint64_t heads[10][2] = {{0}}, squares[10] = {0};
    nimmt_stream_seed(&stream, 7, 2, 0, 0);
    nimmt_deal(&round, 2, 104, 0, &stream);
    if (nimmt_rollouts(&round, 0, 0, policies, 1, 0, 3, heads[0], squares) != 10) return 1;
    nimmt_playout(&round, policies, 0);
    return heads[0][1] != 3u * round.heads[1];
}
"""

FIND = "find_package(nimmt 0.1 REQUIRED)\n"
CONSUMER = """
cmake_minimum_required(VERSION 3.16)
project(consumer LANGUAGES C CXX)
{get}
add_executable(example example.c)
target_link_libraries(example nimmt::nimmt)
add_executable(batch batch.cpp)
target_link_libraries(batch nimmt::batch)
add_executable(simulate simulate.cpp)
target_link_libraries(simulate nimmt::simulate)
add_executable(rollouts rollouts.cpp)
target_link_libraries(rollouts nimmt::rollouts)
"""


def readme_example() -> str:
    """The C program of the README."""
    (program,) = re.findall(r"^```c\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    assert len(program.splitlines()) <= 30
    return str(program)


@pytest.fixture
def consumer(tmp_path: Path) -> Path:
    """A folder with programs that use the library."""
    folder = tmp_path / "consumer"
    folder.mkdir()
    (folder / "example.c").write_text(readme_example())
    (folder / "batch.cpp").write_text(BATCH)
    (folder / "simulate.cpp").write_text(SIMULATE)
    (folder / "rollouts.cpp").write_text(ROLLOUTS)
    return folder


@pytest.fixture(scope="module", params=["static", "shared"])
def prefix(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the library was installed, and was moved to afterwards."""
    cmake, folder = need("cmake"), tmp_path_factory.mktemp("cmake")
    build, first = folder / "build", folder / "first"
    shared = "ON" if request.param == "shared" else "OFF"
    run(cmake, "-S", ROOT, "-B", build, f"-DCMAKE_INSTALL_PREFIX={first}", f"-DBUILD_SHARED_LIBS={shared}")
    run(cmake, "--build", build)
    run(cmake, "--install", build)
    shutil.rmtree(build)
    return first.rename(folder / "elsewhere")


def build_and_run(consumer: Path, get: str, *options: str) -> None:
    cmake, build = need("cmake"), consumer / "build"
    need("g++", "c++")
    (consumer / "CMakeLists.txt").write_text(CONSUMER.format(get=get))
    run(cmake, "-S", consumer, "-B", build, *options)
    run(cmake, "--build", build)
    assert run(build / "example") == PRINTED
    assert run(build / "batch") == run(build / "simulate") == run(build / "rollouts") == ""


def test_find_package(prefix: Path, consumer: Path) -> None:
    build_and_run(consumer, FIND, f"-DCMAKE_PREFIX_PATH={prefix}")


def test_find_package_refuses_another_minor_version(prefix: Path, consumer: Path) -> None:
    (consumer / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(consumer LANGUAGES NONE)\n"
        "find_package(nimmt 0.99 QUIET)\nif(nimmt_FOUND)\nmessage(FATAL_ERROR found)\nendif()\n"
    )
    run(need("cmake"), "-S", consumer, "-B", consumer / "build", f"-DCMAKE_PREFIX_PATH={prefix}")


def test_add_subdirectory(consumer: Path) -> None:
    build_and_run(consumer, f'add_subdirectory("{ROOT}" nimmt)\n')


def test_pkg_config(prefix: Path, consumer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (file,) = prefix.rglob("nimmt.pc")
    monkeypatch.setenv("PKG_CONFIG_PATH", str(file.parent))
    monkeypatch.setenv("LD_LIBRARY_PATH", str(file.parent.parent))
    ask = need("pkg-config", "pkgconf")
    assert run(ask, "--modversion", "nimmt").strip() == version()
    options = run(ask, "--cflags", "--libs", "nimmt").split()
    assert Path(run(ask, "--variable=prefix", "nimmt").strip()).resolve() == prefix.resolve()
    program = consumer / "example"
    run(*compiler(), "-std=c99", consumer / "example.c", *options, "-o", program)
    assert run(program) == PRINTED
    for source in ("batch.cpp", "simulate.cpp", "rollouts.cpp"):
        run(need("g++", "c++"), consumer / source, *options, "-o", program)
        assert run(program) == ""


def test_cross_compiling_builds_the_core_alone(tmp_path: Path) -> None:
    gcc, build = need("arm-none-eabi-gcc"), tmp_path / "build"
    options = {
        "CMAKE_SYSTEM_NAME": "Generic",
        "CMAKE_SYSTEM_PROCESSOR": "arm",
        "CMAKE_C_COMPILER": gcc,
        "CMAKE_C_FLAGS": "-mcpu=cortex-m0 -mthumb -ffreestanding",
        "CMAKE_TRY_COMPILE_TARGET_TYPE": "STATIC_LIBRARY",
        "CMAKE_INSTALL_PREFIX": str(tmp_path / "prefix"),
    }
    run(need("cmake"), "-S", ROOT, "-B", build, *[f"-D{name}={value}" for name, value in options.items()])
    run(need("cmake"), "--build", build, "--target", "install")
    assert sorted(file.name for file in (tmp_path / "prefix" / "include").iterdir()) == ["nimmt.h"]
    assert [file.name for file in (tmp_path / "prefix" / "lib").glob("*.a")] == ["libnimmt.a"]


def version() -> str:
    """The version of the package, from where it is defined."""
    (found,) = re.findall(r'^__version__ = "(.*)"$', (ROOT / "src/nimmt/_version.py").read_text(), re.M)
    return str(found)


def test_one_version_everywhere() -> None:
    header = (CSRC / "nimmt.h").read_text(encoding="utf-8")
    macros = [
        re.findall(rf"^#define NIMMT_VERSION_{part} (\d+)$", header, re.M) for part in ("MAJOR", "MINOR", "PATCH")
    ]
    assert ".".join(number for (number,) in macros) == version()
    for name in ("library.json", "package.json"):
        assert json.loads((ROOT / name).read_text(encoding="utf-8"))["version"] == version(), name
    assert 'version=found["version"]' in (ROOT / "manifest.py").read_text(encoding="utf-8")  # that of package.json
    (stream,) = re.findall(r"^#define NIMMT_STREAM_VERSION (\d+)", header, re.M)
    assert f"STREAM_VERSION = {stream}\n" in (ROOT / "src/nimmt/stream.py").read_text(encoding="utf-8")


def test_the_platformio_library_is_whole(tmp_path: Path) -> None:
    """What library.json exports is enough to build the core, and names files that exist."""
    library = json.loads((ROOT / "library.json").read_text(encoding="utf-8"))
    for name in library["export"]["include"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    sources = [word[2:-1] for word in library["build"]["srcFilter"] if word.startswith("+")]
    files = [tmp_path / library["build"]["srcDir"] / name for name in sources]
    include = tmp_path / library["build"]["includeDir"]
    assert (include / library["headers"]).exists()
    (tmp_path / "example.c").write_text(readme_example())
    run(*compiler(), "-std=c99", f"-I{include}", tmp_path / "example.c", *files, "-o", tmp_path / "example")
    assert run(tmp_path / "example") == PRINTED
