"""How a file is written, where that cannot be found in it: the options of commands that say so, as fields of a form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from hushwood.jobs.requests import InputOptions
from hushwood.parameters import Option, option_of, spellings

# Of all options about the input these are about the file; those that this version does not have are left out.
_ABOUT_THE_FILE = ("encoding", "separator", "decimal", "thousands", "date_format", "missing", "sheet")


def fields_of_dialect() -> dict[str, Option]:
    """The fields of the form, each with what its command says about it."""
    hints = get_type_hints(InputOptions, include_extras=True)
    known = {field.name: option_of(hints[field.name]) for field in fields(InputOptions)}
    return {name: option for name in _ABOUT_THE_FILE if (option := known.get(name)) is not None}


def dialect_from(form: Mapping[str, str]) -> dict[str, str]:
    """What a form says; fields that were left empty are found in the file."""
    return {name: form[name].strip() for name in fields_of_dialect() if form.get(name, "").strip()}


def dialect_words(dialect: Mapping[str, str]) -> list[tuple[str, str]]:
    """Options and values for a command."""
    known = fields_of_dialect()
    return [(spellings(name, known[name])[-1], text) for name, text in dialect.items()]


def dialect_values(dialect: Mapping[str, str]) -> dict[str, Any]:
    """The values that Python takes.

    >>> dialect_values({"separator": "tab", "missing": "?,NA"})
    {'separator': '\\t', 'missing': ('?', 'NA')}
    """
    known = fields_of_dialect()
    return {name: reads(text) if (reads := known[name].reads) else text for name, text in dialect.items()}
