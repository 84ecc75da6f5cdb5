"""Every clustering that CAPT can name gives groups that CAPT can use."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

from hushwood.demo.synthetic_tables import customer_status
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.registry import VALUE_CLUSTERS
from support.mixed_tables import mixed_table

each_clustering = pytest.mark.parametrize("name", VALUE_CLUSTERS)


@each_clustering
def test_groups_are_whole_numbers_of_any_chunk(name: str) -> None:
    table = customer_status(399, bytes(32))
    groups = VALUE_CLUSTERS[name](table, "Car Make", GrowOptions(min_leaf=5))
    assert groups is not None
    whole = groups.group_of(table.columns)
    assert whole.dtype == np.int64
    assert whole.min() >= 0
    assert len(set(whole.tolist())) > 1
    again = pickle.loads(pickle.dumps(groups))  # noqa: S301 - our own
    some = np.arange(table.rows)[::-3]
    chunk = {column: values[some] for column, values in table.columns.items()}
    assert np.array_equal(again.group_of(chunk), whole[some])
    read = {column: values for column, values in table.columns.items() if column in groups.reads}
    assert np.array_equal(groups.group_of(read), whole)
    assert bool(groups.siblings) == (name == "detective")


@each_clustering
def test_nothing_explains_a_column_without_values(name: str) -> None:
    assert VALUE_CLUSTERS[name](mixed_table(8, 100), "nothing", GrowOptions()) is None


def test_clusterings_are_imported_when_they_are_used() -> None:
    program = (
        "import sys, hushwood.value_clusters.registry; "
        "print(*(m for m in sys.modules if m.startswith('hushwood.value_clusters.')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["hushwood.value_clusters.registry"]
