"""CAPT on a table whose trees can be read: similar values by hand, strict and literal, unrelated and binned classes.

CAPT with other clusterings than DETECTIVE: its law by hand, in both modes, and where nothing is alike.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hushwood.demo.synthetic_tables import customer_status
from hushwood.errors import InputError
from hushwood.measures.posterior.law_likelihoods import redraw_likelihood
from hushwood.random_streams import Streams
from hushwood.releasing.engines import memory
from hushwood.segments.partition import leaves, whole_table
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.capt import Capt
from hushwood.techniques.laws.forms import RedrawForm
from hushwood.techniques.laws.groupings import ClusterGroups
from hushwood.techniques.laws.promises import dealt, redrawn
from hushwood.techniques.laws.redraw import RedrawLaw
from hushwood.techniques.protocol import Law
from hushwood.trees.forest import Forest
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.detective import LeafGroups
from hushwood.value_clusters.grouping.attribute_trees import detective
from hushwood.value_clusters.registry import VALUE_CLUSTERS
from support.mixed_tables import category, one_tree, table_of, target
from support.technique_variants import prepared

STREAMS = Streams(bytes(range(32)))
GROW = GrowOptions(min_leaf=2)


def cars() -> Table:
    """In the east Ford and Nissan (3 : 1), in the west Holden, in the south Toyota: one test tells them apart."""
    place = [0] * 40 + [1] * 20 + [2] * 60
    car = [0] * 30 + [2] * 10 + [1] * 20 + [3] * 60
    return table_of(
        {
            "place": (category("place", ("east", "west", "south")), place),
            "car": (category("car", ("Ford", "Holden", "Nissan", "Toyota")), car),
            "k": (target("k", "ab"), [0, 1] * 60),
        }
    )


def transition(law: Law, table: Table, row: int, ids: int = 0) -> list[float]:
    """Probability of every released value (and missing) of one record."""
    width = len(table.schema["car"].categories) + 1
    record = {name: np.repeat(values[row : row + 1], width) for name, values in table.columns.items()}
    released = {**record, "car": np.array([*range(width - 1), -1])}
    return [float(p) for p in np.exp(law.log_prob(record, released, np.full(width, ids)))]


def law_for(capt: Capt, table: Table, segments: Segments | None = None) -> Law:
    return capt.prepare(table, ["car"], segments or whole_table(table)).law()


def test_the_tree_is_the_one_meant() -> None:
    clusters = detective(cars(), "car", GROW)
    assert clusters is not None
    assert clusters.siblings == {1: (2, 3), 2: (1, 3), 3: (1, 2)}


def test_siblings_equally() -> None:
    """p = 0.2: half of it to each sibling's majority; else Ford 3 : Nissan 1 in the east, the same value elsewhere."""
    table = cars()
    law = law_for(Capt(probability=0.2, grow=GROW), table)
    assert transition(law, table, 0) == pytest.approx([0.6, 0.1, 0.2, 0.1, 0])
    assert transition(law, table, 35) == pytest.approx([0.6, 0.1, 0.2, 0.1, 0])
    assert transition(law, table, 45) == pytest.approx([0.1, 0.8, 0, 0.1, 0])


def test_siblings_in_proportion_to_their_records() -> None:
    table = cars()
    law = law_for(Capt(probability=0.2, siblings="proportional", grow=GROW), table)
    assert transition(law, table, 0) == pytest.approx([0.6, 0.2 * 20 / 80, 0.2, 0.2 * 60 / 80, 0])


def test_missing_values_are_redrawn_like_others() -> None:
    table = cars()
    codes = table.columns["car"].copy()
    codes[:4] = -1
    table = table.with_columns({"car": codes})
    law = law_for(Capt(probability=0.2, grow=GROW), table)
    assert transition(law, table, 0) == pytest.approx([0.8 * 26 / 40, 0.1, 0.8 * 10 / 40, 0.1, 0.8 * 4 / 40])


