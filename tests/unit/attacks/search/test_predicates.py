"""Predicates counted as the oracle counts them, and those that the search makes up."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import gamma, nbinom

from hushwood.attacks.protocol import PredicateGuesses
from hushwood.attacks.search import predicates as module
from hushwood.attacks.search.predicates import (
    LARGEST_COUNT,
    OPERATORS,
    _cells,
    boxes_of,
    control_factor,
    count_boxes,
    count_matches,
    fitted,
    multivariate,
    ranked,
    share_of_one,
    univariate,
)
from hushwood.attacks.singling_out import SinglingOut, distinct_rows
from hushwood.tables.table import Table
from oracles import predicates as oracle
from support.intruders import in_words, knowing, only, people
from support.mixed_tables import category, mixed_table, number, plain_rows, table_of
from support.table_pairs import STREAMS

Terms = list[tuple[str, str, float]]


def guesses(predicates: list[Terms]) -> PredicateGuesses:
    terms = [term for predicate in predicates for term in predicate]
    begin = np.cumsum([0, *(len(predicate) for predicate in predicates)])
    column, operator = tuple(t[0] for t in terms), tuple(t[1] for t in terms)
    return PredicateGuesses(begin, column, operator, np.array([t[2] for t in terms], np.float64))


@st.composite
def tables_and_predicates(draw: st.DrawFn) -> tuple[Table, PredicateGuesses]:
    """A messy table and predicates with values that it has, nearly has, and does not have."""
    table = mixed_table(draw(st.integers(0, 50)), draw(st.integers(1, 40)))
    predicates = []
    for _ in range(draw(st.integers(1, 8))):
        terms: Terms = []
        for name in draw(st.lists(st.sampled_from(list(table.columns)), max_size=4)):
            values = table.columns[name]
            if table.schema[name].kind == "numeric":
                known = [*values[~np.isnan(values)].tolist(), -1e9, 3.5]
                terms.append((name, draw(st.sampled_from(OPERATORS)), draw(st.sampled_from(known))))
            elif table.schema[name].categories:
                code = draw(st.integers(0, len(table.schema[name].categories) - 1))
                terms.append((name, draw(st.sampled_from(("==", "missing"))), float(code)))
        predicates.append(terms)
    return table, guesses(predicates)


@given(tables_and_predicates(), st.integers(1, 50), st.integers(1, 3))
@settings(max_examples=80)
def test_counts_like_the_oracle(drawn: tuple[Table, PredicateGuesses], most: int, threads: int) -> None:
    table, predicates = drawn
    counts, found = count_matches(predicates, table.columns, most=most)
    columns = ranked(table.columns)
    shared = count_boxes(boxes_of(predicates, columns), columns, most=most, threads=threads)
    assert [part.tolist() for part in shared] == [counts.tolist(), found.tolist()]
    for p, predicate in enumerate(in_words(predicates, table)):
        rows = oracle.matching(plain_rows(table), predicate)
        assert counts[p] == min(len(rows), most)
        assert found[p] in rows if rows else found[p] == -1


def small() -> Table:
    return table_of(
        {
            "age": (number("age", -5, 40), [20, -5, 20, 40, float("nan")]),
            "job": (category("job", ("cook", "nurse")), [0, 1, 1, -1, 0]),
        }
    )


@pytest.mark.parametrize(
    ("terms", "count"),
    [
        ([("age", "<=", 20.0)], 3),
        ([("age", "<=", 19.9)], 1),
        ([("age", ">=", 20.0)], 3),
        ([("age", "==", 20.0)], 2),
        ([("age", "==", 21.0)], 0),
        ([("age", "missing", 0.0)], 1),
        ([("job", "==", 1.0)], 2),
        ([("job", "missing", 0.0)], 1),
        ([("age", "<=", 20.0), ("job", "==", 0.0)], 1),
        ([("age", "<=", 20.0), ("age", ">=", 0.0)], 2),
        ([], 5),
    ],
)
def test_by_hand(terms: Terms, count: int) -> None:
    counts, _ = count_matches(guesses([terms]), small().columns, most=10)
    assert counts.tolist() == [count]


def test_a_missing_value_fulfils_no_comparison() -> None:
    every = [[("age", "<=", 1e300)], [("age", ">=", -1e300)]]
    assert count_matches(guesses(every), small().columns, most=10)[0].tolist() == [4, 4]


def test_without_records_nothing_is_found() -> None:
    counts, found = count_matches(guesses([[("age", "<=", 1.0)]]), small().take(np.zeros(0, int)).columns)
    assert (counts.tolist(), found.tolist()) == ([0], [-1])


@given(st.floats(0.3, 20.0), st.floats(0.05, 20.0))
def test_the_share_is_the_integral_over_gamma_means(shape: float, mean: float) -> None:
    law = gamma(shape, scale=mean / shape)
    integral = quad(lambda m: m * np.exp(-m) * law.pdf(m), 0, np.inf, limit=200)[0]
    assert share_of_one(shape, mean) == pytest.approx(integral, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize(("shape", "mean"), [(0.2, 0.5), (1.0, 2.0), (3.0, 1.0)])
def test_the_law_is_found_again(shape: float, mean: float) -> None:
    chance = np.random.default_rng(3)
    drawn = chance.poisson(chance.gamma(shape, mean / shape, 40_000))
    found = fitted(np.bincount(np.minimum(drawn, 6), minlength=7))
    assert found == pytest.approx((shape, mean), rel=0.1)


@cache
def predicates_of_people() -> PredicateGuesses:
    """What an intruder singles out in a release of 3,000 people."""
    released = people(1, 3000)
    return SinglingOut().guess(knowing(released), released, STREAMS)


@pytest.mark.parametrize("rows", [500, 1000, 3000, 6000, 8000])
def test_a_control_of_another_size_foretells_the_successes(rows: int) -> None:
    """People of the same kind who were never released: the factor turns 2,000 of them into as many as asked."""
    predicates, control, others = predicates_of_people(), people(2, 2000), people(3, rows)
    here, there = (int((count_matches(predicates, t.columns)[0] == 1).sum()) for t in (control, others))
    foretold = here * control_factor(predicates, control.columns, rows)
    assert foretold == pytest.approx(there, rel=0.25)


def test_nothing_to_correct() -> None:
    table = people(1, 300)
    predicates = SinglingOut().guess(knowing(table), table, STREAMS)
    assert control_factor(predicates, table.columns, 300) == 1.0
    far = {
        name: -1e6 + 0 * values if values.dtype.kind == "f" else values
        for name, values in table.columns.items()
    }
    none = SinglingOut("univariate").guess(knowing(table, ["income"]), table, STREAMS)
    assert not (count_matches(none, far)[0] == 1).any()
    assert control_factor(none, far, 600) == 1.0


@pytest.mark.parametrize("shape", [0.01, 0.3, 1.0, 5.0, 100.0])
@pytest.mark.parametrize("mean", [0.01, 0.5, 3.0, 40.0])
def test_the_cells_of_the_fit_are_those_of_the_negative_binomial_law(shape: float, mean: float) -> None:
    law = nbinom(shape, shape / (shape + mean))
    expected = [*law.pmf(np.arange(LARGEST_COUNT)), law.sf(LARGEST_COUNT - 1)]
    assert _cells(shape, mean) == pytest.approx(expected, rel=1e-9, abs=1e-15)


NUMERIC = {"count", "price", "ratio", "constant", "void"}
FEW = ("count", "price", "city", "job", "risk")


def numeric_of(table: Table) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([table.schema[name].kind == "numeric" for name in table.columns])


def search(table: Table, most: int, columns: int, candidates: int) -> PredicateGuesses:
    rows = ranked(distinct_rows(table.columns))
    return multivariate(rows, numeric_of(table), most, STREAMS, columns=columns, candidates=candidates)


@given(st.integers(0, 200), st.integers(1, 40))
@settings(max_examples=40)
def test_one_attribute_like_the_oracle(seed: int, rows: int) -> None:
    table = mixed_table(seed, rows)
    found = univariate(ranked(distinct_rows(table.columns)), numeric_of(table), 10_000, STREAMS)
    words = in_words(found, table)
    assert len(words) == len(set(words))
    assert set(words) == oracle.univariate(plain_rows(table), NUMERIC)


@given(st.integers(0, 200), st.integers(1, 7), st.integers(1, 3))
@settings(max_examples=15)
def test_enough_candidates_find_all_predicates_of_the_oracle(seed: int, rows: int, columns: int) -> None:
    table = only(mixed_table(seed, rows), FEW)
    found = in_words(search(table, 10_000, columns, 5_000), table)
    assert len(found) == len(set(found))
    assert set(found) == oracle.multivariate(plain_rows(table), NUMERIC, columns)


def test_fewer_are_the_first_of_more() -> None:
    table = mixed_table(3, 200)
    few, many = (in_words(search(table, most, 3, 50_000), table) for most in (20, 60))
    assert len(few) == 20
    assert few == many[:20]


def test_batches_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    table = mixed_table(3, 100)
    found = in_words(search(table, 100, 3, 3000), table)
    monkeypatch.setattr(module, "BATCH", 7)
    monkeypatch.setattr(module, "LARGEST_BATCH", 50)
    assert in_words(search(table, 100, 3, 3000), table) == found
    assert found


def test_it_gives_up_when_the_candidates_run_out() -> None:
    table = mixed_table(3, 200)
    assert 0 < len(search(table, 10_000, 3, 2000)) < 2000


def test_a_table_of_twins_gives_nothing_but_its_one_row() -> None:
    table = mixed_table(3, 1)
    twins = table.take(np.zeros(50, int))
    assert len(search(twins, 10_000, 3, 3000)) > 0
    assert in_words(search(twins, 10_000, 3, 3000), twins) == in_words(search(table, 10_000, 3, 3000), table)
