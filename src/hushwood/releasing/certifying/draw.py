"""Whether the counts of a release are those that its key draws, from the people that its key draws."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Words
from hushwood.random_streams import Streams
from hushwood.releasing.engines.memory import laid_out
from hushwood.releasing.fitted import places_of
from hushwood.releasing.fitting import Sample
from hushwood.releasing.forest_for import sampled_rows
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.planning import plan_for
from hushwood.segments.partition import LeafKeys, keys_of_leaves
from hushwood.tables.resampling import resampled
from hushwood.tables.table import Table
from hushwood.techniques.laws.counts import BOOTSTRAP
from hushwood.techniques.segment_shuffle import ShufflePerturber
from hushwood.techniques.sequential.coded_columns import coded_inputs
from hushwood.techniques.sequential.hand_outs import Slots
from hushwood.techniques.sequential.proposal_trees import linked_columns
from hushwood.trees.forest import Forest

FEWEST = 5.0  # a smaller count has no error that is about normal


@dataclass(frozen=True, slots=True)
class DrawCheck:
    """How many counts of categories in leaves there are, and how many of them are the ones that the key draws.

    Of those that are large enough to have a standard error, `near` are within two of the people's.
    """

    counts: int
    same: int
    large: int
    near: int


def check_draw(
    people: Table, released: Table, forest: Forest, options: PerturbOptions, streams: Streams
) -> DrawCheck | None:
    """Draw people and counts again, and compare the counts; None for a table with links between columns."""
    drawn, ids = resampled(people, streams)
    if people.schema.links or not len(people.columns):
        return None
    places = sampled_rows(ids, options.forest_rows, streams)
    sample = Sample.at(places, drawn, ids)
    fit = laid_out(drawn, plan_for(options, drawn), forest, options, sample)
    perturber = fit.prepared[0].perturber
    if not isinstance(perturber, ShufflePerturber):
        return None
    inputs = [a.name for a in drawn.schema.inputs if a.name in perturber.attributes]
    varied = [c for c in coded_inputs(drawn.schema, inputs, sample.records.columns) if not c.constant]
    linked = linked_columns(varied)
    names = [n for n in perturber.attributes if drawn.schema[n].kind == "categorical"]
    handed = {name: drawn.columns[name].copy() for name in names}
    segments, parts = fit.segments.ids, fit.parts("segment")
    for rows in places_of(parts.of(segments, ids, streams), parts.count):
        columns = {name: values[rows] for name, values in drawn.columns.items()}
        slots = Slots.of(segments[rows], ids[rows], streams, perturber.technique.acronym)
        for name, values in perturber.drawn(linked, columns, slots).items():
            if name in handed:
                handed[name][rows] = values
    keys = LeafKeys(forest, people.schema)
    leaves = [keys_of_leaves(keys, one, options.threads) for one in (people, drawn, released)]
    found = DrawCheck(0, 0, 0, 0)
    for name in names:
        sides = people.columns[name], handed[name], released.columns[name]
        found = _with_counts(found, leaves, sides, BOOTSTRAP + options.drawn)
    return found


def _with_counts(found: DrawCheck, leaves: list[Words], sides: tuple[Array, ...], noise: float) -> DrawCheck:
    """The same with the counts of one column."""
    known = np.unique(np.concatenate(leaves))
    width = 1 + max(int(values.max(initial=-1)) + 1 for values in sides)
    ours, drawn, released = (
        np.bincount(np.searchsorted(known, keys) * width + values + 1, minlength=len(known) * width)
        for keys, values in zip(leaves, sides, strict=True)
    )
    there = (ours > 0) | (drawn > 0) | (released > 0)
    large = ours >= FEWEST
    error = np.sqrt(noise * ours * (1 - ours / max(int(ours.sum()), 1)))
    near = large & (np.abs(released - ours) <= 2 * error)
    return replace(
        found,
        counts=found.counts + int(there.sum()),
        same=found.same + int((drawn == released)[there].sum()),
        large=found.large + int(large.sum()),
        near=found.near + int(near.sum()),
    )
