"""Releases for `tree_builders`: one for each way to grow the trees, with its segments, utility and risk, and the keys.

Outcomes hold shares between 0 and 1 under short names; the keys of numbers name measures with units, in per cent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from hushwood.attacks.judging.running import run_attack
from hushwood.attacks.judging.targets import Trial, scenarios_for
from hushwood.attacks.linkage import Linkage
from hushwood.attacks.protocol import Attacked
from hushwood.evaluation.levels import QUICK
from hushwood.evaluation.release_facts import segment_facts
from hushwood.measures.models.grown import Grown
from hushwood.measures.models.learners import TreeLearner
from hushwood.measures.protocol import Context, Measurement
from hushwood.random_streams import Streams
from hushwood.releasing.perturb import Perturbed, PerturbOptions, perturb
from hushwood.tables.table import Table, class_labels
from hushwood.trees.grow import grow_tree
from hushwood.trees.options import Builder, GrowOptions, default_min_leaf

BUILDERS = ("c45", "see5")
C45, SEE5, LARGER = "c45", "see5", "c45 with doubled leaves"
WAYS = (C45, SEE5, LARGER)
TECHNIQUE = "forest-framework"
# The others are held out: a tree learnt from the release is tried on them.
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
    """The name of a number that depends on the builder that a receiver uses.

    >>> read_by("EDUDS", "see5")
    'EDUDS, reader see5'
    """
    return f"{what}, reader {reader}"


@dataclass(frozen=True)
class Judge:
    """The records to release, the held-out records, and the receivers' trees on the original, grown once."""

    original: Table
    unseen: Table
    streams: Streams
    readers: Mapping[str, Grown]

    @classmethod
    def of(cls, table: Table, streams: Streams) -> Judge:
        """Draw the records to release."""
        drawn = streams.sample("tree-builders", "released", table.rows, round(RELEASED_SHARE * table.rows))
        inside = np.sort(drawn)
        outside = np.setdiff1d(np.arange(table.rows), inside, assume_unique=True)
        original = table.take(inside)
        grow = {name: _options(name, original.rows).grow_options(original.rows) for name in BUILDERS}
        readers = {name: Grown(original, Builder(options)) for name, options in grow.items()}
        return cls(original, table.take(outside), streams, readers)

    def judged(self, way: str) -> dict[str, float]:
        """Release with trees grown in this way, and measure."""
        options = _options(way, self.original.rows)
        made = perturb(self.original, options, self.streams)
        segments = self._segments(options.grow_options(self.original.rows), made)
        return segments | self._utility(made) | self._risk(made)

    def _segments(self, grow: GrowOptions, made: Perturbed) -> dict[str, float]:
        facts, training = segment_facts(made.segments.ids), self.readers[grow.variant].training
        return {
            SEGMENTS: facts.count or 0,
            MEDIAN: facts.median or 0.0,
            ALONE: (facts.alone or 0) / self.original.rows,
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
                Trial(
                    Linkage(),
                    scenario,
                    self.original,
                    made.table,
                    partner=context.partner,
                    streams=self.streams,
                    targets=TARGETS,
                    luck=False,
                )
            )
            if isinstance(tried, Attacked):
                found[LINKED[scenario.name]] = tried.success
        return found

    def _asked(self, names: Mapping[str, str], made: Perturbed, context: Context) -> dict[str, float]:
        """Values of measures; on a sample of a large table, as quick evidence does."""
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
            Grown(made.table, before.builder),
            partner=np.arange(self.original.rows),
            segment_ids=made.segments.ids,
            steps=made.steps,
            value_only=True,
        )


def _options(way: str, records: int) -> PerturbOptions:
    """The Forest Framework with the defaults of a release, except for the trees."""
    if way == LARGER:
        min_leaf = 2 * default_min_leaf(records)
        return PerturbOptions(technique=TECHNIQUE, variant="c45", min_leaf=min_leaf, threads=1)
    return PerturbOptions(technique=TECHNIQUE, variant=way, threads=1)


LABELS: Mapping[str, str] = {
    "adult": "Adult",
    "wbc": "WBC",
    "crx": "Credit",
    "cmc": "CMC",
    "abalone": "Abalone",
}
GROWN: Mapping[str, str] = {C45: "C4.5", SEE5: "See5", LARGER: "C4.5 with doubled leaves"}
SHARES: Mapping[str, str] = {
    ALONE: "% of records alone in their segment",
    UTILITY["rule_types"]: "% of records under rules found again",
    ACCURACY: "% of unseen records right",
    RISK["unchanged_cells"]: "% of cells unchanged",
    RISK["changed_classes"]: "% of classes changed",
    LINKED["everything"]: "% of records linked by who knows all attributes",
    LINKED["quasi-identifiers"]: "% of records linked by who knows some attributes",
}
_PLAIN: Mapping[str, str] = {
    SEGMENTS: "number of segments",
    MEDIAN: "records in a segment, median",
    LEAVES: "leaves of one tree",
    UNPRUNED: "leaves of one tree before pruning",
    UTILITY["eduds"]: "EDUDS, 0 to 1",
    UTILITY["edusc"]: "EDUSC, 0 to 1",
    RISK["sers"]: "SERS, bits",
    RISK["reidentification_entropy"]: "entropy of re-identification, bits",
}


def kind_of(what: str) -> str:
    """What is measured, without the receiver's builder.

    >>> kind_of("EDUDS, reader see5"), kind_of("segments")
    ('EDUDS', 'segments')
    """
    return what.partition(", reader ")[0]


def in_words(what: str) -> str:
    """A measure with its unit, and the receiver's builder if it matters.

    >>> in_words("rules found again, reader see5")
    '% of records under rules found again, receiver grows See5'
    """
    kind, _, reader = what.partition(", reader ")
    words = SHARES.get(kind) or _PLAIN[kind]
    return f"{words}, receiver grows {GROWN[reader]}" if reader else words


def scaled(what: str, value: float) -> float:
    """A share in per cent, anything else unchanged.

    >>> scaled("unchanged cells", 0.5), scaled("segments", 22)
    (50.0, 22)
    """
    return 100 * value if kind_of(what) in SHARES else value


def key(table: str, way: str, what: str) -> str:
    """The key of a number.

    >>> key("wbc", "see5", "segments")
    'WBC, released with See5: number of segments'
    """
    return f"{LABELS[table]}, released with {GROWN[way]}: {in_words(what)}"


def counts_key(side: str, other: str, outcome: str) -> str:
    """The key of the number of pairs in which See5 is ahead of, behind, or undecided against another way.

    >>> counts_key("risk", "c45", "ahead")
    'Risk, See5 against C4.5: pairs of table and measure, ahead'
    """
    return f"{side.capitalize()}, See5 against {GROWN[other]}: pairs of table and measure, {outcome}"
