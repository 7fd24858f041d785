"""The modules of the package linked: each name of a module stands as what it means.

After this a definition is called `module:name`, as in `core.python:play`, and a name of another library by the
statement that imports it, as `from array import array`. Neither can be mistaken for a local name. Small numbers that a
module defines stand where they are used.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from .source import INSTEAD, PACKAGE, CannotBundle, path_of, stripped

#: A longer number is an object on a board, better there once.
_SMALL = 1 << 30

#: What an expression that can be worked out here is made of.
_PLAIN = (
    ast.Constant,
    ast.Name,
    ast.Attribute,
    ast.BinOp,
    ast.UnaryOp,
    ast.Tuple,
    ast.operator,
    ast.unaryop,
    ast.expr_context,
)

_Function = ast.FunctionDef | ast.Lambda
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Module:
    """A module of the package: its statements, the names they define, and what its imports mean."""

    def __init__(self, name: str, statements: list[ast.stmt], is_package: bool) -> None:
        self.name, self.body = name, [s for s in statements if not isinstance(s, (ast.Import, ast.ImportFrom))]
        self.defined = bound(self.body)
        bindings = [name for statement in self.body for name in bound([statement])]
        shared = {name for s in self.body for n in ast.walk(s) if isinstance(n, ast.Global) for name in n.names}
        #: The names that are defined once and for all.
        self.constant = {name for name in self.defined - shared if bindings.count(name) == 1}
        #: Names from the package, as module and name there, and names from elsewhere, as the statement for each.
        self.inner: dict[str, tuple[str, str]] = {}
        self.outer: dict[str, str] = {}
        for statement in statements:
            for alias in statement.names if isinstance(statement, (ast.Import, ast.ImportFrom)) else ():
                local = alias.asname or alias.name.partition(".")[0]
                if isinstance(statement, ast.Import):
                    self.outer[local] = ast.unparse(ast.Import([alias]))
                elif isinstance(statement, ast.ImportFrom) and not statement.level:
                    self.outer[local] = ast.unparse(ast.ImportFrom(statement.module, [alias], 0))
                elif isinstance(statement, ast.ImportFrom):
                    parts = name.split(".") if name else []
                    parts = parts[: len(parts) + is_package - statement.level]
                    self.inner[local] = ".".join(parts + [statement.module or ""]).rstrip("."), alias.name

    def has(self, name: str) -> bool:
        """Does the module define or import this name?"""
        return name in self.defined or name in self.inner or name in self.outer


class Package:
    """The modules of a package, each read when one of its names is asked for, and linked when `link` is called."""

    def __init__(self, folder: Path = PACKAGE, instead: Mapping[str, str] = INSTEAD) -> None:
        self.folder, self._instead = folder, instead
        self._modules: dict[str, Module] = {}
        self._linked: set[str] = set()
        self.numbers: dict[str, int] = {}
        #: For each definition the local names where it is used: in a bundle it cannot be called like one of them.
        self.hidden: dict[str, set[str]] = {}

    def module(self, name: str) -> Module:
        """Return a module by its name in the package, its numbers noted."""
        if name not in self._modules:
            path = path_of(self.folder, name)
            if path is None:
                raise CannotBundle(f"nimmt has no module {name!r}")
            text = self._instead.get(name) or path.read_text(encoding="utf-8")
            module = self._modules[name] = Module(name, stripped(text), path.name == "__init__.py")
            _Linker(self, module).note_numbers()
        return self._modules[name]

    def link(self, name: str) -> None:
        """Put into the statements of a module what their names mean."""
        if name not in self._linked:
            self._linked.add(name)
            module = self.module(name)
            linker = _Linker(self, module)
            module.body = [linker.visit(statement) for statement in module.body]

    def statements(self) -> list[ast.stmt]:
        """Return the statements of the linked modules, those of a module after those of all that it imports."""
        order: dict[str, Module] = {}
        begun: set[str] = set()

        def add(name: str) -> None:
            if name in self._modules and name not in begun:
                begun.add(name)
                for where, what in self._modules[name].inner.values():
                    submodule = f"{where}.{what}".lstrip(".")
                    add(submodule if submodule in self._modules else where)
                order[name] = self._modules[name]

        for name in sorted(self._linked):
            add(name)
        return [statement for name, module in order.items() if name in self._linked for statement in module.body]

    def has(self, module: str, name: str) -> bool:
        """Is this the name of something in a module, or of a module in a package?"""
        if path_of(self.folder, module) is None:
            return False
        return self.module(module).has(name) or path_of(self.folder, f"{module}.{name}".lstrip(".")) is not None

    def find(self, module: str, name: str) -> str:
        """Return what a name of a module means: a definition, a statement of import, or a module, as "module:"."""
        there = self.module(module)
        if name in there.defined:
            return f"{module}:{name}"
        if name in there.outer:
            return there.outer[name]
        if there.inner.get(name, (module, name)) != (module, name):
            return self.find(*there.inner[name])
        if not self.has(module, name):
            raise CannotBundle(f"{f'nimmt.{module}'.rstrip('.')} has no name {name!r}")
        submodule = f"{module}.{name}".lstrip(".")
        self.module(submodule)
        return submodule + ":"


def bound(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that these bind in their own scope: not in that of a function, class or comprehension within."""
    found: set[str] = set()
    shared: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Global):
            shared.update(node.names)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
            continue
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        if not isinstance(node, (ast.Lambda, _Comprehension)):
            found |= bound(ast.iter_child_nodes(node))
    return found - shared


