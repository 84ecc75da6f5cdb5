"""Estimators of original distributions, one for each kind of noise; `registry` says which technique has which.

They turn what a miner knows about a column into its distribution, or into a reason why there is none (`recovered`).
"""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.reconstruction.distributions import Reconstruction, middles, reconstruct
from hushwood.reconstruction.frequencies import change_matrix, estimate_covariance, estimated_frequencies
from hushwood.reconstruction.gamma_diagonal import estimated_shares
from hushwood.reconstruction.known_noise import AddedNoise, KnownNoise, NoiseInside
from hushwood.reconstruction.recovered import (
    MISSING,
    KnownColumn,
    NotRecovered,
    Recovered,
    SpreadNoise,
    loss_of,
    spread_noise,
    truncated,
    way_of,
)
from hushwood.reconstruction.released_columns import noise_laws, reconstruct_by_laws
from hushwood.segments.partition import intersections, whole_table
from hushwood.tables.domains import whole_domain
from hushwood.techniques.added_noise import FactorLaw, NoiseTechnique
from hushwood.techniques.frapp import GammaDiagonalLaw
from hushwood.techniques.laws.groupings import coded
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.laws.redraw import check_entries
from hushwood.techniques.protocol import Law, Technique
from hushwood.techniques.together.correlated_noise import filtered, shrinking
from hushwood.techniques.zhu_liu import MixtureLaw

LEAST_LOSS = (
    0.005  # of the uncertainty that a released value must take away, or chance decides what is recovered
)
SPREAD_ROUNDS = 30
SPREAD_NEAR = 0.001  # relative change of the standard deviation at which the rounds end
MOST_ROUNDS = 5_000
NEAR = 1e-13
LARGEST_CHANGE = 0.5


def recover_noise_inside(known: KnownColumn) -> Recovered | NotRecovered:
    """LINFAPT, LINNAPT, RNAT and ZHULIU: the mixture over all ranges that rules leave to records.

    Without the rules only RNAT is known.
    """
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


def recover_added_noise(known: KnownColumn) -> Recovered | NotRecovered:
    """SADP and TRAUB: reconstruct with the standard deviation that fits the recovered distribution.

    The variance s² of the original is not announced, but follows from the release: that of unbounded noise is (1 + d)
    s², and where the noise was truncated, s² is estimated and used in turn until both agree.
    """
    technique = spread_noise(known)
    if isinstance(technique, NotRecovered):
        return technique
    if known.spectral and (filtered_out := _filtered_out(known, technique)) is not None:
        return filtered_out
    values = known.numbers
    limits = known.limits(float(values.min()), float(values.max()))
    spread = float(values.std() / np.sqrt(1 + technique.noise))
    noise = _noise(known, technique, spread)
    found = reconstruct(values, noise, intervals=limits, method=known.method)
    for _ in range(SPREAD_ROUNDS if technique.bounded else 0):
        before, spread = spread, deviation(found)
        noise = _noise(known, technique, spread)
        found = reconstruct(values, noise, intervals=limits, method=known.method)
        if abs(spread - before) <= SPREAD_NEAR * before:
            break
    return Recovered(
        way_of(known.method, found),
        found.probabilities,
        found.edges,
        noise=noise,
        rules_out=loss_of(found, noise),
    )


def _filtered_out(known: KnownColumn, technique: SpreadNoise) -> Recovered | None:
    """The shares of the numbers that a spectral filter of all columns leaves; None if none of them says anything.

    Truncated noise is taken for unbounded one of the variance that the release shows.
    """
    columns = {name: np.asarray(known.released.columns[name], np.float64) for name in known.together}
    spread = {name: float(np.nanstd(column)) for name, column in columns.items()}
    varying = [name for name in columns if spread[name] > 0]
    if len(varying) < 2:
        return None
    numbers = np.column_stack([columns[name] for name in varying])
    numbers = np.where(np.isnan(numbers), np.nanmean(numbers, axis=0), numbers)
    noise = np.array([spread[name] for name in varying]) * np.sqrt(technique.noise / (1 + technique.noise))
    estimates = filtered(numbers, noise, "spectral")[:, varying.index(known.name)]
    estimates = estimates[np.isfinite(columns[known.name])]
    limits = known.limits(float(known.numbers.min()), float(known.numbers.max()))
    counts = np.histogram(np.clip(estimates, limits[0], limits[-1]), limits)[0]
    return Recovered(f"spectral filter, {len(varying)} columns", counts / counts.sum(), limits)


