"""One split of one table: the people of the table, the people held out, and all that is drawn once for both.

Every contender is measured against the same reference, so that differences between contenders are paired.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from frontier.models import ANALYSTS, Classifier
from frontier.neighbours import nearest
from frontier.records import Columns, Floats, Integers, Records, Scale, features, places
from hushwood.random_streams import Streams

FELLOWS = 5
OUTLIERS = 0.05
FOLDS = 3


@dataclass(frozen=True)
class Reference:
    """The original records, those held out, and a stream for every draw of the yardstick."""

    columns: Columns
    people: Records
    held_out: Records
    streams: Streams = field(repr=False)

    @cached_property
    def seed(self) -> int:
        """For scikit-learn, which takes a number."""
        return int(self.streams.words("frontier", "models", 0, range(1))[0] % 2**31)

    @cached_property
    def scale(self) -> Scale:
        return Scale.of(self.people)

    def folds(self, what: str, count: int) -> Integers:
        """A fold for each of some records."""
        return np.floor(FOLDS * self.streams.uniform("frontier folds", what, 0, range(count))).astype(
            np.int64
        )

    def features(self, records: Records, *, target: bool = False, but: int | None = None) -> Floats:
        return features(records, self.columns, self.scale, target=target, but=but)

    def places(self, records: Records, *, target: bool = False) -> Floats:
        return places(records, self.columns, self.scale, target=target)

    def trained(self, records: Records) -> dict[str, Classifier]:
        """The analysts' models of the class, trained on these records."""
        x, classes = self.features(records), len(self.columns.classes)
        return {
            name: Classifier(make(self.seed), x, records.classes, classes) for name, make in ANALYSTS.items()
        }

    def predicted(self, records: Records) -> dict[str, Floats]:
        """Class probabilities that models trained on these records give the people held out."""
        x = self.features(self.held_out)
        return {name: model.shares(x) for name, model in self.trained(records).items()}

    @cached_property
    def by_original(self) -> dict[str, Floats]:
        """The same by models trained on the original."""
        return self.predicted(self.people)

    @cached_property
    def outliers(self) -> Integers:
        """The 5 % of the people with the largest mean distance to their five nearest fellows."""
        points = self.places(self.people)
        # The nearest of all is the person itself, or a double.
        lonely = nearest(points, points, FELLOWS + 1)[:, 1:].mean(axis=1)
        return np.sort(np.argsort(-lonely, kind="stable")[: int(np.ceil(OUTLIERS * len(points)))])

    @cached_property
    def members(self) -> Integers:
        """As many people of the table as are held out, drawn evenly."""
        return self.streams.sample("frontier", "members", self.people.count, self.held_out.count)
