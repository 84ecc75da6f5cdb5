"""Numbers times a random factor: KIMWINKLER, by its own law over the range that the released values show."""

from __future__ import annotations

from hushwood.reconstruction.distributions import reconstruct
from hushwood.reconstruction.known_noise import NoiseInside
from hushwood.reconstruction.recovered import Known, NotRecovered, Recovered, way_of
from hushwood.segments.partition import whole_table
from hushwood.techniques.added_noise import FactorLaw, NoiseTechnique


def recover(known: Known) -> Recovered | NotRecovered:
    """Reconstruct with the law of the factor; a range that differs by segment is not known to the miner."""
    (technique,) = known.techniques
    if not isinstance(technique, NoiseTechnique) or technique.within == "segment":
        return NotRecovered("Its factors are cut at the ranges of segments, which are not announced.")
    perturber = technique.prepare(known.released, (known.name,), whole_table(known.released))
    laws = [law for law in getattr(perturber.law(), "laws", ()) if isinstance(law, FactorLaw)]
    if not laws or len(known.numbers) == 0:
        return NotRecovered("It has no values.")
    noise = NoiseInside(laws[0])
    found = reconstruct(known.numbers, noise, intervals=known.intervals, method=known.method)
    return Recovered(way_of(known.method, found), found.probabilities, found.edges, noise=noise)
