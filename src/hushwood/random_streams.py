"""Secret key in, random numbers for (technique, attribute, draw number, row) out: the only source of chance.

A stream is an AES-256 counter keystream under a key derived from the secret, and row i reads its i-th 64-bit word.
So a row's number depends on nothing but the secret, the stream's name and the row: not on chunks, threads or engine.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hushwood.arrays import Array, Floats, Integers, Words, check_indices
from hushwood.errors import InputError

Rows = range | Integers

SECRET_BYTES = 32
_BLOCK_ROWS = 1 << 15  # 256 KiB of keystream: stays in the second-level cache
_SAMPLED_ROWS = 1 << 22  # rows whose words a sample is drawn from at a time: 64 MiB
_LARGEST_BELOW_ONE = 1.0 - 2.0**-53


def fresh_secret() -> bytes:
    """A new secret from the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


def secret_from_hex(text: str) -> bytes:
    """Read a secret that is written as exactly 64 hexadecimal digits."""
    digits = text.strip()
    if len(digits) != 2 * SECRET_BYTES or any(c not in "0123456789abcdefABCDEF" for c in digits):
        raise InputError(
            f"A seed is exactly 64 hexadecimal digits; {len(digits)} characters were given that are not that. "
            "Leave it out for a fresh one."
        )
    return bytes.fromhex(digits)


@dataclass(frozen=True)
class Streams:
    """All random streams of one secret.

    >>> streams = Streams(bytes(32))
    >>> whole = streams.uniform("RNAT", "age", 0, range(10))
    >>> bool((streams.uniform("RNAT", "age", 0, range(4, 6)) == whole[4:6]).all())
    True
    """

    secret: bytes = field(repr=False)

    @property
    def key_id(self) -> str:
        """A public name of the secret that reveals nothing about it."""
        return self.derive("key id", "", 0).hex()[:16]

    def derive(self, purpose: str, name: str, draw: int) -> bytes:
        """The 32-byte key of one stream, by HKDF-SHA256."""
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        parts = [purpose.encode(), name.encode(), str(draw).encode()]
        info = b"hushwood/1" + b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        return HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(self.secret)

    def words(self, purpose: str, name: str, draw: int, rows: Rows) -> Words:
        """The 64-bit word of every row."""
        key = self.derive(purpose, name, draw)
        span = _as_span(rows)
        if span is None:
            return _scattered_words(key, np.asarray(rows, np.int64))
        out = np.empty(len(span), np.uint64)
        for begin, words in _blocks(key, span.start, len(span)):
            out[begin : begin + len(words)] = words
        return out

    def uniform(self, purpose: str, name: str, draw: int, rows: Rows) -> Floats:
        """A number in the open interval (0, 1) for every row."""
        shifted = (self.words(purpose, name, draw, rows) >> np.uint64(11)).astype(np.float64)
        return np.minimum((shifted + 0.5) * 2.0**-53, _LARGEST_BELOW_ONE)

    def normal(self, purpose: str, name: str, draw: int, rows: Rows, threads: int = 1) -> Floats:
        """A standard normal number for every row, by the inverse distribution function."""
        from hushwood.kernels.keyed_numbers import normals_from_words

        key = self.derive(purpose, name, draw)
        span = _as_span(rows)
        out = np.empty(len(rows))
        if span is None:
            normals_from_words(_scattered_words(key, np.asarray(rows, np.int64)), out)
            return out

        def fill(first: int, last: int) -> None:
            for begin, words in _blocks(key, span.start + first, last - first):
                normals_from_words(words, out[first + begin : first + begin + len(words)])

        _split(fill, len(span), threads)
        return out

    def order(self, purpose: str, name: str, rows: Rows, draw: int = 0) -> Integers:
        """The places of the rows, sorted by their words: a keyed permutation."""
        return np.argsort(self.words(purpose, name, draw, rows), kind="stable")

    def sample(self, purpose: str, name: str, rows: int | Rows, most: int) -> Integers:
        """The places of at most `most` rows, those with the smallest words, ascending; a number stands for its range.

        Rows with the same word as the last one of the sample are left out in their order.
        """
        rows = range(rows) if isinstance(rows, int) else rows
        if len(rows) <= most:
            return np.arange(len(rows))
        chunks = (rows[begin : begin + _SAMPLED_ROWS] for begin in range(0, len(rows), _SAMPLED_ROWS))
        return self.sample_of(purpose, name, chunks, most)

    def sample_of(self, purpose: str, name: str, chunks: Iterable[Rows], most: int) -> Integers:
        """The same of rows that come in chunks, whose places go on from one to the next: few of them are held."""
        words, places, first = np.zeros(0, np.uint64), np.zeros(0, np.int64), 0
        for rows in chunks:
            new, there = self.words(purpose, name, 0, rows), np.arange(first, first + len(rows))
            if len(words) == most:
                smaller = new < words.max(initial=0)
                new, there = new[smaller], there[smaller]
            words, places = np.concatenate([words, new]), np.concatenate([places, there])
            first += len(rows)
            if len(words) > most:
                kept = np.sort(np.argpartition(words, most - 1)[:most]) if most else np.zeros(0, np.int64)
                words, places = words[kept], places[kept]
        return places


