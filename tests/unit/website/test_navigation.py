from __future__ import annotations

from website.navigation import filled, left_out, named_pages

CONFIG = """site_name: x
docs_dir: docs
nav:
  - Start:
      - index.md
      - Ten minutes: start.md
  - How:
      - Measures: how/measures/
"""


def test_pages_and_folders_are_named_in_order() -> None:
    assert named_pages(CONFIG) == ["index.md", "start.md", "how/measures/"]


def test_folders_are_filled_and_titles_are_data() -> None:
    titles = {"how/measures/index.md": "All", "how/measures/a.md": 'A: "b"', "how/other/c.md": "C"}
    assert filled(CONFIG, titles).endswith(
        '      - Measures:\n          - how/measures/index.md\n          - "A: \\"b\\"": how/measures/a.md\n'
    )
    assert filled(CONFIG, titles).startswith("site_name: x\ndocs_dir: docs\nnav:\n")


def test_what_is_left_out_is_noticed() -> None:
    assert left_out(CONFIG, ["start.md", "how/measures/a.md", "other.md"]) == ["other.md"]
