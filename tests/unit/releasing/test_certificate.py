from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl
import pytest

from hushwood.errors import BrokenCertificate
from hushwood.releasing.certificate import Certificate, Claims, certify

AGE = {"name": "age", "kind": "numeric", "integer": True, "precision": 0}
SEX = {"name": "sex", "kind": "categorical", "values": ["f", "m", "x"]}
AGE_TREE: list[dict[str, Any]] = [
    {"id": 0, "test": {"attribute": "age", "threshold": 30}, "children": {"le": 4, "gt": 7}, "missing_to": 7},
    {"id": 4},
    {"id": 7},
]
SEX_TREE: list[dict[str, Any]] = [
    {"id": 0, "test": {"attribute": "sex"}, "children": {"f": 1, "m": 2, "x": 2}, "missing_to": 2},
    {"id": 1},
    {"id": 2},
]
FOREST = {"attributes": [AGE, SEX], "trees": [{"nodes": AGE_TREE}, {"nodes": SEX_TREE}]}
ORIGINAL = pl.DataFrame({"age": [20, 30, 31, None], "sex": ["f", "m", None, "q"]})


def certificate(columns: Mapping[str, list[Any]] | None = None, *, claimed: bool = True) -> Certificate:
    released = ORIGINAL.with_columns(pl.Series(name, values) for name, values in (columns or {}).items())
    return certify(ORIGINAL, released, FOREST, Claims(claimed))


def test_the_same_table_keeps_all() -> None:
    assert certificate().to_json() == {"claimed": True, "records": 4, "kept": 4, "per_tree": [4, 4]}


@pytest.mark.parametrize(
    ("columns", "kept", "per_tree"),
    [
        ({"age": [30, 1, 99, 31]}, 4, (4, 4)),
        ({"age": [31, 30, 31, None]}, 3, (3, 4)),
        ({"age": [20, 30, 30, 30]}, 2, (2, 4)),
        ({"age": [None, 30, 31, 99]}, 3, (3, 4)),
        ({"sex": ["f", "x", "never seen", None]}, 4, (4, 4)),
        ({"sex": ["m", "f", "m", "m"]}, 2, (4, 2)),
        ({"sex": [None, "m", "m", "m"], "age": [20, 40, 31, 31]}, 2, (3, 3)),
    ],
    ids=str,
)
def test_records_that_move(columns: dict[str, list[Any]], kept: int, per_tree: tuple[int, ...]) -> None:
    found = certificate(columns)
    assert (found.kept, found.per_tree) == (kept, per_tree)


@pytest.mark.parametrize(
    ("columns", "kept", "per_tree"),
    [
        ({"age": [None, 31, 30, 20], "sex": ["q", None, "m", "f"]}, 4, (4, 4)),
        ({"age": [20, 20, 20, 31], "sex": ["f", "m", "m", "m"]}, 3, (3, 4)),
        ({"age": [20, 30, 31, None], "sex": ["m", "f", "m", "m"]}, 4, (4, 4)),
        ({"age": [31, 30, 31, 20], "sex": ["f", "m", "m", "m"]}, 2, (4, 4)),
    ],
    ids=str,
)
def test_made_up_records_are_matched_by_their_leaves(
    columns: dict[str, list[Any]], kept: int, per_tree: tuple[int, ...]
) -> None:
    """Whatever their rows: a record before and one after in the same leaf of all trees are a match, each used once."""
    released = ORIGINAL.with_columns(pl.Series(name, values) for name, values in columns.items())
    found = certify(ORIGINAL, released, FOREST, Claims(False, paired=False))
    assert (found.kept, found.per_tree) == (kept, per_tree)
    assert found.to_json()["paired"] is False


def test_lost_rows_keep_nothing() -> None:
    found = certify(ORIGINAL, ORIGINAL.head(3), FOREST, Claims(True))
    assert (found.records, found.kept, found.per_tree) == (4, 0, (0, 0))


def test_only_a_claim_can_be_broken() -> None:
    certificate({"age": [99, 99, 99, 99]}, claimed=False).check()
    certificate().check()
    with pytest.raises(BrokenCertificate, match="2 of 4 released records left their segment") as raised:
        certificate({"age": [99, 99, 99, 99]}).check()
    assert raised.value.exit_code == 3


def test_several_values_may_share_a_child_and_texts_may_be_numbers() -> None:
    grade = {"name": "grade", "kind": "categorical", "values": ["1", "2", "3"]}
    nodes = [
        {"id": 0, "test": {"attribute": "grade"}, "children": {"1": 1, "2": 1, "3": 2}, "missing_to": 1},
        {"id": 1},
        {"id": 2},
    ]
    forest = {"attributes": [grade], "trees": [{"nodes": nodes}]}
    before, after = pl.DataFrame({"grade": [1, 2, 3]}), pl.DataFrame({"grade": [2, 3, 3]})
    assert certify(before, after, forest, Claims(False)).kept == 2


def test_a_forest_of_leaves_keeps_all() -> None:
    forest = {"attributes": [AGE], "trees": [{"nodes": [{"id": 0}]}]}
    assert certify(ORIGINAL, ORIGINAL.reverse(), forest, Claims(True)).kept == 4
