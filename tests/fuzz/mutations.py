"""Damage done to files and texts on purpose, each by the numbers of one generator, so that it can be done again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

CELLS = (
    *(
        "",
        " ",
        "?",
        "NA",
        "nan",
        "inf",
        "-inf",
        "1e308",
        "-1e308",
        "1e-320",
        "1e400",
        "-0",
        "0x1f",
        "9" * 400,
    ),
    *("9223372036854775808", "170141183460469231731687303715884105728", "1,5", "007", "1_000", "٣"),
    *(
        "2020-02-30",
        "0001-01-01",
        "9999-12-31",
        "2020-01-01T25:00",
        "2020-01-01T00:00:00+99:99",
        "true",
        "TRUE",
    ),
    *(
        '"',
        '""',
        'a"b',
        "a\nb",
        "a\rb",
        "\x00",
        "\x1b[31m",
        "\u202e",
        "\ud7ff",
        "é",
        "🙂",
        "=1+1",
        "*",
        "^a.*$",
    ),
    *("x" * 70_000, "<script>", "a,b;c\td|e", "'", "\\", "\ufeff"),
)
NUMBERS: tuple[Any, ...] = (0, -1, 1, 2, 0.5, 2**31, 2**63, -(2**63), 2**64, 10**30, 1e308, 1e-308, -0.0)
VALUES: tuple[Any, ...] = (
    *NUMBERS,
    None,
    True,
    False,
    "",
    "x",
    "a\nb",
    "../../x",
    [],
    {},
    [[]],
    [None],
    {"": 0},
)


def bytes_damaged(data: bytes, chance: Random) -> bytes:
    """Some bits, bytes, numbers or stretches changed, copied or cut; beginnings and ends more often than the rest."""
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 4, 8))):
        if len(found) < 4:
            break
        _damage(found, chance)
    return bytes(found)


def _damage(data: bytearray, chance: Random) -> None:
    length, width = len(data), chance.choice((1, 2, 4, 8))
    low, high = chance.choice(
        ((0, length), (0, length), (0, min(200, length)), (max(0, length - 800), length))
    )
    place = chance.randrange(low, high)
    stretch = slice(place, place + chance.randrange(1, 60))
    ways = "flip", "flip", "number", "number", "varint", "cut", "copy", "zeros", "end"
    way = chance.choice(ways)
    if way == "flip":
        data[place] ^= 1 << chance.randrange(8)
    elif way == "number":
        top = 1 << (8 * width)
        number = chance.choice((0, 1, top - 1, top // 2 - 1, top // 2, top // 4, chance.randrange(top)))
        data[place : place + width] = number.to_bytes(width, "little")
    elif way == "varint":
        data[place : place + 5] = b"\xff\xff\xff\xff\x0f"
    elif way == "cut":
        del data[stretch]
    elif way == "copy":
        data[place:place] = data[stretch]
    elif way == "zeros":
        data[stretch] = bytes(chance.randrange(1, 60))
    else:
        del data[place:]


def text_damaged(text: str, chance: Random, tokens: Sequence[str]) -> str:
    """Some pieces of the text replaced by tokens, doubled, swapped or dropped."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        place = chance.randrange(len(text) + 1)
        after = min(len(text), place + chance.randrange(12))
        way = chance.randrange(4)
        if way == 0:
            text = text[:place] + chance.choice(tokens) + text[after:]
        elif way == 1:
            text = text[:place] + chance.choice(tokens) + text[place:]
        elif way == 2:
            text = text[:place] + text[after:]
        else:
            text = text[:after] + text[place:after] * chance.choice((1, 2, 50)) + text[after:]
    return text


def json_damaged(text: str, chance: Random) -> bytes:
    """A JSON text with values replaced by others, dropped or moved; now and then the text itself is damaged."""
    if chance.random() < 0.2:
        return bytes_damaged(text.encode(), chance)
    document = json.loads(text)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        document = _changed(document, chance)
    written = json.dumps(document)
    if chance.random() < 0.05:
        depth = chance.choice((50, 100_000))
        return written.replace(
            "1", chance.choice(("9" * 5_000, "[" * depth + "]" * depth, "1e999", "NaN")), 1
        ).encode()
    return written.encode()


def _changed(document: Any, chance: Random) -> Any:
    """Another value at some place, however deep; most places are deep down, so one may stop early."""
    if not isinstance(document, dict | list) or not document or chance.random() < 0.15:
        return _other(document, chance)
    keys: list[Any] = list(document) if isinstance(document, dict) else list(range(len(document)))
    key = chance.choice(keys)
    if chance.random() < 0.15:
        kept = [k for k in keys if k != key]
        return {k: document[k] for k in kept} if isinstance(document, dict) else [document[k] for k in kept]
    if isinstance(document, dict):
        return {k: _changed(v, chance) if k == key else v for k, v in document.items()}
    return [_changed(v, chance) if k == key else v for k, v in enumerate(document)]


def _other(value: Any, chance: Random) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool) and chance.random() < 0.7:
        return chance.choice((*NUMBERS, value + 1, value - 1, -value, str(value)))
    if isinstance(value, str) and value and chance.random() < 0.5:
        return text_damaged(value, chance, CELLS)
    return chance.choice(VALUES)