def _noise(known: KnownColumn, technique: SpreadNoise, spread: float) -> KnownNoise:
    scale = float(np.sqrt(technique.noise)) * spread
    if not technique.bounded:
        return AddedNoise(scale)
    domain = whole_domain(known.released.schema[known.name])
    steps = 10.0 ** (domain.precision or 0)
    scales: Floats = np.full(1, scale * steps)
    return NoiseInside(NoiseLaw(known.name, domain, scales, "truncate", "normal", technique.acronym))


def deviation(found: Reconstruction) -> float:
    """The standard deviation of a recovered distribution, with values uniform within each interval.

    >>> halves = Reconstruction(np.array([0.0, 6.0, 12.0]), np.array([0.5, 0.5]), np.array([]), True, 4)
    >>> round(deviation(halves) ** 2, 6)
    12.0
    """
    away = middles(found.edges) - found.mean
    return float(np.sqrt(found.probabilities @ (away**2 + np.diff(found.edges) ** 2 / 12)))


def recover_shrunk_noise(known: KnownColumn) -> Recovered | NotRecovered:
    """KIM, TENDICK and KIMWINKLER95: undo the shrinking, then the noise.

    Released is Z = c (X + e) + (1 - c) m with e of variance d s²; Z has the mean m and the variance s² of the original.
    So (Z - (1 - c) m) / c is X with added noise of a known size. Columns are recovered one by one, and the exchanges of
    KIMWINKLER95 change none of their distributions.
    """
    technique = spread_noise(known)
    if isinstance(technique, NotRecovered):
        return technique
    if technique.bounded:
        return truncated(technique)
    values = known.numbers
    finite = getattr(technique, "scale", "asymptotic") == "finite"
    shrunk = float(shrinking(technique.noise, len(values) if finite else None))
    mean = float(values.mean())
    column = np.asarray(known.released.columns[known.name], np.float64)
    stretched = mean + (column - mean) / shrunk
    noise = AddedNoise(float(np.sqrt(technique.noise) * values.std()))
    limits = known.limits(float(np.nanmin(stretched)), float(np.nanmax(stretched)))
    found = reconstruct(stretched, noise, intervals=limits, method=known.method)
    return Recovered(
        way_of(known.method, found),
        found.probabilities,
        found.edges,
        noise=noise,
        values=stretched,
        shrunk=shrunk,
        rules_out=loss_of(found, noise),
    )


def recover_factor_noise(known: KnownColumn) -> Recovered | NotRecovered:
    """KIMWINKLER: reconstruct with the law of the factor, over the range that the released values show."""
    (technique,) = known.techniques
    if not isinstance(technique, NoiseTechnique) or technique.within == "segment":
        return NotRecovered("Its factors are cut at the ranges of segments, which are not announced.")
    perturber = technique.prepare(known.released, (known.name,), whole_table(known.released))
    laws = [law for law in perturber.law().parts if isinstance(law, FactorLaw)]
    if not laws or len(known.numbers) == 0:
        return NotRecovered("It has no values.")
    noise = NoiseInside(laws[0])
    found = reconstruct(known.numbers, noise, intervals=known.intervals, method=known.method)
    return Recovered(way_of(known.method, found), found.probabilities, found.edges, noise=noise)


def recover_log_noise(known: KnownColumn) -> Recovered | NotRecovered:
    """LOGNOISE, for columns above 0: reconstruct the logarithms; equal intervals there are unequal ones of the numbers.

    ln Z = ln X + e - c s²/2 with e of variance c s², s² that of ln X: so ln Z has the variance (1 + c) s², and ln Z + c
    s²/2 is ln X with added noise of a known size.
    """
    technique = spread_noise(known)
    if isinstance(technique, NotRecovered):
        return technique
    if technique.bounded:
        return truncated(technique)
    values = known.numbers
    if values.min() <= 0:
        return NotRecovered("What was added before its logarithms were taken is not announced.")
    logs = np.log(values)
    variance = technique.noise / (1 + technique.noise) * float(logs.var())
    centred = logs + variance / 2
    noise = AddedNoise(float(np.sqrt(variance)))
    limits = np.log(_limits(known, float(values.min()), float(values.max())))
    found = reconstruct(centred, noise, intervals=limits, method=known.method)
    return Recovered(
        f"{way_of(known.method, found)}, on logarithms",
        found.probabilities,
        np.exp(found.edges),
        rules_out=loss_of(found, noise),
    )