def keyed_order(words: Words, groups: Array) -> Integers:
    """Rows sorted by group, inside a group by their word, ties by row: a keyed permutation within every group."""
    return keyed_orders(words, groups)[1]


def keyed_orders(words: Words, groups: Array) -> tuple[Integers, Integers]:
    """Rows sorted by group, inside a group as they were; and sorted by group, inside a group by their word."""
    from hushwood.kernels.keyed_numbers import keyed_orders as sort

    groups = np.ascontiguousarray(groups, np.int64)
    check_indices("Groups", groups, 1 << 48)
    start = np.concatenate([[0], np.cumsum(np.bincount(groups))])
    by_group, by_word = np.empty(len(groups), np.int64), np.empty(len(groups), np.int64)
    sort(np.ascontiguousarray(words), groups, start, by_group, by_word)
    return by_group, by_word


def group_order(groups: Array) -> Integers:
    """Positions sorted by group, inside a group as they were."""
    if len(groups) and int(groups.max()) <= np.iinfo(np.uint16).max:
        groups = groups.astype(np.uint16)  # numpy sorts 16-bit numbers by radix, ten times as fast
    return np.argsort(groups, kind="stable")


def _as_span(rows: Rows) -> range | None:
    if isinstance(rows, range):
        return rows if rows.step == 1 else None
    if len(rows) == 0:
        return range(0)
    first, last = int(rows[0]), int(rows[-1])
    together = last - first == len(rows) - 1 and bool((np.diff(rows) == 1).all())
    return range(first, last + 1) if together else None


def _blocks(key: bytes, first_row: int, count: int) -> Any:
    """Yield (offset, words) of `count` rows from `first_row` on, in pieces that fit the cache.

    The words are only valid until the next piece is asked for.
    """
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    skip = first_row % 2
    counter = (first_row // 2).to_bytes(16, "big")
    encryptor = Cipher(algorithms.AES(key), modes.CTR(counter)).encryptor()
    zeros = bytes(8 * _BLOCK_ROWS)
    buffer = bytearray(8 * _BLOCK_ROWS + 16)  # older releases of cryptography ask for room for one more block
    words = np.frombuffer(buffer, "<u8")
    done = 0
    while done < count:
        take = min(_BLOCK_ROWS, count - done + skip)
        encryptor.update_into(memoryview(zeros)[: 8 * take], buffer)
        yield done, words[skip:take]
        done += take - skip
        skip = 0


def _scattered_words(key: bytes, rows: Integers) -> Words:
    """The same words for rows in any order: the counter blocks are encrypted one by one."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    counters = np.zeros((len(rows), 2), ">u8")
    counters[:, 1] = rows // 2
    # Electronic codebook over distinct counters *is* the counter-mode keystream.
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()  # noqa: S305
    blocks = np.frombuffer(encryptor.update(counters.tobytes()), "<u8").reshape(-1, 2)
    return blocks[np.arange(len(rows)), rows % 2]


def _split(work: Callable[[int, int], None], count: int, threads: int) -> None:
    if threads <= 1 or count < 4 * _BLOCK_ROWS:
        work(0, count)
        return
    limits = [count * part // threads for part in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, limits[:-1], limits[1:]))
