from __future__ import annotations

import math
from pathlib import Path

import pytest

from website.gallery import code_of, differences, outputs, part, printed

PROGRAM = '''"""A title.

About it.

    python examples/a.py --more
"""

from __future__ import annotations

import sys

print(f"{len(sys.argv)} word")
'''


def test_a_part_has_words_output_and_code(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(PROGRAM)
    text = part(path, printed(path))
    assert text.startswith(
        "\n## A title\n\nAbout it.\n\n`python examples/a.py` prints:\n\n```text\n1 word\n```\n"
    )
    assert outputs(text) == ["1 word"]
    assert code_of(PROGRAM) == 'import sys\n\nprint(f"{len(sys.argv)} word")'
    assert code_of(PROGRAM) in text


@pytest.mark.parametrize(
    ("shown", "now", "same"),
    [
        ("12 of 100", "13 of 100", True),
        ("12 of 100", "40 of 100", False),
        ("  5.1 % ███", "  5.2 % ████", True),
        ("a\nb", "a", False),
        ("│ 520 ┆ Mel │", "│ 505 ┆ Mel │", True),
        ("│ 520 ┆ Mel │", "│ 520 ┆ Syd │", False),
        ("0.01", "0.04", True),  # small numbers may move a little
    ],
)
def test_words_must_be_the_same_and_numbers_near(shown: str, now: str, same: bool) -> None:
    assert (list(differences(shown, now)) == []) is same


def test_with_an_endless_tolerance_only_words_count() -> None:
    assert list(differences("0 of 5", "3 of 0", tolerance=math.inf)) == []
    assert list(differences("0 of 5", "0 in 5", tolerance=math.inf)) != []
