from __future__ import annotations

from pathlib import Path

import pytest

from hushwood.cli.options import ClassCut, Form, Roles, read_input, share
from hushwood.errors import InputError
from hushwood.tables.reading import Reading
from people_files import as_text, people


def read(path: Path, roles: Roles | None = None, form: Form | None = None) -> Reading:
    return read_input(path, "ill", None, roles or Roles(), form or Form(), ClassCut())


@pytest.mark.parametrize(
    ("text", "value"),
    [("1/3", 1 / 3), ("0.25", 0.25), (" 2 / 8 ", 0.25), ("0", 0.0), ("1e-3", 0.001), ("1/", 1.0)],
)
def test_shares(text: str, value: float) -> None:
    assert share(text) == value


@pytest.mark.parametrize("text", ["", "a third", "1/0", "1/2/3", "0.3.3"])
def test_what_is_no_share(text: str) -> None:
    with pytest.raises(InputError, match="a fraction such as 1/3"):
        share(text)


@pytest.mark.parametrize("word", ["tab", "\\t", "\t"])
def test_names_of_the_tab(tmp_path: Path, word: str) -> None:
    path = tmp_path / "people.txt"
    path.write_text(as_text(people(), separator="\t"), "utf-8")
    assert read(path, form=Form(separator=word)).table.schema.names == ("age", "score", "group", "ill")


def test_roles_and_missing_texts(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(as_text(people()), "utf-8")
    found = read(path, Roles(identifier=["age"], confidential=["score"]), Form(missing="x,"))
    schema = found.table.schema
    assert [a.role for a in schema.attributes] == ["identifier", "confidential", "ordinary", "class"]
    assert schema["group"].categories == ("y", "z")
    with pytest.raises(InputError, match="Did you mean 'age'"):
        read(path, Roles(identifier=["agee"]))
    with pytest.raises(InputError, match="--infinite"):
        read(path, form=Form(infinite="no"))


def test_a_column_has_one_role() -> None:
    assert Roles(["a"], None, ["b", "b"], None).by_column() == {"a": "identifier", "b": "confidential"}
    with pytest.raises(
        InputError, match="'a' cannot be both quasi-identifier and confidential; choose one role"
    ):
        Roles(None, ["a"], ["a"], None).by_column()
