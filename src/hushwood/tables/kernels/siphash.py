"""SipHash-2-4 of many texts: a keyed hash that nobody can foresee, or invert, without the key.

Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012), section 2. The texts lie one after the other, as Arrow
keeps them.
"""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Bytes, Integers, Words
from hushwood.kernels.compiling import compiled, copied


@copied
def _turned(x, by):
    return (x << np.uint64(by)) | (x >> np.uint64(64 - by))


@copied
def _round(v0, v1, v2, v3):
    v0 += v1
    v1 = _turned(v1, 13) ^ v0
    v0 = _turned(v0, 32)
    v2 += v3
    v3 = _turned(v3, 16) ^ v2
    v0 += v3
    v3 = _turned(v3, 21) ^ v0
    v2 += v1
    v1 = _turned(v1, 17) ^ v2
    v2 = _turned(v2, 32)
    return v0, v1, v2, v3


@compiled
def _hash(data, begin, end, k0, k1):
    v0 = k0 ^ np.uint64(0x736F6D6570736575)
    v1 = k1 ^ np.uint64(0x646F72616E646F6D)
    v2 = k0 ^ np.uint64(0x6C7967656E657261)
    v3 = k1 ^ np.uint64(0x7465646279746573)
    length = end - begin
    whole = begin + (length // 8) * 8
    at = begin
    while at <= whole:
        # The last word holds the bytes that are left, and the length in its highest byte.
        count = 8 if at < whole else end - whole
        word = np.uint64(0) if at < whole else np.uint64(length & 0xFF) << np.uint64(56)
        for i in range(count):
            word |= np.uint64(data[at + i]) << np.uint64(8 * i)
        v3 ^= word
        for _ in range(2):
            v0, v1, v2, v3 = _round(v0, v1, v2, v3)
        v0 ^= word
        at += 8
    v2 ^= np.uint64(0xFF)
    for _ in range(4):
        v0, v1, v2, v3 = _round(v0, v1, v2, v3)
    return v0 ^ v1 ^ v2 ^ v3


@compiled
def siphash(data: Bytes, limits: Integers, k0: np.uint64, k1: np.uint64, out: Words) -> None:
    """The hash of every text; text i has the bytes from `limits[i]` up to `limits[i + 1]`."""
    for i in range(len(out)):
        out[i] = _hash(data, limits[i], limits[i + 1], k0, k1)
