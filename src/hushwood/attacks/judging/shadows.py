"""What one learner makes of all ways to find the members of a list, after training on other releases of the same kind.

For every way it is given each candidate's score among the others of a release and, where there are releases of other
rounds, how likely that score is for the same person inside and outside (LiRA: Carlini and others, "Membership inference
attacks from first principles", 2022), how far it lies above the person's usual one, and the rank of that difference
among all candidates (RMIA: Zarifzadeh and others, 2024).

Nothing of what a person is judged by was learnt from that person's own round: its releases leave everybody out exactly
once, so two of them give the third away. Nor was the learner trained on that person: labels of other rounds would come
back through the likelihood ratios of the training. With one round only, it is trained on that, by other people.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from hushwood.arrays import Flags, Floats, Integers, one_thread
from hushwood.attacks.judging.estimates import Excess
from hushwood.attacks.judging.pooled import Pooled
from hushwood.attacks.judging.scoring import Truth
from hushwood.attacks.judging.targets import TriedRelease, list_of_candidates
from hushwood.attacks.protocol import Knowledge, MemberGuesses
from hushwood.attacks.search.outliers import outlyingness
from hushwood.random_streams import Streams

MOST_PEOPLE = 4_000  # of each round who are judged
FOLDS = 4  # of the people
CLIPPED = 6.0
_PENALTY = 0.1  # scikit-learn's C
# Single persons' variances are those of this many more releases with the average variance.
_PRIOR = 4.0
WORST_OFF = 0.05
NEARLY_ALONE = 3  # people of a level
_PURPOSE = "shadows"


@dataclass(frozen=True, slots=True)
class Shadows:
    """Scores as [release, person, way], higher for likelier members, NaN for who was not judged there.

    `inside` says who was in the table, `rounds` to which round each release belongs, `worst` who is worst-off.
    """

    scores: Floats
    inside: Flags
    rounds: Integers
    worst: Flags
    ways: tuple[str, ...] = ()

    @property
    def there(self) -> Flags:
        """Who was judged on which release."""
        return ~np.isnan(self.scores[:, :, 0])


def listed_excess(releases: Sequence[TriedRelease], persons: int) -> Excess | None:
    """What one learner over all ways finds out about the people of a list."""
    found = shadows_of(releases, persons)
    if found is None:
        return None
    streams = releases[0].trial.streams
    return pooled(found, combined(found, streams), streams).excess(len(releases))


def pooled(found: Shadows, score: Floats, streams: Streams) -> Pooled:
    """The scores, as [release, person], of all releases together; ties are broken by the key."""
    there = found.there
    person = np.broadcast_to(np.arange(there.shape[1]), there.shape)[there]
    words = streams.words(_PURPOSE, "ties", 0, range(len(person)))
    rank = np.empty(len(person))
    rank[np.lexsort((words, score[there]))] = np.arange(len(person))
    return Pooled(rank, found.inside[there], person, found.worst[person])


def shadows_of(releases: Sequence[TriedRelease], persons: int) -> Shadows | None:
    """The scores of every way that can be tried on all releases; None where there is nobody inside or outside."""
    attack = releases[0].trial.attack
    chosen = {
        one.round: _chosen([other for other in releases if other.round == one.round], persons)
        for one in releases
    }
    someone = np.any(list(chosen.values()), axis=0)
    place = np.cumsum(someone) - 1
    shape = len(releases), int(np.count_nonzero(someone))
    known = [
        list_of_candidates(
            one.trial, one.trial.holdout, chosen[one.round][np.append(one.inside, one.outside)]
        )
        for one in releases
        if one.trial.holdout is not None
    ]
    if len(known) < len(releases):
        return None
    ways = [
        way
        for way in attack.variants()
        if all(
            way.refuses(k.knowledge, one.trial.released) is None
            for k, one in zip(known, releases, strict=True)
        )
    ]
    scores, inside = np.full((*shape, len(ways)), np.nan), np.zeros(shape, bool)
    worst = np.zeros(shape[1], bool)
    seen: set[int] = set()
    for number, (one, own) in enumerate(zip(releases, known, strict=True)):
        trial = one.trial
        who = place[_persons(own.truth, one)]
        guesses = attack.all_guesses(ways, own.knowledge, trial.released, trial.streams_for("guess"))
        scores[number, who] = np.column_stack([g.score for g in guesses if isinstance(g, MemberGuesses)])
        inside[number, who] = own.truth.target_rows >= 0
        if one.round not in seen:  # all releases of a round have the same list
            seen.add(one.round)
            worst[who[worst_off(own.knowledge, who)]] = True
    there = ~np.isnan(scores[:, :, 0]) if ways else np.zeros(shape, bool)
    if not (inside & there).any() or not (~inside & there).any():
        return None
    rounds = np.array([one.round for one in releases])
    return Shadows(scores, inside, rounds, worst, tuple(str(getattr(way, "by", "")) for way in ways))


def _chosen(releases: Sequence[TriedRelease], persons: int) -> Flags:
    """Who of the people of a round is judged: all, or a keyed choice that is the same in every round."""
    there = np.zeros(persons, bool)
    for one in releases:
        there[one.inside], there[one.outside] = True, True
    people = np.flatnonzero(there)
    drawn = releases[0].trial.streams.sample(_PURPOSE, "people", people, MOST_PEOPLE)
    there[:] = False
    there[people[drawn]] = True
    return there


def _persons(truth: Truth, one: TriedRelease) -> Integers:
    """The person number of every target."""
    inside = truth.target_rows >= 0
    outside = truth.target_rows if truth.holdout_rows is None else truth.holdout_rows
    who = np.empty(len(inside), np.int64)
    who[inside] = one.inside[truth.target_rows[inside]]
    who[~inside] = one.outside[outside[~inside]]
    return who


def worst_off(knowledge: Knowledge, who: Integers) -> Flags:
    """The 5 % of the targets who stand out most: half are (nearly) alone in a category, the rest farthest from others.

    Where fewer are alone, more of the farthest count. It is chosen from the list alone, whatever its order: `who` are
    the people's numbers.
    """
    order = np.argsort(who, kind="stable")
    columns = {name: values[order] for name, values in knowledge.columns.items()}
    fellows = np.full(len(who), len(who))
    for name, values in columns.items():
        if values.dtype.kind != "f":
            everyone = np.append(knowledge.columns[name], knowledge.reference.get(name, values[:0])) + 1
            np.minimum(fellows, np.bincount(everyone)[values + 1], out=fellows)
    count = ceil(WORST_OFF * len(who))
    apart = outlyingness(replace(knowledge, columns=columns))
    alone = np.lexsort((-apart, fellows))
    alone = alone[fellows[alone] <= NEARLY_ALONE][: count // 2]
    farthest = np.argsort(-apart, kind="stable")
    chosen = np.append(alone, farthest[~np.isin(farthest, alone)])[:count]
    found = np.zeros(len(who), bool)
    found[order[chosen]] = True
    return found


def combined(found: Shadows, streams: Streams) -> Floats:
    """The log-odds of one learner, as [release, person]: trained on other people, and other rounds where there are."""
    given = features(found)
    releases, people = found.inside.shape
    there, score = found.there, np.full((releases, people), np.nan)
    folds = np.empty(people, np.int64)
    folds[streams.order(_PURPOSE, "folds", range(people))] = np.arange(people) % FOLDS
    several = len(np.unique(found.rounds)) > 1
    for number in np.unique(found.rounds).tolist():
        own = found.rounds == number
        for fold in range(FOLDS):
            learn = there & (folds != fold) & (~own if several else own)[:, None]
            judge = there & (folds == fold) & own[:, None]
            score[judge] = _log_odds(given[learn], found.inside[learn], given[judge])
    return score


def _log_odds(learnt: Floats, inside: Flags, judged: Floats) -> Floats:
    """Logistic regression; without both kinds of people there is nothing to learn."""
    from sklearn.linear_model import LogisticRegression

    if len(np.unique(inside)) < 2 or not len(judged):
        return np.zeros(len(judged))
    with one_thread():
        model = LogisticRegression(C=_PENALTY, max_iter=1_000).fit(learnt, inside)
        return np.asarray(model.decision_function(judged), np.float64)


def features(found: Shadows) -> Floats:
    """What the learner is given, as [release, person, feature]."""
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # people who are not there
        spread = np.nanstd(found.scores, axis=1, keepdims=True)
        within = (found.scores - np.nanmean(found.scores, axis=1, keepdims=True)) / np.where(
            spread > 0, spread, 1.0
        )
    parts = [within]
    if len(np.unique(found.rounds)) > 1:
        own = np.zeros((3, *within.shape))
        for number in np.unique(found.rounds).tolist():
            here = found.rounds == number
            for way in range(within.shape[2]):
                own[..., way][:, here] = _by_person(within[:, :, way], found.inside, here)
        parts += list(own)
    return np.asarray(np.clip(np.concatenate(parts, axis=2), -CLIPPED, CLIPPED))


def _by_person(scores: Floats, inside: Flags, here: Flags) -> Floats:
    """One way's likelihood ratio, its height above the person's usual score, and that height's rank in the release.

    `here` are the releases to judge; what is usual comes from the others, with the other labels.
    """
    others, labels = scores[~here], inside[~here]
    there = ~np.isnan(others)
    counts = np.stack([there & labels, there & ~labels]).sum(axis=1)
    means = np.stack([np.where(there & side, others, 0).sum(axis=0) for side in (labels, ~labels)])
    means /= np.maximum(counts, 1)
    off = np.where(there, others - np.where(labels, means[0], means[1]), 0)
    free = np.maximum(counts.sum(axis=0) - (counts > 0).sum(axis=0), 0)
    squares = (off**2).sum(axis=0)
    usual = squares.sum() / max(free.sum(), 1) or 1.0
    deviation = np.sqrt((squares + _PRIOR * usual) / (free + _PRIOR))
    both = (counts > 0).all(axis=0)
    shift = _shrunk((means[0] - means[1]) / deviation, counts, both)
    total = np.maximum(counts.sum(axis=0), 1)
    # What the person scores outside: from all other releases, those inside lowered by the shift.
    outside = (counts * means).sum(axis=0) / total - shift * deviation * counts[0] / total
    known = counts.sum(axis=0) > 0
    z = np.where(known, (scores[here] - outside) / deviation, 0.0)
    ratio = shift * z - shift**2 / 2
    above = np.where(known, scores[here] - (counts * means).sum(axis=0) / total, 0.0)
    return np.stack((ratio, z - shift * counts[0] / total, _normal_ranks(above)))


def _shrunk(shift: Floats, counts: Integers, both: Flags) -> Floats:
    """Each person's difference between inside and outside, drawn to the mean as far as chance makes them differ."""
    if not both.any():
        return np.zeros(len(shift))
    mean, spread = shift[both].mean(), shift[both].var()
    chance = (1 / counts[0][both] + 1 / counts[1][both]).mean()
    kept = max(0.0, 1 - chance / spread) if spread > 0 else 0.0
    return np.asarray(np.where(both, mean + kept * (shift - mean), mean))


def _normal_ranks(values: Floats) -> Floats:
    """The normal quantile of everybody's rank in each release."""
    from scipy.special import ndtri

    order = np.argsort(values, axis=1, kind="stable")  # NaN comes last
    rank = np.empty_like(values)
    np.put_along_axis(rank, order, np.arange(values.shape[1], dtype=float)[None, :], axis=1)
    number = np.maximum((~np.isnan(values)).sum(axis=1, keepdims=True), 1)
    return np.asarray(ndtri(np.minimum((rank + 0.5) / number, 1 - 0.5 / number)))
