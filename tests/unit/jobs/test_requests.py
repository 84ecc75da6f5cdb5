from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.jobs.inputs import read_input
from hushwood.jobs.judging_requests import AuditRequest
from hushwood.jobs.requests import InputOptions, ReleaseRequest
from hushwood.tables.reading import Reading
from support.people_files import as_text, people


def read(path: Path, **given: Any) -> Reading:
    return read_input(path, InputOptions(**given).arguments("ill"))


def test_roles_and_missing_texts(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(as_text(people()), "utf-8")
    found = read(path, identifier=("age",), confidential=("score",), missing=("x",))
    schema = found.table.schema
    assert [a.role for a in schema.attributes] == ["identifier", "confidential", "ordinary", "class"]
    assert schema["group"].categories == ("y", "z")
    with pytest.raises(InputError, match="Did you mean 'age'"):
        read(path, identifier=("agee",))


def test_a_column_has_one_role() -> None:
    given = InputOptions(identifier=("a",), confidential=("b", "b"))
    assert given.roles() == {"a": "identifier", "b": "confidential"}
    with pytest.raises(
        InputError, match="'a' cannot be both quasi-identifier and confidential; choose one role"
    ):
        InputOptions(quasi_identifier=("a",), confidential=("a",)).roles()


def test_what_decides_how_columns_are_understood() -> None:
    assert not InputOptions(encoding="latin-1", infinite="missing").chosen
    assert InputOptions(class_bins=2).chosen
    assert InputOptions(ignore=("a",)).chosen


@pytest.mark.parametrize(
    ("kind", "given", "says"),
    [
        (InputOptions, {"infinite": "no"}, "--infinite must be refuse or missing; 'no' was given."),
        (ReleaseRequest, {"evidence": "all"}, "--evidence must be none, quick or full; 'all' was given."),
        (AuditRequest, {"evidence": "none"}, "--evidence must be quick or full; 'none' was given."),
    ],
)
def test_words_that_do_not_exist_are_refused(kind: Any, given: dict[str, str], says: str) -> None:
    with pytest.raises(InputError) as refused:
        kind(**given)
    assert str(refused.value).startswith(says)


def test_a_key_has_a_past_only_if_it_was_given() -> None:
    assert not ReleaseRequest().key_has_a_past
    assert ReleaseRequest(seed="1" * 64).key_has_a_past
    assert not ReleaseRequest(seed="1" * 64, reuse_key=True).key_has_a_past
