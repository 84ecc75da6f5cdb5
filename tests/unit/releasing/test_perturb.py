from __future__ import annotations

import ctypes
from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from hushwood.demo.synthetic_tables import credit_risk
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.releasing.certificate import Claims, certify
from hushwood.releasing.engines import memory
from hushwood.releasing.engines.memory import return_freed_memory
from hushwood.releasing.fitted import PreparedStep, released_table
from hushwood.releasing.fitting import Sample
from hushwood.releasing.perturb import Perturbed, PerturbOptions, laid_out, perturb
from hushwood.releasing.planning import plan_for
from hushwood.releasing.recipes import CORRELATED
from hushwood.segments.partition import whole_table
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.reading import read_table
from hushwood.tables.table import Table
from hushwood.techniques.mondrian import Mondrian
from hushwood.techniques.protocol import Technique
from hushwood.techniques.swap import Swap
from hushwood.trees.model_file import forest_to_json
from support.mixed_tables import category, mixed_table, number, one_tree, table_of, target

STREAMS = Streams(bytes(32))
TABLE = mixed_table(3, 500)
OPTIONS = PerturbOptions("forest-framework", min_leaf=15, threads=1)


def kept(done: Perturbed) -> int:
    frames = frame_from_table(TABLE), frame_from_table(done.table)
    return certify(*frames, forest_to_json(done.forest), Claims(False)).kept


@pytest.mark.parametrize("correlated", CORRELATED)
@pytest.mark.parametrize("technique", ["extended-framework", "forest-extended-framework"])
def test_extended_frameworks_touch_every_column_and_keep_every_record(
    technique: str, correlated: str
) -> None:
    done = perturb(TABLE, replace(OPTIONS, technique=technique, correlated=correlated), STREAMS)
    assert done.plan.keeps_segments
    assert kept(done) == TABLE.rows
    assert sum(records for _, records in done.ways.values()) == TABLE.rows
    for name in ("count", "price", "ratio", "city", "job", "risk"):
        assert not np.array_equal(done.table.columns[name], TABLE.columns[name], equal_nan=name in {"count"})


def unique_numbers_found(done: Perturbed) -> float:
    """The share of the continuous numbers that one record of the table has which are in the release."""
    before = TABLE.columns["ratio"]
    values, count = np.unique(before[~np.isnan(before)], return_counts=True)
    return float(np.isin(values[count == 1], done.table.columns["ratio"]).mean())


@pytest.mark.parametrize(
    "technique", ["extended-framework", "forest-extended-framework", "shuffle", "rankswap"]
)
def test_unique_numbers_are_not_handed_out_unless_asked_for(technique: str) -> None:
    options = replace(OPTIONS, technique=technique)
    assert unique_numbers_found(perturb(TABLE, options, STREAMS)) < 0.02
    unblurred = perturb(TABLE, replace(options, blur=0), STREAMS)
    assert unique_numbers_found(unblurred) > 0.9
    assert unblurred.method["blur"] == 0


def test_numbers_that_cannot_be_blurred_are_counted() -> None:
    """The rule x > 0.5 leaves four records the number 1 alone."""
    table = table_of(
        {
            "x": (number("x", 0, 1), [0.0] * 60 + [1.0] * 4),
            "y": (number("y", 0, 99), [float(i) for i in range(64)]),
            "ill": (target("ill", "ny"), [0] * 60 + [1] * 4),
        }
    )
    done = perturb(table, PerturbOptions(technique="extended-framework", min_leaf=2, threads=1), STREAMS)
    assert [text for text in done.warnings if "blurred" in text] == [
        (
            "In column 'x', 4 numbers that few records share could not be blurred, because the rules or their "
            "neighbours leave no other number; they are released as they are, on some record of the table."
        )
    ]
    assert done.table.columns["x"].tolist() == table.columns["x"].tolist()


def test_values_that_capt_is_certain_to_keep_are_counted() -> None:
    done = perturb(TABLE, replace(OPTIONS, technique="framework", min_leaf=60), STREAMS)
    for seed in range(3):
        again = perturb(
            TABLE, replace(OPTIONS, technique="framework", min_leaf=60), Streams(bytes([seed]) * 32)
        )
        for name in ("city", "job"):
            kept_values = int((again.table.columns[name] == TABLE.columns[name]).sum())
            assert done.untouched.get(name, 0) <= kept_values


def test_records_that_go_out_as_they_came_are_told() -> None:
    """Alone in its leaf, without numbers: nothing can change."""
    frame = pl.DataFrame({"c": ["a", *"bbbbbbbb"], "d": ["x", *"xyxyxyxy"], "k": ["q", *"pqpqpqpq"]})
    forest = one_tree(
        {"name": "c", "kind": "categorical", "values": ["a", "b"]},
        [
            {
                "id": 0,
                "test": {"attribute": "c"},
                "children": {"a": 1, "b": 2},
                "missing_to": 2,
                "counts": [4, 5],
            },
            {"id": 1, "counts": [0, 1]},
            {"id": 2, "counts": [4, 4]},
        ],
    )
    done = perturb(read_table(frame, target="k"), OPTIONS, STREAMS, forest)
    same = [row for row in range(9) if frame_from_table(done.table).row(row) == frame.row(row)]
    assert 0 in same
    assert any(
        f"{len(same)} of 9 records are released unchanged in every column" in warning
        for warning in done.warnings
    )


