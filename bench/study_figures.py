"""What a month of study came to, as numbers, and every rule that was broken on the way.

The rules are checked from outside, on what the learner was given, and not by asking the code that
keeps them. Retention is measured on the learner's true memory at the moment something due is asked:
that is what the plan promises. What was answered, with its slips and guesses, stands beside it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Any

from bench.study_learner import Day, Given, Learner
from paige.study.courses.values import Course

FILES = frozenset({"worksheet", "code", "long_form"})
QUICK = frozenset({"conversation", "flashcard", "repl"})
OFFERED = frozenset({"image_review", "audio"})
"""What is offered and never given to somebody who has not asked for it."""
LATEST = 2.0
"""Days that something due may wait while there is a session every day."""
OVERRUN = 5.0
"""Minutes a session may last longer than it should: the box that was begun last."""
POINTS = 3.0
_ALIKE = 4


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that was not kept."""

    rule: str
    day: int
    what: str


def broken_rules(course: Course, days: Sequence[Day], given: Sequence[Given]) -> list[Broken]:
    """Everything that should not have happened."""
    return [
        *_variety(course, given),
        *_sessions(days, given),
        *_starved(course, days, given),
    ]


def _variety(course: Course, given: Sequence[Given]) -> Iterator[Broken]:
    for at in range(len(given) - _ALIKE + 1):
        row = given[at : at + _ALIKE]
        last = row[-1]
        if len({each.modality for each in row}) == 1 and set(last.instead) - OFFERED:
            yield Broken("four alike", last.day, f"{last.concept}: {last.modality}")
    for one, other in pairwise(given):
        if one.modality in FILES and other.modality in FILES:
            what = f"{one.concept} {one.modality}, {other.concept} {other.modality}"
            yield Broken("two files in a row", other.day, what)
    for each in given:
        if each.modality in OFFERED:
            yield Broken("forced", each.day, f"{each.concept}: {each.modality}")
        if course.config.weights.get(each.modality) == 0:  # type: ignore[call-overload]
            yield Broken("excluded by the course", each.day, each.modality)
        if not each.why:
            yield Broken("not explained", each.day, each.concept)


def _sessions(days: Sequence[Day], given: Sequence[Given]) -> Iterator[Broken]:
    for day in days:
        if day.minutes > day.planned_minutes + OVERRUN:
            yield Broken("session too long", day.day, f"{day.minutes} minutes")
        if day.problems:
            yield Broken("problems told", day.day, str(day.problems))
        todays = [each for each in given if each.day == day.day]
        for each in todays[1:]:
            if each.box > each.minutes_left + 1e-6:
                yield Broken("begun without time", day.day, f"{each.concept}: {each.minutes_left}")
        known = [each for each in todays if each.type != "new"]
        if known and todays[0].type == "new":
            yield Broken("no recall first", day.day, todays[0].concept)


def _starved(course: Course, days: Sequence[Day], given: Sequence[Given]) -> Iterator[Broken]:
    taught = {name: day.day for day in reversed(days) for name in day.taught}
    waiting = [(day.day, name, late) for day in days for name, late in day.overdue.items()]
    for when, name, late in waiting:
        if late > LATEST:
            yield Broken("starved", when, f"{name} waits for {late:.1f} days")
    for each in given:
        if each.concept not in taught or taught[each.concept] > each.day:
            yield Broken("asked before taught", each.day, each.concept)
    enough = len(days) >= len(course.concepts)  # there was time for all of them
    for name in course.concepts if enough else ():
        if name not in taught:
            yield Broken("never begun", len(days), name)
    for name, day in taught.items():
        asked = sum(each.concept == name for each in given)
        if asked < 2 and len(days) - day > 12:
            yield Broken("never recalled", day, name)


def measure(learner: Learner, planned: float) -> dict[str, Any]:
    """The numbers of one learner."""
    days, given = learner.days, learner.given
    reviews = [each for each in given if each.scheduled]
    studied = [day for day in days if day.stage == "over"]
    begun = {name: day.day for day in reversed(days) for name in day.taught}
    return {
        "planned": planned,
        "reviews": len(reviews),
        "true_recall": _mean(each.recall for each in reviews),
        "recalled": _mean(each.recalled for each in reviews),
        "passed": _mean((each.rating or 0) > 1 for each in reviews),
        "believed": _mean(each.believed or 0.0 for each in reviews),
        "known_at_the_end": _mean(days[-1].truth.values()),
        "exercises": len(given),
        "sessions": len(studied),
        "days_with_nothing": sum(day.stage == "nothing" for day in days),
        "steps": sum(day.steps for day in days),
        "minutes_set": max((day.planned_minutes for day in days), default=0),
        "longest_minutes": max((day.minutes for day in days), default=0.0),
        "mean_minutes": _mean(day.minutes for day in studied),
        "last_begun_on_day": max(begun.values(), default=0) + 1,
        "latest_days": round(
            max((late for day in days for late in day.overdue.values()), default=0.0), 2
        ),
        "modalities": dict(Counter(each.modality for each in given).most_common()),
        "quick_reviews": _mean(each.modality in QUICK for each in given if each.type == "review"),
        "broken": [
            f"day {each.day + 1}: {each.rule}: {each.what}"
            for each in broken_rules(learner.course, days, given)
        ],
    }


def together(measured: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The numbers of several learners of one course: sums, means over reviews, extremes."""
    reviews = sum(each["reviews"] for each in measured)

    def mean(name: str, weight: str = "reviews") -> float:
        total = sum(each[weight] for each in measured)
        found = sum((each[name] or 0.0) * each[weight] for each in measured)
        return round(found / total, 4) if total else 0.0

    modalities: Counter[str] = Counter()
    for each in measured:
        modalities.update(each["modalities"])
    planned = measured[0]["planned"]
    return {
        "learners": len(measured),
        "planned": planned,
        "reviews": reviews,
        "true_recall": mean("true_recall"),
        "points_off": round((mean("true_recall") - planned) * 100, 1),
        "recalled": mean("recalled"),
        "passed": mean("passed"),
        "believed": mean("believed"),
        "known_at_the_end": mean("known_at_the_end"),
        "exercises": sum(each["exercises"] for each in measured),
        "sessions": sum(each["sessions"] for each in measured),
        "minutes_set": measured[0]["minutes_set"],
        "longest_minutes": max(each["longest_minutes"] for each in measured),
        "mean_minutes": mean("mean_minutes", "sessions"),
        "last_begun_on_day": max(each["last_begun_on_day"] for each in measured),
        "latest_days": max(each["latest_days"] for each in measured),
        "modalities": dict(modalities.most_common()),
        "quick_reviews": mean("quick_reviews"),
        "broken": [line for each in measured for line in each["broken"]],
    }


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return round(fmean(found), 4) if found else None
