"""How long it takes to find the links between the columns of Adult, once it is read; one thread."""

from __future__ import annotations

import sys

from attacks_vs_anonymeter import adult_file
from lines import Line, limited
from measuring import contender, report, timed

LIMIT_SECONDS = 2.0


def compare() -> list[Line]:
    if not adult_file().exists():
        print(
            "finding_links is left out: set HUSHWOOD_DATA to the folder of adult/adult.csv.", file=sys.stderr
        )
        return []
    ours = contender(__file__, "ours")
    what = f"finding the {ours.facts['links']} links of Adult, {ours.facts['records']:,} × 15"
    return [limited(what, ours, LIMIT_SECONDS)]


def ours() -> None:
    from hushwood.tables.links.finding import find_links
    from hushwood.tables.reading import read_table

    table = read_table(adult_file(), target="income")
    report(timed(lambda: find_links(table)), links=len(find_links(table)), records=table.rows)


if __name__ == "__main__":
    ours()
