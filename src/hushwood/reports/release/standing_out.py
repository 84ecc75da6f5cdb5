"""Who might stand out, as far as counting shows it, and whether as many classes changed as should have."""

from __future__ import annotations

from dataclasses import replace

from hushwood.evaluation.evaluation import Evaluation, PeopleFacts, ReleaseFacts
from hushwood.evaluation.release_facts import RareCategories, SegmentFacts, UniqueExtremes
from hushwood.measures.publishing import SMALL
from hushwood.measures.risk.changed_classes import ChangedClasses, class_changes
from hushwood.reports.release.findings import Finding
from hushwood.reports.release.judgement import TONES, badge
from hushwood.reports.words.wording import FEW, count, part_of, things


def standing_out(release: ReleaseFacts, people: PeopleFacts | None = None) -> list[Finding]:
    """All counts that are known for this release; segments count people, where those have several rows."""
    found = []
    if release.segments is not None:
        total = release.counted_records if people is None else people.count
        found += [_alone(release.segments, total), _small_segments(release.segments, total)]
    if release.rare_categories is not None:
        found.append(_rare(release.rare_categories))
    if release.unique_extremes is not None:
        found.append(_extremes(release.unique_extremes))
    return found


def class_finding(evaluation: Evaluation) -> Finding | None:
    """Whether as many classes changed as a shuffle within segments would change."""
    answer = evaluation.measure(ChangedClasses.name)
    if answer is None:
        return None
    changes = class_changes(answer.details)
    mean, range_text = FEW, ""
    if changes.expected is not None:
        low, high = changes.usual(changes.expected)
        mean = f"about {count(changes.expected) if changes.expected >= SMALL else f'{changes.expected:.1f}'}"
        range_text = f", and in 19 of 20 releases between {low:,.0f} and {high:,.0f}"
    shuffle = "Shuffling the whole column" if changes.whole_table else "Shuffling within these segments"
    return Finding(
        answer.name,
        "How many records have a different class now?",
        part_of(changes.changed, changes.records),
        answer.measure.meaning,
        "Close to the expected number is right: more would blur the rules, fewer would say more about people.",
        f"{shuffle} changes {mean} on average{range_text}; the untouched table has none.",
        title=answer.measure.title,
    )


def _marked(found: Finding, number: int | None) -> Finding:
    """None is good; some are where an intruder would look first, which is no risk by itself."""
    return replace(found, tone=TONES["none"], badge=badge("risk", "none")) if number == 0 else found


def _out_of(number: int | None, total: int | None) -> str:
    return count(number) if total is None else f"{count(number)} of {count(total)}"


def _alone(segments: SegmentFacts, records: int) -> Finding:
    found = Finding(
        "alone",
        "How many records are alone in their segment?",
        part_of(segments.alone, records),
        "A segment is a group of records that follow the same rules in every tree. "
        "A record alone in its segment has no other record to swap categories or class with.",
        "Lower is better; none is best.",
        "With a single segment for the whole table no record would be alone, but no rule would be kept. "
        "Fewer trees, a larger minimum leaf size or a larger k make larger segments.",
        title="Alone in their segment",
    )
    return _marked(found, segments.alone)


def _small_segments(segments: SegmentFacts, records: int) -> Finding:
    small = segments.small
    found = Finding(
        "small_segments",
        f"How many records share their segment with fewer than {small - 1} others?",
        part_of(segments.below_small, records),
        f"In a segment of fewer than {small} records there are few others that a record can be mistaken for.",
        "Lower is better.",
        f"Half of all {things(segments.count, 'segment')} have {count(segments.median)} records or fewer.",
        title=f"In segments of fewer than {small}",
    )
    return _marked(found, segments.below_small)


def _rare(rare: RareCategories) -> Finding:
    if rare.count == 0:
        answer, compares = "none", f"No category has {FEW} records."
    else:
        answer = _out_of(rare.unchanged, rare.records)
        compares = (
            f"The table has {things(rare.count, 'rare category', 'rare categories')}; "
            "in the untouched table, all of these records keep theirs."
        )
    found = Finding(
        "rare_categories",
        "How many records kept a rare category?",
        answer,
        f"A category that {FEW} records have points to a handful of people. "
        "What counts here is whether the same record still has it.",
        "Lower is better.",
        compares,
        title="Kept a rare category",
    )
    return _marked(found, rare.unchanged)


def _extremes(extremes: UniqueExtremes) -> Finding:
    if extremes.count == 0:
        answer, compares = "none", "Every lowest and highest value is shared by several records."
    else:
        answer = _out_of(extremes.unchanged, extremes.count)
        compares = "In the untouched table all are."
    found = Finding(
        "unique_extremes",
        "How many lowest or highest values that only one record had are still on that record?",
        answer,
        "The oldest person or the highest income is easily recognised by anyone who knows of it.",
        "Lower is better; none is best.",
        compares,
        title="Kept a unique extreme",
    )
    return _marked(found, extremes.unchanged)