class _Linker(ast.NodeTransformer):
    """Links the names of a module; `scopes` has the local names around what is looked at."""

    def __init__(self, package: Package, module: Module) -> None:
        self.package, self.module = package, module
        self.scopes: list[set[str]] = []

    def note_numbers(self) -> None:
        """Note the numbers that the module defines; each of them gets a statement of its own."""
        body: list[ast.stmt] = []
        for statement in self.module.body:
            numbers = self._numbers(statement) if isinstance(statement, ast.Assign) else {}
            self.package.numbers.update({f"{self.module.name}:{name}": n for name, n in numbers.items()})
            body += [ast.Assign([ast.Name(name, ast.Store())], _number(n)) for name, n in numbers.items()]
            body += [] if numbers else [statement]
        self.module.body = body

    def _numbers(self, statement: ast.Assign) -> dict[str, int]:
        """Return the small numbers that an assignment defines, if it defines nothing else."""
        target = statement.targets[0]
        names = [ast.unparse(name) for name in (target.elts if isinstance(target, ast.Tuple) else [target])]
        plain = all(isinstance(node, _PLAIN) for node in ast.walk(statement.value))
        if not plain or len(statement.targets) > 1 or not self.module.constant.issuperset(names):
            return {}
        value = self.visit(ast.Expression(statement.value))
        if any(isinstance(node, (ast.Name, ast.Attribute)) for node in ast.walk(value)):
            return {}
        values = eval(compile(ast.fix_missing_locations(value), "", "eval"), {"__builtins__": {}})
        values = values if isinstance(target, ast.Tuple) else [values]
        small = all(type(number) is int and abs(number) < _SMALL for number in values)
        return dict(zip(names, values, strict=True)) if small else {}

    def _meaning(self, name: str) -> str | None:
        """Return what a name means here; None if it is local or built in."""
        if any(name in scope for scope in self.scopes):
            return None
        return self.package.find(self.module.name, name) if self.module.has(name) else None

    def _linked(self, meaning: str, node: ast.Name | ast.Attribute) -> ast.expr:
        if meaning in self.package.numbers and isinstance(node.ctx, ast.Load):
            return _number(self.package.numbers[meaning])
        self.package.hidden.setdefault(meaning, set()).update(*self.scopes)
        return ast.Name(meaning, node.ctx)

    def _as_module(self, node: ast.expr) -> str | None:
        """Return the module that an expression stands for, as `c` or `core.layout`; None if it is not one."""
        if isinstance(node, ast.Attribute):
            outer = self._as_module(node.value)
            meaning = None if outer is None else self.package.find(outer, node.attr)
        else:
            meaning = self._meaning(node.id) if isinstance(node, ast.Name) else None
        return meaning[:-1] if meaning and meaning.endswith(":") else None

    def visit_Name(self, node: ast.Name) -> ast.expr:
        meaning = self._meaning(node.id)
        if meaning and meaning.endswith(":"):
            raise CannotBundle(f"{self.module.name}: the module {node.id} is used as a value")
        return self._linked(meaning, node) if meaning else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        module = self._as_module(node.value)
        if module is not None:
            return self._linked(self.package.find(module, node.attr), node)
        self.generic_visit(node)
        return node

    def visit_Global(self, node: ast.Global) -> ast.Global:
        return ast.Global([f"{self.module.name}:{name}" for name in node.names])

    def visit_alias(self, node: ast.alias) -> ast.alias:
        """An import in a statement of the module, as in `try:`; one in a function binds a local name."""
        if self.scopes:
            return node
        return ast.alias(node.name, f"{self.module.name}:{node.asname or node.name}")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        if node.level:
            raise CannotBundle(f"{self.module.name}, line {node.lineno}: imports of nimmt must stand at the top")
        self.generic_visit(node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef, in_class: bool = False) -> ast.FunctionDef:
        if not self.scopes:
            node.name = f"{self.module.name}:{node.name}"
        node.decorator_list = self._all(node.decorator_list)
        self._function(node, in_class)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        self._function(node)
        return node

    def _function(self, node: _Function, in_class: bool = False) -> None:
        """Link defaults, then the body with its own names; it does not see those of a class around it."""
        node.args.defaults = self._all(node.args.defaults)
        node.args.kw_defaults = [default and self.visit(default) for default in node.args.kw_defaults]
        body: Sequence[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else node.body
        scopes = self.scopes
        self.scopes = (scopes[:-1] if in_class else scopes) + [bound([node.args, *body])]
        linked = self._all(body)
        node.body = linked[0] if isinstance(node, ast.Lambda) else linked
        self.scopes = scopes

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.bases, node.decorator_list = self._all(node.bases), self._all(node.decorator_list)
        if not self.scopes:
            node.name = f"{self.module.name}:{node.name}"
        self.scopes.append(bound(node.body))
        node.body = [
            self.visit_FunctionDef(part, True) if isinstance(part, ast.FunctionDef) else self.visit(part)
            for part in node.body
        ]
        self.scopes.pop()
        return node

    def _comprehension(self, node: _Comprehension) -> _Comprehension:
        """Link a comprehension: its first iterable is evaluated outside, all the rest sees its own names."""
        first = self.visit(node.generators[0].iter)
        node.generators[0].iter = ast.Constant(None)
        self.scopes.append(bound([generator.target for generator in node.generators]))
        self.generic_visit(node)
        self.scopes.pop()
        node.generators[0].iter = first
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def _all(self, nodes: Iterable[ast.AST]) -> list:  # type: ignore[type-arg]
        return [self.visit(node) for node in nodes]


def _number(number: int) -> ast.expr:
    return ast.parse(repr(number), mode="eval").body
