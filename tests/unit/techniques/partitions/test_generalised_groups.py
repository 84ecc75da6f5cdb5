from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.tables.recoding.cells import coded_labels
from hushwood.techniques.partitions.generalised_groups import group_labels, group_numbers
from support.mixed_tables import category, number

NAN = float("nan")


@settings(max_examples=80)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.one_of(st.none(), st.integers(-500, 500))), min_size=1, max_size=40
    ),
    st.sampled_from([0, 1, 2, None]),
    st.sampled_from(["mean", "median"]),
)
def test_numbers_lie_inside_their_group_and_on_the_grid(
    cells: list[tuple[int, int | None]], precision: int | None, inside: str
) -> None:
    step = 10.0 ** (precision or 0)
    values = np.array([NAN if x is None else x / step for _, x in cells])
    ids = np.array([group for group, _ in cells])
    out = group_numbers(values, ids, 4, number("x", -500, 500, precision), inside)  # type: ignore[arg-type]
    for group in range(4):
        known = sorted(x / step for g, x in cells if g == group and x is not None)
        if not known:
            assert np.isnan(out[group])
            continue
        assert known[0] <= out[group] <= known[-1]
        if inside == "median":
            assert out[group] == known[(len(known) - 1) // 2]
        else:
            assert (
                abs(out[group] - sum(known) / len(known)) <= (0.0 if precision is None else 0.5 / step) + 1e-9
            )
            if precision is not None:
                assert out[group] == round(float(out[group]), precision)


def test_equal_numbers_are_their_mean() -> None:
    found = group_numbers(np.array([0.1, 0.1, 0.1]), np.zeros(3, int), 1, number("x", 0, 1, None), "mean")
    assert found.tolist() == [0.1]


def test_a_single_keeps_its_precision() -> None:
    values = np.array([100_000.1, 100_000.3], np.float32).astype(float)
    attribute = replace(number("x", 0, 1e6, None), storage="Float32")
    found = group_numbers(values, np.zeros(2, int), 1, attribute, "mean")
    assert found[0] == np.float32(found[0])


def test_labels_of_groups() -> None:
    attribute = category("x", ("a", "b", "c", "never"))
    codes = np.array([0, 1, 0, 1, 2, -1, -1, -1, 0, 1, 2, -1])
    ids = np.array([0, 0, 1, 2, 2, 3, 4, 4, 5, 5, 5, 5])
    found, categories, key = group_labels(codes, ids, 6, attribute)
    assert key == {}
    assert categories == ("a", "b", "c", "never", "ALL", "{a, b}", "{b, c}")
    assert [categories[code] if code >= 0 else None for code in found.tolist()] == [
        *("{a, b}", "a", "{b, c}", None, None, "ALL")
    ]


def test_a_column_without_any_value() -> None:
    found, categories, key = group_labels(np.array([-1, -1]), np.array([0, 1]), 2, category("x", ()))
    assert (found.tolist(), categories, key) == ([-1, -1], (), {})


def test_labels_that_are_categories_already() -> None:
    found, categories, _ = coded_labels(["*", None, "b", "{a, b}", "*"], {}, category("x", ("a", "b", "*")))
    assert categories == ("a", "b", "*", "{a, b}")
    assert found.tolist() == [2, -1, 1, 3, 2]
