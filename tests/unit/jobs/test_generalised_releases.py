"""Releases whose cells stand for several values: every measure of that knows what they stand for, shown or not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.measures.protocol import Measurement
from hushwood.measures.risk.k_anonymity import KAnonymity
from hushwood.measures.utility.generalisation_loss import GeneralisationLoss
from hushwood.tables.recoding.cells import Generalised
from oracles.generalisation import categorical_lm, numeric_lm
from support.mixed_tables import number, table_of, target
from support.table_pairs import context_for

pytestmark = pytest.mark.filterwarnings("ignore::hushwood.errors.HushwoodWarning")

PLACES = [f"a place with the long name {letter}" for letter in "abcdefghij"]
LOSS = "generalisation_loss"


def people(rows: int = 240) -> pl.DataFrame:
    """Ages and days decide the class; many places with long names, some of them missing."""
    chance = np.random.default_rng(5)
    age = chance.integers(18, 90, rows)
    day = chance.integers(0, 2_000, rows)
    place = chance.integers(0, len(PLACES) + 1, rows)
    return pl.DataFrame(
        {
            "age": age,
            "visit": pl.Series(day).cast(pl.Int32).cast(pl.Date),
            "place": [PLACES[at] if at < len(PLACES) else None for at in place],
            "ill": ["yes" if flag else "no" for flag in (age > 50) ^ (chance.random(rows) < 0.1)],
        }
    )


def released_to(folder: Path, table: pl.DataFrame, technique: str, **more: Any) -> hw.Release:
    options = {"evidence": "none"} | more
    return hw.release(table, target="ill", technique=technique, output=folder, **options)


def wanted_lm(before: pl.Series, after: pl.Series) -> float:
    """The loss of a column of numbers: a released value stands for all numbers that became it."""
    old, new = before.to_physical().to_list(), after.cast(pl.String).to_list()
    ends = {v: [x for x, y in zip(old, new, strict=True) if y == v] for v in set(new)}
    cells = [numeric_lm(min(ends[v]), max(ends[v]), min(old), max(old)) for v in new]
    return sum(cells) / len(cells)


@pytest.mark.parametrize("technique", ["mondrian", "tds"])
@pytest.mark.parametrize("how", ["mean", "range"])
def test_a_number_for_several_numbers_costs_what_it_stands_for(
    tmp_path: Path, technique: str, how: str
) -> None:
    """TDS recodes every value alike, so its groups can be read from the two tables."""
    table = people()
    made = released_to(tmp_path / "out", table, technique, settings={technique: {"release": how}})
    audited = hw.audit(table, tmp_path / "out", target="ill", only=[LOSS])
    found = {column["name"]: column for column in audited[LOSS].details["columns"]}
    for name in ("age", "visit"):
        assert made.frame[name].n_unique() < table[name].n_unique()
        assert found[name]["lm"] > 0.01
        assert found[name]["generalised"] > 0
        if technique == "tds":
            assert found[name]["lm"] == pytest.approx(wanted_lm(table[name], made.frame[name]))


@pytest.mark.parametrize("how", ["mean", "range"])
def test_the_evidence_of_a_release_says_the_same_as_its_audit(tmp_path: Path, how: str) -> None:
    table = people(45)
    settings = {"mondrian": {"release": how}}
    made = released_to(
        tmp_path / "out", table, "mondrian", settings=settings, shuffle_rows=True, evidence="quick"
    )
    answer = made.evaluation.measure(LOSS) if made.evaluation else None
    audited = hw.audit(table, tmp_path / "out", target="ill", only=[LOSS])
    assert answer is not None
    assert answer.value == pytest.approx(audited[LOSS].value)
    assert audited[LOSS].value > 0.1


@pytest.mark.parametrize("technique", ["mondrian", "tds"])
def test_ranges_are_texts_that_anyone_can_read(tmp_path: Path, technique: str) -> None:
    table = people()
    made = released_to(tmp_path / "out", table, technique, settings={technique: {"release": "range"}})
    assert made.frame.schema["age"] == made.frame.schema["visit"] == pl.String
    for name in ("age", "visit"):
        assert made.certificate["columns"][name]["values"] == "ranges"
        sign = "-" if name == "age" else " to "
        for text, value in zip(made.frame[name], table[name].cast(pl.String), strict=True):
            first, _, last = text.partition(sign)
            assert first <= value <= (last or first)  # two digits, and dates as ISO writes them
    stranger = hw.audit(table, made.frame, target="ill", only=[LOSS, "means_and_variances"], match="rows")
    owner = hw.audit(table, tmp_path / "out", target="ill", only=[LOSS])
    for name, column in {c["name"]: c for c in stranger[LOSS].details["columns"]}.items():
        if name != "place":
            own = next(c for c in owner[LOSS].details["columns"] if c["name"] == name)
            assert column["lm"] == pytest.approx(own["lm"])
    assert not stranger.evaluation.audit.left_out


def test_what_only_the_owner_knows_makes_no_groups() -> None:
    """Two groups with the mean 5 look alike to everyone who reads the release."""
    table = table_of(
        {
            "x": (replace(number("x", 0, 9), role="quasi-identifier"), [4, 6, 1, 9]),
            "ill": (target("ill", ("no", "yes")), [0, 0, 1, 1]),
        }
    )
    released = table.with_columns({"x": np.full(4, 5.0)})
    ends = np.array([4.0, 4.0, 1.0, 1.0]), np.array([6.0, 6.0, 9.0, 9.0])
    behind = {"x": Generalised.of_ends(*ends, table.schema["x"])}
    context = context_for(table, released, stands_for=behind)
    groups = KAnonymity().compute(table, released, context)
    loss = GeneralisationLoss().compute(table, released, context)
    assert isinstance(groups, Measurement)
    assert isinstance(loss, Measurement)
    assert groups.value == 4
    assert loss.value == pytest.approx((2 / 9 + 8 / 9) / 2)


def test_a_shortened_label_is_in_the_key_and_read_by_an_audit(tmp_path: Path) -> None:
    table = people()
    made = released_to(tmp_path / "out", table, "mondrian", settings={"mondrian": {"k": 20}})
    short = {text for text in made.frame["place"].drop_nulls() if text.endswith(" more}")}
    assert short
    key = made.manifest["labels"]["place"]
    assert short <= key.keys()
    audited = hw.audit(table, tmp_path / "out", target="ill", only=[LOSS])
    (place,) = [c for c in audited[LOSS].details["columns"] if c["name"] == "place"]
    assert place["unknown"] == 0
    told = {label: [v for v in values if v in PLACES] for label, values in key.items()}
    lost = [_lm_of(text, told) for text in made.frame["place"].drop_nulls()]
    assert place["lm"] == pytest.approx(sum(lost) / len(lost))
    (page,) = tmp_path.glob("out/*/dictionary.md")
    text = page.read_text(encoding="utf-8")
    assert all(value in text for values in told.values() for value in values)


def _lm_of(text: str, told: dict[str, list[str]]) -> float:
    if text == "ALL":
        return 1.0
    named = told.get(text) or [place for place in PLACES if place in text]
    return categorical_lm(named, PLACES)


@pytest.mark.parametrize("mode", ["delta", "anchored"])
def test_numbers_of_a_published_tree_stand_for_their_intervals(tmp_path: Path, mode: str) -> None:
    table = people().drop("place")
    made = hw.publish_tree(table, target="ill", k=5, mode=mode, output=tmp_path / "tree")
    audited = hw.audit(table, tmp_path / "tree", target="ill", only=[LOSS])
    found = {column["name"]: column for column in audited[LOSS].details["columns"]}
    for name in ("age", "visit"):
        tested = made.frame[name].n_unique() > 1
        wanted = wanted_lm(table[name], made.frame[name]) if tested else 1.0
        assert found[name]["lm"] == pytest.approx(wanted)
        assert found[name]["lm"] > 0
    assert any(made.frame[name].n_unique() > 1 for name in ("age", "visit"))
    (tmp_path / "tree" / "private" / "plan.json").unlink()
    blind = hw.audit(table, tmp_path / "tree", target="ill", only=[LOSS])
    assert blind[LOSS].value == 0
    assert any("count as exact" in text for text in blind.evaluation.release.warnings)


def test_labels_of_a_published_tree_have_a_key(tmp_path: Path) -> None:
    """Nine long names on one side of a split."""
    table = people().with_columns(
        ill=pl.when(pl.col("place") == PLACES[0]).then(pl.lit("yes")).otherwise(pl.lit("no"))
    )
    made = hw.publish_tree(table.select("place", "ill"), target="ill", k=5, output=tmp_path / "tree")
    key = made.manifest["labels"]["place"]
    (label,) = [text for text in made.frame["place"].unique() if text in key]
    assert [value for value in key[label] if value in PLACES] == PLACES[1:]
    audited = hw.audit(table.select("place", "ill"), tmp_path / "tree", target="ill", only=[LOSS])
    (place,) = audited[LOSS].details["columns"]
    assert place["unknown"] == 0
    among = made.frame["place"] == label
    assert place["lm"] == pytest.approx(among.mean() * categorical_lm(PLACES[1:], PLACES))
