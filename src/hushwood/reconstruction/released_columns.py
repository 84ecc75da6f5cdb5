"""A numeric column of one of our own releases, recovered from the released table and the noise that it announces.

LINNAPT's noise is the same in all its segments; LINFAPT's depends on the range that a record's rules leave. Records
stay in their segments, so anyone with the forest knows the noise of every record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.errors import InputError
from hushwood.reconstruction.distributions import Method, Reconstruction, interval_edges, reconstruct
from hushwood.reconstruction.known_noise import NoiseInside
from hushwood.segments.partition import intersections
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.domain_noise import Linfapt, Linnapt
from hushwood.techniques.laws.noise import NoiseLaw, NoiseParameters
from hushwood.techniques.protocol import Technique
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
    if forest is None:
        whole = NoiseInside.over_domain(attribute, parameters)
        values = np.asarray(released.columns[name], np.float64)
        return reconstruct(values, whole, intervals=intervals, method=method, tolerance=tolerance)
    techniques, segments = (
        (Linnapt(parameters), Linfapt(influential or parameters)),
        intersections(released, forest),
    )
    return reconstruct_by_laws(
        released, name, techniques, segments, intervals=intervals, method=method, tolerance=tolerance
    )


def reconstruct_by_laws(
    released: Table,
    name: str,
    techniques: Sequence[Technique],
    segments: Segments,
    *,
    intervals: int | Sequence[float] | Floats = 20,
    method: Method = "em",
    tolerance: float | None = None,
) -> Reconstruction:
    """Recover a numeric column by the noise laws of its techniques; what none of them covers counts as it is."""
    values = np.asarray(released.columns[name], np.float64)
    whole = NoiseInside.over_domain(released.schema[name], NoiseParameters())
    edges = interval_edges(values, whole, intervals)
    left = np.isfinite(values)
    found: list[Reconstruction] = []
    for rows, noise in _parts(released, name, techniques, segments):
        own = _own_edges(noise, edges)
        part = reconstruct(values[rows], noise, intervals=own, method=method, tolerance=tolerance)
        found.append(over_limits(part, edges))
        left &= ~rows
    if left.any():
        found.append(_copied(values[left], edges))
    return _joined(found)


def _own_edges(noise: NoiseInside, edges: Floats) -> Floats:
    """As many intervals inside the range of a part as the whole domain has.

    In wider ones, original values that crowd at one end look like values just beyond the other end, where wrapped noise
    comes back.
    """
    low, high = noise.domain
    return noise.edges(low, high, len(edges) - 1) if high > low else edges


def over_limits(found: Reconstruction, edges: Floats) -> Reconstruction:
    """The same distribution over other intervals, with values uniform inside the old ones.

    >>> fine = Reconstruction(np.array([0.0, 1.0, 3.0]), np.array([0.5, 0.5]), np.array([]), True, 8)
    >>> over_limits(fine, np.array([0.0, 2.0, 4.0])).probabilities.tolist()
    [0.75, 0.25]
    """
    below = np.interp(edges, found.edges, np.concatenate([[0.0], np.cumsum(found.probabilities)]))
    below[0], below[-1] = 0.0, 1.0
    return replace(found, edges=edges, probabilities=np.diff(below))


def _copied(values: Floats, edges: Floats) -> Reconstruction:
    """Values without noise; those beyond the limits belong to the outermost intervals."""
    counts, _ = np.histogram(np.clip(values, edges[0], edges[-1]), edges)
    return Reconstruction(edges, counts / len(values), np.zeros(1), True, len(values))


def _parts(
    released: Table, name: str, techniques: Sequence[Technique], segments: Segments
) -> Iterator[tuple[Flags, NoiseInside]]:
    """The rows that share one law, and that law: one part for LINNAPT, one per range for LINFAPT."""
    known = np.isfinite(released.columns[name])
    for law in noise_laws(released, name, techniques, segments):
        everywhere = np.ones(segments.count, bool)
        covered = np.flatnonzero(everywhere if law.covered is None else law.covered)
        ranges = np.stack([law.intervals.low[covered], law.intervals.high[covered], law.scale[covered]])
        _, first, part_of = np.unique(ranges, axis=1, return_index=True, return_inverse=True)
        for part, place in enumerate(first.tolist()):
            rows = known & np.isin(segments.ids, covered[part_of.reshape(-1) == part])
            if rows.any():
                yield rows, NoiseInside(law, int(covered[place]))


def noise_laws(
    released: Table, name: str, techniques: Sequence[Technique], segments: Segments
) -> list[NoiseLaw]:
    """The noise laws of a column's techniques, over the domain that the released values show."""
    perturbers = (technique.prepare(released, (name,), segments) for technique in techniques)
    laws = (law for perturber in perturbers for law in perturber.law().parts)
    return [law for law in laws if isinstance(law, NoiseLaw)]


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
