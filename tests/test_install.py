"""Installations: wheel, sdist, editable, with and without a C compiler, in all three modes. Slow: only where asked for.

NIMMT_TEST_INSTALLS=1 or CI in the environment runs them. They need an index to install cffi and setuptools from.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from installs import Failed, Venv, Workshop, files, libraries, pythons, run

pytestmark = pytest.mark.skipif(
    not (os.environ.get("CI") or os.environ.get("NIMMT_TEST_INSTALLS")),
    reason="installs take minutes: NIMMT_TEST_INSTALLS=1 runs them",
)

MODES = ("auto", "1", "0")
COMPILERS = {"gcc": {}, "none": {"CC": "false"}}  # type: dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("installs"))


@pytest.fixture(scope="module")
def sdist(shop: Workshop) -> Path:
    return shop.sdist()


@pytest.fixture(scope="module")
def c_wheel(shop: Workshop, sdist: Path) -> Path:
    return shop.wheel(sdist, NIMMT_EXTENSION="1")


@pytest.fixture(scope="module")
def installed(shop: Workshop, c_wheel: Path) -> Venv:
    return shop.install(c_wheel)


@pytest.fixture(scope="module")
def answer(installed: Venv) -> str:
    """The round that every installation must play."""
    backend, state = installed.ask()
    assert backend == "c"
    return state


def expected(compiler: str, mode: str) -> str | None:
    """Return the backend, or None for a clear failure."""
    if mode == "0":
        return "python"
    if compiler == "gcc":
        return "c"
    return "python" if mode == "auto" else None


def assert_tags(wheel: Path, backend: str) -> None:
    """A platform in the name if and only if there is a library inside."""
    python, abi, platform = wheel.stem.split("-")[2:]
    if backend == "python":
        assert (python, abi, platform) == ("py3", "none", "any")
        assert libraries(wheel) == []
    else:
        assert (python, abi) == ("cp310", "abi3")
        assert platform != "any"
        assert len(libraries(wheel)) == 1


def assert_clear(failure: Failed) -> None:
    assert "NIMMT_EXTENSION=1, but the C core cannot be built: there is no working C compiler" in str(failure)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_wheel(shop: Workshop, sdist: Path, answer: str, kind: str, compiler: str, mode: str) -> None:
    source, backend = (shop.tree if kind == "wheel" else sdist), expected(compiler, mode)
    if backend is None:
        with pytest.raises(Failed) as failure:
            shop.wheel(source, NIMMT_EXTENSION=mode, **COMPILERS[compiler])
        assert_clear(failure.value)
        return
    wheel = shop.wheel(source, NIMMT_EXTENSION=mode, **COMPILERS[compiler])
    assert_tags(wheel, backend)
    assert shop.install(wheel).ask() == (backend, answer)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_editable(shop: Workshop, answer: str, compiler: str, mode: str) -> None:
    backend = expected(compiler, mode)
    if backend is None:
        with pytest.raises(Failed) as failure:
            editable(shop, shop.tree, NIMMT_EXTENSION=mode, **COMPILERS[compiler])
        assert_clear(failure.value)
        return
    # One tree for all: that a library of the run before does not stay is part of the proof.
    assert editable(shop, shop.tree, NIMMT_EXTENSION=mode, **COMPILERS[compiler]).ask() == (backend, answer)


def editable(shop: Workshop, tree: Path, **changes: str) -> Venv:
    """Install a tree editable where the tools are, as --no-build-isolation wants it."""
    shop.pip("install", "--no-deps", "--no-build-isolation", "--editable", tree, to=shop.tools, **changes)
    return shop.tools


@pytest.mark.parametrize("changes", [{"NIMMT_EXTENSION": "1"}, {"CC": "false"}], ids=["c", "none"])
def test_isolated(shop: Workshop, sdist: Path, answer: str, changes: dict[str, str]) -> None:
    """As a user does it: pip fetches what the build needs, the sdist is all there is."""
    target = shop.venv()
    shop.pip("install", sdist, "--no-cache-dir", to=target, **changes)
    shop.pip("check", to=target)
    assert target.ask() == ("python" if "CC" in changes else "c", answer)


def test_sdist_has_all_that_a_build_needs(shop: Workshop, sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    needed = {name for name in files(shop.tree) if name.startswith(("csrc/", "src/nimmt/", "tests/"))}
    assert needed | {"setup.py", "pyproject.toml", "MANIFEST.in", "LICENSE", "Makefile"} <= packed
    assert not [name for name in packed if name.endswith((".so", ".pyd", ".o", ".pyc"))]


def test_wheel_has_types_and_command(shop: Workshop, c_wheel: Path, installed: Venv) -> None:
    packed = zipfile.ZipFile(c_wheel).namelist()
    assert {name for name in files(shop.tree / "src") if name.startswith("nimmt/")} < set(packed)
    assert {"nimmt/py.typed", "nimmt/core/_cffi.pyi"} < set(packed)
    assert (installed.python.parent / "nimmt").exists()


@pytest.mark.parametrize("python", [pytest.param(path, id=version) for version, path in pythons()])
def test_one_wheel_for_every_python(shop: Workshop, c_wheel: Path, answer: str, python: Path) -> None:
    target = shop.install(c_wheel, python)
    assert target.ask() == ("c", answer)
    assert target.ask(NIMMT_BACKEND="python") == ("python", answer)


def test_wheel_factories_demand_c(shop: Workshop) -> None:
    for factory in ("CIBUILDWHEEL", "PIWHEELS_BUILD"):
        with pytest.raises(Failed) as failure:
            shop.wheel(shop.tree, CC="false", **{factory: "1"})
        assert_clear(failure.value)


def test_build_without_cffi(shop: Workshop) -> None:
    """--no-build-isolation where cffi was forgotten."""
    target, out = shop.venv(), shop.new_folder()
    shop.pip("install", "setuptools>=77", to=target)
    command = ("wheel", "--no-deps", "--no-build-isolation", "-w", out, shop.tree)
    with pytest.raises(Failed) as failure:
        shop.pip(*command, to=target, NIMMT_EXTENSION="1")
    assert "NIMMT_EXTENSION=1, but the C core cannot be built: cffi is not installed" in str(failure.value)
    shop.pip(*command, to=target)
    assert_tags(next(out.iterdir()), "python")


def test_failure_after_the_probe(shop: Workshop, tmp_path: Path) -> None:
    """A compiler that builds the probe but not the core: in auto still no wheel with a platform and no library."""
    tree = shutil.copytree(shop.tree, tmp_path / "tree")
    with (tree / "csrc" / "nimmt.c").open("a") as file:
        file.write("#error no\n")
    wheel = shop.wheel(tree)
    assert_tags(wheel, "python")
    assert shop.install(wheel).backend() == "python"
    assert editable(shop, tree).backend() == "python"
    with pytest.raises(Failed):
        shop.wheel(tree, NIMMT_EXTENSION="1")


def test_editable_is_rebuilt_after_an_edit(shop: Workshop, tmp_path: Path) -> None:
    tree = shutil.copytree(shop.tree, tmp_path / "tree")
    question = "from nimmt.core import c; print(c.source_hash())"
    hashes = []
    for edit in ("", "/* edited */\n"):
        with (tree / "csrc" / "nimmt.c").open("a") as file:
            file.write(edit)
        python = editable(shop, tree, NIMMT_EXTENSION="1").python
        hashes.append(run(python, "-c", question, cwd=tmp_path).strip())
        build = "import ffi_build; print(ffi_build.source_hash())"
        assert run(python, "-c", build, cwd=tree / "csrc").strip() == hashes[-1]
    assert hashes[0] != hashes[1]


def test_stale_wheel_build(shop: Workshop, tmp_path: Path) -> None:
    """A build/ folder with an old library in it, then a build in which compiling fails."""
    tree = shutil.copytree(shop.tree, tmp_path / "tree")
    assert_tags(shop.wheel(tree), "c")
    assert list((tree / "build").rglob("_cffi*"))
    with (tree / "csrc" / "nimmt.c").open("a") as file:
        file.write("#error no\n")
    assert_tags(shop.wheel(tree), "python")


@pytest.mark.parametrize(("mode", "backend", "games"), [("1", "c", "1,000,000"), ("0", "python", "1,000")])
def test_demo_fits_its_backend(shop: Workshop, tmp_path: Path, mode: str, backend: str, games: str) -> None:
    """A million games take less than a second in C, and twenty minutes in Python."""
    tree = shutil.copytree(shop.tree, tmp_path / "tree")
    printed = run("make", "demo", f"PYTHON={sys.executable}", cwd=tree, changes={"NIMMT_EXTENSION": mode})
    assert re.search(rf"^backend +{backend}$", printed, re.MULTILINE) and "Winner" in printed
    assert f"\n{games} games in " in printed


def test_backend_c_says_how_to_get_it(shop: Workshop) -> None:
    target = shop.install(shop.wheel(shop.tree, NIMMT_EXTENSION="0"))
    with pytest.raises(Failed) as failure:
        target.ask(NIMMT_BACKEND="c")
    assert "ImportError: NIMMT_BACKEND=c, but there is no C core (No module named 'nimmt.core._cffi')" in str(
        failure.value
    )
    assert "NIMMT_EXTENSION=1 pip install --no-cache-dir --force-reinstall '.[c]'" in str(failure.value)
    with pytest.raises(Failed) as failure:
        run(target.python.parent / "nimmt", "info", changes={"NIMMT_BACKEND": "c"})
    assert re.fullmatch("nimmt: error: NIMMT_BACKEND=c, but there is no C core .*\n", str(failure.value))


def test_extras_are_found_in_what_is_installed(shop: Workshop, installed: Venv) -> None:
    """The hints say nimmt[plot], also where nimmt came from a checkout: pip asks no index for nimmt then."""
    shop.pip("install", "--no-index", "nimmt[c]", to=installed)
    with pytest.raises(Failed, match="No matching distribution found for matplotlib"):
        shop.pip("install", "--no-index", "nimmt[plot]", to=installed)


def test_version_of_the_installation(c_wheel: Path, installed: Venv) -> None:
    question = "import importlib.metadata as m; print(m.version('nimmt'))"
    assert run(installed.python, "-c", question).strip() == c_wheel.name.split("-")[1]


def test_suite_of_the_sdist_runs_on_the_wheel(shop: Workshop, sdist: Path, installed: Venv, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path)
    tree = next(tmp_path.iterdir())
    shutil.rmtree(tree / "src")
    shop.pip("install", "pytest", "hypothesis", to=installed)
    output = run(installed.python, "-m", "pytest", "-q", "tests/test_rules_cases.py", cwd=tree, changes={"CI": "1"})
    assert " passed" in output and "skipped" not in output


FIRST_CALLS = """
import threading
from nimmt import core
from nimmt.stream import Stream
gate, states = threading.Barrier(16), [bytearray(164) for _ in range(16)]
def play(state):
    gate.wait()
    r = core.core.bind(state)
    core.core.deal(r, 5, 104, 0, Stream(7))
    core.core.playout(r, bytes([0, 1, 2, 3, 4]), Stream(8))