def test_numbers_that_cannot_be_drawn_together_are_warned_of() -> None:
    chance = np.random.default_rng(4)
    values = chance.normal(size=(120, 5)).round(2)
    gaps = np.where(chance.random(values.shape) < 0.4, np.nan, values)
    for numbers, warned in ((values, False), (gaps, True)):
        frame = pl.DataFrame(numbers, [f"x{j}" for j in range(5)]).fill_nan(None)
        table = read_table(frame.with_columns(k=pl.Series(["a", "b"] * 60)), target="k")
        done = perturb(table, replace(OPTIONS, technique="rotation"), STREAMS)
        assert any("could not be drawn together" in warning for warning in done.warnings) == warned


def test_only_groups_tell_their_ways() -> None:
    assert perturb(TABLE, OPTIONS, STREAMS).ways == {}
    done = perturb(TABLE, replace(OPTIONS, technique="gadp"), STREAMS)
    assert not done.plan.keeps_segments
    assert done.ways.keys() <= {"own", "rotation", "permutation", "noise"}


def test_cells_are_left_out_on_top_of_any_technique() -> None:
    rules = ("price > 5", "city = Mel : job")
    plain = perturb(TABLE, OPTIONS, STREAMS)
    done = perturb(TABLE, replace(OPTIONS, suppress=rules), STREAMS)
    dear = TABLE.columns["price"] > 5
    mel = TABLE.columns["city"] == TABLE.schema["city"].categories.index("Mel")
    assert dear.any()
    assert mel.any()
    assert np.isnan(done.table.columns["price"][dear]).all()
    assert (done.table.columns["job"][mel] == -1).all()
    np.testing.assert_array_equal(done.table.columns["price"][~dear], plain.table.columns["price"][~dear])
    np.testing.assert_array_equal(done.table.columns["job"][~mel], plain.table.columns["job"][~mel])
    assert plain.plan.keeps_segments
    assert not done.plan.keeps_segments
    assert set(done.plan.steps[-1].attributes) == {"price", "job"}
    assert done.warnings == plain.warnings


@pytest.mark.parametrize("technique", ["forest-framework", "framework"])
def test_frameworks_touch_every_column_and_keep_every_record(technique: str) -> None:
    done = perturb(TABLE, replace(OPTIONS, technique=technique), STREAMS)
    assert done.plan.keeps_segments
    assert kept(done) == TABLE.rows
    assert done.untouched.keys() == ({"city", "job"} if technique == "framework" else set())
    for name in ("count", "price", "ratio", "city", "job", "risk"):
        assert not np.array_equal(done.table.columns[name], TABLE.columns[name], equal_nan=name in {"count"})


def test_the_key_decides_and_chunks_do_not() -> None:
    first = perturb(TABLE, OPTIONS, STREAMS).table
    for chunk_rows, threads in ((1, 1), (7, 2), (500, 2)):
        again = perturb(TABLE, replace(OPTIONS, chunk_rows=chunk_rows, threads=threads), STREAMS).table
        assert all(
            np.array_equal(first.columns[name], again.columns[name], equal_nan=values.dtype.kind == "f")
            for name, values in TABLE.columns.items()
        )
    other = perturb(TABLE, OPTIONS, Streams(b"\x01" * 32)).table
    assert not np.array_equal(first.columns["ratio"], other.columns["ratio"], equal_nan=True)


def test_a_given_forest_counts_with_all_its_trees() -> None:
    """Records must stay in every tree, also for a recipe that grows one tree by itself."""
    forest = perturb(TABLE, OPTIONS, STREAMS).forest
    assert len(forest.trees) == 3
    done = perturb(TABLE, replace(OPTIONS, technique="framework"), STREAMS, forest)
    assert (done.plan.over, done.plan.trees) == ("intersections", 3)
    assert kept(done) == TABLE.rows
    perturb(TABLE, replace(OPTIONS, trees=3), STREAMS, forest)
    with pytest.raises(InputError, match="has 3 trees, but 2 were asked for"):
        perturb(TABLE, replace(OPTIONS, trees=2), STREAMS, forest)


def test_what_a_single_technique_leaves_alone_is_counted() -> None:
    """Two rules test x, the third does not: LINFAPT works on the records of the first two."""
    frame = pl.DataFrame(
        {"x": [1, 2, 3, 4, 5, 6], "y": [1, 2, 3, 4, 5, 6], "g": list("ababab"), "k": list("aabbab")}
    )
    table = read_table(frame, target="k")
    forest = one_tree(
        {"name": "x", "kind": "numeric", "integer": True},
        [
            {
                "id": 0,
                "test": {"attribute": "x", "threshold": 3},
                "children": {"le": 1, "gt": 2},
                "missing_to": 1,
                "counts": [3, 3],
            },
            {"id": 1, "counts": [2, 1]},
            {"id": 2, "counts": [1, 2]},
        ],
    )
    done = perturb(table, replace(OPTIONS, technique="linfapt"), STREAMS, forest)
    assert [step.attributes for step in done.plan.steps] == [("x",)]
    assert done.plan.copied(table.schema) == ("y", "g", "k")
    assert done.untouched == {}
    rest = perturb(table, replace(OPTIONS, technique="linnapt"), STREAMS, forest)
    assert [step.attributes for step in rest.plan.steps] == [("y",)]


