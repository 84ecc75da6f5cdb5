"""The reference of the Python functions, from their signatures and docstrings.

Keywords are put together when Hushwood is imported, from the options of the command; so the pages ask the functions
themselves and do not read the source.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import hushwood

_FEW = 3  # keywords that a call shows; more are only listed
_LIST = "\n\nParameters\n----------\n"
# What the functions give back, and estimators: by module, in the order of the page.
RESULTS = (
    "hushwood.jobs.release.Release",
    "hushwood.jobs.audit.Audit",
    "hushwood.jobs.tune.Tuned",
    "hushwood.jobs.publish_tree.TreePublication",
    "hushwood.tables.table.Table",
    "hushwood.trees.forest.Forest",
    "hushwood.policies.verdict.Verdict",
)
ESTIMATORS = (
    "hushwood.sklearn.C45Classifier",
    "hushwood.sklearn.SysForClassifier",
    "hushwood.sklearn.Anonymizer",
)


def api_pages() -> dict[str, str]:
    """A page of functions, one of results and one of estimators, by their places in the site."""
    import_module("hushwood.api")  # gives tables and forests their pictures
    functions = [
        getattr(import_module("hushwood.api"), name, None) or getattr(hushwood, name) for name in _functions()
    ]
    return {
        "api/functions.md": _page(
            "Functions", "`import hushwood as hw`; each of them is `hw.NAME`.", map(_function, functions)
        ),
        "api/results.md": _page(
            "Results", "What the functions return.", (_class(_found(name)) for name in RESULTS)
        ),
        "api/estimators.md": _page(
            "Estimators for scikit-learn",
            "`from hushwood.sklearn import …`",
            (_class(_found(name)) for name in ESTIMATORS),
        ),
    }


def _functions() -> list[str]:
    return [name for name in hushwood.__all__ if name[0].islower()]


def _found(name: str) -> Any:
    module, _, what = name.rpartition(".")
    return getattr(import_module(module), what)


def _page(title: str, about: str, parts: Iterator[str]) -> str:
    return f"# {title}\n\n{about}\n\n" + "\n".join(parts)


def _function(function: Any) -> str:
    doc = inspect.getdoc(function) or ""
    text, _, listed = doc.partition(_LIST)
    described = "\n".join(_parameters(listed)) if listed else ""
    return f"## {function.__name__}\n\n{_code(_call(function))}\n\n{_text(text)}\n\n{described}\n"


def _call(function: Any) -> str:
    """The call with the names of its parameters; defaults stand in the list."""
    known = inspect.signature(function).parameters.values()
    named = [p.name for p in known if p.kind is p.POSITIONAL_OR_KEYWORD]
    several = [f"*{p.name}" for p in known if p.kind is p.VAR_POSITIONAL]
    keywords = [f"{p.name}=…" for p in known if p.kind is p.KEYWORD_ONLY]
    shown = [*named, *several, *(keywords if len(keywords) <= _FEW else ["…"])]
    return f"hw.{function.__name__}({', '.join(shown)})"


def _parameters(listed: str) -> Iterator[str]:
    """The list of a docstring as a table."""
    yield from ("| keyword | default | what it means |", "|---|---|---|")
    for found in re.finditer(r"^(\w+)(?:, default (.*))?\n((?:    .*\n?)*)", listed, re.MULTILINE):
        meaning = " ".join(found[3].split())
        yield f"| `{found[1]}` | {_default(found[2])} | {_cell(meaning)} |"


def _default(text: str | None) -> str:
    return "" if not text or text in ("()", "''", "{}") else f"`{text.replace('|', chr(92) + '|')}`"


def _class(kind: Any) -> str:
    lines = [f"## {kind.__name__}", "", _text(inspect.getdoc(kind) or ""), ""]
    members = [(name, made) for name, made in inspect.getmembers(kind) if not name.startswith("_")]
    # Those with a docstring of their own: properties and methods that people may use.
    described = [(name, made) for name, made in members if _own_doc(made)]
    if described:
        lines += ["| name | what it is |", "|---|---|"]
        lines += [
            f"| `{_member(name, made)}` | {_cell(_own_doc(made).split(chr(10) * 2)[0])} |"
            for name, made in described
        ]
    return "\n".join([*lines, ""])


def _member(name: str, made: Any) -> str:
    if not callable(made):
        return name
    known = [p for p in inspect.signature(made).parameters.values() if p.name != "self"]
    return f"{name}({', '.join(p.name for p in known)})"


def _own_doc(made: Any) -> str:
    if not (inspect.isfunction(made) or isinstance(made, property) or hasattr(made, "func")):
        return ""
    return inspect.getdoc(made) or ""


def _text(doc: str) -> str:
    """A docstring as Markdown: examples become code."""
    lines, code = [], False
    for line in doc.splitlines():
        if line.startswith(">>>") and not code:
            lines += ["```python"]
            code = True
        elif code and not line.strip():
            lines += ["```"]
            code = False
        lines.append(line if code else line.replace("<", "&lt;"))
    return "\n".join([*lines, *(["```"] if code else [])])


def _code(text: str) -> str:
    return f"```python\n{text}\n```"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
