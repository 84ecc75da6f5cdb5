from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.attacks.protocol import PredicateGuesses
from hushwood.attacks.search import predicate_search
from hushwood.attacks.search.predicate_search import multivariate, univariate
from hushwood.attacks.search.predicates import ranked
from hushwood.attacks.singling_out import distinct_rows
from hushwood.tables.table import Table
from oracles import predicates as oracle
from support.intruders import in_words, only
from support.mixed_tables import mixed_table, plain_rows
from support.table_pairs import STREAMS

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
    monkeypatch.setattr(predicate_search, "BATCH", 7)
    monkeypatch.setattr(predicate_search, "LARGEST_BATCH", 50)
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