def _limits(known: KnownColumn, low: float, high: float) -> Floats:
    """Limits of intervals whose logarithms are about equally wide, with whole numbers of grid values in each."""
    even = np.geomspace(low, high, known.intervals + 1)
    precision = known.released.schema[known.name].precision
    if precision is None:
        return even
    step = 10.0**precision
    return np.unique(np.maximum(np.rint(even * step), 1.0) - 0.5 + (even == even[-1])) / step


def recover_by_matrix(known: KnownColumn) -> Recovered | NotRecovered:
    """PRAM, RC, WARNER and SUBATTRIBUTES: unbiased shares by the inverse of the matrix, then the nearest possible ones.

    Their errors are those of the drawing alone.
    """
    (technique,) = known.techniques
    if getattr(technique, "within", "table") == "segment":
        return NotRecovered("Its values moved among those of each segment, which are not announced.")
    if known.name not in (getattr(technique, "numbers", {known.name}) or ()):
        return NotRecovered("The order of its values was learnt from the original and is not announced.")
    categories = known.released.schema[known.name].categories
    codes = coded(known.released.columns[known.name], len(categories) + 1)
    held = len(categories) + bool((codes == len(categories)).any())
    counts = np.bincount(codes, minlength=held).astype(float)[:held]
    try:
        check_entries(known.name, held * held)
        matrix, shares = _solved(known, technique, counts / counts.sum())
        errors = np.sqrt(np.diag(estimate_covariance(matrix, shares * counts.sum())))
    except InputError as fault:
        return NotRecovered(f"{fault}")
    labels = (*categories, MISSING)[:held]
    return Recovered("inverse matrix", shares, labels=labels, errors=errors)


def _solved(known: KnownColumn, technique: Technique, released: Floats) -> tuple[Floats, Floats]:
    """The matrix, and the shares that it leads back to."""
    if getattr(technique, "others", "equal") == "equal" or known.name in (
        getattr(technique, "matrix", None) or {}
    ):
        categories = len(known.released.schema[known.name].categories)
        law = technique.prepare(known.released, (known.name,), whole_table(known.released)).law()
        matrix = law_matrix(law, known.name, categories, len(released))
        return matrix, estimated_frequencies(matrix, released)
    return by_frequency(float(getattr(technique, "probability", 0.0)), released)


def by_frequency(probability: float, released: Floats) -> tuple[Floats, Floats]:
    """The same for changes in proportion to original frequencies, where the matrix depends on what it leads back to.

    Solves λ_l = π_l (1 - p + p Σ_{k ≠ l} π_k / (1 - π_k)) by repetition. From p = 1/2 on there are several solutions.

    >>> matrix = change_matrix(0.2, np.array([0.7, 0.2, 0.1]))
    >>> by_frequency(0.2, np.array([0.7, 0.2, 0.1]) @ matrix)[1].round(6).tolist()
    [0.7, 0.2, 0.1]
    """
    if probability >= LARGEST_CHANGE:
        raise InputError(
            f"With a probability of change of {probability:g}, in proportion to frequencies, different original "
            "frequencies give the same released ones."
        )
    shares = released / released.sum()
    for _ in range(MOST_ROUNDS if shares.max() < 1 else 0):
        odds = shares / (1 - shares)
        step = np.sqrt(shares * released / (1 - probability + probability * (odds.sum() - odds)))
        before, shares = shares, step / step.sum()
        if np.abs(shares - before).max() < NEAR:
            break
    return change_matrix(probability, shares), shares


def law_matrix(law: Law, name: str, categories: int, values: int) -> Floats:
    """What a law says for every pair of values: the categories in order and, if there is one more, missing."""
    codes = np.where(np.arange(values) < categories, np.arange(values), -1).astype(np.int32)
    both = {name: np.repeat(codes, values)}, {name: np.tile(codes, values)}
    chances = np.exp(law.log_prob(*both, np.zeros(values * values, np.int64)))
    return np.asarray(chances.reshape(values, values))


def recover_whole_records(known: KnownColumn) -> Recovered | NotRecovered:
    """FRAPP: the shares of one column, from the gamma-diagonal law of all columns that moved with it."""
    (technique,) = known.techniques
    columns = known.together or (known.name,)
    law = technique.prepare(known.released, columns, whole_table(known.released)).law()
    laws = [part for part in law.parts if isinstance(part, GammaDiagonalLaw)]
    found = estimated_shares(known.released, laws, (known.name,))
    categories = known.released.schema[known.name].categories
    labels = (*categories, MISSING)[: len(found.shares)]
    return Recovered("inverse matrix", found.shares, labels=labels, errors=found.errors)
