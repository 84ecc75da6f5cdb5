from __future__ import annotations

from pathlib import Path

import pytest

from website.markdown_pages import anchor, anchors, broken_links, links, section, with_links
from website.page_commands import page_commands

PAGE = """# Title

A [link that
breaks](a.md#x) and ![a picture](b.png "why"), `[code](no.md)`.

```
[also code](no.md)
## no heading
```

## Part `one`
text
### Deeper
more
## Part `one`
end
"""


def test_links_over_lines_count_and_code_does_not() -> None:
    assert [(link.line, link.target) for link in links(PAGE)] == [(4, "a.md#x"), (4, "b.png")]


def test_only_targets_of_links_change() -> None:
    changed = with_links(PAGE, lambda target: f"../{target}")
    assert changed == PAGE.replace("(a.md#x)", "(../a.md#x)").replace("(b.png", "(../b.png")


def test_the_second_of_equal_headings_has_a_number() -> None:
    assert anchors(PAGE) == {"title", "part-one", "deeper", "part-one-1"}


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("What *k* does", "what-k-does"),
        ("`rule_types`", "rule_types"),
        ("ROCK, QROCK, COOLCAT, CORE", "rock-qrock-coolcat-core"),
        ("A – B", "a--b"),
        ("Größe & Maß", "größe--maß"),
    ],
)
def test_anchors_are_those_of_forges(heading: str, expected: str) -> None:
    assert anchor(heading) == expected


def test_a_section_ends_at_the_next_heading_of_its_level() -> None:
    assert section("# A\n## `b`\none\n### c\ntwo\n## d\nthree\n", "b") == "one\n### c\ntwo\n"
    assert section("# A\n", "b") is None


def test_broken_links_are_named_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("# There\n")
    page = tmp_path / "a.md"
    page.write_text(
        "[1](b.md) [2](b.md#there) [3](b.md#not)\n[4](c.md) [5](#here) [6](https://x.y)\n[7](../..)\n# Here\n"
    )
    assert list(broken_links(page, tmp_path)) == [
        "a.md:1: b.md#not has no such heading",
        "a.md:2: c.md is not there",
        "a.md:3: ../.. lies outside the project",
    ]


PAGE_PAGE_COMMANDS = """# Page

`hushwood inspect x.csv` in a sentence is none.

```
hushwood release people.csv --class ill -o out    judged by `public`
$ hushwood verify out  # a comment
hushwood release a.csv \\
         --keep rank="a rank  # not a person" -o out
hushwood audit ORIGINAL RELEASED --class C [--match rows|none]
NOT a command
```

```python
hushwood = 1
```

```text
hushwood demo
```
"""


def test_commands_end_where_descriptions_begin() -> None:
    assert [(found.line, found.words) for found in page_commands(PAGE_PAGE_COMMANDS)] == [
        (6, ("release", "people.csv", "--class", "ill", "-o", "out")),
        (7, ("verify", "out")),
        (8, ("release", "a.csv", "--keep", "rank=a rank  # not a person", "-o", "out")),
    ]


def test_long_lines_are_joined_and_quotation_marks_hide_comments() -> None:
    *_, last = page_commands(PAGE_PAGE_COMMANDS)
    assert last.text == "release a.csv --keep 'rank=a rank  # not a person' -o out"
