"""Known answers: the streams recomputed with plain HKDF, plain AES and exact fractions."""

from __future__ import annotations

import hashlib
import hmac
import string
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Words
from hushwood.errors import InputError
from hushwood.random_streams import Streams, fresh_secret, group_order, keyed_order, secret_from_hex

SECRET = bytes(range(32))
STREAMS = Streams(SECRET)
NAME = ("LINFAPT", "Größe, in cm", 3)


def slow_key(secret: bytes, purpose: str, name: str, draw: int) -> bytes:
    """HKDF-SHA256 by RFC 5869: one block of output, no salt."""
    info = b"hushwood/1"
    for part in (purpose, name, str(draw)):
        data = part.encode("utf-8")
        info += len(data).to_bytes(4, "big") + data
    extracted = hmac.new(bytes(32), secret, hashlib.sha256).digest()
    return hmac.new(extracted, info + b"\x01", hashlib.sha256).digest()


def slow_word(key: bytes, row: int) -> int:
    """The row-th 64-bit word of the counter keystream, from its one AES block."""
    counter = (row // 2).to_bytes(16, "big")
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()  # noqa: S305
    block = encryptor.update(counter)
    return int.from_bytes(block[8 * (row % 2) : 8 * (row % 2) + 8], "little")


def slow_uniform(word: int) -> float:
    exact = Fraction(2 * (word >> 11) + 1, 2**54)
    return min(float(exact), 1 - 2.0**-53)


def test_stream_keys_are_hkdf() -> None:
    assert STREAMS.derive(*NAME) == slow_key(SECRET, *NAME)


def test_parts_of_a_name_do_not_run_into_each_other() -> None:
    names = [("ab", "c", 1), ("a", "bc", 1), ("abc", "", 1), ("ab", "c1", 1), ("ab", "c", 11), ("", "abc", 1)]
    assert len({STREAMS.derive(*name) for name in names}) == len(names)


@pytest.mark.parametrize("first", [0, 1, 2, 32767, 32768, 65535, 2**33 + 1])
def test_words_are_the_counter_keystream(first: int) -> None:
    key = slow_key(SECRET, *NAME)
    rows = range(first, first + 5)
    assert STREAMS.words(*NAME, rows).tolist() == [slow_word(key, row) for row in rows]


def test_words_over_several_blocks() -> None:
    rows = 70_001
    key = slow_key(SECRET, *NAME)
    zeros = bytes(8 * (rows + 1))
    keystream = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor().update(zeros)
    wanted = np.frombuffer(keystream, "<u8")
    assert np.array_equal(STREAMS.words(*NAME, range(rows)), wanted[:rows])
    assert np.array_equal(STREAMS.words(*NAME, range(1, rows)), wanted[1:rows])
    assert np.array_equal(STREAMS.words(*NAME, range(32_767, 65_537)), wanted[32_767:65_537])


@given(st.lists(st.integers(0, 2**40), max_size=20))
def test_scattered_rows_read_their_own_words(rows: list[int]) -> None:
    key = slow_key(SECRET, *NAME)
    found = STREAMS.words(*NAME, np.array(rows, np.int64))
    assert found.tolist() == [slow_word(key, row) for row in rows]


def test_rows_in_steps_and_no_rows() -> None:
    whole = STREAMS.words(*NAME, range(20))
    assert np.array_equal(STREAMS.words(*NAME, range(1, 20, 3)), whole[1::3])
    assert np.array_equal(STREAMS.words(*NAME, np.arange(20)[::-1]), whole[::-1])
    for empty in (range(0), range(5, 5), range(5, 5, 2), np.array([], np.int64)):
        assert len(STREAMS.words(*NAME, empty)) == 0
        assert len(STREAMS.uniform(*NAME, empty)) == 0
        assert len(STREAMS.normal(*NAME, empty)) == 0


def test_uniforms_are_the_words_in_the_open_interval() -> None:
    words = STREAMS.words(*NAME, range(2000)).tolist()
    assert STREAMS.uniform(*NAME, range(2000)).tolist() == [slow_uniform(word) for word in words]


@pytest.mark.parametrize("word", [0, 2**11 - 1, 2**11, 2**63, 2**64 - 2**11 - 1, 2**64 - 1])
def test_the_smallest_and_largest_words_stay_inside(word: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def given_words(*_: object) -> Words:
        return np.array([word], np.uint64)

    monkeypatch.setattr(Streams, "words", given_words)
    (found,) = STREAMS.uniform(*NAME, range(1)).tolist()
    assert 0 < found < 1
    assert found == slow_uniform(word)


def test_normals_are_quantiles_of_the_uniforms() -> None:
    from scipy.special import ndtri

    u = STREAMS.uniform(*NAME, range(50_000))
    np.testing.assert_allclose(STREAMS.normal(*NAME, range(50_000)), ndtri(u), rtol=1e-13, atol=1e-15)


def test_normals_do_not_depend_on_threads_chunks_or_order() -> None:
    rows = 140_001
    whole = STREAMS.normal(*NAME, range(rows))
    for threads in (2, 3):
        assert np.array_equal(STREAMS.normal(*NAME, range(rows), threads=threads), whole)
    assert np.array_equal(STREAMS.normal(*NAME, range(1, rows), threads=2), whole[1:])
    some = np.array([139_999, 3, 3, 70_000])
    assert np.array_equal(STREAMS.normal(*NAME, some), whole[some])


def test_streams_differ_by_secret_purpose_name_and_draw() -> None:
    streams = [STREAMS.words(*NAME, range(100))]
    streams += [Streams(bytes(32)).words(*NAME, range(100)), STREAMS.words("LINNAPT", NAME[1], 3, range(100))]
    streams += [
        STREAMS.words(NAME[0], "other", 3, range(100)),
        STREAMS.words(NAME[0], NAME[1], 4, range(100)),
    ]
    assert len(set(np.concatenate(streams).tolist())) == 500


def slow_order(words: list[int], groups: list[int]) -> list[int]:
    return sorted(range(len(words)), key=lambda row: (groups[row], words[row], row))


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0, 3, 70_000])), max_size=30))
def test_keyed_order_breaks_ties_by_row(cells: list[tuple[int, int]]) -> None:
    words, groups = [w for w, _ in cells], [g for _, g in cells]
    found = keyed_order(np.array(words, np.uint64), np.array(groups, np.int64))
    assert found.tolist() == slow_order(words, groups)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("largest", [3, 65_535, 65_536, 100_000])
