"""How a file is written, where that cannot be found in it: the options of commands that say so, as fields of a form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hushwood.jobs.requests import InputOptions
from hushwood.parameters import Option, options_of, spellings

# Of all options about the input these are about the file.
_ABOUT_THE_FILE = ("encoding", "separator", "decimal", "date_format", "missing", "sheet")


def fields_of_dialect() -> dict[str, Option]:
    """The fields of the form, each with what its command says about it."""
    known = options_of(InputOptions)
    return {name: known[name] for name in _ABOUT_THE_FILE}


def dialect_from(form: Mapping[str, str]) -> dict[str, str]:
    """What a form says; fields that were left empty are found in the file."""
    return {name: form[name].strip() for name in _ABOUT_THE_FILE if form.get(name, "").strip()}


def dialect_words(dialect: Mapping[str, str]) -> list[tuple[str, str]]:
    """Options and values for a command."""
    known = fields_of_dialect()
    return [(spellings(name, known[name])[0], text) for name, text in dialect.items()]


def dialect_values(dialect: Mapping[str, str]) -> dict[str, Any]:
    """The values that Python takes.

    >>> dialect_values({"separator": "tab", "missing": "?,NA", "date_format": "dd.mm.yyyy"})
    {'separator': '\\t', 'missing': ('?', 'NA'), 'date_format': ('dd.mm.yyyy',)}
    """
    known = fields_of_dialect()
    values: dict[str, Any] = {}
    for name, text in dialect.items():
        reads, repeated = known[name].reads, known[name].repeated
        values[name] = text if reads is None else reads([text] if repeated else text)
    return values
