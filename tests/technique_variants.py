"""Every registered technique and its parameter variants, made ready for a table: what the contract suites go over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hushwood.engines.protocol import PreparedStep
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.capt import Capt
from hushwood.techniques.linfapt import Linfapt
from hushwood.techniques.linnapt import Linnapt
from hushwood.techniques.noise import NoiseParameters
from hushwood.techniques.protocol import Technique
from hushwood.techniques.random_categorical import RandomCategorical
from hushwood.techniques.registry import TECHNIQUES
from hushwood.techniques.rnat import Rnat

BOUNDARIES = ("wrap", "reflect", "truncate")
SHAPES = ("normal", "uniform")


def _variants() -> dict[str, Technique]:
    found: dict[str, Technique] = {acronym: make() for acronym, make in TECHNIQUES.items()}
    for boundary in BOUNDARIES:
        for shape in SHAPES:
            parameters = NoiseParameters(0.4, boundary, shape)  # type: ignore[arg-type]
            found[f"LINFAPT {boundary} {shape}"] = Linfapt(parameters)
            found[f"LINNAPT {boundary} {shape}"] = Linnapt(parameters)
        found[f"RNAT {boundary}"] = Rnat(boundary)  # type: ignore[arg-type]
    for mode in ("strict", "literal"):
        for siblings in ("equal", "proportional"):
            found[f"CAPT {mode} {siblings}"] = Capt(mode, 0.3, siblings, 0.3)
    found["CAPT p=1"] = Capt(probability=1, unrelated=1)
    found["RC p=1"] = RandomCategorical(1)
    return found


VARIANTS: Mapping[str, Technique] = _variants()


def columns_for(technique: Technique, table: Table) -> list[str]:
    """The columns of the technique's kind."""
    if technique.perturbs == "class":
        return [a.name for a in table.schema.attributes if a.role == "class"]
    return [a.name for a in table.schema.inputs if a.kind == technique.perturbs]


def prepared(
    technique: Technique, table: Table, segments: Segments, names: Sequence[str] | None = None
) -> list[PreparedStep]:
    """One step for every column, or for all of a joint technique, as the frameworks make them."""
    wanted = columns_for(technique, table) if names is None else names
    groups = [list(wanted)] if technique.jointly else [[name] for name in wanted]
    return [PreparedStep(technique.prepare(table, group, segments), segments.ids) for group in groups]
