"""Stages by evidence over all sessions: gathered, judged, stored at once.

The evidence is what phases show by language (finished, with or without asking for help) and what
attempts at katas show by topic, handed in to the coach or made in Study. A passed kata and a review
that went well are judged at once by the same rules, model or not: the next plan must know of it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach.answers import AssessedSkill
from paige.coach.evidence_queries import PhaseDone, phases_done
from paige.coach.files.languages import PLAIN, language_of
from paige.coach.ids import Ids
from paige.coach.local.stages import (
    Judged,
    PractisedTopic,
    StageInputs,
    WorkedArea,
    by_practice,
    without_attempt,
)
from paige.coach.prompting import DREYFUS, make_call
from paige.coach.thinking.services import Practised, Reviews, Services
from paige.coach.thinking.session_record import SessionRecord, told_summary
from paige.learner.gaps import find_match
from paige.learner.queries import assessments, gaps, get_gap, katas, upsert_assessment
from paige.learner.records import Assessment, GapRow, KataOfGap
from paige.learner.stages import STAGES, SkillEvidence, Stage
from paige.models.calls import call_api

# Whoever is pointed at no more than a file finds out alone what is to be changed in it.
_FOUND_ALONE = ("none", "file")
_NOT_A_SKILL = {PLAIN, "markdown", "json", "yaml", "toml", "ini", "csv", "log", "dotenv"}


@dataclass(frozen=True, slots=True)
class Gathered:
    """The evidence, and the stages so far."""

    phases: tuple[PhaseDone, ...]
    gaps: tuple[GapRow, ...]
    katas: tuple[KataOfGap, ...]
    known: tuple[Assessment, ...]
    reviews: Mapping[str, Reviews] = field(default_factory=dict, hash=False)

    def stage_of(self, name: str) -> Assessment | None:
        """What was judged of a skill before, under these or other words."""
        match = find_match(name, [each.skill_area for each in self.known])
        return next((each for each in self.known if each.skill_area == match), None)


@dataclass(frozen=True, slots=True)
class ReviewTaken:
    """A review of `at` that was taken back: all reviews with it, and those that are left."""

    at: datetime
    had: Reviews
    left: Reviews


def gather(connection: Connection, actor: Actor) -> Gathered:
    """Everything that speaks for or against a stage."""
    return Gathered(
        phases=tuple(phases_done(connection, actor)),
        gaps=tuple(gaps(connection, actor)),
        katas=tuple(katas(connection, actor)),
        known=tuple(assessments(connection, actor)),
    )


async def assess_stages(
    services: Services, actor: Actor, record: SessionRecord, shown: Sequence[str]
) -> int:
    """Judge and store the stages; how many were stored. Raises: ModelError, Unavailable.

    `shown` are the topics of the gaps that this session showed.
    """
    reviews = await services.studying.reviews(actor)
    found = replace(await services.database.read(gather, actor), reviews=reviews)
    call = make_call(
        DREYFUS,
        {
            "accumulated_evidence": accumulated(found),
            "current_assessments": [
                {
                    "skill_area": each.skill_area,
                    "stage": each.stage,
                    "confidence": each.confidence,
                }
                for each in found.known
            ],
            "recent_session": {**told_summary(record), "knowledge_gaps": list(shown)},
        },
        inputs=stage_inputs(found, shown),
        session_id=record.session.id,
    )
    answer = (await call_api(services.models, actor, call)).value
    await services.database.write(
        store_stages, actor, answer.assessments, now=services.now(), ids=services.ids
    )
    return len(answer.assessments)


def store_stages(
    connection: Connection,
    actor: Actor,
    judged: Iterable[AssessedSkill],
    *,
    now: datetime,
    ids: Ids,
) -> None:
    """Store stages over those that are there, under the names they have."""
    known = [each.skill_area for each in assessments(connection, actor)]
    for each in judged:
        name = each.skill_area.strip()
        row = Assessment(
            id=ids(now),
            person=actor.person,
            skill_area=name if name in known else find_match(name, known) or name,
            stage=each.stage,
            confidence=each.confidence,
            evidence=each.evidence,
            assessed_at=now,
        )
        upsert_assessment(connection, actor, row)


def after_practice(
    connection: Connection, actor: Actor, kata_id: str, *, now: datetime, ids: Ids
) -> Practised | None:
    """Judge the topic of a kata after an attempt at it, and store that; none without one."""
    found = gather(connection, actor)
    own = next((each for each in found.katas if each.kata.id == kata_id), None)
    if own is None or not own.kata.user_attempts:
        return None
    gap = get_gap(connection, actor, own.kata.knowledge_gap_id)
    before = found.stage_of(gap.topic)
    topic = practised_topic(gap, found, shown_now=False)
    judged = by_practice(topic)
    changed = before is None or before.stage != judged.stage
    last = own.kata.user_attempts[-1]
    if changed and last.passed:
        skill = _moved(gap, before, judged)
        store_stages(connection, actor, [skill], now=now, ids=ids)
    return Practised(
        gap_id=gap.id,
        kata_id=kata_id,
        topic=gap.topic,
        level=last.level or 1,
        passed=bool(last.passed),
        first=len(own.kata.user_attempts) == 1,
    )


def after_review(
    connection: Connection,
    actor: Actor,
    gap: GapRow,
    reviews: Reviews,
    *,
    now: datetime,
    ids: Ids,
) -> AssessedSkill | None:
    """Judge the topic of a gap after a review in Study, and store a stage that moved up by it."""
    found = replace(gather(connection, actor), reviews={gap.topic: reviews})
    before = found.stage_of(gap.topic)
    judged = by_practice(practised_topic(gap, found, shown_now=False))
    if judged.stage == (before.stage if before else STAGES[0]):
        return None
    skill = _moved(gap, before, judged)
    store_stages(connection, actor, [skill], now=now, ids=ids)
    return skill


def after_taking_back(
    connection: Connection,
    actor: Actor,
    gap: GapRow,
    taken: ReviewTaken,
    *,
    now: datetime,
    ids: Ids,
) -> AssessedSkill | None:
    """Judge the topic of a gap without a review, and store a stage that rested on it."""
    found = gather(connection, actor)
    before = found.stage_of(gap.topic)
    if before is None or before.assessed_at < taken.at:
        return None  # the stage is older than the review, which did not move it
    had, left = (
        practised_topic(gap, replace(found, reviews={gap.topic: reviews}), shown_now=False)
        for reviews in (taken.had, taken.left)
    )
    judged = without_attempt(had, left)
    if judged is None:
        return None
    skill = _moved(gap, before, judged)
    store_stages(connection, actor, [skill], now=now, ids=ids)
    return skill


def _moved(gap: GapRow, before: Assessment | None, judged: Judged) -> AssessedSkill:
    """The skill of a gap at its new stage, under the name it had."""
    return AssessedSkill(
        skill_area=before.skill_area if before else gap.topic,
        stage=judged.stage,
        previous_stage=before.stage if before else None,
        confidence=judged.confidence,
        evidence=judged.reason,
        recommendation="",
    )


def stage_inputs(found: Gathered, shown: Sequence[str]) -> StageInputs:
    """The evidence as the rules take it."""
    areas: list[WorkedArea] = []
    for name, phases in _by_language(found.phases).items():
        before = found.stage_of(name)
        areas.append(
            WorkedArea(
                name=name,
                evidence=_evidence(phases),
                previous=before.stage if before else None,
                confidence=before.confidence if before else 0.0,
            )
        )
    topics = [
        practised_topic(gap, found, shown_now=find_match(gap.topic, shown) is not None)
        for gap in found.gaps
    ]
    return StageInputs(tuple(areas), tuple(topics))


def practised_topic(gap: GapRow, found: Gathered, *, shown_now: bool) -> PractisedTopic:
    """What attempts at the katas of a gap say, those in Study too."""
    tries = [
        attempt
        for each in found.katas
        if each.kata.knowledge_gap_id == gap.id
        for attempt in each.kata.user_attempts
    ]
    reviews = found.reviews.get(gap.topic, Reviews())
    handed_in = tuple(each.level or 1 for each in tries if each.passed)
    before = found.stage_of(gap.topic)
    previous: Stage | None = before.stage if before else None
    return PractisedTopic(
        name=before.skill_area if before else gap.topic,
        passed=(*handed_in, *reviews.passed),
        failed=len(tries) - len(handed_in) + reviews.failed,
        met=gap.frequency,
        shown_now=shown_now,
        previous=previous,
        confidence=before.confidence if before else 0.0,
        reviewed=len(reviews.passed) + reviews.failed,
    )


def accumulated(found: Gathered) -> list[dict[str, Any]]:
    """The evidence as a model reads it: by language, then by topic."""
    rows: list[dict[str, Any]] = []
    for name, phases in _by_language(found.phases).items():
        done = sum(phase.status == "complete" for phase in phases)
        rows.append(
            {
                "skill_area": name,
                "sessions": len({phase.session_id for phase in phases}),
                "hint_trend": hint_trend(phases),
                "completion_rate": round(done / len(phases), 2),
            }
        )
    for gap in found.gaps:
        topic = practised_topic(gap, found, shown_now=False)
        tries = len(topic.passed) + topic.failed
        rows.append(
            {
                "skill_area": gap.topic,
                "sessions": gap.frequency,
                "hint_trend": "unknown",
                "completion_rate": round(len(topic.passed) / tries, 2) if tries else 0.0,
                "kata_attempts": tries,
                "best_level": max(topic.passed, default=None),
                "addressed": gap.addressed,
            }
        )
    return rows


def hint_trend(phases: Sequence[PhaseDone]) -> str:
    """Whether help is asked for more or less often than before: by the last session."""
    last = phases[-1].session_id if phases else ""
    now = [phase.hints for phase in phases if phase.session_id == last]
    before = [phase.hints for phase in phases if phase.session_id != last]
    if not before:
        return "first session"
    change = sum(now) / len(now) - sum(before) / len(before)
    if abs(change) < 0.25:
        return "steady"
    return "rising" if change > 0 else "falling"


def _by_language(phases: Iterable[PhaseDone]) -> dict[str, list[PhaseDone]]:
    found: dict[str, list[PhaseDone]] = defaultdict(list)
    for phase in phases:
        languages = {language_of(path.rpartition("/")[2]) for path in phase.expected_files}
        for language in sorted(languages - _NOT_A_SKILL):
            found[language].append(phase)
    return found


def _evidence(phases: Sequence[PhaseDone]) -> SkillEvidence:
    alone = [phase for phase in phases if phase.status == "complete" and phase.hints == 0]
    return SkillEvidence(
        attempts=len(phases),
        unaided_successes=len(alone),
        deep_successes=sum(phase.hint_level in _FOUND_ALONE for phase in alone),
        hints_used=sum(phase.hints for phase in phases),
        days=len({phase.started_at.date() for phase in phases if phase.status == "complete"}),
    )