def test_group_order_is_stable_for_small_and_large_group_numbers(dtype: Any, largest: int) -> None:
    groups = [largest, 0, largest, 1, 0, largest - 1]
    found = group_order(np.array(groups, dtype))
    assert found.tolist() == sorted(range(6), key=lambda row: (groups[row], row))


def test_order_of_nothing() -> None:
    assert keyed_order(np.array([], np.uint64), np.array([], np.int32)).tolist() == []


def test_every_permutation_of_three_rows_is_equally_likely() -> None:
    from scipy.stats import chisquare

    groups = np.repeat(np.arange(6000), 3)
    order = keyed_order(STREAMS.words(*NAME, range(18_000)), groups).reshape(-1, 3) % 3
    counts = np.unique(order @ np.array([9, 3, 1]), return_counts=True)[1]
    assert len(counts) == 6
    assert chisquare(counts).pvalue > 1e-3


def test_seeds_are_64_hexadecimal_digits() -> None:
    assert secret_from_hex(SECRET.hex()) == SECRET
    assert secret_from_hex(f" {SECRET.hex().upper()}\n") == SECRET


@pytest.mark.parametrize(
    "text",
    ["", "00" * 31, "00" * 33, "0" * 63, "g" + "0" * 63, "0x" + "0" * 62, "٠" * 64, "0_" * 32, "0 " * 32],
)
def test_other_seeds_are_refused_without_repeating_them(text: str) -> None:
    with pytest.raises(InputError, match="exactly 64 hexadecimal digits") as refused:
        secret_from_hex(text)
    assert not text.strip() or text not in str(refused.value)


def test_fresh_secrets_are_never_the_same() -> None:
    assert len(fresh_secret()) == 32
    assert fresh_secret() != fresh_secret()


def test_the_key_id_names_the_secret_and_hides_it() -> None:
    assert Streams(SECRET).key_id == STREAMS.key_id != Streams(bytes(32)).key_id
    assert len(STREAMS.key_id) == 16
    assert set(STREAMS.key_id) <= set(string.hexdigits)
    assert STREAMS.key_id not in SECRET.hex()
    assert SECRET.hex() not in repr(STREAMS)
    assert repr(SECRET) not in repr(STREAMS)


def test_an_order_sorts_any_rows_by_their_words() -> None:
    streams = Streams(bytes(32))
    rows = np.array([40, 3, 17, 8])
    words = streams.words("purpose", "name", 2, rows).tolist()
    order = streams.order("purpose", "name", rows, 2).tolist()
    assert order == sorted(range(4), key=lambda place: words[place])
    assert order != streams.order("purpose", "name", rows).tolist()


def test_a_sample_is_the_rows_with_the_smallest_words() -> None:
    streams = Streams(bytes(range(32)))
    words = streams.words("purpose", "name", 0, range(100))

    drawn = streams.sample("purpose", "name", 100, 30)

    assert drawn.tolist() == sorted(np.argsort(words)[:30].tolist())
    assert streams.sample("purpose", "name", 30, 30).tolist() == list(range(30))
