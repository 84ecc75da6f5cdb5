"""The joint test of a printed table: against plain counting, and with tables that fit and one that does not."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood_papers.protocol import Measured
from hushwood_papers.reproducing import joint
from hushwood_papers.reproducing.comparison import rows_of
from hushwood_papers.reproducing.joint import joint_chance, joint_sentence, joint_tests, joint_verdict
from hushwood_papers.reproducing.printed_numbers import Printed, PrintedNumber

ROWS, RUNS = 12, 39


def runs_of_ours(seed: int = 1, runs: int = RUNS + 1, rows: int = ROWS) -> Floats:
    """Rows that depend on each other: what a run has in common, and chance."""
    drawn = np.random.default_rng(seed)
    return np.asarray(drawn.normal(size=(1, runs)) + drawn.normal(size=(rows, runs)), np.float64)


def number(key: str, value: float, **more: object) -> PrintedNumber:
    return PrintedNumber(key, "Table 1", "page 1", key, value, 0.0, **more)  # type: ignore[arg-type]


def table(theirs: Floats, ours: Floats) -> tuple[Measured, Printed]:
    """A printed run, and our runs of the same rows."""
    numbers = {f"row {i}": values.tolist() for i, values in enumerate(ours)}
    printed = tuple(number(key, float(value)) for key, value in zip(numbers, theirs, strict=True))
    return Measured(numbers, repeats={ours.shape[1]: 1}), Printed("A paper.", printed)


def plain(rows: list[list[int]], printed_runs: int) -> tuple[Fraction, Fraction]:
    """Every choice of runs, with ranks by counting."""
    runs = range(len(rows[0]))

    def out(run: int) -> Fraction:
        total = Fraction(0)
        for row in rows:
            lower = sum(value < row[run] for value in row)
            higher = sum(value > row[run] for value in row)
            total += Fraction(abs(lower - higher), 2)
        return total

    sums = [sum(map(out, chosen)) for chosen in combinations(runs, printed_runs)]
    own = sum(out(run) for run in range(printed_runs))
    return Fraction(sum(one >= own for one in sums), len(sums)), Fraction(1, len(sums))


@pytest.mark.parametrize("printed_runs", [1, 2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_it_equals_plain_counting(seed: int, printed_runs: int) -> None:
    rows = np.random.default_rng(seed).integers(0, 6, size=(4, 9))
    expected = plain(rows.tolist(), printed_runs)
    assert joint_chance(rows.astype(float), printed_runs) == pytest.approx(tuple(map(float, expected)))


def test_a_table_that_is_one_of_our_runs_fails_as_often_as_it_may() -> None:
    """Each run in turn as the printed one: p is at most k/40 for k of 40, fewer only where two are equally far out."""
    rows = runs_of_ours()
    turned = [np.roll(rows, turn, axis=1) for turn in range(RUNS + 1)]
    chances = np.sort([joint_chance(one, 1)[0] for one in turned])
    places = np.arange(1, RUNS + 2) / (RUNS + 1)
    assert (chances > places - 1e-9).all()
    assert (chances < places + 0.11).all()
    assert chances[:2] == pytest.approx(places[:2])


def test_two_printed_runs_from_the_same_law_fail_at_the_right_rate() -> None:
    chances = [joint_chance(runs_of_ours(seed, 14, 5), 2)[0] for seed in range(400)]
    # 20 are expected; 7 and 33 are three standard deviations away.
    assert 7 <= sum(chance <= 0.05 for chance in chances) <= 33


def planted() -> tuple[Floats, Floats]:
    """Every number is possible, but all are the second from an end of our runs, at one end as often as at the other."""
    ours = runs_of_ours()[:, 1:]
    ordered = np.sort(ours, axis=1)
    return np.where(np.arange(ROWS) % 2, ordered[:, 1], ordered[:, -2]), ours


def test_a_planted_table_that_does_not_fit_is_found_though_every_row_is_possible() -> None:
    measured, printed = table(*planted())
    assert {row.verdict for row in rows_of(measured, printed)} == {"possible"}
    (found,) = joint_tests(measured, printed)
    assert (found.numbers, found.printed_runs, found.runs) == (ROWS, 1, RUNS)
    assert found.chance == found.lowest == pytest.approx(1 / (RUNS + 1))


def test_a_table_in_the_middle_of_our_runs_fits() -> None:
    ours = runs_of_ours()[:, 1:]
    (found,) = joint_tests(*table(np.median(ours, axis=1), ours))
    assert found.chance == 1


def test_only_rows_in_a_common_order_and_with_chance_in_them_count() -> None:
    numbers = {"one": [1.0, 2, 3, 4], "other": [1.0, 2, 3, 4], "some runs": [1.0, 2, 3], "fixed": [1.0]}
    printed = tuple(number(key, 2.0) for key in numbers)
    more = (number("one", 9.0, cannot="a misprint"), number("other", 9.0, fitted=True), number("none", 1.0))
    (found,) = joint_tests(Measured(numbers, repeats={4: 1, 1: 1, 0: 1}), Printed("", (*printed, *more)))
    assert (found.source, found.numbers, found.printed_runs, found.runs) == ("Table 1, page 1", 2, 1, 4)
    assert joint_tests(Measured(numbers), Printed("", printed)) == ()
    assert joint_tests(Measured(numbers, repeats={3: 1}), Printed("", printed)) == (), "a single number"


def test_a_repeat_with_several_runs_counts_as_one() -> None:
    """Two runs in each repeat, and both are printed: each is compared with its own, next to the one without noise."""
    rows = runs_of_ours(seed=6, runs=10, rows=3)
    first, second, original = rows
    numbers = {"noisy": rows[:2, 1:].T.ravel().tolist(), "original": original[1:].tolist()}
    printed = (number("noisy", first[0]), number("noisy", second[0]), number("original", original[0]))
    (found,) = joint_tests(Measured(numbers, repeats={18: 2, 9: 1}), Printed("", printed))
    assert (found.numbers, found.printed_runs, found.runs) == (3, 1, 9)
    assert (found.chance, found.lowest) == joint_chance(rows, 1) == (1.0, 0.1)
    out_of_step = np.array([[first[0], *numbers["noisy"][:9]], [second[0], *numbers["noisy"][9:]], original])
    assert joint_chance(out_of_step, 1) != joint_chance(rows, 1)


def test_ours_is_rounded_to_the_printed_digits() -> None:
    """5.01 and 5.04 are both 5.0 in print, which is then not lower than all of ours."""
    measured = Measured({"a": [5.01, 5.04, 5.02], "b": [5.01, 5.04, 5.02]}, repeats={3: 1})
    (found,) = joint_tests(measured, Printed("", (number("a", 5.0, digits=1), number("b", 5.0, digits=1))))
    assert found.chance == 1


def test_very_many_choices_leave_out_the_last_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = runs_of_ours()
    monkeypatch.setattr(joint, "_MOST_CHOICES", 100)
    assert joint_chance(rows, 2) == joint_chance(rows[:, :14], 2)
    assert joint_chance(rows, 2)[1] == pytest.approx(1 / 91)


@pytest.mark.parametrize(
    ("chance", "lowest", "verdict"),
    [
        (0.04, 0.02, "not like our runs"),
        (0.05, 0.02, "could be one of our runs"),
        (0.5, 0.0625, "too few runs to show a difference"),
        (0.0625, 0.0625, "further out than all of our runs, but too few runs to show a difference"),
    ],
)
def test_what_a_test_shows(chance: float, lowest: float, verdict: str) -> None:
    found = {"chance": chance, "lowest": lowest, "numbers": 3, "runs": 15}
    assert joint_verdict(found) == verdict
    assert joint_sentence(found) == (
        f"3 printed numbers together, against 15 runs of ours: {verdict} (p = {chance:.2g}; "
        f"the lowest possible here is {lowest:.2g})."
    )
