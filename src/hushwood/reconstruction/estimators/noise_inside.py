"""Noise that stays inside a range: LINFAPT, LINNAPT and RNAT, by the law of every segment; and ZHULIU's mixtures."""

from __future__ import annotations

from hushwood.reconstruction.known_noise import NoiseInside
from hushwood.reconstruction.recovered import Known, NotRecovered, Recovered, loss_of, way_of
from hushwood.reconstruction.released_columns import noise_laws, reconstruct_by_laws
from hushwood.segments.partition import intersections, whole_table
from hushwood.techniques.zhu_liu import MixtureLaw

LEAST_LOSS = (
    0.005  # of the uncertainty that a released value must take away, or chance decides what is recovered
)


def recover(known: Known) -> Recovered | NotRecovered:
    """The mixture over all ranges that rules leave to records; without the rules only RNAT is known."""
    by_rules = any(technique.keeps_segment for technique in known.techniques)
    if by_rules and known.forest is None:
        return NotRecovered(
            "Its noise depends on the rules that a record follows, and they cannot be grown again without the class; "
            "name it with --class."
        )
    table = known.released
    segments = whole_table(table) if known.forest is None else intersections(table, known.forest)
    laws = noise_laws(table, known.name, known.techniques, segments)
    if not laws:
        return NotRecovered("Its noise has a law that cannot be inverted value by value.")
    # A mixture says nothing about where in its component a value lies.
    intervals = laws[0].components if isinstance(laws[0], MixtureLaw) else known.intervals
    found = reconstruct_by_laws(
        table, known.name, known.techniques, segments, intervals=intervals, method=known.method
    )
    single = len(laws) == 1 and laws[0].covered is None and not by_rules
    noise = NoiseInside(laws[0]) if single else None
    loss = None if noise is None else loss_of(found, noise)
    if loss is not None and loss < LEAST_LOSS:
        return NotRecovered(
            "Its noise covers the whole range evenly, so released values say nothing about it."
        )
    return Recovered(way_of(known.method, found), found.probabilities, found.edges, rules_out=loss)
