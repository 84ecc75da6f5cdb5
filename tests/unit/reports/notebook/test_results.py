from __future__ import annotations

import json

import pytest

from hushwood.errors import InputError
from hushwood.evaluation.evaluation import Evaluation
from hushwood.evaluation.levels import QUICK
from hushwood.policies.verdict import Verdict
from hushwood.reports.notebook.results import Evaluated, charts_of
from support.sample_release import credit_evaluation


class Made(Evaluated):
    """A result that has nothing but an evaluation."""

    def __init__(self, evaluation: Evaluation | None) -> None:
        self.found = evaluation

    @property
    def evaluation(self) -> Evaluation | None:
        return self.found

    @property
    def verdict(self) -> Verdict | None:
        return None


@pytest.mark.parametrize("what", ["age", "columns", "attacks", "correlations", "risk"])
def test_each_chart_is_that_of_the_report(what: str) -> None:
    evaluation = credit_evaluation(300, QUICK)
    titles = [chart.title for chart in charts_of(evaluation, what, evaluation.release.distributions)]
    drawn = json.dumps(Made(evaluation).plot(what).to_dict())
    assert titles
    assert all(json.dumps(title) in drawn for title in titles)


def test_a_result_is_about_its_columns_unless_it_says_otherwise() -> None:
    evaluation = credit_evaluation(300, QUICK)
    titles = [part["title"]["text"] for part in Made(evaluation).plot().to_dict()["vconcat"]]
    assert titles == [entry.column for entry in evaluation.release.distributions]


def test_an_unknown_name_is_refused_with_what_there_is() -> None:
    with pytest.raises(InputError, match="Did you mean 'attacks'"):
        Made(credit_evaluation(300, QUICK)).plot("atacks")


def test_without_evidence_there_is_nothing_to_draw() -> None:
    with pytest.raises(InputError, match="evidence='quick'"):
        Made(None).plot()
    with pytest.raises(InputError, match="evidence='quick'"):
        Made(None).to_frame()


def test_the_frame_is_that_of_all_answers() -> None:
    evaluation = credit_evaluation(300, QUICK)
    assert Made(evaluation).to_frame().height == len(evaluation.measures) + len(evaluation.attacks)
