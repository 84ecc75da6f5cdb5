from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.kernels.siphash import siphash
from oracles.siphash import siphash as slowly

KEY = bytes(range(16))
# The first hashes of the list that the reference implementation is published with (vectors.h): of the texts that have
# the bytes 0, 1, 2, ... as far as their length, under the key 0, 1, ..., 15. The last is the example of the paper.
PUBLISHED = {
    0: 0x726FDB47DD0E0E31,
    1: 0x74F839C593DC67FD,
    2: 0x0D6C8009D9A94F5A,
    3: 0x85676696D7FB7E2D,
    7: 0xAB0200F58B01D137,
    8: 0x93F5F5799A932462,
    15: 0xA129CA6149BE45E5,
}


def hashes(key: bytes, texts: list[bytes]) -> list[int]:
    limits = np.append(0, np.cumsum([len(text) for text in texts])).astype(np.int64)
    data = np.frombuffer(b"".join(texts), np.uint8)
    k0, k1 = np.frombuffer(key, "<u8")
    out = np.zeros(len(texts), np.uint64)
    siphash(data, limits, k0, k1, out)
    return [int(word) for word in out]


def test_published_hashes_are_met() -> None:
    texts = [bytes(range(length)) for length in PUBLISHED]
    assert hashes(KEY, texts) == list(PUBLISHED.values())
    assert [slowly(KEY, text) for text in texts] == list(PUBLISHED.values())


@given(st.binary(min_size=16, max_size=16), st.lists(st.binary(max_size=300), max_size=8))
def test_hashes_are_those_of_the_paper(key: bytes, texts: list[bytes]) -> None:
    assert hashes(key, texts) == [slowly(key, text) for text in texts]
