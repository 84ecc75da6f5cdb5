"""The keywords of `hw.release` and its like as typed dictionaries, so that editors and type checkers know them.

`python -m website.keyword_types` writes src/hushwood/keyword_types.py anew from where the options are declared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from hushwood.jobs.judging_requests import ReconstructRequest
from hushwood.jobs.requests import PersonOptions
from hushwood.parameters import INTERNAL
from hushwood.releasing.coarse_options import CoarseOptions
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.read_options import ReadOptions
from hushwood.tables.schema import Role
from hushwood.tree_publishing.options import PublishOptions
from hushwood.trees.builder_options import BuilderOptions

PLACE = Path(__file__).parents[2] / "src/hushwood/keyword_types.py"
_HEAD = '''"""The keywords that Python functions share, for type checkers and editors.

Written by `python -m website.keyword_types` from the declared options; not to be edited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from hushwood.tables.schema import Role, Schema
'''
# What the keywords are for, those they extend, where others are declared, and which of these they leave out.
# A function's own keywords, which are written out in its signature, are not among them.
_GROUPS: Mapping[str, tuple[str, str, tuple[type, ...], frozenset[str]]] = {
    "TableKeywords": ("all that reads a table", "", (ReadOptions,), frozenset({"target", "response"})),
    "ReadKeywords": ("`read_table`", "TableKeywords", (ReadOptions,), frozenset()),
    "PeopleKeywords": (
        "what knows of people with several rows",
        "TableKeywords",
        (ReadOptions, PersonOptions),
        frozenset({"target"}),
    ),
    "TuneKeywords": ("`tune`, and of `release`", "PeopleKeywords", (CoarseOptions,), frozenset()),
    "ReleaseKeywords": ("`release`", "TuneKeywords", (PerturbOptions,), frozenset({"technique", "noise"})),
    "AuditKeywords": ("`audit`", "PeopleKeywords", (BuilderOptions,), frozenset()),
    "ReconstructKeywords": ("`reconstruct`", "", (ReconstructRequest,), frozenset()),
    "PublishKeywords": ("`publish_tree`", "TableKeywords", (PublishOptions,), frozenset({"k", "l", "trees"})),
}
# What Python takes beside what the command is declared to take.
_WIDER = {
    **dict.fromkeys(("coarsen", "top_code", "bottom_code"), "Mapping[str, Any] | Sequence[str]"),
    "target": "str | int | Sequence[str | int] | None",
    "hierarchies": "Mapping[str, Any]",
}


def keyword_types() -> str:
    """The text of the module."""
    return _HEAD + "".join(map(_group, _GROUPS))


def _group(name: str) -> str:
    purpose, extended, _, _ = _GROUPS[name]
    bases = f"{extended or 'TypedDict'}, total=False"
    lines = [f"\n\nclass {name}({bases}):", f'    """Keywords of {purpose}."""\n']
    inherited = _keywords(extended)
    lines += [f"    {key}: {kind}" for key, kind in _keywords(name).items() if key not in inherited]
    return "\n".join(lines) + "\n"


def _keywords(name: str) -> dict[str, str]:
    """All keywords of a group with their types, inherited ones first."""
    if not name:
        return {}
    _, extended, declared, but = _GROUPS[name]
    found = _keywords(extended)
    for one in declared:
        hints = get_type_hints(one, include_extras=True)
        for field in fields(one):
            if field.name not in but and INTERNAL not in get_args(hints[field.name]):
                found.setdefault(field.name, _WIDER.get(field.name) or _text(hints[field.name]))
    return found


def _text(hint: Any) -> str:
    """A type as it is written; where a tuple is declared, Python takes any sequence."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _text(parts[0])
    if origin in (Union, UnionType):
        return " | ".join(map(_text, parts))
    if hint == Role:
        return "Role"
    if origin is Literal:
        words = ", ".join(f'"{word}"' for word in parts)
        return f"Literal[{words}]"
    if origin is Mapping:
        return f"Mapping[{', '.join(map(_text, parts))}]"
    if origin in (tuple, Sequence):
        return f"Sequence[{_text(parts[0])}]"
    return "None" if hint is NoneType else "Any" if hint is Any else str(hint.__name__)


if __name__ == "__main__":
    PLACE.write_text(keyword_types(), encoding="utf-8")
