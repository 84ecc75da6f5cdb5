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
# The functions' own keywords, which are written out in their signatures, are not among these.
_GROUPS: Mapping[str, tuple[tuple[type, ...], frozenset[str]]] = {
    "ReadKeywords": ((ReadOptions,), frozenset()),
    "ReleaseKeywords": (
        (ReadOptions, PersonOptions, PerturbOptions),
        frozenset({"target", "technique", "noise"}),
    ),
    "TuneKeywords": ((ReadOptions, PersonOptions, CoarseOptions), frozenset({"target"})),
    "AuditKeywords": ((ReadOptions, PersonOptions, BuilderOptions), frozenset({"target"})),
    "ReconstructKeywords": ((ReconstructRequest,), frozenset()),
    "PublishKeywords": (
        (ReadOptions, PublishOptions),
        frozenset({"target", "k", "l", "trees", "response"}),
    ),
}
# What Python takes beside what the command is declared to take.
_WIDER = {
    **dict.fromkeys(("coarsen", "top_code", "bottom_code"), "Mapping[str, Any] | Sequence[str]"),
    "target": "str | int | Sequence[str | int] | None",
    "hierarchies": "Mapping[str, Any]",
}


def keyword_types() -> str:
    """The text of the module."""
    return _HEAD + "".join(_group(name, *group) for name, group in _GROUPS.items())


def _group(name: str, declared: Sequence[type], but: frozenset[str]) -> str:
    lines = [f"\n\nclass {name}(TypedDict, total=False):"]
    lines.append(f'    """Keywords of {_function(name)}."""\n')
    taken = set(but)
    for one in declared:
        hints = get_type_hints(one, include_extras=True)
        for field in fields(one):
            if field.name in taken or INTERNAL in get_args(hints[field.name]):
                continue
            taken.add(field.name)
            lines.append(f"    {field.name}: {_WIDER.get(field.name) or _text(hints[field.name])}")
    return "\n".join(lines) + "\n"


def _function(name: str) -> str:
    function = name.removesuffix("Keywords").lower()
    return f"`{ {'read': 'read_table', 'publish': 'publish_tree'}.get(function, function) }`".replace(" ", "")


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
