from __future__ import annotations

import json
from itertools import product
from typing import Any

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.releasing.engines import memory
from hushwood.releasing.fitted import PreparedStep
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import laid_out
from hushwood.releasing.plan import Plan, Step
from hushwood.tables.table import Table
from hushwood.techniques.warner import TogetherLaw, Warner
from support.mixed_tables import category, grown_forest, mixed_table, table_of
from support.transition_tables import coded_table, law_of, matrix_of, segmented

STREAMS = Streams(bytes(range(32)))
ROWS = 4000


@pytest.fixture(scope="module")
def table() -> Table:
    """Two columns of two values with gaps, one of three."""
    chance = np.random.default_rng(2)
    columns = {
        name: (category(name, values), chance.integers(-1, len(values), ROWS).tolist())
        for name, values in {"smokes": ("no", "yes"), "sex": ("f", "m"), "city": ("a", "b", "c")}.items()
    }
    return table_of(columns)


def released(technique: Warner, table: Table, names: tuple[str, ...]) -> dict[str, Any]:
    segments = segmented([0] * table.rows)
    groups = [names] if technique.jointly else [(name,) for name in names]
    steps = [PreparedStep(technique.prepare(table, group, segments), segments.ids) for group in groups]
    return memory.run(table, steps, STREAMS)


def test_the_law_is_the_truth_or_its_opposite() -> None:
    law = law_of(Warner(0.7), coded_table([0, 1, -1], 2))
    np.testing.assert_allclose(
        matrix_of(law, [0, 1, -1]), [[0.7, 0.3, 0.0], [0.3, 0.7, 0.0], [0.0, 0.0, 1.0]]
    )


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("truth", [0.0, 0.2, 0.9, 1.0])
def test_so_many_answers_are_true_and_gaps_stay(truth: float, together: bool, table: Table) -> None:
    found = released(Warner(truth, together), table, ("smokes", "sex"))
    for name in ("smokes", "sex"):
        original, answers = table.columns[name], found[name]
        assert answers.dtype == np.int32
        assert np.array_equal(original < 0, answers < 0)
        there = original >= 0
        error = np.sqrt(truth * (1 - truth) / there.sum())
        assert abs((answers == original)[there].mean() - truth) <= 4 * error


def test_together_all_answers_of_a_record_are_true_or_none(table: Table) -> None:
    found = released(Warner(0.6, together=True), table, ("smokes", "sex"))
    both = (table.columns["smokes"] >= 0) & (table.columns["sex"] >= 0)
    true = {name: (found[name] == table.columns[name])[both] for name in ("smokes", "sex")}
    assert np.array_equal(true["smokes"], true["sex"])
    apart = released(Warner(0.6), table, ("smokes", "sex"))
    alike = [(apart[name] == table.columns[name])[both] for name in ("smokes", "sex")]
    assert (alike[0] == alike[1]).mean() == pytest.approx(0.6**2 + 0.4**2, abs=0.05)


def test_the_law_of_all_answers_together() -> None:
    law = TogetherLaw(("a", "b"), 0.8, "WARNER")
    values = [(0, 1), (1, 0), (0, 0), (1, 1), (-1, 0), (-1, 1), (-1, -1)]
    pairs = list(product(values, values))
    chance = np.exp(
        law.log_prob(
            {"a": np.array([v[0] for v, _ in pairs]), "b": np.array([v[1] for v, _ in pairs])},
            {"a": np.array([w[0] for _, w in pairs]), "b": np.array([w[1] for _, w in pairs])},
            np.zeros(len(pairs), int),
        )
    )
    for (v, w), found in zip(pairs, chance.tolist(), strict=True):
        opposite = tuple(value if value < 0 else 1 - value for value in v)
        wanted = (0.8 if v == w else 0.0) + (0.2 if w == opposite else 0.0)
        assert found == pytest.approx(wanted), (v, w)
    np.testing.assert_allclose(chance.reshape(len(values), -1).sum(axis=1), 1)


@pytest.mark.parametrize("together", [False, True])
def test_columns_of_other_numbers_of_values_are_left_alone(together: bool, table: Table) -> None:
    perturber = Warner(0.6, together).prepare(table, ["sex", "city"], segmented([0] * ROWS))
    assert perturber.attributes == ("sex",)
    assert [perturber.covers(name) for name in ("sex", "city")] == [[True], [False]]
    found = perturber.perturb(table.columns, np.zeros(ROWS, int), range(ROWS), STREAMS)
    assert set(found) == {"sex"}


@pytest.mark.parametrize("together", [False, True])
def test_a_plan_forgets_the_columns_it_cannot_ask(together: bool, table: Table) -> None:
    mixed = mixed_table(3, 80)
    both = table_of(
        {
            "sex": (table.schema["sex"], table.columns["sex"][:80].tolist()),
            **{a.name: (a, mixed.columns[a.name].tolist()) for a in mixed.schema.attributes},
        }
    )
    plan = Plan("warner", "leaves", (Step(Warner(0.6, together), ("city", "sex", "job")),), 1)
    laid = laid_out(both, plan, grown_forest(both, trees=1), PerturbOptions(technique="warner"))
    assert [step.attributes for step in laid.plan.steps] == [("sex",)]
    assert len(laid.prepared) == len(laid.steps.steps) == 1
    nothing = Plan("warner", "leaves", (Step(Warner(0.6, together), ("city", "job")),), 1)
    with pytest.raises(InputError, match="finds nothing to change"):
        laid_out(both, nothing, grown_forest(both, trees=1), PerturbOptions(technique="warner"))


@pytest.mark.parametrize(("truth", "said"), [(0.5, "pure chance"), (1.5, "between 0 and 1"), (-1, "-1")])
def test_wrong_probabilities_are_refused(truth: float, said: str) -> None:
    with pytest.raises(InputError, match=said):
        Warner(truth)


def test_it_says_what_it_does() -> None:
    assert Warner().says().startswith("Kept with probability 80% and otherwise")
    assert not Warner().jointly
    assert Warner(together=True).jointly
    plain = TogetherLaw(("a", "b"), 0.8, "WARNER").described()
    assert json.loads(json.dumps(plain)) == plain
