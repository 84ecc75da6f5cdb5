"""The report as a page: whole, self-contained, in order, and silent to outsiders about single people."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from hushwood.evaluation.answers import AttackAnswer, MeasureAnswer
from hushwood.evaluation.distributions import Histogram
from hushwood.evaluation.evaluation import About, CertificateFacts, Evaluation, LeftOut
from hushwood.evaluation.levels import FULL
from hushwood.policies.policy import policy_named
from hushwood.policies.verdict import verdict_on
from hushwood.reports.release.clearance import MARKS
from hushwood.reports.release.page import everything, internal_report, publishable_report
from hushwood.tables.pairs.common_coding import STILL_RELEASED
from support.page_reader import check_page, own_part, read
from support.sample_entries import (
    attack_entry,
    document_of,
    evaluation_of,
    measure_entry,
    plan_step,
    unanswered,
)
from support.sample_release import RARE, credit_evaluation, foreign_evaluation
from support.sample_verdicts import mixed_evaluation, mixed_verdict

SECTIONS = (
    "answer",
    "changed",
    "numbers",
    "miners",
    "intruder",
    "columns",
    "rules",
    "people",
    "class",
    "distributions",
    "warnings",
    "reading",
)


def words(page: str) -> str:
    return " ".join(" ".join(read(page).text).split())


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return credit_evaluation(holdout=200)


@pytest.fixture(scope="module", params=[internal_report, publishable_report])
def page(request: pytest.FixtureRequest, evaluation: Evaluation) -> str:
    return str(request.param(evaluation))


def test_the_page_is_whole_and_loads_nothing_from_elsewhere(page: str) -> None:
    check_page(page, SECTIONS)


def test_without_a_verdict_it_says_that_no_policy_was_applied(page: str) -> None:
    text = words(page)

    assert re.search(r'<h1 id="verdict">No policy was applied</h1>', page)
    assert "All 1,000 records still follow the same rules in all 3 trees." in text
    assert 'class="stack checks"' not in page
    assert "Hold it back" not in text


def test_the_answer_comes_first(evaluation: Evaluation) -> None:
    verdict = verdict_on(evaluation, policy_named("public").with_limits(["linkage<=0.09"]))
    page = internal_report(evaluation, verdict)
    answer = words(page.split('id="answer"')[1].split("</section>")[0])

    assert "✗ Not cleared for the public" in answer
    assert "Policy: Open to everyone (public)" in answer
    for check in verdict.checks:
        assert f"{MARKS[check.status]} {check.status}" in answer
        assert check.advice.says in answer
    assert "at most 9 points given with --limit 5 points in the policy" in answer
    assert "Hold it back: Column 'branch' is copied unchanged" in answer
    order = [page.index(f'id="{name}"') for name in ("answer", "changed", "numbers", "intruder", "miners")]
    assert order == sorted(order)


def test_secondary_sources_are_marked(evaluation: Evaluation) -> None:
    verdict = verdict_on(evaluation, policy_named("ema-0070"))

    assert "maximum risk (secondary source)" in words(internal_report(evaluation, verdict))


def test_outsiders_get_the_verdict_without_advice() -> None:
    page = publishable_report(mixed_evaluation(), mixed_verdict())
    text = words(page)

    assert "✗ Not cleared for the public" in text
    assert "up to +14 points" in text
    assert "+14.3" not in own_part(page)
    assert "What to change" not in text
    assert "--evidence" not in text
    for check in mixed_verdict().checks:
        assert not check.advice.says or check.advice.says not in text


def test_everything_after_the_first_screen_is_folded(page: str) -> None:
    appendix = page.split('class="appendix"')[1]

    assert appendix.count('<details class="fold">') == len(SECTIONS) - 3
    assert not re.search('<details class="(fold|one-tree)"[^>]* open', appendix)


def test_a_page_with_a_verdict_is_whole(evaluation: Evaluation) -> None:
    verdict = verdict_on(evaluation, policy_named("public"))

    for report in (internal_report, publishable_report):
        check_page(report(evaluation, verdict), SECTIONS)


def test_every_chart_has_its_numbers_as_a_table(page: str) -> None:
    figures = re.findall(r"<figure.*?</figure>", page, flags=re.DOTALL)

    assert len(figures) >= 10
    for figure in figures:
        assert figure.count('class="numbers"') == 1
        assert figure.count("data-chart=") == figure.count('role="img"') == 1 + ('class="panels"' in figure)


def test_every_number_is_explained(page: str, evaluation: Evaluation) -> None:
    text = " ".join(" ".join(read(page).text).split())

    for measure in evaluation.measures:
        assert measure.measure.own_section or measure.measure.question in text
    for attack in evaluation.attacks:
        assert attack.attack.question in text
        assert (attack.verdict or "") in text or attack.excess is not None
    cards = [
        card for card in re.findall(r"<article.*?</article>", page, flags=re.DOTALL) if "pure noise" in card
    ]
    telling = [m for m in evaluation.measures if m.reason is None and not m.measure.says_nothing(m.details)]
    assert len(cards) >= len(telling) - 1
    for card in cards:
        assert re.search("(Higher|Lower) is better", card)
        assert "The untouched table scores" in card


def test_questions_without_an_answer_are_listed_with_their_reason(evaluation: Evaluation) -> None:
    first, *others = evaluation.measures
    bare = replace(
        evaluation,
        measures=(MeasureAnswer(first.measure, reason="There was no time."), *others),
        attacks=(AttackAnswer.from_json(unanswered("linkage", None, "There was no one.")),),
    )

    for text in (internal_report(bare), publishable_report(bare)):
        assert text.count("1 question without an answer, and why") == 2
        assert "There was no time." in text
        assert "There was no one." in text
        assert "No attack was run" in text


def test_a_foreign_release_claims_nothing() -> None:
    foreign = foreign_evaluation()
    inside, outside = internal_report(foreign), publishable_report(foreign)

    for text in (inside, outside):
        reader = read(text)
        words = " ".join(reader.text)
        assert reader.open == []
        assert "A release that was not made here." in words
        assert "no certificate" in words
        assert "rules" not in reader.ids
        assert "copied without any change" not in words
        assert "The key in the private folder" not in words
        assert "customer" in words
    assert "generalised values, such as ranges: age" in inside
    assert "The original has 400 rows and the release 380" in inside
    assert "The original has 400 rows" not in outside


def test_a_quick_evaluation_still_has_a_page() -> None:
    level = replace(FULL, name="quick", brief=frozenset(FULL.measures), references=False)
    quick = credit_evaluation(300, level)

    for text in (internal_report(quick), publishable_report(quick)):
        assert read(text).open == []
        assert "quick evidence" in text


def test_nothing_but_counts_still_has_a_page(evaluation: Evaluation) -> None:
    bare = replace(evaluation, measures=(), attacks=())

    for text in (internal_report(bare), publishable_report(bare)):
        assert read(text).open == []
        assert "Nothing was measured." in text


def test_an_identifier_that_is_still_there_is_a_warning() -> None:
    foreign = foreign_evaluation()
    left_out = (LeftOut("customer", STILL_RELEASED),)
    foreign = replace(foreign, audit=replace(foreign.audit, left_out=left_out))

    assert "A column that names people is still in the release:" in " ".join(internal_report(foreign).split())


def test_internal_shows_rare_categories_and_warnings(evaluation: Evaluation) -> None:
    page = own_part(internal_report(evaluation))

    assert f"{RARE} (" in page
    assert "has only 3 records" in page
    assert "do not share" in page


def test_publishable_names_no_rare_category(evaluation: Evaluation) -> None:
    page = own_part(publishable_report(evaluation))

    assert RARE not in page
    assert "lighthouse" not in page
    assert "rare value 1" in page


def test_publishable_shows_no_exact_extremes(evaluation: Evaluation) -> None:
    page = own_part(publishable_report(evaluation))

    # Smaller ones could be some coefficient by chance.
    found = evaluation.release.unique_extremes
    extremes = [extreme.value for extreme in (found.values if found else ()) if extreme.value > 20]
    assert len(extremes) >= 2
    for value in extremes:
        assert not re.search(rf"(?<![\d.,]){re.escape(f'{value:,.10g}')}(?![\d,.])", page)
        assert not re.search(rf"(?<![\d.,]){re.escape(f'{value:.10g}')}(?![\d,.])", page)


def test_a_release_without_forest_or_class_still_has_a_page(evaluation: Evaluation) -> None:
    measures = [m for m in evaluation.measures if m.name != "changed_classes"]
    no_class = MeasureAnswer.from_json(unanswered("changed_classes"))
    certificate = CertificateFacts(claimed=False, records=1000, kept=1000, per_tree=())
    bare = replace(
        evaluation,
        forests={},
        measures=(*measures, no_class),
        release=replace(evaluation.release, certificate=certificate, about=About()),
    )

    for text in (internal_report(bare), publishable_report(bare)):
        assert read(text).open == []
        assert "made without a forest" in text


def test_a_column_without_values_has_no_chart(evaluation: Evaluation) -> None:
    first, *others = evaluation.release.distributions
    empty = replace(first, histogram=Histogram((), (), (), ()))
    bare = replace(evaluation, release=replace(evaluation.release, distributions=(empty, *others)))

    for report in (internal_report, publishable_report):
        assert first.column in str(everything(evaluation)["changed"])
        # One chart less in full, and one less among those that changed most.
        assert report(bare).count('id="distribution-') == report(evaluation).count('id="distribution-') - 1
        assert first.column not in str(everything(bare)["changed"])


def test_column_names_cannot_inject_markup(evaluation: Evaluation) -> None:
    nasty = '</script><img src=x onerror="alert(1)">'
    text = json.dumps(evaluation.to_json()).replace('"income"', json.dumps(nasty))

    page = internal_report(Evaluation.from_json(json.loads(text)))

    assert "<img" not in own_part(page)
    assert read(page).open == []


def test_only_a_release_of_ours_has_a_section_about_its_rules() -> None:
    ours, theirs = everything(evaluation_of(plan=[plan_step("job")])), everything(evaluation_of())

    assert "rules" in dict(ours["sections"])
    assert "rules" not in dict(theirs["sections"])
    assert (ours["titles"]["columns"], theirs["titles"]["columns"]) == ("What was done", "The columns")
    names = [name for name, _ in ours["sections"]]
    assert names[:3] == ["answer", "changed", "numbers"]
    assert names.index("intruder") < names.index("miners")


def test_a_headline_that_speaks_of_attacks_is_not_repeated() -> None:
    assert everything(evaluation_of(attack_entry()))["attacks_said"] == ""
    ours = evaluation_of(attack_entry(), plan=[plan_step("job")])
    assert "learns more about people of the table than guessing" in everything(ours)["attacks_said"]


def test_a_sample_is_called_a_sample() -> None:
    document = document_of()
    assert everything(Evaluation.from_json(document))["sampled"] is None
    document["audit"]["records"] = 600
    assert everything(Evaluation.from_json(document))["sampled"] == 600


def test_charts_come_only_with_their_numbers() -> None:
    view = everything(evaluation_of(measure_entry("correlations")))

    assert view["miners"]["heat_maps"] is None
    assert view["intruder"]["attack_charts"] == []
    assert (view["people"]["charts"], view["intruder"]["charts"]) == ([], [])


def test_reasons_are_gathered_by_section() -> None:
    view = everything(
        evaluation_of(
            unanswered("eduds", "utility"), unanswered("linkage", None), unanswered("changed_classes")
        )
    )

    assert [item.title for item in view["miners"]["not_answered"]] == ["Same ranges (EDUDS)"]
    assert [item.title for item in view["intruder"]["not_answered"]] == [
        "Classes changed",
        "Nearest-record linkage",
    ]
    assert view["no_class_finding"] == "No pairs."


def test_a_release_in_random_order_is_described_as_one(evaluation: Evaluation) -> None:
    steps = tuple(replace(step, row_order="secret") for step in evaluation.release.plan)
    about = replace(evaluation.release.about, technique="segment-shuffle", why="The default. It is ours.")
    ours = replace(evaluation, release=replace(evaluation.release, plan=steps, about=about))
    for report in (internal_report, publishable_report):
        shuffled, kept = words(report(ours)), words(report(evaluation))
        assert "Released with segment-shuffle. The default. It is ours." in shuffled
        assert "Rows are in random order" in shuffled
        assert "rows keep their order" not in shuffled
        assert "rows keep their order unless they were shuffled" in kept
        assert "undoes the noise" not in shuffled
    assert "which row was made from which record" in words(internal_report(ours))


def test_outsiders_are_not_told_that_nothing_was_copied_if_something_was() -> None:
    nothing = "No column was copied without change."
    warned = evaluation_of(plan=[plan_step("job")], warnings=["Column 'job' is released unchanged: why."])

    assert nothing in words(publishable_report(evaluation_of(plan=[plan_step("job")])))
    text = words(publishable_report(warned))
    assert nothing not in text
    assert "Some columns or records were released unchanged" in text
    assert (
        "Column 'job' is released unchanged: why."
        in words(internal_report(warned)).split("Everything else")[0]
    )
