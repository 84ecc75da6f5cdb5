"""How a file is written, said in a form."""

from __future__ import annotations

from hushwood.jobs.requests import InputOptions
from hushwood.web.dialects import dialect_from, dialect_values, dialect_words, fields_of_dialect

FORM = {
    "encoding": " windows-1252 ",
    "separator": "tab",
    "missing": "?,NA",
    "sheet": "",
    "schema": "../x.toml",
}


def test_only_what_is_said_counts_and_only_about_the_file() -> None:
    said = dialect_from(FORM)

    assert said == {"encoding": "windows-1252", "separator": "tab", "missing": "?,NA"}
    assert dialect_words(said) == [
        ("--encoding", "windows-1252"),
        ("--separator", "tab"),
        ("--missing", "?,NA"),
    ]
    values = dialect_values(said)
    assert values == {"encoding": "windows-1252", "separator": "\t", "missing": ("?", "NA")}
    assert InputOptions(**values).encoding == "windows-1252"


def test_every_field_is_explained() -> None:
    found = fields_of_dialect()

    assert {"encoding", "separator", "missing", "sheet"} <= set(found)
    assert all(option.help for option in found.values())
