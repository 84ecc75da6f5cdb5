"""What all releases have in common: which tables can be released at all, and how their files are named and written.

`release` adds noise and `publish_tree` generalises; the folder itself is made in `folders`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood.tables.reading import Reading

PRIVATE_FILE_MODE = 0o600


def check_table(reading: Reading) -> None:
    """Refuse what cannot be hidden or learnt from."""
    schema = reading.table.schema
    if reading.table.rows < 2:
        raise InputError(
            "The table has one record; nothing can be hidden in it. Release more records together."
        )
    if schema.class_attribute is None:
        raise InputError("No class column is set; name it with --class (or target= in Python).")
    if not schema.inputs:
        raise InputError(
            f"No column beside the class {schema.class_attribute.name!r} is left to learn rules from; "
            "declare fewer columns as identifier or ignored."
        )


def released_suffix(reading: Reading) -> str:
    """The ending of the input's name; a frame goes out as Parquet."""
    from hushwood.tables.files import suffix_of

    return suffix_of(reading.path) if reading.path is not None else ".parquet"


def warned_of(reading: Reading, escape_formulas: bool) -> tuple[str, ...]:
    """The doubts about the columns that the request does not take care of already."""
    return tuple(w.sentence for w in reading.warnings if not (escape_formulas and w.code == "formula"))


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON object, one line a key unless laws make it long."""
    write_text(path, json.dumps(content, ensure_ascii=False, indent=None if "laws" in content else 1) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8."""
    path.write_text(text, encoding="utf-8")
