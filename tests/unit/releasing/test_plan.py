from __future__ import annotations

from dataclasses import replace

from hushwood.releasing.plan import Plan, Step
from hushwood.tables.schema import Attribute, Schema
from hushwood.techniques.capt import Capt
from hushwood.techniques.class_permutations import Rpt
from hushwood.techniques.domain_noise import Linfapt
from hushwood.techniques.laws.promises import COPIED
from hushwood.techniques.segment_shuffle import SegmentShuffle

SCHEMA = Schema(
    (
        Attribute("name", "categorical", "identifier"),
        Attribute("age", "numeric"),
        Attribute("town", "categorical", "ignored"),
        Attribute("ill", "categorical", "class"),
    )
)
PLAN = Plan("some", "leaves", (Step(Linfapt(), ("age",)), Step(Rpt(), ("ill",))), 1)


def test_the_certificate_is_claimed_if_every_step_keeps_segments() -> None:
    assert PLAN.keeps_segments
    literal = Plan("some", "leaves", (*PLAN.steps, Step(Capt(mode="literal"), ("town",))), 1)
    assert not literal.keeps_segments


def test_copied_columns_are_those_without_a_step() -> None:
    assert PLAN.copied(SCHEMA) == ("town",)
    assert Plan("none", "leaves", (), 1).copied(SCHEMA) == ("age", "town", "ill")


def test_several_trees_make_intersections() -> None:
    assert (PLAN.with_trees(1).over, PLAN.with_trees(1).trees) == ("leaves", 1)
    assert (PLAN.with_trees(3).over, PLAN.with_trees(3).trees) == ("intersections", 3)
    assert Plan("all", "table", (), 1).with_trees(3).over == "table"


def test_described() -> None:
    first, second = PLAN.described(SCHEMA)
    assert first["columns"] == ["age"]
    assert (first["technique"], first["acronym"], first["keeps_segment"]) == ("linfapt", "LINFAPT", True)
    assert second["says"] == Rpt().says()
    assert "row_order" not in first


def test_columns_that_a_technique_treats_differently_are_described_apart() -> None:
    schema = SCHEMA.with_role(["town"], "quasi-identifier")
    numbers, categories, labels = Plan(
        "ours", "leaves", (Step(SegmentShuffle(), ("age", "town", "ill")),), 1
    ).described(schema)
    assert [part["columns"] for part in (numbers, categories, labels)] == [["age"], ["town"], ["ill"]]
    assert numbers["says"].endswith("numbers that fewer than 5 records share are blurred.")
    assert "blurred" not in categories["says"]
    assert {part["row_order"] for part in (numbers, categories, labels)} == {"secret"}
    assert "as models predict it from the released record; counts are exact." in labels["says"]
    (same, permuted) = Plan(
        "ours", "leaves", (Step(SegmentShuffle(teacher="none", blur=0), ("age", "town", "ill")),), 1
    ).described(schema)
    assert same["columns"] == ["age", "town"]
    assert "at random; counts are exact." in permuted["says"]


def test_every_column_that_goes_out_has_a_promise() -> None:
    found = PLAN.promises(SCHEMA)
    assert list(found) == [a.name for a in SCHEMA.attributes if a.role != "identifier"]
    for step in PLAN.steps:
        assert all(found[name] == step.technique.promise for name in step.attributes)
    assert {found[name] for name in PLAN.copied(SCHEMA)} <= {COPIED}
    whole = replace(PLAN, over="table").promises(SCHEMA)
    assert {promise.within for promise in whole.values()} == {"table"}
