from __future__ import annotations

from website.page_commands import page_commands

PAGE = """# Page

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
    assert [(found.line, found.words) for found in page_commands(PAGE)] == [
        (6, ("release", "people.csv", "--class", "ill", "-o", "out")),
        (7, ("verify", "out")),
        (8, ("release", "a.csv", "--keep", "rank=a rank  # not a person", "-o", "out")),
    ]


def test_long_lines_are_joined_and_quotation_marks_hide_comments() -> None:
    *_, last = page_commands(PAGE)
    assert last.text == "release a.csv --keep 'rank=a rank  # not a person' -o out"
