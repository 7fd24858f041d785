"""The one chooser between the cores: NIMMT_BACKEND, what is said without C, and what the cores have in common."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import types
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import Tree, tree_of


def package() -> Path:
    with tree_of("python") as nimmt:
        return Path(str(nimmt.__file__)).parent


def run(code: str, backend: str | None = None) -> tuple[int, str]:
    """Run code in a fresh process; return its exit code and all that it printed."""
    env = {name: value for name, value in os.environ.items() if name != "NIMMT_BACKEND"}
    if backend is not None:
        env["NIMMT_BACKEND"] = backend
    env["PYTHONPATH"] = str(package().parent)
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, timeout=60
    )
    return done.returncode, done.stdout


TELL = "import nimmt; print(nimmt.backend, '|', nimmt.backend_reason); print(nimmt.Game(2, 1).rows)"
NO_C = "import sys; sys.modules['nimmt.core._cffi'] = None; "


def test_wishes() -> None:
    tree_of("c")
    rows = "((73,), (14,), (7,), (27,))"
    with tree_of("python") as nimmt:
        rows = str(nimmt.Game(2, 1).rows)
    assert run(TELL, "c") == (0, f"c | NIMMT_BACKEND=c\n{rows}\n")
    assert run(TELL, "python") == (0, f"python | NIMMT_BACKEND=python\n{rows}\n")
    for wish in (None, "", "auto"):
        assert run(TELL, wish) == (0, f"c | the C core is there\n{rows}\n")


@pytest.mark.parametrize("wish", ["C", "rust", " c", "python3", "0"])
def test_unknown_wishes(wish: str) -> None:
    code, text = run(TELL, wish)
    assert code != 0
    assert f"ValueError: NIMMT_BACKEND={wish!r}: must be auto, c or python" in text


def test_without_c() -> None:
    """auto does without and says why; c refuses, with the cause and the command that mends it."""
    code, text = run(NO_C + TELL, "auto")
    assert code == 0 and text.startswith("python | no C core: ")
    code, text = run(NO_C + TELL, "c")
    assert code != 0
    assert "ImportError: NIMMT_BACKEND=c, but there is no C core (" in text
    assert "NIMMT_EXTENSION=1 pip install --no-cache-dir --force-reinstall" in text


def test_a_stale_library() -> None:
    """A library of another release plays another game: it is not used."""
    tree_of("c")
    stale = "import nimmt._version; nimmt._version.__version__ = '99.0.0'\n"
    code = (
        "import importlib.util, sys\n"
        "spec = importlib.util.find_spec('nimmt')\n"
        "import types; package = types.ModuleType('nimmt'); package.__path__ = spec.submodule_search_locations\n"
        "sys.modules['nimmt'] = package\n" + stale + "import nimmt.core as b; print(b.name, '|', b.reason)"
    )
    status, text = run(code, "auto")
    assert (status, text.partition(" | ")[0]) == (0, "python")
    assert "stale library" in text and "99.0.0" in text
    status, text = run(code, "c")
    assert status != 0 and "stale library" in text


def test_python_loads_no_c() -> None:
    """The switch avoids C altogether (trap B14): nothing of cffi is imported."""
    code = "import nimmt, sys; nimmt.Game(2, 1).save(); print([m for m in sys.modules if 'cffi' in m])"
    assert run(code, "python") == (0, "[]\n")


def test_import_is_cheap() -> None:
    """An embedder pays for what it uses: importing starts no process and loads no test or command tools."""
    code = (
        "import sys; sys.addaudithook(lambda e, a: print(e) if e in ('subprocess.Popen', 'os.system', 'socket.connect')"
        " else None)\nimport nimmt\n"
        "print([m for m in ('argparse', 'subprocess', 'numpy', 'asyncio', 'sqlite3') if m in sys.modules])"
    )
    for backend in ("python", "auto"):
        assert run(code, backend) == (0, "[]\n")


def verbs() -> set[str]:
    """Return the names that core/__init__.py says both cores have."""
    tree = ast.parse((package() / "core" / "__init__.py").read_text(encoding="utf-8"))
    protocol = next(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == "Core")
    return {node.name for node in protocol.body if isinstance(node, ast.FunctionDef)}


def test_each_backend_is_itself(nimmt: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """With C no function of the Python core is called; with Python there is no C. (So the tests mean what they say.)"""

    def forbidden(*arguments: object) -> int:
        raise AssertionError("the Python core was called")

    if nimmt.backend == "c":
        for name in verbs() | {"bind", "bind_log"}:
            monkeypatch.setattr(nimmt.core.python, name, forbidden)
    else:
        assert "nimmt.core.c" not in sys.modules
    assert nimmt.table.core is nimmt.turn.core is nimmt.bots.core is nimmt.core.core
    game = nimmt.arena.play_game(["random", "nearest", "lowest"], 5, nimmt.PROFESSIONAL)
    assert nimmt.replay(nimmt.Game.load(game.save()).record()) == game
    assert nimmt.resolve([[1], [2], [3], [4]], [5]).pending is None
    nimmt.Round.deal(4, nimmt.Stream(1)).playout([0, 1, 2, 3], nimmt.Stream(2))


def test_both_cores_have_the_verbs_of_the_seam(cores: tuple[Any, Any]) -> None:
    """Their constants are compared in test_build.py."""
    assert {"bind", "deal", "choose", "resolve", "take", "check", "playout"} <= verbs()
    for core in cores:
        for name in verbs():
            assert callable(getattr(core, name)), name
        with pytest.raises(AttributeError):
            core.nothing  # noqa: B018


def test_fields_are_those_of_the_header(trees: tuple[Tree, Tree]) -> None:
    """Where things are in the bytes of a round is written in core/layout.py; C says the same, and forgets none."""
    with trees[0] as nimmt:
        lib, ffi, python = nimmt.core.c.lib, nimmt.core.c.ffi, nimmt.core.layout
        assert lib.NIMMT_STREAM_VERSION == nimmt.STREAM_VERSION == 1
        fields = {"players": "PLAYERS", "highest": "HIGHEST", "flags": "FLAGS", "phase": "PHASE", "turn": "TURN"}
        fields |= {"owes": "OWES", "allowed": "ALLOWED", "length": "LENGTH", "rows": "ROWS", "chosen": "CHOSEN"}
        fields |= {"heads": "TAKEN", "seen": "SEEN", "hands": "HANDS"}
        assert set(fields) == {name for name, _ in ffi.typeof("nimmt_round").fields}
        for field, name in fields.items():
            assert ffi.offsetof("nimmt_round", field) == getattr(python, name), name
        assert [lib.nimmt_bull_heads(card) for card in range(-1, 107)] == [
            python.HEADS[card] if 1 <= card <= 104 else 0 for card in range(-1, 107)
        ]


# What a platform may lack


def without(nimmt: ModuleType, *missing: str) -> ModuleType:
    """Return port as it is on a platform whose modules lack these names, "module.name" each."""
    source = Path(str(nimmt.port.__file__)).read_text(encoding="utf-8")
    module = types.ModuleType("nimmt.port_elsewhere")
    module.__package__ = "nimmt"
    replaced = {}
    for name in missing:
        parent, _, attribute = name.partition(".")
        fake = types.ModuleType(parent)
        fake.__dict__.update({key: value for key, value in vars(__import__(parent)).items() if key != attribute})
        replaced[parent] = sys.modules[parent]
        sys.modules[parent] = fake
    try:
        exec(compile(source, "port.py", "exec"), module.__dict__)
    finally:
        sys.modules.update(replaced)
    return module


def test_crc_without_binascii(nimmt: ModuleType) -> None:
    crc32 = without(nimmt, "binascii.crc32").crc32
    assert crc32 is not zlib.crc32
    for data in (b"", b"a", bytes(range(256)), b"123456789"):
        assert crc32(data) == zlib.crc32(data) == nimmt.port.crc32(data)
        assert crc32(data, 77) == zlib.crc32(data, 77)
    assert crc32(b"123456789") == 0xCBF43926


def test_no_entropy_no_environment_no_threads(nimmt: ModuleType) -> None:
    module = without(nimmt, "os.urandom", "threading.RLock", "binascii.crc32")
    assert module.urandom(8) is None
    with module.new_lock(), module.new_lock():
        pass
    with pytest.raises(KeyError), module.new_lock():
        raise KeyError
    assert without(nimmt, "os.getenv").getenv("PATH") is None


def test_named_tuples_without_typing(nimmt: ModuleType) -> None:
    """What MicroPython has instead: the same values, whose fields are known, and no texts."""
    module = without(nimmt, "typing.NamedTuple")
    kind = module.NamedTuple("Placed", [("seat", int), ("side", "str | None")])
    module.explain(kind, "A text that is dropped.", seat="another")
    assert kind(1, None) == (1, None) and kind(1, None).seat == 1
    assert module.fields_of(kind) == module.fields_of(kind(1, None)) == ("seat", "side")
    assert nimmt.port.fields_of(nimmt.Placed) == nimmt.Placed._fields
    assert module.TypeVar("Self", bound="Table") is None