threads = [threading.Thread(target=play, args=(state,)) for state in states]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(core.name, *{state.hex() for state in states})
"""


@pytest.mark.parametrize("cffi", ["cffi==1.15.1", "cffi==1.17.1", "cffi"])
def test_first_calls_from_threads(shop: Workshop, c_wheel: Path, cffi: str) -> None:
    """Old and new cffi, and sixteen threads that are the first to use its types, in fresh processes."""
    oldest = min(pythons(), key=lambda found: int(found[0].partition(".")[2]))
    if cffi == "cffi==1.15.1" and oldest[0] not in ("3.10", "3.11"):
        pytest.skip("this cffi has no wheels for the Pythons here")
    target = shop.install(c_wheel, oldest[1])
    shop.pip("install", cffi, to=target)
    shop.pip("check", to=target)
    runs = 20 if cffi == "cffi==1.15.1" else 200
    answers = {run(target.python, "-c", FIRST_CALLS, cwd=target.python.parent) for _ in range(runs)}
    assert len(answers) == 1 and len(answers.pop().split()) == 2


def test_free_threaded_pythons_get_a_wheel_of_their_own(shop: Workshop, tmp_path: Path) -> None:
    """They have no stable ABI before 3.15. None is here: this Python only says that it is one."""
    tree = shutil.copytree(shop.tree, tmp_path / "tree")
    claim = "import sysconfig; sysconfig.get_config_vars()['Py_GIL_DISABLED'] = 1; "
    setup = "import runpy, sys; sys.argv = ['setup.py', '-q', 'bdist_wheel']; runpy.run_path('setup.py')"
    run(shop.tools.python, "-c", claim + setup, cwd=tree, changes={"NIMMT_EXTENSION": "1"})
    wheel = next((tree / "dist").iterdir())
    version = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    assert wheel.stem.split("-")[2:4] == [version, version]
    assert len(libraries(wheel)) == 1 and "abi3" not in libraries(wheel)[0]
    assert shop.install(wheel).backend() == "c"


def test_editable_with_uv(shop: Workshop, answer: str, tmp_path: Path) -> None:
    tree, target = shutil.copytree(shop.tree, tmp_path / "tree"), shop.venv()
    shop.pip("install", "uv", to=target)
    for changes, backend in (({}, "c"), ({"CC": "false"}, "python")):
        command = (target.python.parent / "uv", "pip", "install", "--no-cache", "--reinstall-package", "nimmt")
        run(*command, "--python", target.python, "--editable", tree, changes=changes)
        assert target.ask() == (backend, answer)
