"""How much evidence is wanted: which measures and attacks, on how many records and targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hushwood.attacks.registry import ATTACKS
from hushwood.errors import unknown_name
from hushwood.measures.registry import MEASURES

# Cheap counts that a sample would falsify: how many are alike depends on how many there are.
ON_ALL_RECORDS = frozenset(
    {"unchanged_cells", "changed_classes", "k_anonymity", "l_diversity", "t_closeness", "discernibility"}
)


@dataclass(frozen=True, slots=True)
class Level:
    """What is to be found out; `most_records` are judged (None: all), each attack has `targets` people.

    `references` says whether the untouched table and pure noise are judged as well; `brief` whether measures give
    only their one number.
    """

    name: str
    measures: tuple[str, ...]
    attacks: tuple[str, ...]
    targets: int = 2_000
    most_records: int | None = None
    references: bool = True
    brief: bool = False

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
QUICK = Level(
    "quick",
    tuple(name for name in MEASURES if name not in {"clustering", "edusc"}),
    ("linkage", "attribute_inference", "singling_out", "outlier_linkage"),
    targets=500,
    most_records=30_000,
    brief=True,
)
