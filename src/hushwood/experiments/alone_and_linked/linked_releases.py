"""One table released in one way: who is alone, who goes out as he came, who is linked, and what miners keep.

The ways and the words are in `names`; what all releases say together is in `claims`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.attacks.protocol import Attacked
from hushwood.attacks.registry import ATTACKS
from hushwood.attacks.running import run_attack
from hushwood.attacks.scenarios import scenarios_for
from hushwood.experiments.alone_and_linked import names
from hushwood.experiments.paper_tables import PaperTables
from hushwood.experiments.protocol import public_streams
from hushwood.frameworks.forest_for import default_min_leaf
from hushwood.frameworks.perturb import Perturbed, PerturbOptions, perturb
from hushwood.measures.grown import Grown
from hushwood.measures.protocol import Context, Measure, Measurement
from hushwood.measures.risk.reidentification_entropy import ReidentificationEntropy
from hushwood.measures.risk.sers import Sers
from hushwood.measures.risk.unchanged_cells import unchanged_cells
from hushwood.measures.utility.eduds import Eduds
from hushwood.measures.utility.learners import ForestLearner
from hushwood.random_streams import Streams
from hushwood.tables.table import Table, class_labels

# One record in so many is kept to try what was learnt on it.
UNSEEN = 5
TARGETS = 1_000
FEW = 5


@dataclass(frozen=True)
class Scene:
    """A table in two parts: records to be released, and records to try models on."""

    name: str
    table: Table
    unseen: Table

    @classmethod
    def of(cls, name: str, tables: PaperTables) -> Scene:
        """The same parts in every run; of Adult a sample."""
        table, streams = tables.table(name), public_streams(names.NAME, name)
        if name == names.ADULT:
            table = table.take(np.sort(streams.sample("records", "", table.rows, names.ADULT_RECORDS)))
        order = streams.order("unseen", "", range(table.rows))
        unseen = np.zeros(table.rows, bool)
        unseen[order[: table.rows // UNSEEN]] = True
        return cls(name, table.take(np.flatnonzero(~unseen)), table.take(np.flatnonzero(unseen)))

    def min_leaf(self, leaves: names.Leaves) -> int:
        """The smallest leaf that a way asks for."""
        if leaves == "paper":
            return names.PAPER_LEAVES.get(self.name, default_min_leaf(self.table.rows))
        return names.SMALLEST if leaves == "smallest" else default_min_leaf(self.table.rows)


def released_and_measured(scene: Scene, way_name: str, number: int) -> dict[str, float]:
    """All that is told of one release; the untouched table is its own release."""
    way, table = names.WAYS[way_name], scene.table
    streams = public_streams(names.NAME, scene.name, way_name, number)
    options = PerturbOptions(technique=way.recipe or names.FF, min_leaf=scene.min_leaf(way.leaves), threads=1)
    made = perturb(table, options, streams) if way.recipe else None
    released = made.table if made else table
    # Everybody is measured by the same builder, whatever rules a release was made by.
    builder = PerturbOptions(threads=1).grow_options(table.rows)
    context = Context(
        streams,
        Grown(table, builder),
        Grown(released, builder),
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
    return {names.ALONE: _percent(sizes == 1), names.FEW: _percent(sizes < FEW)}


def unchanged(table: Table, released: Table) -> dict[str, float]:
    """Records, cells, and cells of categories beside the class that go out as they came."""
    same = np.ones(table.rows, bool)
    for attribute in table.schema.kept:
        before, after = table.columns[attribute.name], released.columns[attribute.name]
        same &= (before == after) | ((before != before) & (after != after))
    cells = unchanged_cells(table, released, list(table.columns)).value
    found = {names.SAME_RECORDS: _percent(same), names.SAME_CELLS: 100.0 * cells}
    categories = [attribute.name for attribute in table.schema.inputs if attribute.kind == "categorical"]
    if categories:
        found[names.SAME_CATEGORIES] = 100.0 * unchanged_cells(table, released, categories).value
    return found


def _linked(scene: Scene, released: Table, streams: Streams) -> dict[str, float]:
    """Somebody who knows all attributes but the class; the best of his linkages counts."""
    found = {
        words: 100.0 * _attacked(scene, released, streams, name).success
        for name, words in names.LINKAGES.items()
    }
    told = _attacked(scene, released, streams, "attribute_inference")
    by = {one["by"]: 100.0 * one["success"] for one in told.details["variants"]}
    return {
        names.LINKED: max(found.values()),
        **found,
        names.BY_RECORD: by["nearest"],
        names.BY_TREE: by["model"],
    }


def _attacked(scene: Scene, released: Table, streams: Streams, name: str) -> Attacked:
    attack = ATTACKS[name]()
    found = run_attack(
        attack,
        scenarios_for(attack, scene.table.schema)[0],
        scene.table,
        released,
        partner=np.arange(scene.table.rows),
        streams=streams,
        targets=TARGETS,
        luck=False,
    )
    if not isinstance(found, Attacked):
        raise ValueError(f"{name} on {scene.name}: {found.reason}")
    return found


def _entropies(table: Table, released: Table, context: Context) -> dict[str, float]:
    return {
        names.SERS: _answer(Sers(), table, released, context),
        names.RI: _answer(ReidentificationEntropy(), table, released, context),
    }


def _kept(scene: Scene, released: Table, context: Context) -> dict[str, float]:
    predicted = ForestLearner().fit(context.released_grown)(scene.unseen)
    return {
        names.ACCURACY: _percent(predicted == class_labels(scene.unseen)[0]),
        names.EDUDS: _answer(Eduds(), scene.table, released, context),
    }


def _answer(measure: Measure, table: Table, released: Table, context: Context) -> float:
    found = measure.compute(table, released, replace(context, value_only=True))
    if not isinstance(found, Measurement):
        raise ValueError(f"{measure.name}: {found.reason}")
    return found.value


def _percent(those: NDArray[Any]) -> float:
    return 100.0 * float(np.mean(those))
