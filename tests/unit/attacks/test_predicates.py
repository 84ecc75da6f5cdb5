from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.attacks.guesses import PredicateGuesses
from hushwood.attacks.predicates import OPERATORS, boxes_of, count_boxes, count_matches, ranked
from hushwood.tables.table import Table
from intruders import in_words
from mixed_tables import category, mixed_table, number, plain_rows, table_of
from oracles import predicates as oracle

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
