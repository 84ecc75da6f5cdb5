"""What reports say of a table that was too long to be judged as a whole."""

from __future__ import annotations

from hushwood.evaluation.answers import MeasureAnswer
from hushwood.evaluation.evaluation import Evaluation
from hushwood.reports.words.wording import amount


def sample_words(evaluation: Evaluation) -> str:
    """Which numbers are about all records, and which about a sample of them; empty if all are about all."""
    sample = evaluation.release.sample
    if sample is None:
        return ""
    titles = [answer.measure.title for answer in evaluation.measures if answer.name in sample.exact]
    rest = f"was measured on a random sample of {sample.records:,} of the {sample.of:,} records."
    if not titles:
        return f"Everything here {rest}"
    return f"Counted over all {sample.of:,} records: {', '.join(titles)}. Everything else {rest}"


def people_words(evaluation: Evaluation) -> str:
    """Whose risks these are, where people have several rows; empty if every row is a person."""
    audit = evaluation.audit
    people = audit.people
    if people is None:
        return ""
    said = (
        f"Risks are those of {people.count:,} {people.words} with {people.rows:,} rows in all. An intruder is taken to "
        "know all rows of one: what is the same in all of them, of other columns the mean and the extremes or the most "
        "frequent value, and how many rows there are. What miners keep is measured on rows."
    )
    sampled = f" Risks were judged by a sample of {audit.records:,} {people.words}."
    return said + (sampled if audit.records < people.count else "")


def interval_words(answer: MeasureAnswer) -> str:
    """Where the number of the whole table lies, if that of a sample has an interval."""
    if answer.interval is None:
        return ""
    low, high = (amount(end, answer.measure.unit) for end in answer.interval)
    return f"This is the number of a sample; that of the whole table lies between {low} and {high} (95 % interval)."