def forest_on_cars() -> Forest:
    """Ford and Holden go left, Nissan and Toyota right, unknown cars right."""
    children = {"Ford": 1, "Holden": 1, "Nissan": 2, "Toyota": 2}
    root = {"id": 0, "test": {"attribute": "car"}, "children": children, "missing_to": 2, "counts": [60, 60]}
    leaves = [{"id": 1, "counts": [30, 20]}, {"id": 2, "counts": [30, 40]}]
    return one_tree({"name": "car", "kind": "categorical", "values": list(children)}, [root, *leaves])


def test_strict_takes_only_values_of_the_same_branch() -> None:
    """Errata C8: what is left of the mixture, made to sum to 1."""
    table = cars()
    segments = leaves(table, forest_on_cars())
    law = law_for(Capt(probability=0.2, grow=GROW), table, segments)
    assert transition(law, table, 0, int(segments.ids[0])) == pytest.approx([6 / 7, 1 / 7, 0, 0, 0])
    assert transition(law, table, 35, int(segments.ids[35])) == pytest.approx([0, 0, 2 / 3, 1 / 3, 0])


def test_literal_is_the_text_as_printed() -> None:
    table = cars()
    segments = leaves(table, forest_on_cars())
    law = law_for(Capt("literal", 0.2, grow=GROW), table, segments)
    assert transition(law, table, 0, int(segments.ids[0])) == pytest.approx([0.6, 0.1, 0.2, 0.1, 0])


def test_certain_change_without_allowed_siblings_falls_back_on_the_own_leaf() -> None:
    table = cars()
    children = {"Ford": 1, "Nissan": 1, "Holden": 2, "Toyota": 3}
    root = {"id": 0, "test": {"attribute": "car"}, "children": children, "missing_to": 1, "counts": [60, 60]}
    nodes: list[dict[str, Any]] = [root, *({"id": i, "counts": [1, 1]} for i in (1, 2, 3))]
    forest = one_tree({"name": "car", "kind": "categorical", "values": list(children)}, nodes)
    segments = leaves(table, forest)
    law = law_for(Capt(probability=1, grow=GROW), table, segments)
    assert transition(law, table, 0, int(segments.ids[0])) == pytest.approx([0.75, 0, 0.25, 0, 0])


def unrelated() -> Table:
    return table_of(
        {
            "place": (category("place", ("east", "west")), [0, 1] * 40),
            "car": (category("car", ("Ford", "Holden", "Nissan", "Toyota")), [0, 0, 1, 1, 2, 2, 3, 3] * 10),
            "k": (target("k", "ab"), [*[0] * 8, *[1] * 8] * 5),
        }
    )


def test_an_unrelated_attribute_changes_to_anything() -> None:
    table = unrelated()
    capt = Capt(unrelated=0.3, grow=GrowOptions(min_leaf=30))
    clusters = detective(table, "car", capt.grow)
    assert clusters is not None
    assert clusters.unrelated
    assert transition(law_for(capt, table), table, 0) == pytest.approx([0.7, 0.1, 0.1, 0.1, 0])
    segments = leaves(table, forest_on_cars())
    strict = law_for(capt, table, segments)
    assert transition(strict, table, 0, int(segments.ids[0])) == pytest.approx([0.7, 0.3, 0, 0, 0])


def test_the_probability_of_unrelated_attributes_reaches_the_thesis_example() -> None:
    """CS (thesis 6.6): Favorite City has nothing to do with the rest, so it changes as often as was asked for."""
    table = customer_status(399, bytes(range(32)))
    city = table.columns["Favorite City"]
    for probability in (0.0, 0.1, 0.9):
        perturber = Capt(unrelated=probability, grow=GROW).prepare(
            table, ["Favorite City"], whole_table(table)
        )
        released = perturber.perturb(table.columns, np.zeros(399, np.int64), range(399), STREAMS)
        changed = float((released["Favorite City"] != city).mean())
        assert changed == pytest.approx(probability, abs=0.06)


def test_the_law_of_a_sample_holds_for_records_outside_of_it() -> None:
    """A sample of half the east, and without the west: what nobody in the sample tells about is kept."""
    table = cars()
    part = table.take(np.concatenate([np.arange(20, 40), np.arange(60, 120)]))
    law = law_for(Capt(probability=0, grow=GROW), part, replace(whole_table(part), sampled=True))
    assert transition(law, table, 0) == pytest.approx([0.5, 0, 0.5, 0, 0])
    assert transition(law, table, 45) == pytest.approx([0, 1, 0, 0, 0])
    drawn = law.sample(table.columns, np.zeros(120, np.int64), range(120), STREAMS)["car"]
    assert drawn[40:].tolist() == table.columns["car"][40:].tolist()
    assert set(drawn[:40].tolist()) == {0, 2}


