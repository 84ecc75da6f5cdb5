"""Releases for `alone_and_linked`: techniques, keys, one table released and measured, and who is alone in a segment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from hushwood.arrays import Array
from hushwood.attacks.judging.running import run_attack
from hushwood.attacks.judging.targets import Trial, scenarios_for
from hushwood.attacks.protocol import Attacked
from hushwood.attacks.registry import ATTACKS
from hushwood.measures.models.grown import Grown
from hushwood.measures.models.learners import ForestLearner
from hushwood.measures.protocol import Context, Measure, Measurement
from hushwood.measures.risk.reidentification_entropy import ReidentificationEntropy
from hushwood.measures.risk.sers import Sers
from hushwood.measures.risk.unchanged_cells import unchanged_cells
from hushwood.measures.utility.eduds import Eduds
from hushwood.random_streams import Streams
from hushwood.releasing.perturb import Perturbed, PerturbOptions, perturb
from hushwood.segments.partition import intersections
from hushwood.tables.table import Table, class_labels
from hushwood.trees.options import Builder, default_min_leaf
from hushwood_papers.forest_framework.folds import TABLES as FOREST_TABLES
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import public_streams

NAME = "alone-and-linked"
# Smallest leaves: the release's own, the Forest Framework paper's (its table 3), or the default of C4.5 and See5.
Leaves = Literal["release", "paper", "smallest"]
SMALLEST = 2
ADULT, ADULT_RECORDS = "adult", 5_000


@dataclass(frozen=True, slots=True)
class Way:
    """A way to release a table: its recipe, how small leaves may be, and whether its noise stays in segments."""

    recipe: str | None
    leaves: Leaves = "release"
    in_segments: bool = True


UNTOUCHED = "untouched"
FF, F, GADP, RT = "forest-framework", "framework", "gadp", "rt"
EXTENDED, FOREST_EXTENDED = "extended-framework", "forest-extended-framework"
RANDOM_EXTENDED = "random-extended-framework"
PAPER_FF, PAPER_F = f"{FF}, the paper's leaves", f"{F}, the paper's leaves"
SMALL_FF, SMALL_F = f"{FF}, leaves of {SMALLEST}", f"{F}, leaves of {SMALLEST}"
WAYS: Mapping[str, Way] = {
    UNTOUCHED: Way(None, in_segments=False),
    F: Way(F),
    FF: Way(FF),
    EXTENDED: Way(EXTENDED),
    FOREST_EXTENDED: Way(FOREST_EXTENDED),
    GADP: Way(GADP, in_segments=False),
    RANDOM_EXTENDED: Way(RANDOM_EXTENDED, in_segments=False),
    # The same as random-framework (errata G14), which is not run a second time.
    RT: Way(RT, in_segments=False),
    PAPER_F: Way(F, "paper"),
    PAPER_FF: Way(FF, "paper"),
    SMALL_F: Way(F, "smallest"),
    SMALL_FF: Way(FF, "smallest"),
}
LABELS: Mapping[str, str] = {name: table.label for name, table in FOREST_TABLES.items()} | {ADULT: "Adult"}
PAPER_LEAVES: Mapping[str, int] = {name: table.min_leaf for name, table in FOREST_TABLES.items()}
# How long a release of each table takes, relative to Wine.
COSTS: Mapping[str, float] = {"wine": 1, "wbc": 1.5, "crx": 2, "cmc": 2.5, "abalone": 6, ADULT: 10}

ALONE, FEW = "% of records alone in their segment", "% of records in segments of fewer than 5"
SAME_RECORDS, SAME_CELLS = "% of records unchanged", "% of cells unchanged"
SAME_CATEGORIES = "% of categories unchanged"
LINKED = "% of records linked"
NEAREST, ASSIGNED, WEIGHED = (
    "% linked, nearest record",
    "% linked, one to one",
    "% linked, weighed agreements",
)
BY_RECORD, BY_TREE = "% of classes told by the nearest record", "% of classes told by the release's tree"
SERS, RI = ENTROPIES = ("SERS", "H_RI")
ACCURACY, EDUDS = "% right on unseen records", "EDUDS"
LINKAGES = {"linkage": NEAREST, "assignment_linkage": ASSIGNED, "probabilistic_linkage": WEIGHED}


def key(table: str, way: str, what: str) -> str:
    """The key of a number.

    >>> key("wine", FF, SERS)
    'Wine, forest-framework: SERS, bits'
    """
    return f"{LABELS[table]}, {way}: {what}{', bits' if what in ENTROPIES else ''}"


def records_key(table: str) -> str:
    """The key of the number of released records, of which a blind guesser links one.

    >>> records_key("crx")
    'Credit: records released'
    """
    return f"{LABELS[table]}: records released"


# One record in five is held out to try models on.
UNSEEN = 5
TARGETS = 1_000
SMALL_SEGMENT = 5


@dataclass(frozen=True)
class Scene:
    """A table in two parts: records to release, and held-out records to try models on."""

    name: str
    table: Table
    unseen: Table

    @classmethod
    def of(cls, name: str, tables: PaperTables) -> Scene:
        """The same parts in every run; Adult is sampled."""
        table, streams = tables.table(name), public_streams(NAME, name)
        if name == ADULT:
            table = table.take(np.sort(streams.sample("records", "", table.rows, ADULT_RECORDS)))
        order = streams.order("unseen", "", range(table.rows))
        unseen = np.zeros(table.rows, bool)
        unseen[order[: table.rows // UNSEEN]] = True
        return cls(name, table.take(np.flatnonzero(~unseen)), table.take(np.flatnonzero(unseen)))

    def min_leaf(self, leaves: Leaves) -> int:
        """The smallest leaf for this choice."""
        if leaves == "paper":
            return PAPER_LEAVES.get(self.name, default_min_leaf(self.table.rows))
        return SMALLEST if leaves == "smallest" else default_min_leaf(self.table.rows)


def released_and_measured(scene: Scene, way_name: str, number: int) -> dict[str, float]:
    """All measures of one release; the untouched table is its own release."""
    way, table = WAYS[way_name], scene.table
    streams = public_streams(NAME, scene.name, way_name, number)
    options = PerturbOptions(
        technique=way.recipe or FF, min_leaf=scene.min_leaf(way.leaves), blur=0, threads=1
    )
    made = perturb(table, options, streams) if way.recipe else None
    released = made.table if made else table
    # All releases are measured with the same builder, whatever made them.
    builder = PerturbOptions(technique=FF, threads=1).grow_options(table.rows)
    context = Context(
        streams,
        Grown(table, Builder(builder)),
        Grown(released, Builder(builder)),
        partner=np.arange(table.rows),
        steps=made.steps if made else (),
    )
    return {
        **(_alone(made) if made and way.in_segments else {}),
        **unchanged(table, released),
        **_linked(scene, released, streams),
        **_entropies(table, released, context),
        **_kept(scene, released, context),
    }


def _alone(made: Perturbed) -> dict[str, float]:
    sizes = made.segments.sizes[made.segments.ids]
    return {ALONE: _percent(sizes == 1), FEW: _percent(sizes < SMALL_SEGMENT)}


def unchanged(table: Table, released: Table) -> dict[str, float]:
    """Shares of records, cells, and categorical cells (without the class) that are released unchanged."""
    same = np.ones(table.rows, bool)
    for attribute in table.schema.kept:
        before, after = table.columns[attribute.name], released.columns[attribute.name]
        same &= (before == after) | ((before != before) & (after != after))
    cells = unchanged_cells(table, released, list(table.columns)).value
    found = {SAME_RECORDS: _percent(same), SAME_CELLS: 100.0 * cells}
    categories = [attribute.name for attribute in table.schema.inputs if attribute.kind == "categorical"]
    if categories:
        found[SAME_CATEGORIES] = 100.0 * unchanged_cells(table, released, categories).value
    return found


def _linked(scene: Scene, released: Table, streams: Streams) -> dict[str, float]:
    """An intruder who knows all attributes but the class; the best linkage counts."""
    found = {
        words: 100.0 * _attacked(scene, released, streams, name).success for name, words in LINKAGES.items()
    }
    inference = _attacked(scene, released, streams, "attribute_inference")
    by = {one["by"]: 100.0 * one["success"] for one in inference.details["variants"]}
    return {LINKED: max(found.values()), **found, BY_RECORD: by["nearest"], BY_TREE: by["model"]}


def _attacked(scene: Scene, released: Table, streams: Streams, name: str) -> Attacked:
    attack = ATTACKS[name]()
    found = run_attack(
        Trial(
            attack,
            scenarios_for(attack, scene.table.schema)[0],
            scene.table,
            released,
            partner=np.arange(scene.table.rows),
            streams=streams,
            targets=TARGETS,
            luck=False,
        )
    )
    if not isinstance(found, Attacked):
        raise ValueError(f"{name} on {scene.name}: {found.reason}")
    return found


def _entropies(table: Table, released: Table, context: Context) -> dict[str, float]:
    return {
        SERS: _answer(Sers(), table, released, context),
        RI: _answer(ReidentificationEntropy(), table, released, context),
    }


def _kept(scene: Scene, released: Table, context: Context) -> dict[str, float]:
    predicted = ForestLearner().fit(context.released_grown)(scene.unseen)
    return {
        ACCURACY: _percent(predicted == class_labels(scene.unseen)[0]),
        EDUDS: _answer(Eduds(), scene.table, released, context),
    }


def _answer(measure: Measure, table: Table, released: Table, context: Context) -> float:
    found = measure.compute(table, released, replace(context, value_only=True))
    if not isinstance(found, Measurement):
        raise ValueError(f"{measure.name}: {found.reason}")
    return found.value


def _percent(those: Array) -> float:
    return 100.0 * float(np.mean(those))


TREES = (1, 2, 3, 5, 8)
LEAVES: tuple[Leaves, ...] = ("release", "paper", "smallest")
LEAF_WORDS = {
    "release": "the release's leaves",
    "paper": "the paper's leaves",
    "smallest": f"leaves of {SMALLEST}",
}


def alone_key(table: str, leaves: str, trees: int) -> str:
    """The key of a share.

    >>> alone_key("wine", "paper", 3)
    "Wine, 3 trees with the paper's leaves: % of records alone in their segment"
    """
    return f"{_forest(table, leaves, trees)}: {ALONE}"


def count_key(table: str, leaves: str, trees: int) -> str:
    """The key of a number of intersections.

    >>> count_key("wine", "release", 1)
    "Wine, 1 tree with the release's leaves: intersections"
    """
    return f"{_forest(table, leaves, trees)}: intersections"


def _forest(table: str, leaves: str, trees: int) -> str:
    many = "1 tree" if trees == 1 else f"{trees} trees"
    return f"{LABELS[table]}, {many} with {LEAF_WORDS[leaves]}"


def alone_by_trees(scene: Scene) -> dict[str, float]:
    """Intersections and shares of records alone, by key; smaller forests are the first trees of one forest."""
    found: dict[str, float] = {}
    for leaves in LEAVES:
        if leaves == "paper" and scene.name not in PAPER_LEAVES:
            continue
        options = PerturbOptions(technique=FF, min_leaf=scene.min_leaf(leaves), threads=1)
        grown = Grown(scene.table, options.builder(scene.table.rows).with_trees(max(TREES)))
        forest = grown.forest
        for trees in TREES:
            if trees <= len(forest.trees):
                sizes = intersections(scene.table, replace(forest, trees=forest.trees[:trees]), 1).sizes
                found[count_key(scene.name, leaves, trees)] = float(len(sizes))
                found[alone_key(scene.name, leaves, trees)] = (
                    100.0 * float((sizes == 1).sum()) / scene.table.rows
                )
    return found
