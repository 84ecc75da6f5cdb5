"""Two tables and their context, as measures and attacks get them."""

from __future__ import annotations

from typing import Any

import numpy as np

from hushwood.measures.models.grown import Grown, builder_for
from hushwood.measures.protocol import Context
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from hushwood.trees.options import Builder, GrowOptions

STREAMS = Streams(bytes(range(32)))


def context_for(
    original: Table,
    released: Table,
    *,
    paired: bool = True,
    options: GrowOptions | None = None,
    **more: Any,
) -> Context:
    """A context in which row i of the release was made from row i of the original, unless told otherwise."""
    builder = builder_for(original.rows) if options is None else Builder(options)
    if paired:
        more.setdefault("partner", np.arange(original.rows))
    return Context(STREAMS, Grown(original, builder), Grown(released, builder), **more)