def test_permutation_within_leaves() -> None:
    """p = 0: the east keeps its 30 Ford and 10 Nissan, on other records; the marginal law is that of the leaf."""
    table = cars()
    capt = Capt(probability=0, grow=GROW, redraw="permutation")
    law = law_for(capt, table)
    assert law.dependent
    assert capt.promise == dealt("table")
    assert transition(law, table, 0) == pytest.approx([0.75, 0, 0.25, 0, 0])
    assert transition(law, table, 45) == pytest.approx([0, 1, 0, 0, 0])
    released = law.sample(table.columns, np.zeros(120, np.int64), range(120), STREAMS)["car"]
    assert np.bincount(released[:40]).tolist() == [30, 0, 10]
    assert 5 < np.count_nonzero(released[:40] != table.columns["car"][:40]) < 25
    assert released[40:].tolist() == table.columns["car"][40:].tolist()


def test_permutation_and_siblings() -> None:
    """p = 0.2: a record of the west is Ford or Toyota one time in ten each; that promises no counts."""
    table = cars()
    capt = Capt(probability=0.2, grow=GROW, redraw="permutation")
    law = law_for(capt, table)
    assert capt.promise == redrawn("inside", "table")
    assert transition(law, table, 45) == pytest.approx([0.1, 0.8, 0, 0.1, 0])
    part = (1 - 0.2**40) / 40
    to_nissan = (0.8 - part) * 10 / 39
    assert transition(law, table, 0) == pytest.approx([0.8 - to_nissan, 0.1, to_nissan, 0.1, 0])
    drawn = [
        law.sample(table.columns, np.zeros(120, np.int64), range(120), Streams(bytes([key]) * 32))["car"][0]
        for key in range(250)
    ]
    assert np.bincount(drawn, minlength=4) / 250 == pytest.approx(transition(law, table, 0)[:4], abs=0.09)


def test_strict_permutation_stays_on_the_branch() -> None:
    """Ford and Holden go left, Nissan and Toyota right: in the east only Fords change places with Fords."""
    table = cars()
    segments = leaves(table, forest_on_cars())
    law = law_for(Capt(probability=0.2, grow=GROW, redraw="permutation"), table, segments)
    assert transition(law, table, 0, int(segments.ids[0])) == pytest.approx([0.8, 0.2, 0, 0, 0])
    assert transition(law, table, 35, int(segments.ids[35])) == pytest.approx([0, 0, 0.8, 0.2, 0])


def test_unrelated_attributes_are_permuted_in_part() -> None:
    """A record takes part with the probability given, and then gets any record's value."""
    table = unrelated()
    law = law_for(
        Capt(probability=0, unrelated=0.3, grow=GrowOptions(min_leaf=30), redraw="permutation"), table
    )
    own = (1 - 0.7**80) / 80
    other = (0.3 - own) * 20 / 79
    assert transition(law, table, 0) == pytest.approx([1 - 3 * other, other, other, other, 0])
    released = law.sample(table.columns, np.zeros(80, np.int64), range(80), STREAMS)["car"]
    assert np.bincount(released).tolist() == [20] * 4


def test_one_value_only() -> None:
    table = table_of(
        {"car": (category("car", ("Ford", "Holden")), [0] * 8), "k": (target("k", "ab"), [0, 1] * 4)}
    )
    law = law_for(Capt(grow=GROW, unrelated=0.4), table)
    assert transition(law, table, 0) == pytest.approx([0.6, 0.4, 0])


