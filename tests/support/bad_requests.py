"""Requests that must be refused with one sentence: tables, words on the command line, forest files."""

from __future__ import annotations

from support.people_files import HEADER, SEED, as_text, people

BODY = as_text(people())

NO_CLASS = as_text((age, score, group, "") for age, score, group, _ in people())

ONE_CLASS = as_text((age, score, group, "no") for age, score, group, _ in people())

BAD_TABLES: dict[str, tuple[bytes, str]] = {
    "empty file": (b"", "is empty"),
    "header only": (",".join(HEADER).encode() + b"\n", "no records"),
    "class with one value": (ONE_CLASS.encode(), "only one value"),
    "class all missing": (NO_CLASS.encode(), "is empty"),
    "duplicate column names": (BODY.replace("age,score", "age,age", 1).encode(), "more than once: age"),
    "ragged rows": ((BODY + "1,2,3\n").encode(), "line 122: this record has 3 fields"),
    "undecodable bytes": (BODY.encode() + b"1,2,\x81,yes\n", "--encoding"),
    "infinities": ((BODY + "40,inf,x,yes\n").encode(), "'score' contains infinite numbers"),
    "numbers near the largest": (
        (BODY + "40,1.7e308,x,yes\n").encode(),
        "'score' has numbers as large as 1.7e+308",
    ),
    "one record": ((",".join(HEADER) + "\n1,2,x,yes\n").encode(), "nothing to learn"),
    "no columns but the class": (b"ill\nyes\nno\n", "Only the class"),
}

