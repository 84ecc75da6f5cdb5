"""How much noise was added to each column of a release: said by the release, or told from the release itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hushwood.attacks.guesses import Floats
from hushwood.tables.domains import from_steps, whole_domain
from hushwood.tables.schema import Attribute

# Noise that is a smaller share of a column's deviation is taken for this: a copied column is then trusted fully.
SMALLEST = 1e-3


def noise_deviations(attributes: Sequence[Attribute], method: Mapping[str, Any], released: Floats) -> Floats:
    """The noise's standard deviation in every column of the released numbers [record, column].

    If the method's `noise` is a share of the domain, or such shares by column, it is that share of the domain's size
    (errata B3), in columns without a domain of the deviation; else it is told from the numbers.
    """
    spread = released.std(axis=0)
    said = method.get("noise")
    if said is None:
        share = _told_from(released / spread)
        return np.asarray(max(share, SMALLEST) * spread)
    by_column = said if isinstance(said, Mapping) else {a.name: said for a in attributes}
    sizes = np.array([_domain_size(a, width) for a, width in zip(attributes, spread.tolist(), strict=True)])
    noise = np.array([float(by_column.get(a.name, 0.0)) for a in attributes]) * sizes
    return np.asarray(np.maximum(noise, SMALLEST * spread))


def _domain_size(attribute: Attribute, otherwise: float) -> float:
    if attribute.low is None or attribute.high is None:
        return otherwise
    domain = whole_domain(attribute)
    return float(from_steps(domain.width, domain.precision)[0])


def _told_from(scaled: Floats) -> float:
    """The noise's share of the deviation, the same for all columns, from the smallest eigenvalue (Kargupta).

    Real attributes hang together, so some direction holds hardly any of them; what varies there is noise. Among n
    records of m columns it varies by no less than (1 − √(m / n))² of the noise's own variance.
    """
    records, width = scaled.shape
    smallest = float(np.linalg.eigvalsh(np.cov(scaled, rowvar=False, bias=True))[0])
    shrunk = max(1.0 - np.sqrt(width / records), 0.1) ** 2
    return float(np.sqrt(np.clip(smallest / shrunk, 0.0, 1.0)))
