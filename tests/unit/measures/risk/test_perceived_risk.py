"""Perceived and true re-identification: identical, hopeless, by hand and by plain products of probabilities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.measures.protocol import NOT_PAIRED
from hushwood.measures.risk.perceived_risk import PerceivedRisk
from hushwood.tables.table import Table
from oracles import reidentification as oracle
from support.fitted_chances import INPUTS, chances
from support.intruders import people, unrelated
from support.mixed_tables import category, mixed_table, number, table_of, target
from support.noisy_tables import cells, noisy, some_left
from support.table_pairs import context_for, measuring

measured = measuring(PerceivedRisk)


def small(c: list[int], k: list[int] | None = None) -> Table:
    return table_of(
        {
            "c": (category("c", "ab"), c),
            "x": (number("x", 0, 10), [0.0] * len(c)),
            "k": (target("k", "no"), k or [0] * len(c)),
        }
    )


def test_in_an_untouched_table_the_intruder_is_sure_and_right() -> None:
    table = people(1, 200)
    found = measured(table, table)
    assert found.value == pytest.approx(1.0)
    assert found.details["convinced"] == {
        "people": 1.0,
        "perceived": pytest.approx(1.0),
        "true": 1.0,
        "true_value": 1.0,
    }


def test_in_pure_noise_the_intruder_believes_and_finds_little() -> None:
    table = people(1, 400)
    found = measured(table, unrelated(table, 2))
    assert found.value < 0.1
    assert found.details["everyone"]["true"] < 0.02


def test_four_records_by_hand() -> None:
    """Three of four stay (7/10 with half a case more); a change leads to a by 1/4, to b by 3/4.

    Those with a take the only a for theirs, with 7/16, which is right for the first; those with b take one of three
    records with 7/24 each, which is right in one of three cases.
    """
    found = measured(small([0, 0, 1, 1], [0, 1, 1, 0]), small([0, 1, 1, 1], [0, 1, 1, 1]))
    assert found.records["perceived_link"] == pytest.approx([7 / 16, 7 / 16, 7 / 24, 7 / 24], rel=1e-5)
    assert found.records["true_link"] == pytest.approx([1, 0, 1 / 3, 1 / 3])
    everyone = found.details["everyone"]
    assert everyone["perceived"] == found.value == pytest.approx((7 / 16 + 7 / 24) / 2, rel=1e-5)
    assert everyone["true"] == pytest.approx(5 / 12)
    # The classes read off are n, n, and o three times: right for the first and the third.
    assert everyone["true_value"] == pytest.approx((1 + 0 + 1 + 0) / 4)
    assert found.details["convinced"]["people"] == 0.0
    convinced = measured(small([0, 0, 1, 1]), small([0, 1, 1, 1]), PerceivedRisk(believed=0.4)).details[
        "convinced"
    ]
    assert (convinced["people"], convinced["true"]) == (0.5, 0.5)


@pytest.mark.parametrize("seed", range(4))
def test_as_the_oracle_says(seed: int) -> None:
    original = mixed_table(seed, 45)
    released, partner = some_left(noisy(original, seed, gaps=seed % 2 == 1), seed, 38)
    found = measured(original, released, partner=partner)
    rows = np.flatnonzero(partner >= 0)
    shares = oracle.posteriors(
        cells(original, rows), cells(released), chances(original, released, partner), INPUTS
    )
    classes, true = cells(released)["risk"], cells(original, rows)["risk"]
    right, values = [], []
    for row, own in enumerate(partner[rows].tolist()):
        top = max(shares[row])
        likeliest = [i for i, share in enumerate(shares[row]) if share > top * 0.999]
        right.append((own in likeliest) / len(likeliest))
        values.append(sum(classes[i] == true[row] for i in likeliest) / len(likeliest))
    np.testing.assert_allclose(found.records["perceived_link"][rows], [max(s) for s in shares], rtol=1e-4)
    assert found.records["true_link"][rows] == pytest.approx(right)
    assert found.details["everyone"]["true_value"] == pytest.approx(np.mean(values))
    assert np.isnan(found.records["true_link"][partner < 0]).all()
    assert found.details["secret"] == "risk"


def test_a_confidential_column_is_what_is_read_off() -> None:
    table = people(1, 60)
    table = replace(table, schema=table.schema.with_role(("income",), "confidential"))
    assert measured(table, table).details["secret"] == "income"
    plain = replace(table, schema=table.schema.with_role(("income", "rich"), "ordinary"))
    details = measured(plain, plain).details
    assert details["secret"] is None
    assert details["everyone"]["true_value"] is None
    assert "the value of" not in PerceivedRisk().remarks(details)


def test_a_large_table_is_sampled() -> None:
    table = people(1, 300)
    found = measured(table, table, PerceivedRisk(exact_up_to=100, targets=50))
    assert found.details["estimated"]
    assert found.details["targets"] == 50
    assert np.isfinite(found.records["true_link"]).sum() == 50
    assert "Estimated from 50 records" in PerceivedRisk().remarks(found.details)


def test_few_people_are_not_published() -> None:
    table = people(1, 100)
    found = measured(table, unrelated(table, 2))
    details = {
        **found.details,
        "convinced": {"people": 0.03, "perceived": 0.6, "true": 1.0, "true_value": 1.0},
    }
    safe = PerceivedRisk().publishable_details(details)["convinced"]
    assert safe == {"people": None, "perceived": None, "true": None, "true_value": None}


def test_rows_must_be_paired() -> None:
    table = people(1, 20)
    assert PerceivedRisk().compute(table, table, context_for(table, table, paired=False)) == NOT_PAIRED
    with pytest.raises(InputError, match="believed must be"):
        PerceivedRisk(believed=2.0)