BAD_WORDS: dict[str, tuple[list[str], str]] = {
    "unknown class": (["--class", "il"], "Did you mean 'ill'?"),
    "unknown technique": (["--technique", "forest-framewrk"], "Did you mean 'forest-framework'?"),
    "noise below 0": (["--noise", "-1"], "between 0 and 100; -1 was given"),
    "noise fraction below 0": (["--noise=-1/3"], "between 0 and 100"),
    "noise not a number": (["--noise", "much"], "a fraction such as 1/3; 'much' was given"),
    "noise twice": (["--noise", "1/3", "--noise", "0.1"], "given 2 times without a column: 1/3, 0.1"),
    "noise of an unknown column": (
        ["--technique", "framework", "--noise", "aeg=0.1"],
        "Did you mean 'age'?",
    ),
    "noise of a category": (
        ["--technique", "framework", "--noise", "group=0.1"],
        "'group' is categorical; omit its noise",
    ),
    "noise of a column by default": (
        ["--noise", "age=0.1"],
        "--noise age=0.1 is for techniques that add noise",
    ),
    "noise of the value by default": (["--noise-of", "value"], "--noise-of is for techniques that add noise"),
    "noise of something else": (["--noise-of", "median"], "--noise-of must be range or value"),
    "innocent noise for influential attributes": (
        ["--technique", "linfapt", "--noise-innocent", "0.1"],
        "linfapt does not use it",
    ),
    "noise chosen by tuning": (["--tune", "--noise", "age=0.1"], "Tuning chooses one noise for all columns"),
    "noise by zero": (["--noise", "1/0"], "'1/0' was given"),
    "noise without end": (["--noise", "1e400"], "between 0 and 100"),
    "noise nan": (["--noise", "nan"], "between 0 and 100"),
    "too many trees": (
        ["--technique", "forest-framework", "--trees", "500"],
        "500 trees were asked for, but this table has good splits for only",
    ),
    "three trees by default": (
        ["--trees", "3"],
        "segment-shuffle uses the segments of one tree, but --trees 3 was given; omit it, or choose",
    ),
    "noise by default": (["--noise", "1/4"], "segment-shuffle adds none: its dial is --k"),
    "one record to a segment": (["--k", "1"], "--k must be 2 or more; 1 was given"),
    "unknown teacher": (["--teacher", "ensembel"], "Did you mean 'ensemble'?"),
    "no trees": (["--trees", "0"], "--trees must be 1 or more; 0 was given"),
    "short seed": (["--seed", "12ab"], "exactly 64 hexadecimal digits"),
    "seed with other letters": (["--seed", "g" * 64], "exactly 64 hexadecimal digits"),
    "two seeds": (["--seed", SEED, "--seed-file", "people.csv"], "not both"),
    "seed file that is a table": (["--seed-file", "people.csv"], "exactly 64 hexadecimal digits"),
    "no seed file": (["--seed-file", "nowhere"], "seed file nowhere cannot be read"),
    "chunk rows": (["--chunk-rows", "0"], "--chunk-rows must be 1 or more"),
    "forest rows": (["--forest-rows", "0"], "--forest-rows must be 1 or more"),
    "min leaf": (["--min-leaf", "0"], "must be 1 or more; 0 was given"),
    "probability": (["--probability", "2"], "between 0 and 1"),
    "unknown engine": (["--engine", "memorie"], "Did you mean 'memory'?"),
    "engine of another kind": (["--engine", "abacus"], "abacus"),
    "unknown evidence": (["--evidence", "quik"], "Did you mean 'quick'?"),
    "unknown boundary": (["--boundary", "warp"], "Did you mean 'wrap'?"),
    "unknown distribution": (["--distribution", "normalx"], "Did you mean 'normal'?"),
    "unknown capt": (["--capt", "strikt"], "Did you mean 'strict'?"),
    "unknown way to draw together": (["--correlated", "shuffel"], "Did you mean 'shuffle'?"),
    "unknown value clusters": (["--value-clusters", "cactu"], "Did you mean 'cactus'?"),
    "setting without a value": (["--set", "gadp.rho"], "TECHNIQUE.PARAMETER=VALUE"),
    "unknown technique to set": (["--set", "gapd.rho=1"], "Did you mean 'gadp'?"),
    "unknown parameter": (["--set", "gadp.roh=0.5"], "Did you mean 'rho'?"),
    "rho of one": (["--technique", "gadp", "--set", "gadp.rho=1"], "at least 0 and below 1; 1 was given"),
    "one record to a group": (["--technique", "mdav", "--set", "mdav.k=1"], "2 or more; 1 was given"),
    "nothing to leave out": (["--technique", "suppress"], "--suppress"),
    "rule about nothing": (["--suppress", "agee > 50"], "Did you mean 'age'?"),
    "rule that is none": (["--suppress", "old people"], "'old people'"),
    "unknown column to condition on": (
        ["--technique", "gadp", "--set", "gadp.given=agee"],
        "Did you mean 'age'?",
    ),
    "unknown variant": (["--variant", "c4.5"], "Did you mean 'c45'?"),
    "weight of texts": (["--weight", "group"], "'group' is declared as the weight, but contains"),
    "weight that is the class": (["--weight", "ill"], "cannot be both the class and the weight"),
    "unknown weight": (["--weight", "agee"], "Did you mean 'age'?"),
    "no weight to drop": (["--drop-weight"], "drops the column that --weight names"),
    "weights for See5": (["--weight", "age", "--variant", "see5"], "Trees of See5 take no weights"),
    "unknown identifier": (["--identifier", "agee"], "Did you mean 'age'?"),
    "class that is an identifier": (["--identifier", "ill"], "cannot be both the class and identifier"),
    "nothing left": (
        ["--ignore", "age", "--ignore", "score", "--ignore", "group"],
        "Only the class",
    ),
    "unknown infinite": (["--infinite", "missingx"], "Did you mean 'missing'?"),
    "unknown encoding": (["--encoding", "utf-9"], "no encoding 'utf-9'"),
    "long separator": (["--separator", "::"], "one character"),
    "no schema": (["--schema", "nowhere.toml"], "nowhere.toml cannot be read"),
    "bins for texts": (["--class-bins", "3"], "does not hold numbers"),
    "no forest": (["--forest", "nowhere.json"], "cannot be read"),
    "forest that is a folder": (["--forest", "."], "is a folder. Give a file inside it"),
    "forest that is a table": (["--forest", "people.csv"], "is not JSON"),
}

BAD_FORESTS: dict[str, tuple[dict[str, object], str]] = {
    "another format": ({"format": "pmml"}, "no forest file"),
    "cut short": ({"format": "hushwood-forest", "version": 1, "class": "ill"}, "is damaged"),
    "without trees": (
        {
            "format": "hushwood-forest",
            "version": 1,
            "class": "c",
            "classes": "ab",
            "attributes": [],
            "trees": [],
        },
        "it holds no tree",
    ),
    "of another table": (
        {
            "format": "hushwood-forest",
            "version": 1,
            "class": "c",
            "classes": ["a", "b"],
            "attributes": [{"name": "height", "kind": "numeric", "integer": True}],
            "trees": [
                {
                    "nodes": [
                        {
                            "id": 0,
                            "test": {"attribute": "height", "threshold": 3},
                            "children": {"le": 1, "gt": 2},
                            "missing_to": 1,
                            "counts": [1, 1],
                        },
                        {"id": 1, "counts": [1, 0]},
                        {"id": 2, "counts": [0, 1]},
                    ]
                }
            ],
        },
        "tests 'height'",
    ),
}
