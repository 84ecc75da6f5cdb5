"""CAPT with other clusterings than DETECTIVE: its law by hand, in both modes, and where nothing is alike."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.demo.synthetic_tables import customer_status
from hushwood.errors import InputError
from hushwood.measures.posterior.law_likelihoods import redraw_likelihood
from hushwood.segments.partition import leaves, whole_table
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.capt import Capt
from hushwood.techniques.laws.forms import RedrawForm
from hushwood.techniques.laws.groupings import ClusterGroups
from hushwood.techniques.laws.redraw import RedrawLaw
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.detective import LeafGroups
from hushwood.value_clusters.registry import VALUE_CLUSTERS
from support.mixed_tables import category, one_tree, table_of, target

CARS = ("Ford", "Lada", "Opel", "Skoda")


def two_worlds() -> Table:
    """30 Ford and 10 Opel drivers drink cola, 10 Lada and 30 Skoda drivers drink tea; one car is not known."""
    car = [0] * 30 + [2] * 10 + [1] * 10 + [3] * 30 + [-1]
    drink = [0] * 40 + [1] * 40 + [0]
    return table_of(
        {
            "car": (category("car", CARS), car),
            "drink": (category("drink", ("cola", "tea")), drink),
            "k": (target("k", "ab"), [*([0] * 40), *([1] * 40), 0]),
        }
    )


def law_of(capt: Capt, table: Table, name: str, segments: Segments | None = None) -> RedrawLaw:
    (law,) = capt.prepare(table, [name], segments or whole_table(table)).law().laws
    assert isinstance(law, RedrawLaw)
    return law


def transition(law: RedrawLaw, table: Table, row: int, segment: int = 0) -> list[float]:
    """Probability of every released value (and missing) of one record."""
    width = law.distributions.width
    record = {name: np.repeat(values[row : row + 1], width) for name, values in table.columns.items()}
    released = {**record, law.attribute: np.array([*range(width - 1), -1])}
    return [float(p) for p in np.exp(law.log_prob(record, released, np.full(width, segment)))]


@pytest.mark.parametrize("clusters", ["cactus", "stirr"])
def test_a_value_is_drawn_from_those_like_it(clusters: str) -> None:
    """In proportion to the records, without any probability p: there are no siblings."""
    table = two_worlds()
    law = law_of(Capt(probability=0.9, clusters=clusters), table, "car")
    if clusters == "cactus":
        assert transition(law, table, 0) == pytest.approx([0.75, 0, 0.25, 0, 0])
        assert transition(law, table, 80) == pytest.approx([0, 0, 0, 0, 1])
    else:
        assert transition(law, table, 0) == pytest.approx([30 / 41, 0, 10 / 41, 0, 1 / 41])
    assert transition(law, table, 40) == pytest.approx([0, 0.25, 0, 0.75, 0])


def test_the_release_follows_the_clusters() -> None:
    table = two_worlds()
    for clusters in ("qrock", "ex-detective"):
        law = law_of(Capt("literal", clusters=clusters), table, "car")
        assert transition(law, table, 40) == pytest.approx([0, 0.25, 0, 0.75, 0]), clusters


def test_strict_takes_only_values_of_the_same_branch() -> None:
    table = two_worlds()
    children = {"Ford": 1, "Opel": 2, "Lada": 1, "Skoda": 1}
    root = {"id": 0, "test": {"attribute": "car"}, "children": children, "missing_to": 2, "counts": [40, 21]}
    nodes = [root, {"id": 1, "counts": [30, 20]}, {"id": 2, "counts": [10, 1]}]
    segments = leaves(
        table, one_tree({"name": "car", "kind": "categorical", "values": list(children)}, nodes)
    )
    strict = law_of(Capt(clusters="stirr"), table, "car", segments)
    literal = law_of(Capt("literal", clusters="stirr"), table, "car", segments)
    assert transition(strict, table, 0, int(segments.ids[0])) == pytest.approx([1, 0, 0, 0, 0])
    assert transition(strict, table, 35, int(segments.ids[35])) == pytest.approx([0, 0, 10 / 11, 0, 1 / 11])
    assert transition(strict, table, 40, int(segments.ids[40])) == pytest.approx([0, 0.25, 0, 0.75, 0])
    assert transition(literal, table, 0, int(segments.ids[0]))[2] == pytest.approx(10 / 41)


def test_opposite_values_count_as_unrelated() -> None:
    """Two drinks, each alone in its group: nothing to draw among."""
    table = two_worlds()
    law = law_of(Capt(unrelated=0.2, clusters="stirr"), table, "drink")
    assert transition(law, table, 0) == pytest.approx([0.8, 0.2, 0])


@pytest.mark.parametrize("clusters", VALUE_CLUSTERS)
def test_risk_measures_read_the_law(clusters: str) -> None:
    """The likelihoods know the groups of every clustering, unless a column that decides them is not there."""
    table = customer_status(399, bytes(32))
    law = law_of(Capt("literal", clusters=clusters, grow=GrowOptions(min_leaf=5)), table, "Car Make")
    given, segment = np.arange(4, dtype=np.int32), np.zeros(1, np.int64)
    form = law.forms(table.schema)["Car Make"]
    assert isinstance(form, RedrawForm)
    assert redraw_likelihood(form, table.columns, given, segment) is not None
    less = {name: values for name, values in table.columns.items() if name != "Profession"}
    groups = form.groups.clusters
    assert groups is not None
    needed = "Profession" in groups.reads
    assert needed == (clusters not in ("cactus", "stirr"))
    assert (redraw_likelihood(form, less, given, segment) is None) == needed


def test_detective_is_the_default() -> None:
    law = law_of(Capt(grow=GrowOptions(min_leaf=2)), two_worlds(), "car")
    assert isinstance(law.group_of, ClusterGroups)
    assert isinstance(law.group_of.clusters, LeafGroups)


def test_an_unknown_clustering_is_refused() -> None:
    with pytest.raises(InputError, match=r"clusters of CAPT .*'cactsu' was given\. Did you mean 'cactus'\?"):
        Capt(clusters="cactsu")
