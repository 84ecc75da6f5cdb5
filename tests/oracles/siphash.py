"""SipHash-2-4 as its paper writes it down, with Python's whole numbers, one text at a time."""

from __future__ import annotations

MASK = (1 << 64) - 1


def turned(x: int, by: int) -> int:
    return ((x << by) | (x >> (64 - by))) & MASK


def sip_round(v: list[int]) -> None:
    v[0] = (v[0] + v[1]) & MASK
    v[2] = (v[2] + v[3]) & MASK
    v[1] = turned(v[1], 13)
    v[3] = turned(v[3], 16)
    v[1] ^= v[0]
    v[3] ^= v[2]
    v[0] = turned(v[0], 32)
    v[2] = (v[2] + v[1]) & MASK
    v[0] = (v[0] + v[3]) & MASK
    v[1] = turned(v[1], 17)
    v[3] = turned(v[3], 21)
    v[1] ^= v[2]
    v[3] ^= v[0]
    v[2] = turned(v[2], 32)


def siphash(key: bytes, text: bytes) -> int:
    """The 64-bit hash of a text under a key of 16 bytes."""
    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:16], "little")
    v = [
        k0 ^ 0x736F6D6570736575,
        k1 ^ 0x646F72616E646F6D,
        k0 ^ 0x6C7967656E657261,
        k1 ^ 0x7465646279746573,
    ]
    padded = text + bytes(7 - len(text) % 8) + bytes([len(text) % 256])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at : at + 8], "little")
        v[3] ^= word
        sip_round(v)
        sip_round(v)
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(4):
        sip_round(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]
