"""Gain ratio of every cut of one numeric attribute, compiled by numba: what SysFor ranks (docs/trees.md)."""

from __future__ import annotations

import math

import numpy as np

from hushwood.kernels.compiling import compiled as _compile


@_compile
def _xlogx(x: float) -> float:
    return x * math.log2(x) if x > 0.0 else 0.0


@_compile
def cut_ratios(codes, classes, rows, weights, distinct, class_count, least, people):
    """Ranks around every admissible cut of these records, and its plain gain ratio (no price for the threshold).

    Both sides of a cut hold `least` people; without survey weights that is their weight.
    """
    histogram = np.zeros((distinct, class_count))
    heads = np.zeros(distinct)
    total, everyone = 0.0, 0.0
    for i in range(len(rows)):
        total += weights[i]
        if codes[rows[i]] >= 0:
            histogram[codes[rows[i]], classes[rows[i]]] += weights[i]
            heads[codes[rows[i]]] += people[i]
            everyone += people[i]
    left, right = np.zeros(class_count), np.zeros(class_count)
    known = 0.0
    for rank in range(distinct):
        for c in range(class_count):
            right[c] += histogram[rank, c]
            known += histogram[rank, c]
    whole = _xlogx(known)
    for c in range(class_count):
        whole -= _xlogx(right[c])
    unknown = _xlogx(total) - _xlogx(max(total - known, 0.0))
    below, above = np.empty(distinct, np.int64), np.empty(distinct, np.int64)
    ratio = np.empty(distinct)
    cuts = 0
    last = -1
    left_weight, left_people = 0.0, 0.0
    for rank in range(distinct):
        here = 0.0
        for c in range(class_count):
            here += histogram[rank, c]
        if here <= 0.0:
            continue
        if last >= 0 and left_people >= least and everyone - left_people >= least:
            parts = _xlogx(left_weight) + _xlogx(known - left_weight)
            info = unknown - parts
            for c in range(class_count):
                parts -= _xlogx(left[c]) + _xlogx(max(right[c], 0.0))
            below[cuts], above[cuts] = last, rank
            ratio[cuts] = (whole - parts) / info
            cuts += 1
        for c in range(class_count):
            left[c] += histogram[rank, c]
            right[c] -= histogram[rank, c]
        left_weight += here
        left_people += heads[rank]
        last = rank
    return below[:cuts], above[:cuts], ratio[:cuts]
