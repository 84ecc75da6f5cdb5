"""Values drawn evenly from an attribute's domain: what somebody can make up who knows the schema alone."""

from __future__ import annotations

import numpy as np

from hushwood.random_streams import Streams
from hushwood.tables.domains import from_steps, whole_domain
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Array


def evenly_drawn(attribute: Attribute, count: int, streams: Streams, purpose: str) -> Array:
    """So many values in the column's own coding; all missing if the domain is empty or unknown.

    >>> wine = Attribute("wine", "categorical", categories=("red", "white"))
    >>> sorted(set(evenly_drawn(wine, 50, Streams(bytes(32)), "example").tolist()))
    [0, 1]
    """
    u = streams.uniform(purpose, attribute.name, 0, range(count))
    if attribute.kind == "categorical":
        values = len(attribute.categories)
        return np.floor(u * values).astype(np.int32) if values else np.full(count, -1, np.int32)
    if attribute.low is None or attribute.high is None:
        return np.full(count, np.nan)
    domain = whole_domain(attribute)
    return from_steps(domain.first + np.floor(u * domain.points) * domain.step, domain.precision)
