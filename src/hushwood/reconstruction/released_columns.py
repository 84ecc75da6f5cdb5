"""A column of one of our own releases, recovered from the released table and the noise stated in its manifest.

LINNAPT's noise is the same in all its segments; LINFAPT's depends on the range that a record's rules leave. Records
stay in their segments, so anyone with the forest knows the noise of every record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.errors import InputError
from hushwood.reconstruction.distributions import Method, Reconstruction, interval_edges, reconstruct
from hushwood.reconstruction.known_noise import NoiseInside
from hushwood.segments.partition import intersections
from hushwood.tables.table import Table
from hushwood.techniques.laws.noise import NoiseLaw, NoiseParameters
from hushwood.techniques.linfapt import Linfapt
from hushwood.techniques.linnapt import Linnapt
from hushwood.trees.forest import Forest


def reconstruct_column(
    released: Table,
    name: str,
    parameters: NoiseParameters | None = None,
    *,
    forest: Forest | None = None,
    influential: NoiseParameters | None = None,
    intervals: int | Sequence[float] | Floats = 20,
    method: Method = "em",
    tolerance: float | None = None,
) -> Reconstruction:
    """Recover a numeric column of a release by `framework`, `forest-framework`, `linnapt` or `linfapt`.

    `parameters` are those in the manifest of the release. With its `forest`, records whose rules test the column are
    recovered within the ranges of their rules; without it, all are treated as LINNAPT's. `influential` are the
    parameters of LINFAPT where they are others than LINNAPT's.
    """
    attribute = released.schema[name]
    if attribute.kind != "numeric":
        raise InputError(
            f"Column {name!r} is categorical. Only a numeric column can be recovered from noise."
        )
    parameters = parameters or NoiseParameters()
    whole = NoiseInside.over_domain(attribute, parameters)
    values = np.asarray(released.columns[name], np.float64)
    if forest is None:
        return reconstruct(values, whole, intervals=intervals, method=method, tolerance=tolerance)
    edges = interval_edges(values, whole, intervals)
    return _joined(
        [
            reconstruct(values[rows], noise, intervals=edges, method=method, tolerance=tolerance)
            for rows, noise in _parts(released, name, parameters, influential or parameters, forest)
        ]
    )


def _parts(
    released: Table, name: str, innocent: NoiseParameters, influential: NoiseParameters, forest: Forest
) -> Iterator[tuple[Flags, NoiseInside]]:
    """The rows that share one law, and that law: one part for LINNAPT, one per range for LINFAPT."""
    segments = intersections(released, forest)
    known = np.isfinite(released.columns[name])
    for technique in (Linnapt(innocent), Linfapt(influential)):
        perturber = technique.prepare(released, (name,), segments)
        for law in (part for part in perturber.law().laws if isinstance(part, NoiseLaw)):
            covered = np.flatnonzero(
                law.covered if law.covered is not None else np.ones(segments.count, bool)
            )
            ranges = np.stack([law.intervals.low[covered], law.intervals.high[covered]])
            _, first, part_of = np.unique(ranges, axis=1, return_index=True, return_inverse=True)
            for part, place in enumerate(first.tolist()):
                rows = known & np.isin(segments.ids, covered[part_of.reshape(-1) == part])
                if rows.any():
                    yield rows, NoiseInside(law, int(covered[place]))


def _joined(parts: Sequence[Reconstruction]) -> Reconstruction:
    """The mixture of the parts, weighted by their records."""
    records = np.array([part.records for part in parts], float)
    share = records / records.sum()
    longest = max(len(part.log_likelihoods) for part in parts)
    steps = [np.pad(p.log_likelihoods, (0, longest - len(p.log_likelihoods)), "edge") for p in parts]
    return Reconstruction(
        parts[0].edges,
        share @ np.stack([part.probabilities for part in parts]),
        share @ np.stack(steps),
        all(part.converged for part in parts),
        int(records.sum()),
        sum(part.impossible for part in parts),
    )
