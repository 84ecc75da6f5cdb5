"""Verdicts about printed numbers and sentences, by hand: who agrees, who differs by how much, and why."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood_papers.protocol import Finding, Measured
from hushwood_papers.reproducing.comparison import Ours, Row, counted, rows_of, shown
from hushwood_papers.reproducing.printed_numbers import Printed, PrintedClaim, PrintedNumber, Reading

NUMBER = PrintedNumber("right", "Table 1", "page 10", "First run: right", 84.8, 0.5, "%")
CLAIM = PrintedClaim("better", "section 5", "page 12", "One is better than the other.")


def row_of(number: PrintedNumber, *values: float) -> Row:
    (row,) = rows_of(Measured({number.key: values} if values else {}), Printed("A paper.", (number,)))
    return row


def claimed(claim: PrintedClaim, finding: Finding | None) -> Row:
    claims = {} if finding is None else {claim.key: finding}
    (row,) = rows_of(Measured({}, claims), Printed("A paper.", (), (claim,)))
    return row


@pytest.mark.parametrize(
    ("values", "verdict", "sentence"),
    [
        ((84.8,), "agrees", "Agrees within 0.5 points."),
        ((85.3,), "agrees", "Agrees within 0.5 points."),
        ((84.3,), "agrees", "Agrees within 0.5 points."),
        ((80.0, 89.0), "agrees", "Agrees within 0.5 points."),
        ((85.31,), "differs", "Differs: ours is 0.51 points higher; the reason is unknown."),
        (
            (80.0, 82.0),
            "differs",
            "Differs: ours is 3.8 points lower, and none of 2 runs reached it; the reason is unknown.",
        ),
        ((), "cannot be compared", "Cannot be compared: not part of this run."),
    ],
)
def test_a_number_agrees_if_our_mean_is_within_the_tolerance(
    values: tuple[float, ...], verdict: str, sentence: str
) -> None:
    row = row_of(NUMBER, *values)

    assert (row.verdict, row.sentence) == (verdict, sentence)


def with_reading(reading: Reading, **ours: tuple[float, ...]) -> str:
    row, *_ = rows_of(
        Measured({key.replace("_", ": "): runs for key, runs in ours.items()}),
        Printed("", (KEYED,), (), (reading,)),
    )
    return row.sentence


KEYED = replace(NUMBER, key="noise: right")
LESS = Reading("noise: ", "less noise", "less: ")


def test_another_reading_is_named_if_it_is_nearer() -> None:
    nearer = with_reading(LESS, noise_right=(70.0,), less_right=(84.0, 85.0))
    assert (
        nearer == "Differs: ours is 14.8 points lower; a possible reason is less noise, which gives 84.5 %."
    )
    unknown = "Differs: ours is 14.8 points lower; the reason is unknown."
    assert with_reading(LESS, noise_right=(70.0,), less_right=(60.0,)) == unknown
    assert with_reading(LESS, noise_right=(70.0,)) == unknown
    assert with_reading(LESS, noise_wrong=(1.0,), noise_right=(84.8,)) == "Agrees within 0.5 points."


def test_a_reading_in_another_unit_and_one_that_quotes_our_numbers() -> None:
    tenths = replace(LESS, scale=10.0)
    assert "which gives 84 %" in with_reading(tenths, noise_right=(70.0,), less_right=(8.4,))
    quoting = Reading("noise: ", "noise of <less: right>, not <noise: right>")
    said = with_reading(quoting, noise_right=(70.0,), less_right=(1.0, 2.0))
    assert said.endswith("; a possible reason is noise of 1.5, not 70.")
    assert with_reading(quoting, noise_right=(70.0,)).endswith("the reason is unknown.")


def test_errata_come_before_readings() -> None:
    printed = Printed("", (replace(KEYED, errata="D3"),), (), (LESS,))
    row, *_ = rows_of(Measured({"noise: right": (70.0,), "less: right": (84.8,)}), printed)
    assert row.sentence.endswith("the known reason is errata D3.")


def test_why_a_sentence_may_not_hold() -> None:
    row = claimed(replace(CLAIM, because="the other reading"), Finding(False, "1 of 5"))
    assert row.sentence == "Does not hold: 1 of 5; a possible reason is the other reading."


def test_a_number_among_our_runs_is_possible() -> None:
    row = row_of(NUMBER, 84.0, 84.8, 86.0, 90.0)

    assert row.verdict == "possible"
    assert row.sentence == (
        "Possible: the printed number is among our 4 runs, of which 1 gave less, 1 the same and 2 more."
    )


def test_of_many_runs_only_the_middle_counts() -> None:
    inside, outside = [*range(38), 84.8, 84.8], [*range(39), 84.8]

    assert row_of(NUMBER, *inside).sentence == (
        "Possible: the printed number is in the middle 95 % of our 40 runs, of which 38 gave less, 2 the same "
        "and 0 more."
    )
    assert row_of(NUMBER, *outside).verdict == "differs"
    assert ", and 1 of 40 runs reached it; " in row_of(NUMBER, *outside).sentence


def test_ours_is_rounded_as_the_printed_number_is() -> None:
    """89.3789 is 89.38: not lower, but the same."""
    type_a = replace(NUMBER, value=89.38, tolerance=0.0, digits=2)

    assert row_of(type_a, 89.3789).sentence == "Agrees to the printed digits."
    assert row_of(type_a, 10.0, 89.3789, 95.0).sentence.endswith("1 gave less, 1 the same and 1 more.")
    assert row_of(replace(type_a, digits=None), 89.3789).verdict == "differs"


def test_what_was_searched_for_agrees_by_construction() -> None:
    fitted = replace(NUMBER, fitted=True)

    assert row_of(fitted, 84.8).verdict == "by construction"
    assert row_of(fitted, 10.0).verdict == "differs"
    assert row_of(fitted, 10.0, 84.8, 100.0).verdict == "possible"


def test_the_reason_of_a_difference_is_an_erratum_or_unknown() -> None:
    known = row_of(replace(NUMBER, errata="D5"), 10.0)

    assert known.verdict == "differs"
    assert known.sentence == "Differs: ours is 74.8 points lower; the known reason is errata D5."


def test_what_cannot_be_compared_says_why_whatever_ours_is() -> None:
    row = row_of(replace(NUMBER, cannot="a copy of Table 7.3 (errata D5)"), 84.8)

    assert row.verdict == "cannot be compared"
    assert row.sentence == "Cannot be compared: a copy of Table 7.3 (errata D5)."
    assert row.ours == Ours(84.8, 84.8, 84.8, 84.8, 1)


def test_without_a_tolerance_only_the_same_number_agrees() -> None:
    exact = replace(NUMBER, value=25_585, tolerance=0, unit="records")

    assert row_of(exact, 25_585.0).sentence == "Agrees to the printed digits."
    assert row_of(exact, 25_586.0).sentence == "Differs: ours is 1 record higher; the reason is unknown."


def test_a_note_follows_the_sentence() -> None:
    assert row_of(replace(NUMBER, note="The split is unknown."), 84.8).sentence.endswith(
        "points. The split is unknown."
    )


def test_a_row_tells_where_what_theirs_and_ours() -> None:
    row = row_of(NUMBER, 84.0, 85.0, 86.5)

    assert (row.source, row.what, row.unit, row.theirs) == ("Table 1, page 10", "First run: right", "%", 84.8)
    assert row.ours == Ours((84.0 + 85.0 + 86.5) / 3, 85.0, 84.0, 86.5, 3)


@pytest.mark.parametrize(
    ("finding", "verdict", "sentence"),
    [
        (Finding(True, "84 % against 80 %"), "agrees", "Holds: 84 % against 80 %."),
        (Finding(False, "both 84 %"), "differs", "Does not hold: both 84 %; the reason is unknown."),
        (None, "cannot be compared", "Cannot be compared: not part of this run."),
    ],
)
def test_a_sentence_holds_or_not(finding: Finding | None, verdict: str, sentence: str) -> None:
    row = claimed(CLAIM, finding)

    assert (row.verdict, row.sentence) == (verdict, sentence)
    assert (row.theirs, row.ours, row.what) == (None, None, CLAIM.says)


def test_a_sentence_too_has_errata_notes_and_reasons_not_to_compare() -> None:
    wrong = Finding(False, "both 84 %")

    assert claimed(replace(CLAIM, errata="D4"), wrong).sentence.endswith("; the known reason is errata D4.")
    assert claimed(replace(CLAIM, note="A fact."), wrong).sentence.endswith("unknown. A fact.")
    assert claimed(replace(CLAIM, cannot="no numbers"), wrong).sentence == "Cannot be compared: no numbers."


def test_an_expectation_of_ours_needs_no_reason() -> None:
    row = claimed(replace(CLAIM, source="ours", page=""), Finding(False, "both 84 %"))

    assert (row.verdict, row.sentence, row.source) == ("differs", "Does not hold: both 84 %.", "ours")


def test_every_printed_number_and_sentence_has_a_row_and_so_have_ours_alone() -> None:
    again = replace(NUMBER, what="Second run: right", value=70.0)
    measured = Measured({"right": [84.8], "alone": [1.0, 3.0]}, {"better": Finding(True, "yes")})
    rows = rows_of(measured, Printed("A paper.", (NUMBER, again), (CLAIM,)))

    assert [row.what for row in rows] == ["First run: right", "Second run: right", CLAIM.says, "alone"]
    assert [row.verdict for row in rows] == ["agrees", "differs", "agrees", "not printed"]
    assert rows[-1].sentence == "Not printed; 2 runs."
    assert rows[-1].source == "ours alone"
    assert counted(row.verdict for row in rows) == {
        "agrees": 2,
        "by construction": 0,
        "possible": 0,
        "differs": 1,
        "cannot be compared": 0,
        "not printed": 1,
    }


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8),
    st.floats(-1e6, 1e6),
    st.floats(0, 1e3, allow_subnormal=False),
)
def test_a_wider_tolerance_never_turns_agreement_into_difference(
    values: list[float], printed: float, tolerance: float
) -> None:
    narrow = row_of(replace(NUMBER, value=printed, tolerance=tolerance), *values)
    wide = row_of(replace(NUMBER, value=printed, tolerance=2 * tolerance), *values)

    assert narrow.verdict in ("agrees", "possible", "differs")
    assert narrow.verdict != "agrees" or wide.verdict == "agrees"
    if min(values) <= printed <= max(values):
        assert narrow.verdict != "differs"


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (84.8, "%", "84.8 %"),
        (25_585.0, "records", "25,585 records"),
        (0.012345, "", "0.01235"),
        (-1234.5, "", "-1,234"),
        (-0.0, "", "0"),
        (7.0, "bits", "7 bits"),
    ],
)
def test_numbers_are_shown_with_no_more_digits_than_they_need(value: float, unit: str, text: str) -> None:
    assert shown(value, unit) == text
