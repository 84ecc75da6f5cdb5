"""Risk of being known as a member: attacks that score people of the table against people held out, as AUC.

Whatever an attack compares the release with, a reference sample, is taken from the people held out: those of the other
two of three folds, so that no target is in its own reference. Members are given a fold, too, and meet the same sample.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frontier.models import Classifier, auc, boosting
from frontier.neighbours import nearest
from frontier.records import Flags, Floats, Integers, Records
from frontier.reference import FOLDS, Reference

# A number counts as rare if fewer records than this share it, in release and reference sample together.
COMMON = 5
UNDECIDED = 0.5
NOTHING = 1e-9


@dataclass(frozen=True)
class Targets:
    """Members and others, their folds, and which are members."""

    records: Records
    fold: Integers
    member: Flags


def targets_of(reference: Reference) -> Targets:
    members = reference.people.take(reference.members)
    parts = (members, reference.held_out)
    records = Records(np.vstack([p.numbers for p in parts]), np.vstack([p.codes for p in parts]))
    fold = np.concatenate([reference.folds("members", members.count), _held_out_folds(reference)])
    return Targets(records, fold, np.arange(records.count) < members.count)


def _held_out_folds(reference: Reference) -> Integers:
    return reference.folds("held out", reference.held_out.count)


def membership(reference: Reference, released: Records, model: Classifier) -> dict[str, float]:
    """The AUC of every attack; `model` is the forest of the class trained on the release."""
    targets = targets_of(reference)
    points = reference.places(targets.records, target=True)
    release = reference.places(released, target=True)
    near = nearest(points, release, 5)
    apart, strange, looked_up = np.empty_like(near), np.empty(len(points)), np.empty(len(points))
    held_out = _held_out_folds(reference)
    for number in range(FOLDS):
        here, sample = targets.fold == number, reference.held_out.take(held_out != number)
        asked = targets.records.take(here)
        apart[here] = nearest(points[here], reference.places(sample, target=True), 5)
        strange[here] = _looks_released(reference, released, sample, asked)
        looked_up[here] = rare_numbers_found(asked.numbers, released.numbers, sample.numbers)
    ratio = np.log(apart + NOTHING) - np.log(near + NOTHING)
    own = model.shares(reference.features(targets.records))
    scores = {
        "nearest": -near[:, 0],
        "unique": looked_up,
        "density_1": ratio[:, 0],
        "density_5": ratio[:, 4],
        "class_loss": own[np.arange(len(own)), targets.records.classes],
        "classifier": strange,
    }
    return {name: auc(score, targets.member) for name, score in scores.items()}


def _looks_released(reference: Reference, released: Records, sample: Records, asked: Records) -> Floats:
    """How much a record looks like the release rather than like the reference sample, to boosted trees."""
    if not asked.count or not sample.count:
        return np.full(asked.count, UNDECIDED)
    x = np.vstack([reference.features(records, target=True) for records in (released, sample)])
    model = boosting(reference.seed).fit(x, np.arange(len(x)) < released.count)
    shares: Floats = model.predict_proba(reference.features(asked, target=True))
    return shares[:, 1]


def rare_numbers_found(asked: Floats, released: Floats, sample: Floats) -> Floats:
    """Of each target's rare numbers, the share that the release holds exactly; 1/2 for a target without any."""
    rare, found = np.zeros(asked.shape), np.zeros(asked.shape)
    for j in range(asked.shape[1]):
        held = _how_often(asked[:, j], released[:, j])
        rare[:, j] = held + _how_often(asked[:, j], sample[:, j]) < COMMON
        found[:, j] = rare[:, j] * (held > 0)
    many = rare.sum(axis=1)
    return np.where(many > 0, found.sum(axis=1) / np.maximum(many, 1), UNDECIDED)


def _how_often(values: Floats, among: Floats) -> Integers:
    line = np.sort(among)
    return np.searchsorted(line, values, "right") - np.searchsorted(line, values, "left")