def test_a_binned_class_can_be_tested() -> None:
    """The tree of the cars tests the bins of a numeric class, also when rows come in chunks."""
    table = cars()
    wages = tuple(str(wage) for wage in range(1, 13))
    attribute = replace(target("wage", wages), bins=(4.0, 6.0))
    wage = [i % 4 for i in range(40)] + [4 + i % 2 for i in range(20)] + [6 + i % 6 for i in range(60)]
    table = table_of({"car": (table.schema["car"], table.columns["car"].tolist()), "wage": (attribute, wage)})
    clusters = detective(table, "car", GROW)
    assert clusters is not None
    assert clusters.siblings == {1: (2, 3), 2: (1, 3), 3: (1, 2)}
    law = law_for(Capt(probability=0.2, grow=GROW), table)
    assert transition(law, table, 0) == pytest.approx([0.6, 0.1, 0.2, 0.1, 0])
    steps = prepared(Capt(probability=0.2, grow=GROW), table, whole_table(table))
    whole = memory.run(table, steps, STREAMS)["car"]
    assert np.array_equal(memory.run(table, steps, STREAMS, chunk_rows=7)["car"], whole)


def test_only_strict_keeps_segments() -> None:
    assert Capt().keeps_segment
    assert not Capt("literal").keeps_segment
    assert "breaks" in Capt("literal").says()
    assert "breaks" not in Capt().says()


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(
        InputError, match=r"mode of CAPT must be .*'strikt' was given\. Did you mean 'strict'"
    ):
        Capt("strikt")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="siblings of CAPT must be equal or proportional; 'all'"):
        Capt(siblings="all")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="probability of CAPT must be between 0 and 1"):
        Capt(probability=2)
    with pytest.raises(InputError, match="unrelated of CAPT must be"):
        Capt(unrelated=-1)


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


def transition_capt_clusters(law: RedrawLaw, table: Table, row: int, segment: int = 0) -> list[float]:
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
        assert transition_capt_clusters(law, table, 0) == pytest.approx([0.75, 0, 0.25, 0, 0])
        assert transition_capt_clusters(law, table, 80) == pytest.approx([0, 0, 0, 0, 1])
    else:
        assert transition_capt_clusters(law, table, 0) == pytest.approx([30 / 41, 0, 10 / 41, 0, 1 / 41])
    assert transition_capt_clusters(law, table, 40) == pytest.approx([0, 0.25, 0, 0.75, 0])


def test_the_release_follows_the_clusters() -> None:
    table = two_worlds()
    for clusters in ("qrock", "ex-detective"):
        law = law_of(Capt("literal", clusters=clusters), table, "car")
        assert transition_capt_clusters(law, table, 40) == pytest.approx([0, 0.25, 0, 0.75, 0]), clusters


def test_strict_takes_only_values_of_the_same_branch_capt_clusters() -> None:
    table = two_worlds()
    children = {"Ford": 1, "Opel": 2, "Lada": 1, "Skoda": 1}
    root = {"id": 0, "test": {"attribute": "car"}, "children": children, "missing_to": 2, "counts": [40, 21]}
    nodes = [root, {"id": 1, "counts": [30, 20]}, {"id": 2, "counts": [10, 1]}]
    segments = leaves(
        table, one_tree({"name": "car", "kind": "categorical", "values": list(children)}, nodes)
    )
    strict = law_of(Capt(clusters="stirr"), table, "car", segments)
    literal = law_of(Capt("literal", clusters="stirr"), table, "car", segments)
    assert transition_capt_clusters(strict, table, 0, int(segments.ids[0])) == pytest.approx([1, 0, 0, 0, 0])
    assert transition_capt_clusters(strict, table, 35, int(segments.ids[35])) == pytest.approx(
        [0, 0, 10 / 11, 0, 1 / 11]
    )
    assert transition_capt_clusters(strict, table, 40, int(segments.ids[40])) == pytest.approx(
        [0, 0.25, 0, 0.75, 0]
    )
    assert transition_capt_clusters(literal, table, 0, int(segments.ids[0]))[2] == pytest.approx(10 / 41)


def test_opposite_values_count_as_unrelated() -> None:
    """Two drinks, each alone in its group: nothing to draw among."""
    table = two_worlds()
    law = law_of(Capt(unrelated=0.2, clusters="stirr"), table, "drink")
    assert transition_capt_clusters(law, table, 0) == pytest.approx([0.8, 0.2, 0])


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
