"""What can be counted in the source of a checkout: modules and who imports them, cycles, names, small functions."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

SMALL_MODULE = 150
SMALL_FUNCTION = 3


@dataclass(frozen=True)
class House:
    """The package in `src/` of a checkout."""

    root: Path

    @cached_property
    def paths(self) -> dict[str, Path]:
        """The file of every module, by its full name; empty `__init__` files are none."""
        source = self.root / "src"
        paths = sorted(
            path for path in (source / "hushwood").rglob("*.py") if path.read_text("utf-8").strip()
        )
        return {
            ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__"): path
            for path in paths
        }

    @cached_property
    def trees(self) -> dict[str, ast.Module]:
        return {name: ast.parse(path.read_text("utf-8")) for name, path in self.paths.items()}

    @cached_property
    def imports(self) -> dict[str, set[str]]:
        """The modules of the package that each module imports, at its top or inside functions, not for types only."""
        return {name: set(self._imported(tree)) - {name} for name, tree in self.trees.items()}

    def _imported(self, tree: ast.AST) -> Iterator[str]:
        for node in ast.iter_child_nodes(tree):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                continue
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names if alias.name in self.paths)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    name = inner if inner in self.paths else node.module
                    if name in self.paths:
                        yield name
            else:
                yield from self._imported(node)

    @cached_property
    def cycles(self) -> list[list[str]]:
        """Groups of modules of one package, the outermost, that import each other, however late."""
        inside = {
            name: {
                other
                for other in imports
                if other.split(".")[:2] == name.split(".")[:2] and other.count(".") > 1
            }
            for name, imports in self.imports.items()
            if name.count(".") > 1
        }
        return sorted(sorted(group) for group in _components(inside) if len(group) > 1)

    @cached_property
    def lonely_modules(self) -> list[str]:
        """Modules of fewer than 150 lines whose one importer lies in their own folder."""
        importers = defaultdict(set)
        for name, imports in self.imports.items():
            for other in imports:
                importers[other].add(name)
        return [
            name
            for name, path in self.paths.items()
            if len(importers[name]) == 1
            and self.paths[next(iter(importers[name]))].parent == path.parent
            and path.name != "__init__.py"
            and len(path.read_text("utf-8").splitlines()) < SMALL_MODULE
        ]

    @cached_property
    def shared_class_names(self) -> list[str]:
        """Names that several classes have."""
        names = Counter(
            node.name
            for tree in self.trees.values()
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
        )
        return sorted(name for name, count in names.items() if count > 1)

    @cached_property
    def small_helpers(self) -> list[str]:
        """Private functions of at most three lines, the docstring apart, that their module uses once."""
        return [
            f"{name}:{function}" for name, tree in self.trees.items() for function in _small_helpers(tree)
        ]

    @cached_property
    def parameters(self) -> list[tuple[int, str]]:
        """How many parameters every function has, without `self`, the longest list first; compiled loops apart."""
        return sorted(
            (
                (_parameters(node), f"{name}.{node.name}")
                for name, tree in self.trees.items()
                for node in ast.walk(tree)
                if isinstance(node, ast.FunctionDef) and "kernels" not in name
            ),
            reverse=True,
        )

    def lines(self, *folders: str) -> tuple[int, int]:
        """Files and lines of Python below folders."""
        paths = [path for folder in folders for path in (self.root / folder).rglob("*.py")]
        return len(paths), sum(len(path.read_text("utf-8").splitlines()) for path in paths)


def _parameters(node: ast.FunctionDef) -> int:
    names = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return len([name for name in names if name not in {"self", "cls"}])


def _small_helpers(tree: ast.Module) -> Iterator[str]:
    used = Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    )
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_") and not node.name.startswith("__"):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            lines = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
            if lines <= SMALL_FUNCTION and used[node.name] == 1 and not node.decorator_list:
                yield node.name


def _components(graph: dict[str, set[str]]) -> list[set[str]]:
    """Tarjan's strongly connected components."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    done: list[set[str]] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in sorted(graph.get(name, ())):
            if other not in order:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            place = stack.index(name)
            done.append(set(stack[place:]))
            del stack[place:]

    for name in sorted(graph):
        if name not in order:
            visit(name)
    return done
