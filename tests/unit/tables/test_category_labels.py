from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.category_labels import LONGEST, braced, set_label
from hushwood.tables.category_texts import CategoryReader

LONG = [f"value {i:02d}" for i in range(14)]


@pytest.mark.parametrize(
    ("values", "all_of", "label"),
    [
        (["a"], 1, "a"),
        (["a"], 5, "a"),
        ([""], 5, ""),
        (["a", "b"], 5, "{a, b}"),
        (["a", "b"], 2, "ALL"),
        (["b", "a", "missing"], 4, "{b, a, missing}"),
        (["a,b", "c"], 5, "{a,b; c}"),
        (["a,b", "c;d"], 5, "{a,b | c;d}"),
        (["a,b", "c;d", "e|f"], 5, "{a,b, c;d, e|f}"),
        (LONG, 14, "ALL"),
        (
            LONG,
            15,
            "{value 00, value 01, value 02, value 03, value 04, value 05 and 8 more}",
        ),
        (["x" * 50, "y" * 50, "z"], 9, "{" + "x" * 50 + " and 2 more}"),
        (["x" * 100, "y"], 9, "{" + "x" * 100 + " and 1 more}"),
    ],
)
def test_labels(values: list[str], all_of: int, label: str) -> None:
    assert set_label(values, all_of) == label


def test_eighty_characters_are_not_too_many() -> None:
    exact = ["a" * 38, "b" * 38]
    assert len(braced(exact)) == LONGEST
    assert set_label(exact, 9) == braced(exact)
    assert set_label([exact[0], exact[1] + "b"], 9).endswith(" and 1 more}")


@given(
    st.lists(st.text("ab,;", min_size=1, max_size=4), min_size=2, max_size=6, unique=True), st.integers(1, 3)
)
def test_an_audit_reads_the_label_as_the_same_values(names: list[str], extra: int) -> None:
    others = [f"other {i}" for i in range(extra)]
    values = [name for name in names if name.strip() == name]
    if "," in "".join(values) and ";" in "".join(values):
        values = [value.replace(";", "s") for value in values]
    values = list(dict.fromkeys(values))
    if len(values) < 2:
        return
    reader = CategoryReader.of([*values, *others], None)
    assert list(reader.read(set_label(values, len(values) + extra))) == list(range(len(values)))
    assert len(reader.read(set_label(values, len(values)))) == len(values) + extra
