"""What the JSON files of a release must look like before anything in them is believed.

`release` writes manifest.json and plan.json; others may have damaged them since.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args

from hushwood.errors import InputError
from hushwood.tables.class_column import Response
from hushwood.tables.inference import Infinite

Check = Callable[[Any], bool]


def _is(*kinds: type) -> Check:
    """A value of one of the kinds; truth values are no numbers here."""
    return lambda value: isinstance(value, kinds) and (not isinstance(value, bool) or bool in kinds)


def _with(**parts: Check) -> Check:
    """An object that has these parts, and perhaps others."""
    return lambda value: (
        isinstance(value, dict) and all(k in value and ok(value[k]) for k, ok in parts.items())
    )


def _perhaps(**parts: Check) -> Check:
    """An object whose parts, where it has them, are like these."""
    return lambda value: (
        isinstance(value, dict) and all(ok(value[k]) for k, ok in parts.items() if k in value)
    )


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) for v in value)


def _texts_by_name(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(v, str) for v in value.values())


def _objects_by_name(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(given, dict) for given in value.values())


_text, _whole, _number, _truth = _is(str), _is(int), _is(int, float), _is(bool)
_text_or_none, _whole_or_none = _is(str, type(None)), _is(int, type(None))
_MANIFEST = _with(
    technique=_text,
    files=_texts_by_name,
    input=_with(keyed_checksum=_text),
    output=_with(file=_text, sha256=_text),
    certificate=_with(claimed=_truth, records=_whole, kept=_whole, per_tree=_is(list)),
    parameters=_perhaps(noise=_number, settings=_objects_by_name, probability=_number),
)
_MAY_BE_THERE = _perhaps(
    private_files=lambda value: _texts(value) or isinstance(value, dict),
    certificate=_perhaps(columns=_objects_by_name),
)
_OPTIONS = _perhaps(
    **dict.fromkeys(("technique", "boundary", "distribution", "capt", "value_clusters", "variant"), _text),
    **dict.fromkeys(("noise", "probability", "confidence"), _number),
    criterion=_text,
    correlated=_text_or_none,
    suppress=_texts,
    settings=_objects_by_name,
    trees=_whole_or_none,
    min_leaf=_whole_or_none,
    forest_rows=_whole,
)
_INPUT = _perhaps(
    missing=_texts,
    encoding=_text,
    separator=_text_or_none,
    infinite=lambda value: value in get_args(Infinite),
    response=lambda value: value in get_args(Response),
)
_INPUT_WORDS = frozenset({"missing", "encoding", "separator", "infinite", "response"})


def check_manifest(manifest: Mapping[str, Any], path: Path) -> None:
    """Refuse a manifest that lacks something or has something else in its place."""
    if not (_MANIFEST(manifest) and _MAY_BE_THERE(manifest)):
        raise InputError(f"{path} is damaged; fetch or make the release again.")


def check_plan(plan: Mapping[str, Any], path: Path) -> None:
    """Refuse a plan whose words about the input or the options are not of the kind that belongs there."""
    given = plan.get("input", {})
    known = isinstance(given, dict) and given.keys() <= _INPUT_WORDS
    # The options of a published tree are read by people only.
    options = plan.get("recipe") == "tpp" or "options" not in plan or _OPTIONS(plan["options"])
    if not (known and _INPUT(given) and options):
        raise InputError(f"{path} is damaged; fetch or make the release again.")
