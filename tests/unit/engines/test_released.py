from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from hushwood.engines import memory
from hushwood.engines.protocol import PreparedStep
from hushwood.engines.released import released_table
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.frames import frame_from_table
from hushwood.tables.table import Table
from hushwood.techniques.mondrian import Mondrian
from hushwood.techniques.protocol import Technique
from hushwood.techniques.swap import Swap
from mixed_tables import category, table_of, target


def released(technique: Technique, table: Table) -> Table:
    segments = whole_table(table)
    steps = [PreparedStep(technique.prepare(table, ["size"], segments), segments.ids)]
    return released_table(table, steps, memory.run(table, steps, Streams(bytes(32))))


def sizes() -> Table:
    size = replace(category("size", ("s", "m", "l")), storage="Enum")
    return table_of({"size": (size, [0, 1, 2, 2, 1, 0]), "y": (target("y", "no"), [0, 0, 1, 1, 0, 0])})


def test_new_categories_make_a_text_column() -> None:
    out = released(Mondrian(2, max_parts=2), sizes())
    assert out.schema["size"].categories == ("s", "m", "l", "{s, m}")
    assert out.columns["size"].tolist() == [3, 3, 2, 2, 3, 3]
    column = frame_from_table(out)["size"]
    assert column.dtype == pl.String
    assert column.to_list() == ["{s, m}", "{s, m}", "l", "l", "{s, m}", "{s, m}"]


def test_without_new_categories_the_schema_stays() -> None:
    table = sizes()
    out = released(Swap(), table)
    assert out.schema is table.schema
    assert np.array_equal(np.sort(out.columns["size"]), np.sort(table.columns["size"]))
