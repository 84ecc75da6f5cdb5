"""Framework, Extended Framework and their controls on Adult (thesis 7.3.1, Table 7.1).

All of it is shared with `frameworks_wbc`: the runs are in `runs`, what they say in `numbers` and
`claims`.
"""

from __future__ import annotations

from functools import partial

from hushwood.experiments.protocol import Experiment, Size
from hushwood.experiments.thesis_frameworks.adult_records import SEE5, adult_records
from hushwood.experiments.thesis_frameworks.charts import framework_charts
from hushwood.experiments.thesis_frameworks.claims import measured_runs
from hushwood.experiments.thesis_frameworks.runs import Setting, run_task, tasks_of
from hushwood.experiments.thesis_frameworks.ways import (
    EXTENDED,
    FRAMEWORK,
    LITERAL,
    MORE_CHANGES,
    OWN,
    RANDOM_EXTENDED,
    THESIS,
)

NAME = "frameworks-adult"
SETTING = Setting("adult", SEE5, adult_records, categories=("workclass", "marital-status"))
# By how many points a tree may be less right on its own records than the original tree on its own, as printed.
LIMITS = {FRAMEWORK: 0.7, EXTENDED: 0.3, RANDOM_EXTENDED: 22.43}

EXPERIMENT = Experiment(
    name=NAME,
    title="The Framework and the Extended Framework on Adult",
    source="Islam 2007, section 7.3.1: Table 7.1, means, correlations and rule types",
    about=(
        (
            "The thesis releases 25,600 records of Adult with its Framework (LINFAPT, LINNAPT, CAPT and RPT "
            "in the leaves of a tree), its Extended Framework (GADP in the leaves instead of the first two) "
            "and random controls, each five times. It grows a See5 tree on every release, says of which types "
            "its rules are, and tries it on the release, on the original training records and on 4,562 test "
            "records."
        ),
        (
            "Here: all trees by variant see5, at least 200 records in two branches and 25 % confidence, as in "
            "the thesis. It does not say which 4,562 of the 30,162 complete records it tested on, only that "
            "they are about 15 % of every leaf of a tree on all of them. We take records that were looked for "
            "because they fit what it prints: the first ones of every leaf, so many of each that means, "
            "correlations and the 21,763 and 3,822 records which the original tree classifies rightly come "
            "out (adult_records.py says how). That ours agree there is no news; but with 15 % of every leaf, "
            "however rounded, the sum of the two, 25,585, comes out too."
        ),
        (
            "As in the thesis all numbers and the class are perturbed, and of the categories workclass and "
            "marital-status, with p = 0.1. GADP's security matrix is not printed (errata D10): we draw the "
            "numbers anew, rho = 0, from the normal law cut off at the limits."
        ),
        (
            "CAPT is kept to values that leave the record in its branch (errata C8). To the letter it turns "
            "about every tenth husband or wife into somebody never married; relationship then tells the class "
            "better than marital-status, and 92 % of the records fall under Type D rules, where the thesis "
            "prints none. The rows of that reading are shown too."
        ),
        (
            "The Framework is run under 100 fixed public seeds, every other way under 20. Some of the 100 "
            "runs are, to the record, the two printed ones in Type A and in the records right on the training "
            "and the test table; two rows count them. The shares of Type A are far apart because one "
            "threshold near the root that moves by one data value makes another type of every rule below it; "
            "the rows on the root's test count this. A rule that lost its last condition is of Type C by the "
            "thesis' definition, and of Type B in its counts; both are given."
        ),
        (
            "The random controls are printed as right on 62 and 63 % of their own records, ours on 68 and 69 "
            "% (errata, end). They come to 63 and 64 % if ALPT changes classes with twice the error rate of "
            "the original tree, 30 %, and not as often as RPT changes them on average, 22 %, as the text has "
            "it. This reading was chosen after looking at the print; its rows are shown too."
        ),
    ),
    needs=("adult",),
    full=Size(repeats=100),
    small=Size(repeats=5),
    tasks=partial(tasks_of, (*THESIS, LITERAL, *MORE_CHANGES, *OWN)),
    run=partial(run_task, NAME, SETTING),
    measure=partial(measured_runs, NAME, LIMITS),
    draw=framework_charts,
)
