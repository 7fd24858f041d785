"""The modules of nimmt.sim: each can be imported alone, they point one way, and missing parts of Python stay local."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from cli_tools import environment
from conftest import tree_of

# Lowest first: what a module imports from the package stands above it in this list.
ORDER = [
    "plan",
    "tally",
    "arrays",
    "summary",
    "python",
    "c",
    "backend",
    "refusals",
    "batch",
    "positions",
    "rollouts",
    "plot",
    "result",
    "workers",
    "run",
    "__init__",
]


def folder() -> Path:
    with tree_of("python") as nimmt:
        return Path(str(nimmt.__file__)).parent / "sim"


def python(code: str, backend: str) -> str:
    """Run a program in an interpreter of its own and return what it prints."""
    with tree_of(backend) as nimmt:
        env = environment(nimmt)
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def imports(file: Path) -> set[str]:
    """Return the modules of sim that a file imports anywhere, also for types only."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found |= {node.module} if node.module else {alias.name for alias in node.names}
    return found


def test_imports_point_down() -> None:
    assert sorted(file.stem for file in folder().glob("*.py")) == sorted(ORDER)
    for number, module in enumerate(ORDER):
        assert imports(folder() / f"{module}.py") <= set(ORDER[:number]), module


@pytest.mark.parametrize("backend", ["c", "python"])
def test_each_module_can_be_imported_alone(backend: str) -> None:
    """In an interpreter of its own, so that the order of other imports is not what makes it work."""
    for module in ORDER:
        if module == "c" and backend == "python":
            continue
        name = f"nimmt.sim.{module}".replace(".__init__", "")
        # The package itself is imported with any of its modules; a stand-in keeps it out.
        stand_in = (
            "import sys, types, nimmt; package = types.ModuleType('nimmt.sim'); "
            "package.__path__ = [nimmt.__path__[0] + '/sim']; sys.modules['nimmt.sim'] = package; "
        )
        code = f"import importlib; importlib.import_module({name!r}); print('there')"
        assert python((stand_in if module != "__init__" else "") + code, backend) == "there\n"


MISSING = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {names}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

for name in list(sys.modules):
    if name.split(".")[0] in {names}:
        del sys.modules[name]
sys.meta_path.insert(0, Missing())
"""

PLAY = """
import io, sys, tempfile, warnings
warnings.simplefilter("ignore")
from nimmt.sim import Batch, simulate
result = simulate(["random", "nearest"], 20, 1, threads=1)
with tempfile.TemporaryDirectory() as folder:
    result.to_csv(folder + "/games.csv")
    result.to_json(folder + "/summary.json")
none = simulate(["random", "nearest"], 0, 1)
batch = Batch(2, 2, 1)
batch.play(batch.policy_cards(["lowest"] * 2))
print(result.digest()[:8], none.scores.shape, batch.heads.shape)
"""


@pytest.mark.parametrize("backend", ["c", "python"])
@pytest.mark.parametrize("names", ["_ctypes ctypes", "csv _csv", "mmap", "numpy", "matplotlib"])
def test_simulations_without_a_part_of_python(names: str, backend: str) -> None:
    """The same results, to the byte, where the standard library lacks what simulations can do without."""
    if names == "_ctypes ctypes":
        names += " numpy"  # which needs it
    whole, without = (python(text + PLAY, backend) for text in ("", MISSING.format(names=names.split())))
    assert without == whole


COMMAND = """
import sys
from nimmt.cli import main
print(main(["info"]), main(["resolve", "--rows", "12 / 37 / 43 / 58", "--plays", "14 15 44 61"]))
import nimmt
print(nimmt.Game(2, 1).rows)
"""


@pytest.mark.parametrize("backend", ["c", "python"])
def test_the_engine_and_the_command_without_what_simulations_need(backend: str) -> None:
    missing = MISSING.format(names=["concurrent", "csv", "_csv", "ctypes", "_ctypes", "mmap"])
    assert python(missing + COMMAND, backend) == python(COMMAND, backend)
    named = "try:\n    import nimmt.sim\nexcept ModuleNotFoundError as error:\n    print(error.name)"
    assert python(missing + named, backend) == "concurrent\n"
