"""Small things to tune: a table, a policy of two cheap checks, and scores made by hand."""

from __future__ import annotations

from hushwood.evaluation.controls import Effort
from hushwood.policies.policy import Policy, policy_from_toml
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.reading import read
from hushwood.tables.table import Table
from hushwood.tuning.candidates import Candidate
from hushwood.tuning.scores import Risk, Score
from hushwood.tuning.search import Rung, Thoroughness
from support.people_files import HEADER, people

QUICKLY = Thoroughness((Rung(120, Effort(outsiders=40, releases=1), 0.5),), most=2, splits=2)


def small_table(count: int = 150) -> Table:
    import polars as pl

    columns = list(zip(*people(count), strict=True))
    frame = pl.DataFrame(dict(zip(HEADER, columns, strict=True)), schema=dict.fromkeys(HEADER, pl.String))
    return read(frame.cast({"age": pl.Int64, "score": pl.Float64}), target="ill").table


def two_checks(linkage: float = 0.5, inference: float = 0.5) -> Policy:
    limits = {"linkage.excess": linkage, "attribute_inference.excess": inference}
    entries = "".join(
        f'[[limits]]\ndisclosure = "other"\nmeasure = "{name}"\nat_most = {limit}\nsource = "a test"\n'
        for name, limit in limits.items()
    )
    return policy_from_toml(
        f'title = "T"\nrecipient = "public"\nsays = "S"\nsource = "a test"\n{entries}', "two"
    )


def candidate(family: str = "dial", value: float = 0.0) -> Candidate:
    return Candidate(f"{family} {value:g}", PerturbOptions(), family, value)


def made_score(
    label: str,
    value: float = 0.05,
    width: float = 0.01,
    utility: float | tuple[float, ...] = 0.5,
    at_most: float = 0.1,
    records: int = 100,
    cleared_by: tuple[str, ...] = (),
) -> Score:
    """A score with one check, whose status follows from its numbers."""
    status = "fail" if value > at_most else "pass" if value + width <= at_most else "not proven"
    risk = Risk("linkage.excess", at_most, status, value, value - width, value + width)  # type: ignore[arg-type]
    verdict = {"fail": "not cleared", "pass": "cleared", "not proven": "not proven"}[status]
    splits = utility if isinstance(utility, tuple) else (utility, utility)
    return Score(label, records, 1, verdict, (risk,), splits, cleared_by=cleared_by)  # type: ignore[arg-type]
