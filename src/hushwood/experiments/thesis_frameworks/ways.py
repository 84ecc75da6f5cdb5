"""The ways in which the training records of thesis 7.3 are released: its own five, other readings of them, and ours.

`runs` carries them out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Way:
    """A way to release the table; `original` is no release at all.

    CAPT is kept to values of the record's own branch ("strict"), or taken as the text has it ("literal"). `noise` is
    the standard deviation in shares of a domain, if it is not a third. With `rho` GADP keeps so much of a number's own
    deviation and knows nothing of the class. With `twice_the_errors` ALPT changes classes with twice the error rate of
    the original tree instead of as often as RPT does.
    """

    technique: str
    correlated: str | None = None
    capt: str = "strict"
    noise: float | None = None
    rho: float | None = None
    twice_the_errors: bool = False

    def __str__(self) -> str:
        notes = (
            self.correlated,
            "CAPT to the letter" if self.capt == "literal" else None,
            None if self.noise is None else f"noise {100 * self.noise:g} %",
            None if self.rho is None else f"rho {self.rho:g}, class left out",
            "ALPT at twice the errors" if self.twice_the_errors else None,
        )
        said = ", ".join(note for note in notes if note)
        return f"{self.technique} ({said})" if said else self.technique

    def options(self) -> dict[str, Any]:
        """What a release is asked for."""
        given: dict[str, Any] = {
            "technique": self.technique,
            "correlated": self.correlated,
            "capt": self.capt,
        }
        if self.noise is not None:
            given["noise"] = self.noise
        if self.rho is not None:
            given["settings"] = {"gadp": {"rho": self.rho, "given": ()}}
        return given


ORIGINAL = Way("original")
FRAMEWORK = Way("framework")
EXTENDED = Way("extended-framework", "gadp")
RANDOM = Way("random-framework")
RANDOM_EXTENDED = Way("random-extended-framework")
GADP = Way("gadp")
THESIS = (ORIGINAL, FRAMEWORK, EXTENDED, RANDOM, RANDOM_EXTENDED, GADP)
# Other readings: the text to the letter, and some that come nearer to what is printed, on Adult and on WBC.
LITERAL = Way("framework", capt="literal")
LESS_NOISE = Way("framework", noise=0.135)
NEARER = (Way("random-extended-framework", rho=0.6), Way("gadp", rho=0.6))
MORE_CHANGES = tuple(
    Way(technique, twice_the_errors=True) for technique in ("random-framework", "random-extended-framework")
)
OWN = (
    *(Way("extended-framework", correlated) for correlated in ("cgadp", "egadp", "shuffle", "rotation")),
    Way("forest-extended-framework"),
)


def runs_of(way: Way, repeats: int) -> int:
    """How often a way is run: the Framework in full, the others a fifth as often, the original once."""
    if way == ORIGINAL:
        return 1
    return repeats if way == FRAMEWORK else max(1, repeats // 5)
