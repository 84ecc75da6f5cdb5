"""One release for each way to grow the trees behind it, judged: its segments, what is left of the rules, and the risk.

`tree_builders` asks for tables and runs, `verdict` compares the builders.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from hushwood.attacks.linkage import Linkage
from hushwood.attacks.protocol import Attacked
from hushwood.attacks.running import run_attack
from hushwood.attacks.scenarios import scenarios_for
from hushwood.evaluation.levels import QUICK
from hushwood.evaluation.release_facts import segment_facts
from hushwood.frameworks.forest_for import default_min_leaf
from hushwood.frameworks.perturb import Perturbed, PerturbOptions, perturb
from hushwood.measures.grown import Grown
from hushwood.measures.protocol import Context, Measurement
from hushwood.measures.utility.learners import TreeLearner
from hushwood.random_streams import Streams
from hushwood.tables.table import Table, class_labels
from hushwood.trees.grow import grow_tree
from hushwood.trees.options import GrowOptions

BUILDERS = ("c45", "see5")
C45, SEE5, LARGER = "c45", "see5", "c45 with doubled leaves"
WAYS = (C45, SEE5, LARGER)
# The others are unseen: a tree learnt from the release is tried on them.
RELEASED_SHARE = 0.7
TARGETS = 2_000
UTILITY = {"rule_types": "rules found again", "eduds": "EDUDS", "edusc": "EDUSC"}
ACCURACY = "accuracy on unseen records"
RISK = {
    "unchanged_cells": "unchanged cells",
    "changed_classes": "changed classes",
    "sers": "SERS",
    "reidentification_entropy": "entropy of re-identification",
}
ALONE = "records alone in their segment"
LINKED = {"everything": "linked, all attributes known", "quasi-identifiers": "linked, some attributes known"}
SEGMENTS, MEDIAN, LEAVES, UNPRUNED = (
    "segments",
    "median records in a segment",
    "leaves of one tree",
    "leaves of one tree, unpruned",
)


def read_by(what: str, reader: str) -> str:
    """The name of a number that depends on the builder with which a receiver grows trees.

    >>> read_by("EDUDS", "see5")
    'EDUDS, reader see5'
    """
    return f"{what}, reader {reader}"


@dataclass(frozen=True)
class Judge:
    """The records that are released, those that are not, and how readers grow trees; all but the release itself.

    Shares are between 0 and 1. What the reader's trees say of the original is learnt once for all releases.
    """

    original: Table
    unseen: Table
    streams: Streams
    readers: Mapping[str, Grown]

    @classmethod
    def of(cls, table: Table, streams: Streams) -> Judge:
        """Draw the records to be released."""
        drawn = streams.sample("tree-builders", "released", table.rows, round(RELEASED_SHARE * table.rows))
        inside = np.sort(drawn)
        outside = np.setdiff1d(np.arange(table.rows), inside, assume_unique=True)
        original = table.take(inside)
        grow = {name: _options(name, original.rows).grow_options(original.rows) for name in BUILDERS}
        readers = {name: Grown(original, options) for name, options in grow.items()}
        return cls(original, table.take(outside), streams, readers)

    def judged(self, way: str) -> dict[str, float]:
        """Release by the default technique with trees grown in this way, and measure."""
        options = _options(way, self.original.rows)
        made = perturb(self.original, options, self.streams)
        segments = self._segments(options.grow_options(self.original.rows), made)
        return segments | self._utility(made) | self._risk(made)

    def _segments(self, grow: GrowOptions, made: Perturbed) -> dict[str, float]:
        facts, training = segment_facts(made.segments.ids), self.readers[grow.variant].training
        return {
            SEGMENTS: facts["count"],
            MEDIAN: facts["median"],
            ALONE: facts["alone"] / self.original.rows,
            LEAVES: len(grow_tree(training, grow, 1).leaves),
            UNPRUNED: len(grow_tree(training, replace(grow, prune=False), 1).leaves),
        }

    def _utility(self, made: Perturbed) -> dict[str, float]:
        found: dict[str, float] = {}
        codes = class_labels(self.unseen)[0]
        known = codes >= 0
        for reader in BUILDERS:
            context = self._context(reader, made)
            asked = self._asked(UTILITY, made, context)
            found |= {read_by(words, reader): value for words, value in asked.items()}
            predicted = TreeLearner().fit(context.released_grown)(self.unseen)
            found[read_by(ACCURACY, reader)] = float((predicted == codes)[known].mean())
        return found

    def _risk(self, made: Perturbed) -> dict[str, float]:
        context = self._context(C45, made)
        found = self._asked(RISK, made, context)
        for scenario in scenarios_for(Linkage(), self.original.schema):
            tried = run_attack(
                Linkage(),
                scenario,
                self.original,
                made.table,
                partner=context.partner,
                streams=self.streams,
                targets=TARGETS,
                luck=False,
            )
            if isinstance(tried, Attacked):
                found[LINKED[scenario.name]] = tried.success
        return found

    def _asked(self, names: Mapping[str, str], made: Perturbed, context: Context) -> dict[str, float]:
        """What measures say, by their words; on a sample of a large table, as quick evidence does it."""
        found = {
            words: QUICK.measure(name).compute(self.original, made.table, context)
            for name, words in names.items()
        }
        return {words: said.value for words, said in found.items() if isinstance(said, Measurement)}

    def _context(self, reader: str, made: Perturbed) -> Context:
        before = self.readers[reader]
        return Context(
            self.streams,
            before,
            Grown(made.table, before.options),
            partner=np.arange(self.original.rows),
            segment_ids=made.segments.ids,
            steps=made.steps,
            value_only=True,
        )


def _options(way: str, records: int) -> PerturbOptions:
    """The defaults of a release but for the trees."""
    if way == LARGER:
        return PerturbOptions(variant="c45", min_leaf=2 * default_min_leaf(records), threads=1)
    return PerturbOptions(variant=way, threads=1)
