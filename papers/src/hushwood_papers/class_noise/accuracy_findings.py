"""The repeats of `accuracy_is_not_quality` put together: tables 9.1 to 9.4, the sentences of chapter 9, and charts.

Keys are those of `printed/accuracy-is-not-quality.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, median, multimode
from typing import Any

from hushwood.reports.charts.frame import Chart
from hushwood.reports.wording import things
from hushwood_papers.chances import UNLIKELY, sign_test
from hushwood_papers.class_noise.noisy_models import CLASS_NOISE, TRAININGS
from hushwood_papers.protocol import Finding, Measured, Outcome
from hushwood_papers.reproducing.charts import Bar, grouped_bars

NAME = "accuracy-is-not-quality"
ORIGINAL = "original"
BESIDE_PRINT = next(iter(TRAININGS))
PARTS = ("original", "testing", "released")
# The tables with every column; of the others only errors are shown.
SHOWN = ("BHP", "WBC")
COLUMNS = {
    "attributes": "attributes",
    "shared": "attributes shared with the original tree",
    "new": "attributes not in the original tree",
    "lost": "attributes of the original tree that are missing",
    "leaves": "leaves",
}
# "Much worse" means at least this many times the errors under RPT and PPT, as in the printed numbers.
MUCH = 1.5

Tried = Mapping[str, Any]


def findings_of(outcomes: Mapping[str, Outcome]) -> Measured:
    """Numbers and sentences of the tables that were run."""
    by_table: dict[str, list[Outcome]] = {}
    for outcome in outcomes.values():
        by_table.setdefault(str(outcome["table"]), []).append(outcome)
    numbers: dict[str, Sequence[float]] = {}
    for table, repeats in by_table.items():
        for technique in (ORIGINAL, *CLASS_NOISE):
            runs = [repeat[technique] for repeat in repeats]
            found = dict(_of_trees(f"{table} tree, {technique}", runs, technique == ORIGINAL))
            numbers |= {key: values for key, values in found.items() if table in SHOWN or "wrong" in key}
            for training in (name for name in TRAININGS if name in runs[0][0]):
                found = dict(_of_networks(f"{table} {training}, {technique}", runs, training))
                # Medians and modes only for the networks that are compared with the printed ones.
                numbers |= {k: v for k, v in found.items() if training == BESIDE_PRINT or k.endswith("mean")}
    known = {key: values for key, values in numbers.items() if values}
    # The same number of repeats on every table, and of perturbations by every technique.
    count = max(map(len, by_table.values()), default=0)
    perturbed = max((len(outcome[CLASS_NOISE[0]]) for outcome in outcomes.values()), default=0)
    return Measured(known, _claims(by_table), {count * perturbed: perturbed, count: 1})


def charts_of(measured: Measured, printed: Mapping[str, Sequence[float]]) -> Sequence[Chart]:
    """Errors on the testing records, ours and printed, for trees and for networks."""
    charts = []
    for kind, ending in (("tree", ""), ("network", ", mean")):
        bars = []
        for table in SHOWN:
            for technique in (ORIGINAL, *CLASS_NOISE):
                key = f"{table} {kind}, {technique}, % wrong on testing records{ending}"
                if key not in measured.numbers:
                    continue
                group, values = f"{table} {technique}", measured.numbers[key]
                bars += [Bar(group, "printed", fmean(printed[key]))] if key in printed else []
                bars.append(Bar(group, "ours", fmean(values), min(values), max(values)))
        charts.append(
            grouped_bars(
                f"Errors of {kind}s on testing records",
                "Printed values are means over the tables' rows.",
                bars,
                "wrong",
                percent=True,
            )
        )
    return charts


def _of_trees(
    prefix: str, runs: Sequence[Sequence[Tried]], unperturbed: bool
) -> Iterator[tuple[str, list[float]]]:
    """The columns of tables 9.1 and 9.2, one value per tree; the original tree is not compared with itself."""
    trees = [tree for repeat in runs for tree in repeat]
    for column, words in COLUMNS.items():
        if not unperturbed or column in ("attributes", "leaves"):
            yield f"{prefix}, {words}", [tree[column] for tree in trees]
    for part in _parts(unperturbed):
        yield f"{prefix}, % wrong on {part} records", [tree["tree"][part] for tree in trees]
    if not unperturbed:
        yield f"{prefix}, records under new rules in %", [100 * tree["new_share"] for tree in trees]


def _parts(unperturbed: bool) -> Sequence[str]:
    return PARTS[:2] if unperturbed else PARTS


def _of_networks(
    prefix: str, runs: Sequence[Sequence[Tried]], training: str
) -> Iterator[tuple[str, list[float]]]:
    """The columns of tables 9.3 and 9.4, one value per repeat; modes only if some value occurs twice."""
    unperturbed = prefix.endswith(ORIGINAL)
    for part in _parts(unperturbed):
        wrong = [[tried[training][part] for tried in repeat] for repeat in runs]
        yield f"{prefix}, % wrong on {part} records, mean", [fmean(values) for values in wrong]
        yield f"{prefix}, % wrong on {part} records, median", [median(values) for values in wrong]
        modes = [
            sorted(multimode(values)) for values in wrong if len(set(values)) < len(values) or unperturbed
        ]
        yield f"{prefix}, % wrong on {part} records, mode", [found[0] for found in modes if len(found) == 1]
        # Table 9.4 prints two modes once.
        two = [found for found in modes if len(found) > 1]
        yield f"{prefix}, % wrong on {part} records, lower of two modes", [found[0] for found in two]
        yield f"{prefix}, % wrong on {part} records, higher of two modes", [found[-1] for found in two]


def _claims(by_table: Mapping[str, Sequence[Outcome]]) -> dict[str, Finding]:
    claims: dict[str, Finding] = {}
    for table in SHOWN:
        repeats = by_table.get(table)
        if not repeats:
            continue
        claims[f"ALPT trees of {table} predict no worse"] = _no_worse(repeats)
        claims[f"ALPT trees of {table} are less similar"] = _less_similar(repeats)
        claims[f"ALPT trees of {table} fit their own records worse"] = _own_worse(repeats)
        claims[f"ALPT networks of {table} are much worse"] = _much_worse(repeats)
        claims[f"ALPT networks of {table} are not much worse"] = _not(_much_worse(repeats))
        claims[f"networks of {table} are more sensitive"] = _more_sensitive(repeats)
    return claims


def _wrong(repeats: Sequence[Outcome], technique: str, kind: str, part: str) -> float:
    return fmean(tried[kind][part] for repeat in repeats for tried in repeat[technique])


def _others(repeats: Sequence[Outcome], kind: str, part: str) -> float:
    return fmean(_wrong(repeats, technique, kind, part) for technique in ("RPT", "PPT"))


def _no_worse(repeats: Sequence[Outcome]) -> Finding:
    """Significantly worse means: in more repeats than chance alone makes likely."""
    alpt, others = _wrong(repeats, "ALPT", "tree", "testing"), _others(repeats, "tree", "testing")
    signs = sign_test(
        (_wrong([repeat], "ALPT", "tree", "testing"), _others([repeat], "tree", "testing"))
        for repeat in repeats
    )
    return Finding(
        not signs.significant,
        f"trees after ALPT are wrong on {alpt:.1f} % of the testing records, after RPT and PPT on {others:.1f} %; ALPT "
        f"is worse in {signs.greater} and better in {signs.smaller} of {things(len(repeats), 'repeat')}; if both were "
        f"alike, the chance of this would be {signs.chance:.2g} (significant below {UNLIKELY:g})",
    )


def _less_similar(repeats: Sequence[Outcome]) -> Finding:
    new = {t: fmean(x["new"] + x["lost"] for r in repeats for x in r[t]) for t in CLASS_NOISE}
    share = {t: 100 * fmean(x["new_share"] for r in repeats for x in r[t]) for t in CLASS_NOISE}
    listed = "; ".join(f"{t} {new[t]:.1f} and {share[t]:.0f} %" for t in CLASS_NOISE)
    holds = all(new["ALPT"] > new[t] and share["ALPT"] > share[t] for t in ("RPT", "PPT"))
    return Finding(holds, f"attributes that are new or missing, and records under new rules: {listed}")


def _own_worse(repeats: Sequence[Outcome]) -> Finding:
    trees = [tried["tree"] for repeat in repeats for tried in repeat["ALPT"]]
    worse = sum(tree["released"] > tree["original"] for tree in trees)
    return Finding(
        2 * worse > len(trees),
        f"{worse} of {things(len(trees), 'tree')} after ALPT make more errors on their own records than on the "
        "original ones; more than half are required",
    )


def _much_worse(repeats: Sequence[Outcome]) -> Finding:
    """Judged by the networks that are compared with the printed ones; the other trainings are listed too."""
    listed, holds = [], []
    for training in (name for name in TRAININGS if name in repeats[0][ORIGINAL][0]):
        pairs = [
            (_wrong(repeats, "ALPT", training, part), _others(repeats, training, part))
            for part in ("original", "testing")
        ]
        holds.append(all(alpt >= MUCH * others for alpt, others in pairs))
        errors = " and ".join(f"{alpt:.1f} against {others:.1f} %" for alpt, others in pairs)
        listed.append(f"{training} {errors}")
    return Finding(
        holds[0],
        f"wrong on original and on testing records, ALPT against RPT and PPT: {'; '.join(listed)}; much worse means "
        f"at least {MUCH:g} times as many on both, for the first of these",
    )


def _not(finding: Finding) -> Finding:
    return Finding(not finding.holds, finding.numbers)


def _more_sensitive(repeats: Sequence[Outcome]) -> Finding:
    """Compares by how many points ALPT raises the errors on testing records."""
    risen = [(_risen([repeat], BESIDE_PRINT), _risen([repeat], "tree")) for repeat in repeats]
    signs = sign_test(risen)
    return Finding(
        signs.significant,
        f"under ALPT errors on testing records rise by {_risen(repeats, BESIDE_PRINT):.1f} points for networks and "
        f"{_risen(repeats, 'tree'):.1f} for trees; more for networks in {signs.greater} and less in {signs.smaller} of "
        f"{things(len(repeats), 'repeat')}; if both were alike, the chance of this would be {signs.chance:.2g} (below "
        f"{UNLIKELY:g} is required)",
    )


def _risen(repeats: Sequence[Outcome], kind: str) -> float:
    return _wrong(repeats, "ALPT", kind, "testing") - _wrong(repeats, ORIGINAL, kind, "testing")
