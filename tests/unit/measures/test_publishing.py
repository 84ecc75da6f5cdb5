"""Numbers that may leave: none counts one to four records, none is exact."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from hushwood.measures.publishing import at_most_few, safe_count, safe_share, two_digits


def test_safe_counts() -> None:
    assert [safe_count(n) for n in (None, 0, 1, 4, 5, 7, 8, 1002)] == [None, 0, None, None, 5, 5, 10, 1000]
    assert [at_most_few(n) for n in (0, 4, 5, 23)] == [None, None, 5, 25]


def test_shares_without_records_are_left_alone() -> None:
    assert (safe_share(None, 10), safe_share(0.0, 10), safe_share(0.5, 0)) == (None, 0.0, 0.5)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
@example((2521, 5))  # 5 / 2521 · 2521 is less than 5
def test_a_share_does_not_tell_its_count(given_share: tuple[int, int]) -> None:
    records, count = given_share
    shown = safe_share(count / records, records)

    neighbours = range(max(0, count - 2), min(records, count + 2) + 1)
    assert (
        shown is None
        or shown in {0.0, 1.0}
        or any(n != count and safe_share(n / records, records) == shown for n in neighbours)
    )
    assert (shown is None) == (0 < count < 5)


def test_two_digits() -> None:
    assert [two_digits(v) for v in (0.0, 0.999, 0.00012, 34567.0)] == [0.0, 1.0, 0.0001, 35000.0]
