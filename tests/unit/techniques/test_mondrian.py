"""What Mondrian releases; the parts themselves are compared with the definition in `test_mondrian_parts`.

What TDS releases; which values it tells apart is compared with the definition in `test_specialisation`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.columns.class_column import for_class
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.schema import Role
from hushwood.tables.table import Table
from hushwood.techniques.mondrian import Mondrian, Tds
from hushwood.techniques.partitions.mondrian_parts import Limits, class_response, mondrian_parts
from support.mixed_tables import category, mixed_table, number, table_of, target
from support.small_random_tables import plain_column, random_table
from support.technique_variants import released_by

STREAMS = Streams(bytes(range(32)))
NAN = float("nan")


def released(technique: Mondrian, table: Table) -> Table:
    return released_by(technique, table, whole_table(table), STREAMS)


def in_role(table: Table, name: str, role: Role) -> Table:
    return replace(table, schema=table.schema.with_role([name], role))


def records(table: Table, names: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return list(zip(*(plain_column(table, name) for name in names), strict=True))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("inside", ["mean", "median"])
def test_k_and_l_counted_on_the_release(seed: int, inside: Any) -> None:
    table = in_role(mixed_table(seed, 150 + 20 * seed), "job", "confidential")
    k, l = 2 + seed % 5, 1.0 + seed % 3
    out = released(Mondrian(k, l, release=inside), table)
    names = tuple(a.name for a in table.schema.inputs if a.name != "job")
    groups: dict[tuple[Any, ...], list[Any]] = {}
    for record, job in zip(records(out, names), plain_column(table, "job"), strict=True):
        groups.setdefault(record, []).append(job)
    assert min(map(len, groups.values())) >= k
    assert all(max(Counter(jobs).values()) * l <= len(jobs) for jobs in groups.values())
    assert len(groups) > 5
    for name in ("job", "risk"):
        assert np.array_equal(out.columns[name], table.columns[name])


def test_a_small_table_by_hand() -> None:
    table = table_of(
        {
            "age": (number("age", 0, 99), [20, 21, 23, 50, 60, 71]),
            "price": (number("price", 0, 9, 2), [0.1, 0.1, 0.1, NAN, 1.25, 1.31]),
            "size": (number("size", 0, 9, None), [NAN, NAN, NAN, 1.0, 2.0, 4.0]),
            "city": (category("city", ["Bonn", "Köln", "Ulm", "Wien"]), [0, 0, 0, 1, -1, 3]),
            "y": (target("y", "no"), [0, 0, 0, 1, 1, 1]),
        }
    )
    out = released(Mondrian(3), table)
    assert plain_column(out, "age") == [21, 21, 21, 60, 60, 60]
    assert plain_column(out, "price") == [0.1, 0.1, 0.1, 1.28, 1.28, 1.28]
    assert plain_column(out, "size")[:3] == [None] * 3
    assert plain_column(out, "size")[3:] == pytest.approx([7 / 3] * 3)
    assert plain_column(out, "city") == ["Bonn"] * 3 + ["{Köln, Wien, missing}"] * 3
    assert out.schema["city"].storage == "String"
    assert out.columns["city"].tolist() == [0, 0, 0, 4, 4, 4]
    middle = released(Mondrian(3, release="median"), table)
    assert plain_column(middle, "age") == [21, 21, 21, 60, 60, 60]
    assert plain_column(middle, "price") == [0.1] * 3 + [1.25] * 3


def test_one_part_says_all() -> None:
    table = random_table(4, "cc", 20, 2, gaps=0.2)
    out = released(Mondrian(max_parts=1), table)
    assert set(plain_column(out, "c0")) == set(plain_column(out, "c1")) == {"ALL"}


def test_columns_that_need_no_label_stay_what_they_are() -> None:
    table = table_of(
        {
            "flag": (replace(category("flag", ("false", "true")), storage="Boolean"), [0, 0, 1, 1]),
            "y": (target("y", "no"), [0, 0, 1, 1]),
        }
    )
    out = released(Mondrian(2), table)
    assert out.schema == table.schema
    assert frame_from_table(out)["flag"].to_list() == [False, False, True, True]
    labelled = released(Mondrian(4), table)
    assert frame_from_table(labelled)["flag"].to_list() == ["ALL"] * 4


def test_a_category_that_looks_like_a_label_is_not_taken_for_one() -> None:
    table = table_of(
        {
            "x": (category("x", ("ALL", "a")), [0, 1, 0, 1]),
            "y": (target("y", "no"), [0, 0, 1, 1]),
        }
    )
    out = released(Mondrian(4), table)
    assert plain_column(out, "x") == ["ALL (group)"] * 4
    key = Mondrian(4).prepare(table, ["x", "y"], whole_table(table)).labels
    assert key == {"x": {"ALL (group)": ("ALL", "a")}}


def test_only_declared_quasi_identifiers_are_generalised_if_there_are_any() -> None:
    table = in_role(random_table(2, "nnc", 40, 2), "n0", "quasi-identifier")
    out = released(Mondrian(4), table)
    changed = [n for n in table.schema.names if not np.array_equal(out.columns[n], table.columns[n], True)]
    assert changed == ["n0"]
    assert min(Counter(plain_column(out, "n0")).values()) >= 4


def test_a_numeric_response_is_explained_too() -> None:
    table = table_of(
        {
            "x": (number("x", 0, 9), [1, 2, 3, 4, 5, 6]),
            "y": (replace(number("y", 0, 99), role="class"), [5, 5, 5, 5, 90, 91]),
        }
    )
    out = released(Mondrian(2, max_parts=2), table)
    assert plain_column(out, "x") == [2, 2, 2, 2, 6, 6]  # 2.5 and 5.5 go to the even neighbour
    assert plain_column(out, "y") == plain_column(table, "y")


def test_the_law_is_certain() -> None:
    table = random_table(6, "ncd", 60, 3)
    perturber = Mondrian(5).prepare(table, table.schema.names, whole_table(table))
    out = perturber.perturb(table.columns, np.zeros(60, np.int32), range(60), STREAMS)
    law = perturber.law()
    own = law.log_prob(table.columns, out, np.zeros(60, np.int32))
    assert np.isfinite(own).all()
    other = {name: np.roll(values, 7) for name, values in out.items()}
    moved = perturber.law().members != np.roll(law.members, 7)
    assert np.isinf(law.log_prob(table.columns, other, np.zeros(60, np.int32))[moved]).mean() > 0.9
    assert law.described()["form"] == "generalised"
    names = [n for n in table.schema.names if n != "y"]
    assert law.described()["groups"] == mondrian_parts(table, names, Limits(5)).count


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"k": 1}, "k of MONDRIAN must be 2 or more"),
        ({"l": 0.0}, "l of MONDRIAN must be 1"),
        ({"max_parts": 0}, "max_parts of MONDRIAN must be 1 or more"),
        ({"min_gain": -0.1}, "min_gain of MONDRIAN must be 0 or more"),
        ({"release": "middle"}, "release of MONDRIAN"),
    ],
)
def test_wrong_parameters(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Mondrian(**wrong)


def coded_table() -> Table:
    codes = ["10115", "10117", "80331", "80333"]
    zips = replace(category("zip", codes), hierarchy="prefix")
    return table_of({"zip": (zips, [0, 1, 2, 3] * 3), "y": (target("y", "no"), [0, 0, 1, 1] * 3)})


def test_codes_are_grouped_by_their_first_signs() -> None:
    out = released(Mondrian(4), coded_table())
    assert plain_column(out, "zip") == ["1011*", "1011*", "8033*", "8033*"] * 3


def released_tds(technique: Tds, table: Table) -> Table:
    return released_by(technique, table, whole_table(table), STREAMS)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("score", ["igpl", "ratio"])
def test_k_counted_on_the_release_and_one_recoding_for_all(seed: int, score: Any) -> None:
    table = mixed_table(seed, 200 + 30 * seed)
    k = 2 + seed % 5
    out = released_tds(Tds(k, score), table)
    names = [a.name for a in table.schema.inputs]
    columns = {name: plain_column(out, name) for name in names}
    groups = Counter(zip(*columns.values(), strict=True))
    assert min(groups.values()) >= k
    assert len(groups) > 3
    for name in names:
        became: dict[Any, Any] = {}
        for before, after in zip(plain_column(table, name), columns[name], strict=True):
            assert became.setdefault(before, after) == after
    assert np.array_equal(out.columns["risk"], table.columns["risk"])


def test_a_small_table_by_hand_tds() -> None:
    table = table_of(
        {
            "age": (number("age", 0, 99), [20, 21, 23, 50, 60, 71]),
            "city": (category("city", ["Bonn", "Ulm"]), [0, 1, 0, 1, 0, 1]),
            "gap": (number("gap", 0, 9), [NAN, NAN, 3, 4, NAN, 5]),
            "y": (target("y", "no"), [0, 0, 0, 1, 1, 1]),
        }
    )
    out = released_tds(Tds(3), table)
    assert plain_column(out, "age") == [21, 21, 21, 60, 60, 60]
    assert plain_column(out, "city") == ["*"] * 6
    assert plain_column(out, "gap") == [4] * 6
    assert plain_column(released_tds(Tds(3, max_steps=0), table), "age") == [41] * 6  # 40.83


def test_values_told_apart_stay_themselves() -> None:
    table = table_of(
        {
            "city": (category("city", ["Bonn", "Ulm", "Wien"]), [0, 0, 1, 1, -1, -1]),
            "y": (target("y", "no"), [0, 0, 1, 1, 0, 0]),
        }
    )
    out = released_tds(Tds(2), table)
    assert out.schema == table.schema
    assert plain_column(out, "city") == ["Bonn", "Bonn", "Ulm", "Ulm", None, None]


def test_a_number_is_seen_in_bins_and_without_a_class_the_principal_score_stands_in() -> None:
    table = random_table(1, "nc", 30, 2, response="number")
    table = for_class(replace(table, schema=table.schema.with_role(["y"], "ordinary")), "y")
    none = replace(table, schema=table.schema.with_role(["y"], "ordinary"))
    for one in (table, none):
        label, classes = class_response(one)
        assert 0 <= label.min() <= label.max() < classes
        assert released_tds(Tds(5), one).rows == 30


def test_more_records_than_there_are() -> None:
    with pytest.raises(InputError, match="k = 31 records cannot be made of 30"):
        released_tds(Tds(31), random_table(1, "nc", 30, 2))


def test_confidential_columns_stay() -> None:
    table = random_table(5, "nc", 60, 2)
    table = replace(table, schema=table.schema.with_role(["c1"], "confidential"))
    out = released_tds(Tds(), table)
    assert np.array_equal(out.columns["c1"], table.columns["c1"])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"k": 1}, "k of TDS must be 2 or more"),
        ({"score": "gain"}, "score of TDS"),
        ({"max_steps": -1}, "max_steps of TDS must be 0"),
    ],
)
def test_wrong_parameters_tds(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Tds(**wrong)


def test_codes_are_grouped_by_their_first_signs_tds() -> None:
    codes = ["10115", "10117", "80331", "80333"]
    zips = replace(category("zip", codes), hierarchy="prefix")
    table = table_of({"zip": (zips, [0, 1, 2, 3] * 3), "y": (target("y", "no"), [0, 0, 1, 1] * 3)})
    assert plain_column(released_tds(Tds(4), table), "zip") == ["1****", "1****", "8****", "8****"] * 3
