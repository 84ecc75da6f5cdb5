"""Lambert's perceived and true disclosure (thesis 8): what an intruder believes to have found, and what is right.

The intruder takes the released record that is most probably a person's, by the probabilities of
`reidentification_entropy`, and reads the sensitive value off it (readings: errata E10).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.detail_tables import DetailTable
from hushwood.measures.groups import sensitive_columns
from hushwood.measures.posterior.evidence import Targets, affordable_targets, paired_count
from hushwood.measures.posterior.posteriors import Links, likeliest_links
from hushwood.measures.posterior.uncertainty import of_rows
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import percent, safe_share
from hushwood.parameters import AtLeast, Between, Checked
from hushwood.tables.table import Table, label_columns


@dataclass(frozen=True, slots=True)
class PerceivedRisk(Measure, Checked):
    """The mean probability of the record that an intruder takes for a person's, who knows all but the class.

    From the probability `believed` on the intruder is convinced. Tables of more than `exact_up_to` records are judged
    by a keyed sample of `targets`, of fewer if there are millions of records.
    """

    believed: Annotated[float, Between(0, 1, open_low=True)] = 0.5
    exact_up_to: Annotated[int, AtLeast(1)] = 2_000
    targets: Annotated[int, AtLeast(1)] = 500
    name = "perceived_risk"
    title = "Perceived re-identification"
    question = "How sure is an intruder to have found a person's record, and how often is that right?"
    meaning = (
        "An intruder who knows a person's whole record and how the release was made takes the likeliest released row "
        "for that person's, and believes it with this probability."
    )
    side = "risk"
    unit = "share"
    better = "lower"
    bounds = (0.0, 1.0)
    quick = False

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Link every target to its likeliest released records and look up whether that is right."""
        most = affordable_targets(self.targets, released.rows, len(original.schema.inputs))
        targets = Targets(self.name, self.exact_up_to, most)
        evidence = targets.all_known(original, released, context)
        if isinstance(evidence, NotComputable):
            return evidence
        rows = evidence.targets
        assert context.partner is not None  # noqa: S101 - otherwise there is no evidence
        secret, wanted, labels = _secret(original, released, rows)
        links = likeliest_links(evidence, context.partner[rows], labels, wanted, context.threads)
        value = float(links.belief.mean())
        if context.value_only:
            return Measurement(value)
        convinced = links.belief >= self.believed
        details = {
            "likelihood": evidence.source,
            "targets": len(rows),
            "estimated": len(rows) < paired_count(context),
            "believed": self.believed,
            "secret": secret,
            "everyone": _summary(links, np.ones(len(rows), bool), secret),
            "convinced": _summary(links, convinced, secret),
            "blind": 1 / released.rows,
        }
        records = {"perceived": links.belief, "true": links.own}
        return Measurement(
            value, details, {f"{name}_link": of_rows(x, rows, original.rows) for name, x in records.items()}
        )

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """Belief and truth of all links, and of those that convince."""
        if "everyone" not in details:
            return ()
        who = {"everyone": "all", "convinced": f"at least {percent(details['believed'])} sure"}
        return (
            DetailTable.of(
                "What the intruder believes, and what is right",
                "The intruder's mean probability, and how often the record and the value read off it are right.",
                {
                    "Links": "text",
                    "people": "share",
                    "believed": "share",
                    "record right": "share",
                    "value right": "share",
                },
                (
                    (words, *(details[key][x] for x in ("people", "perceived", "true", "true_value")))
                    for key, words in who.items()
                ),
            ),
        )

    def remarks(self, details: Details) -> str:
        """How often the links are right, over all people and where the intruder is convinced."""
        if "everyone" not in details:
            return ""
        said = [f"Over all people, {_right(details['everyone'], details['secret'])}."]
        convinced = details["convinced"]
        if convinced["people"]:
            said.append(
                f"Where the intruder is at least {percent(details['believed'])} sure, with "
                f"{percent(convinced['people'])} of the people, {_right(convinced, details['secret'])}."
            )
        if details.get("estimated"):
            said.append(f"Estimated from {details['targets']:,} records.")
        return " ".join(said)

    def publishable_details(self, details: Details) -> dict[str, Any]:
        """Shares of the people, unless they stand for one to four."""
        people = details["targets"]
        safe = {
            who: {
                key: safe_share(share, people if key == "people" else round(people * details[who]["people"]))
                for key, share in details[who].items()
            }
            for who in ("everyone", "convinced")
        }
        return {"targets": people, "believed": details["believed"], "secret": details["secret"], **safe}


def _secret(original: Table, released: Table, rows: Integers) -> tuple[str | None, Integers, Integers]:
    """The first confidential column, or else the class: its name, and the codes of the targets and of the release."""
    sensitive = sensitive_columns(original)
    if not sensitive:
        return None, np.zeros(len(rows), np.int64), np.zeros(released.rows, np.int64)
    name = sensitive[0].name
    values = [label_columns(table.schema, table.columns)[name] for table in (original, released)]
    codes = np.unique(np.concatenate(values), return_inverse=True, equal_nan=True)[1].astype(np.int64)
    return name, codes[: original.rows][rows], codes[original.rows :]


def _summary(links: Links, chosen: Any, secret: str | None) -> dict[str, float | None]:
    """The share of the people who are linked like this, mean belief, and how often it is right."""
    return {
        "people": float(chosen.mean()),
        "perceived": _mean(links.belief[chosen]),
        "true": _mean(links.own[chosen]),
        "true_value": None if secret is None else _mean(links.same_label[chosen]),
    }


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None


def _right(summary: Details, secret: str | None) -> str:
    said = f"the record is right in {percent(summary['true'])} of the cases"
    return (
        said if secret is None else f"{said}, and the value of {secret} in {percent(summary['true_value'])}"
    )
