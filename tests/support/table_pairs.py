"""Two tables and their context, as measures and attacks get them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hushwood.measures.models.grown import Grown, builder_for
from hushwood.measures.protocol import Context, Measure, Measurement
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


def measuring(make: Callable[[], Measure], **usual: Any) -> Callable[..., Measurement]:
    """What computes a measure of two tables, or of one and itself, if asked with other settings; it must be able to."""

    def measured(
        original: Table, released: Table | None = None, measure: Measure | None = None, **more: Any
    ) -> Measurement:
        released = original if released is None else released
        context = context_for(original, released, **{**usual, **more})
        found = (measure or make()).compute(original, released, context)
        assert isinstance(found, Measurement), found
        return found

    return measured
