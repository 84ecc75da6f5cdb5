"""`make docs`: put the pages together in build/pages and let Zensical make the site of them, without a network."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from website.api_pages import api_pages
from website.assembly import assemble
from website.navigation import filled
from website.registry_pages import registry_pages

ROOT = Path(__file__).parents[2]


def build(root: Path, folder: Path, site: Path) -> None:
    """Write the pages and the configuration into a folder, and the site into another; every broken link stops it."""
    made = {**registry_pages(root / "docs"), **api_pages()}
    assemble(root, folder / "pages", made)
    config = filled(
        (root / "mkdocs.yml").read_text("utf-8"), {place: _title(text) for place, text in made.items()}
    )
    config = config.replace("docs_dir: docs", "docs_dir: pages")
    (folder / "mkdocs.yml").write_text(config, "utf-8")
    shutil.rmtree(folder / "site", ignore_errors=True)
    command = [
        sys.executable,
        "-m",
        "zensical",
        "build",
        "--clean",
        "--strict",
        "-f",
        str(folder / "mkdocs.yml"),
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\nThe site was not built.")
    shutil.rmtree(site, ignore_errors=True)
    shutil.move(folder / "site", site)


def _title(text: str) -> str:
    """The first heading, short enough for the side of a page."""
    heading = next(line for line in text.splitlines() if line.startswith("# "))
    return re.sub(r" \(`.*`\)$", "", heading.removeprefix("# "))


if __name__ == "__main__":
    build(ROOT, ROOT / "build" / "website", ROOT / "site")
    sys.stdout.write(
        "The site is in site/. Open site/index.html, or serve it with its search: python -m http.server -d site\n"
    )
