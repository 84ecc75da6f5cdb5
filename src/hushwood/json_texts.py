"""Our documents as they are read: a name that stands twice in one object is refused, because readers differ on it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any


def parsed_json(text: str | bytes) -> Any:
    """The content of a JSON text; anything else, or a name that is given twice, is a ValueError.

    >>> parsed_json('{"k": 2, "k": 50}')
    Traceback (most recent call last):
    ValueError: 'k' is named twice
    """
    return json.loads(text, object_pairs_hook=_each_once)


def _each_once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{name!r} is named twice")
        found[name] = value
    return found
