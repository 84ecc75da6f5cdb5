"""What to change so that a check passes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hushwood.policies.advice import FULL_EVIDENCE, Advice, Change, Changes, MadeHow, advice_for, followed
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.recipes import dial_of, instead_of
from support.tries import usual_tries
from support.verdicts import policy_of

MADE = MadeHow(PerturbOptions(k=20), 10_000, "full")


def advised(
    found: tuple[float, float] | None,
    made: MadeHow | None = MADE,
    at_most: float = 0.05,
    needed: int | None = None,
) -> Advice:
    (requirement,) = policy_of(attribute_inference__excess=at_most).requirements
    return advice_for(requirement, found, made, needed)


def shuffled(k: int, blur: int) -> tuple[Change, Change]:
    return Change("k", k, f"--k {k}"), Change("blur", blur, f"--blur {blur}")


def test_k_is_raised_by_the_stated_power() -> None:
    """The estimate of 0.08 must fall to 0.04 to leave room for the interval; risk falls with the root, so k goes up by
    four."""
    dial = dial_of("segment-shuffle")
    assert dial is not None
    assert dial.falls == 0.5
    advice = advised((0.08, 0.09))
    assert advice.changes == shuffled(80, 40)
    assert advice.says == (
        "With --k 20 it is 8.0 points (at most 9.0). --k 80 --blur 40 was not tried; the risk falls about with the "
        "power 0.5 of that setting, so it should be 4.0 points (at most 5.0) then."
    )


def test_a_tenth_of_the_limit_is_the_least_to_aim_for() -> None:
    """The interval alone is wider than the limit of 0.02: a third of 0.006 is aimed for, so k rises by nine."""
    assert advised((0.006, 0.06), at_most=0.02).changes == shuffled(180, 90)


def test_a_step_is_worth_its_while() -> None:
    """Hardly above the limit: 1.2 times less, not 1.001."""
    assert advised((0.0501, 0.0501)).changes == shuffled(30, 15)


def test_more_evidence_comes_first_where_the_estimate_is_below() -> None:
    quick = replace(MADE, evidence="quick")
    full = (Change("evidence", "full", "--evidence full"),)
    advice = advised((0.04, 0.06), quick, needed=12_345)
    assert advice.changes == full
    assert advice.says == (
        "The estimate is below the limit, but its interval is not. It takes about 12,345 attempts to decide. More "
        "attempts narrow the interval."
    )
    assert "attempts to decide" not in advised((0.05, 0.06), quick).says
    assert advised((0.06, 0.07), quick).changes[0].setting == "k"
    assert advised((0.04, 0.06)).changes[0].setting == "k"


@pytest.mark.parametrize(
    ("found", "above"), [((0.003, 0.004), 0.0), ((0.0004, 0.06), None), ((0.012, 0.07), None)]
)
def test_a_risk_is_never_to_become_what_it_is(found: tuple[float, float], above: float | None) -> None:
    """Below the limit, but shown to be above nothing, or with an interval that reaches over the limit."""
    (requirement,) = policy_of(above=above, attribute_inference__excess=0.05).requirements
    said = advice_for(requirement, found, MADE).says.split(" points")
    before, after = (part.split()[-1] for part in said[:2])
    assert float(after) < float(before)


@pytest.mark.parametrize("records", [100, 400, 699])
def test_small_tables_do_not_leave_the_default(records: int) -> None:
    """The dial goes on to half of the records, however much is asked of it."""
    options = PerturbOptions()
    advice = advised((0.3, 0.4), replace(MADE, options=options, records=records))
    assert advice.changes == shuffled(records // 2, max(records // 4, 5))


@pytest.mark.parametrize(("k", "value"), [(5_000, 0.06), (4_500, 0.9)])
def test_another_recipe_where_the_dial_ends(k: int, value: float) -> None:
    """Two segments must remain; from 4,500 on there is no step that is worth taking."""
    advice = advised((value, value), replace(MADE, options=PerturbOptions(k=k)))
    other = instead_of("segment-shuffle")
    assert other == "forest-framework"
    assert advice.changes == (Change("technique", other, f"--technique {other}"),)
    assert "the end of what segment-shuffle can do with 10,000 records" in advice.says
    assert advice.says.endswith("forest-framework protects more.")


def test_quick_evidence_counts_on_a_narrower_interval_by_full_evidence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """1,000 records have 6 throw-away releases, or 24: half the width of 0.04. 0.06 must fall to 0.03, so k rises by
    four."""
    usual_tries(monkeypatch)
    quick = MadeHow(PerturbOptions(k=20), 1_000, "quick")
    assert advised((0.06, 0.1), quick).changes == (*shuffled(80, 40), FULL_EVIDENCE)


def test_advice_can_be_followed() -> None:
    options, evidence = followed(PerturbOptions(k=20), "quick", advised((0.08, 0.09)).changes)
    assert (options, evidence) == (PerturbOptions(k=80, blur=40), "quick")
    other = Change("technique", "forest-framework", "")
    given = PerturbOptions(k=20, rare="group", threads=1)
    assert followed(given, "quick", [other, FULL_EVIDENCE]) == (
        PerturbOptions("forest-framework", rare="group", threads=1),
        "full",
    )
    kept = PerturbOptions(k=20, blur=10, coarsen=("age=5",), top_code=("age=80",), noise=0.5)
    assert followed(kept, "quick", [other])[0] == PerturbOptions(
        "forest-framework", coarsen=("age=5",), top_code=("age=80",)
    )
    leaf = Change("cart-synthesis.min_leaf", 40, "--set cart-synthesis.min_leaf=40")
    made = PerturbOptions("cart-synthesis", settings={"cart-synthesis": {"min_leaf": 10}})
    assert followed(made, "quick", [leaf])[0].settings == {"cart-synthesis": {"min_leaf": 40}}
    assert Changes([leaf, FULL_EVIDENCE]).keywords == {
        "settings": {"cart-synthesis": {"min_leaf": 40}},
        "evidence": "full",
    }
    assert Changes(shuffled(80, 40)).keywords == {"k": 80, "blur": 40}
    assert Changes(shuffled(80, 40)).options == "--k 80 --blur 40"


def test_a_parameter_is_raised_as_the_command_spells_it() -> None:
    made = replace(
        MADE, options=PerturbOptions("cart-synthesis", settings={"cart-synthesis": {"min_leaf": 10}})
    )
    (change,) = advised((0.1, 0.1), made).changes
    assert change == Change("cart-synthesis.min_leaf", 40, "--set cart-synthesis.min_leaf=40")


def test_noise_ends_at_the_whole_range() -> None:
    def advice(noise: float) -> Advice:
        return advised((0.06, 0.06), replace(MADE, options=PerturbOptions("forest-framework", noise=noise)))

    assert advice(0.25).changes == (Change("noise", 0.36, "--noise 0.36"),)
    assert advice(1.0).changes == ()
    assert "--noise 1 is the end of what forest-framework can do" in advice(1.0).says
    assert "hushwood tune" in advice(1.0).says


def test_a_technique_without_a_dial() -> None:
    alone = advised((0.06, 0.06), replace(MADE, options=PerturbOptions("linfapt")))
    assert alone.changes == (Change("technique", "segment-shuffle", "--technique segment-shuffle"),)
    assert alone.says.startswith("linfapt has no setting that protects more.")
    nothing = advised((0.06, 0.06), replace(MADE, options=PerturbOptions("copula-synthesis")))
    assert nothing.changes == ()
    assert "hushwood tune" in nothing.says


def test_without_an_estimate() -> None:
    def option(evidence: str) -> list[str]:
        return [change.option for change in advised(None, replace(MADE, evidence=evidence)).changes]

    assert (option("none"), option("quick"), option("full")) == (
        ["--evidence quick"],
        ["--evidence full"],
        [],
    )
    assert "cannot be cleared" in advised(None).says


def test_a_release_of_others_cannot_be_changed_here() -> None:
    assert advised((0.06, 0.06), None) == Advice(says="Ask whoever made the release for a stronger setting.")
    nothing = advised(None, None)
    assert nothing.changes == ()
    assert "--holdout FILE" in nothing.says


def test_the_stronger_of_two_changes() -> None:
    low, high = Change("k", 20, "--k 20"), Change("k", 30, "--k 30")
    assert low.stronger(high) == high.stronger(low) == high
    first, second = (Change("technique", name, f"--technique {name}") for name in "ab")
    assert first.stronger(second) == first


def test_noise_of_single_columns_has_no_dial() -> None:
    plain = MadeHow(PerturbOptions("framework"), 10_000, "full")
    assert advised((0.08, 0.09), plain).changes[0].setting == "noise"
    for own in (
        PerturbOptions("framework", noise_by_column={"a": 0.1}),
        PerturbOptions("framework", noise_influential=0.1),
    ):
        advice = advised((0.08, 0.09), replace(plain, options=own))
        assert advice.changes == ()
        assert "noise of their own" in advice.says


def test_columns_are_coded_where_a_measure_says_so() -> None:
    (requirement,) = policy_of(extremes=0.0).requirements
    codes = {"top_code": {"pay": "99%", "net worth": "98%"}, "bottom_code": {"pay": "1%"}}
    made = replace(MADE, options=replace(MADE.options, top_code=("age=90",)))
    advice = advice_for(requirement, (1.0, 1.0), made, codes=codes)
    assert Changes(advice.changes).options == (
        "--top-code pay=99% --top-code 'net worth=98%' --bottom-code pay=1%"
    )
    options, _ = followed(made.options, "full", advice.changes)
    assert options.top_code == ("age=90", "pay=99%", "net worth=98%")
    assert options.bottom_code == ("pay=1%",)
    # Codes stay with another technique; where they were not enough, the technique is what is left.
    other = Change("technique", "forest-framework", "--technique forest-framework")
    assert Changes.merged([*advice.changes, other])[0] == advice.changes[0]
    again = advice_for(requirement, (1.0, 1.0), replace(made, options=options), codes=codes)
    assert {change.setting for change in again.changes} == {"k", "blur"}


def test_an_estimate_of_nothing_is_not_turned_up() -> None:
    """Only its interval is above the limit, which a larger k does not narrow."""
    advice = advised((-0.009, 0.112))
    assert advice.changes == ()
    assert advice.says.startswith("Nothing was found, but the interval is wide.")
