"""Categories whose whole records moved by the gamma-diagonal matrix: FRAPP, with the domain that the release shows."""

from __future__ import annotations

from hushwood.reconstruction.gamma_diagonal import estimated_shares
from hushwood.reconstruction.recovered import MISSING, Known, NotRecovered, Recovered
from hushwood.segments.partition import whole_table
from hushwood.techniques.frapp import GammaDiagonalLaw


def recover(known: Known) -> Recovered | NotRecovered:
    """The shares of one column, from the law of all columns that moved with it."""
    (technique,) = known.techniques
    columns = known.together or (known.name,)
    law = technique.prepare(known.released, columns, whole_table(known.released)).law()
    laws = [one for one in getattr(law, "laws", (law,)) if isinstance(one, GammaDiagonalLaw)]
    found = estimated_shares(known.released, laws, (known.name,))
    categories = known.released.schema[known.name].categories
    labels = (*categories, MISSING)[: len(found.shares)]
    return Recovered("inverse matrix", found.shares, labels=labels, errors=found.errors)