def test_a_partly_covered_column_is_warned_of() -> None:
    table = credit_risk(500, bytes(32))
    done = perturb(table, replace(OPTIONS, technique="linfapt"), STREAMS)
    assert done.untouched
    for name, count in done.untouched.items():
        before, after = table.columns[name], done.table.columns[name]
        tested = done.segments.influential[name][done.segments.ids]
        assert 0 < count == int((~tested).sum()) < 500
        assert np.array_equal(before[~tested], after[~tested])
        assert not np.array_equal(before[tested], after[tested])
        assert f"Column {name!r} is copied as it is in {count:,} of 500 records" in "\n".join(done.warnings)


def test_a_technique_with_nothing_to_do_is_refused() -> None:
    with pytest.raises(InputError, match="'linfapt' finds nothing to change"):
        perturb(TABLE, replace(OPTIONS, technique="linfapt", min_leaf=400), STREAMS)


def test_a_binned_class_is_permuted_within_segments() -> None:
    chance = np.random.default_rng(1)
    age = chance.integers(0, 60, 400)
    frame = pl.DataFrame({"age": age, "pay": age * 10 + chance.integers(0, 100, 400)})
    table = read_table(frame, target="pay", class_bins=3)
    done = perturb(table, PerturbOptions(min_leaf=20, redraw=0), STREAMS)
    assert done.segments.count > 1
    before = Counter(zip(done.segments.ids.tolist(), table.columns["pay"].tolist(), strict=True))
    after = Counter(zip(done.segments.ids.tolist(), done.table.columns["pay"].tolist(), strict=True))
    assert before == after
    assert (done.table.columns["pay"] != table.columns["pay"]).mean() > 0.5


@pytest.mark.parametrize("option", ["trees", "chunk_rows"])
def test_counts_start_at_one(option: str) -> None:
    with pytest.raises(InputError, match="must be 1 or more; 0 was given"):
        perturb(TABLE, replace(OPTIONS, **{option: 0}), STREAMS)  # type: ignore[arg-type]


def released(technique: Technique, table: Table) -> Table:
    segments = whole_table(table)
    steps = [PreparedStep(technique.prepare(table, ["size"], segments), segments.ids)]
    return released_table(
        table, [step.perturber for step in steps], memory.run(table, steps, Streams(bytes(32)))
    )


def sizes() -> Table:
    size = replace(category("size", ("s", "m", "l")), storage="Enum")
    return table_of({"size": (size, [0, 1, 2, 2, 1, 0]), "y": (target("y", "no"), [0, 0, 1, 1, 0, 0])})


def test_new_categories_make_a_text_column() -> None:
    out = released(Mondrian(2, max_parts=2), sizes())
    assert out.schema["size"].categories == ("s", "m", "l", "{s, m}")
    assert out.columns["size"].tolist() == [3, 3, 2, 2, 3, 3]
    column = frame_from_table(out)["size"]
    assert column.dtype == pl.String
    assert column.to_list() == ["{s, m}", "{s, m}", "l", "l", "{s, m}", "{s, m}"]


def test_without_new_categories_the_schema_stays() -> None:
    table = sizes()
    out = released(Swap(), table)
    assert out.schema is table.schema
    assert np.array_equal(np.sort(out.columns["size"]), np.sort(table.columns["size"]))


def test_glibc_is_asked_for_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Library:
        malloc_trim = asked.append

    monkeypatch.setattr(ctypes, "CDLL", lambda name: Library)
    return_freed_memory()
    assert asked == [0]


def test_other_libraries_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[object] = []

    def library(name: object) -> object:
        called.append(name)
        return object()

    monkeypatch.setattr(ctypes, "CDLL", library)
    return_freed_memory()
    assert called == [None]


@pytest.mark.parametrize("technique", ["forest-framework", "segment-shuffle"])
def test_records_learnt_from_in_another_order_are_in_the_same_segments(technique: str) -> None:
    """As after a key column gave them their order: laws and segments are those of the table's own rows."""
    options = replace(OPTIONS, technique=technique)
    done = perturb(TABLE, options, STREAMS)
    other_order = np.random.default_rng(5).permutation(TABLE.rows)
    laid = laid_out(TABLE, plan_for(options, TABLE), done.forest, options, Sample.at(other_order, TABLE))
    assert np.array_equal(laid.segments.ids, done.segments.ids)
    for one, other in zip(laid.prepared, done.steps, strict=True):
        assert np.array_equal(one.segment_ids, other.segment_ids)


def test_numbers_that_are_drawn_record_by_record_are_counted_too() -> None:
    done = perturb(TABLE, PerturbOptions("gadp", threads=1), STREAMS)
    assert sum(records for _, records in done.ways.values()) == TABLE.rows
