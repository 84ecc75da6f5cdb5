from __future__ import annotations

from pathlib import Path

import pytest

from website.assembly import assemble, spaced_lists, written_pages
from website.navigation import filled, left_out, named_pages


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {
        "docs/index.md": "# Start\n[guide](guides/a.md#x) [code](../src/m.py) [folder](../src) "
        "[rules](../CONTRIBUTING.md)\n",
        "docs/guides/a.md": "# A\n## x\n[back](../index.md) [out](https://a.b) [here](#x)\n",
        "docs/p.png": "picture",
        "src/m.py": "x = 1\n",
        "CONTRIBUTING.md": "# C\n[docs](docs/index.md)\n",
        "CHANGELOG.md": "# L\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_links_lead_from_the_place_of_each_page(project: Path) -> None:
    out = project / "build" / "pages"
    assemble(project, out, {"how/x/y.md": "# Y\n[written](guides/a.md) [source](../src/m.py)\n"})
    assert (out / "index.md").read_text() == (
        "# Start\n[guide](guides/a.md#x) [code](source/src/m.py.txt) [folder](source/src/files.txt) "
        "[rules](project/contributing.md)\n"
    )
    assert (out / "guides/a.md").read_text().endswith("[back](../index.md) [out](https://a.b) [here](#x)\n")
    assert (out / "project/contributing.md").read_text() == "# C\n[docs](../index.md)\n"
    assert (
        out / "how/x/y.md"
    ).read_text() == "# Y\n[written](../../guides/a.md) [source](../../source/src/m.py.txt)\n"
    assert (out / "source/src/m.py.txt").read_text() == "x = 1\n"
    assert (out / "source/src/files.txt").read_text() == "m.py\n"
    assert (out / "p.png").read_text() == "picture"


def test_nothing_of_an_earlier_build_stays(project: Path) -> None:
    out = project / "build" / "pages"
    assemble(project, out, {"old.md": "# Old\n"})
    assemble(project, out, {})
    assert not (out / "old.md").exists()


def test_all_pages_that_people_wrote_are_found(project: Path) -> None:
    assert list(written_pages(project)) == [
        "guides/a.md",
        "index.md",
        "project/contributing.md",
        "project/changelog.md",
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("a:\n- b\n- c\n", "a:\n\n- b\n- c\n"),
        ("# a\n- b\n", "# a\n- b\n"),
        ("1. a\n   - b\n   - c\n2. d\n", "1. a\n    - b\n    - c\n2. d\n"),
        ("- a\n  more\n- b\n", "- a\n  more\n- b\n"),
        ("```\nx\n- y\n```\n", "```\nx\n- y\n```\n"),
        ("- a\n\nb\n- c\n", "- a\n\nb\n\n- c\n"),
    ],
)
def test_lists_are_recognised(given: str, expected: str) -> None:
    assert spaced_lists(given) == expected


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
