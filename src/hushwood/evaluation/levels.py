"""How much evidence is wanted: which measures and attacks, on how many records and targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hushwood.attacks.registry import ATTACKS
from hushwood.errors import unknown_name
from hushwood.measures.protocol import Measure
from hushwood.measures.registry import MEASURES

# Counts of groups, which a sample would falsify: how many are alike depends on how many there are.
GROUPS = frozenset({"k_anonymity", "l_diversity", "t_closeness", "discernibility"})
# Cheap enough to be judged on all records of a large table.
ON_ALL_RECORDS = GROUPS | {"unchanged_cells", "changed_classes"}


@dataclass(frozen=True, slots=True)
class Level:
    """What is to be found out; `most_records` are judged (None: all), each attack has `targets` people.

    `references` says whether the untouched table and pure noise are judged as well. `brief` measures give only their
    one number; `settings` are parameters of measures that differ from the usual ones.
    """

    name: str
    measures: tuple[str, ...]
    attacks: tuple[str, ...]
    targets: int = 2_000
    most_records: int | None = None
    references: bool = True
    brief: frozenset[str] = frozenset()
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)

    def measure(self, name: str) -> Measure:
        """A measure with the settings of this level."""
        return MEASURES[name](**self.settings.get(name, {}))

    def only(self, names: Sequence[str]) -> Level:
        """The same level for some measures and attacks, in the order of the registries."""
        for name in names:
            if name not in MEASURES and name not in ATTACKS:
                raise unknown_name("measure or attack", name, (*MEASURES, *ATTACKS))
        return replace(
            self,
            measures=tuple(name for name in MEASURES if name in names),
            attacks=tuple(name for name in ATTACKS if name in names),
        )


FULL = Level("full", tuple(MEASURES), tuple(ATTACKS))
_SAMPLED = {"exact_up_to": 10_000, "targets": 500}
QUICK = Level(
    "quick",
    tuple(
        name for name in MEASURES if name not in {"edusc", "class_entropy", "clustering", "discernibility"}
    ),
    ("linkage", "attribute_inference"),
    targets=500,
    most_records=20_000,
    brief=frozenset({"prediction_accuracy"}),
    settings={"sers": _SAMPLED, "reidentification_entropy": _SAMPLED},
)


def level_named(name: str) -> Level:
    """The level of that name."""
    levels = {level.name: level for level in (QUICK, FULL)}
    if name not in levels:
        raise unknown_name("evidence", name, tuple(levels))
    return levels[name]
