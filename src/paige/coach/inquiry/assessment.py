"""Stages by evidence over all sessions: gathered, judged, stored at once.

The evidence is what phases show by language (finished, with or without asking for help) and what
attempts at katas show by topic, handed in to the coach or made in Study. A passed kata and a review
that went well are judged at once by the same rules, model or not: the next plan must know of it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach.answers import AssessedSkill, DreyfusAnswer
from paige.coach.files.languages import PLAIN, language_of
from paige.coach.history_queries import PhaseDone, phases_done
from paige.coach.inquiry.services import PracticeResult, Reviews, Services
from paige.coach.inquiry.session_record import SessionRecord, told_summary
from paige.coach.prompts import DREYFUS, make_call
from paige.coach.records import Ids
from paige.learner.gaps import find_match
from paige.learner.queries import (
    Assessment,
    GapRow,
    KataOfGap,
    assessments,
    gaps,
    get_gap,
    katas,
    upsert_assessment,
)
from paige.learner.stages import STAGES, SkillEvidence, Stage, estimate_stage
from paige.models.calls import call_api

CHANGED = 0.05
"""A confidence that moved less than this is not worth a new row."""
_PASSED = (4, 6, 8)
"""The level an attempt must have passed at to speak for the stages above novice, in order."""
_OFTEN = (1, 2, 4)
"""How many of such attempts it takes."""


@dataclass(frozen=True, slots=True)
class PractisedTopic:
    """A gap with the levels of the attempts that passed, and whether this session showed it."""

    name: str
    passed: tuple[int, ...]
    failed: int
    met: int
    shown_now: bool
    previous: Stage | None
    reviewed: int = 0
    """How many of the attempts were reviews in Study."""


class StageJudgement(NamedTuple):
    """A stage, how sure it is, and why."""

    stage: Stage
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class StageEvidence:
    """The evidence, and the stages so far."""

    phases: tuple[PhaseDone, ...]
    gaps: tuple[GapRow, ...]
    katas: tuple[KataOfGap, ...]
    known: tuple[Assessment, ...]
    reviews: Mapping[str, Reviews] = field(default_factory=dict, hash=False)
    shown: tuple[str, ...] = ()
    """The topics of the gaps that a session showed just now."""

    def stage_of(self, name: str) -> Assessment | None:
        """What was judged of a skill before, under these or other words."""
        match = find_match(name, [each.skill_area for each in self.known])
        return next((each for each in self.known if each.skill_area == match), None)


def assess(found: StageEvidence) -> DreyfusAnswer:
    """The stages that should be stored now, by rules alone."""
    skills: list[AssessedSkill] = []
    for name, phases in _by_language(found.phases).items():
        before = found.stage_of(name)
        estimate = estimate_stage(evidence_in(phases), before.stage if before else None)
        judged = StageJudgement(estimate.stage, estimate.confidence, estimate.reason)
        skills += _changed(name, judged, before)
    for gap in found.gaps:
        topic = practised_topic(gap, found)
        skills += _changed(topic.name, by_practice(topic), found.stage_of(gap.topic))
    return DreyfusAnswer(assessments=skills)


def by_practice(topic: PractisedTopic) -> StageJudgement:
    """The stage of a topic, at most one step from the one before."""
    supported = _supported(topic.passed)
    if topic.shown_now and supported > 0:
        supported -= 1  # what was passed once and failed in real work is not that sure
    if topic.previous is None:
        place = min(supported, 1)
    else:
        before = STAGES.index(topic.previous)
        # Practice alone takes nobody down: a stage falls when the gap shows up again.
        step = (supported > before) - (supported < before and topic.shown_now)
        place = before + step
    return _judged(topic, place)


def without_attempt(had: PractisedTopic, left: PractisedTopic) -> StageJudgement | None:
    """The stage of a topic after an attempt was taken back; none where it does not rest on it.

    `had` counts that attempt and `left` does not.
    """
    if left.previous is None:
        return None
    place = STAGES.index(left.previous)
    rests_on_it = _supported(left.passed) < place <= _supported(had.passed)
    return _judged(left, place - 1) if rests_on_it else None


def _judged(topic: PractisedTopic, place: int) -> StageJudgement:
    seen = len(topic.passed) + topic.failed + topic.met
    reason = (
        f"Met {topic.met} time(s) in real work; {len(topic.passed)} of "
        f"{len(topic.passed) + topic.failed} attempts at its kata passed"
    )
    if topic.reviewed:
        reason += f", {topic.reviewed} of them in Study"
    if topic.passed:
        reason += f", the best at level {max(topic.passed)} of 10"
    return StageJudgement(STAGES[place], round(min(0.9, seen / (seen + 3)), 2), f"{reason}.")


def _supported(passed: Sequence[int]) -> int:
    """The highest stage, as its place, that the passed attempts speak for."""
    place = 0
    for number, (level, often) in enumerate(zip(_PASSED, _OFTEN, strict=True), 1):
        if sum(each >= level for each in passed) >= often:
            place = number
    return place


def _changed(
    name: str, judged: StageJudgement, before: Assessment | None
) -> Iterator[AssessedSkill]:
    if before is None or before.stage != judged.stage or _moved_much(before, judged):
        yield _skill(name, judged, before)


def _moved_much(before: Assessment, judged: StageJudgement) -> bool:
    return abs(before.confidence - judged.confidence) >= CHANGED


def _skill(name: str, judged: StageJudgement, before: Assessment | None) -> AssessedSkill:
    """A skill at its new stage."""
    return AssessedSkill(
        skill_area=name,
        stage=judged.stage,
        previous_stage=before.stage if before else None,
        confidence=judged.confidence,
        evidence=judged.reason,
    )


# Whoever is pointed at no more than a file finds out alone what is to be changed in it.
_FOUND_ALONE = ("none", "file")
_NOT_A_SKILL = {PLAIN, "markdown", "json", "yaml", "toml", "ini", "csv", "log", "dotenv"}


@dataclass(frozen=True, slots=True)
class RevokedReview:
    """A review of `at` that was taken back: all reviews with it, and those that are left."""

    at: datetime
    had: Reviews
    left: Reviews


def gather(connection: Connection, actor: Actor) -> StageEvidence:
    """Everything that speaks for or against a stage."""
    return StageEvidence(
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
    gathered = await services.database.read(gather, actor)
    found = replace(gathered, reviews=reviews, shown=tuple(shown))
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
        inputs=found,
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
) -> PracticeResult | None:
    """Judge the topic of a kata after an attempt at it, and store that; none without one."""
    found = gather(connection, actor)
    own = next((each for each in found.katas if each.kata.id == kata_id), None)
    if own is None or not own.kata.user_attempts:
        return None
    gap = get_gap(connection, actor, own.kata.knowledge_gap_id)
    before = found.stage_of(gap.topic)
    topic = practised_topic(gap, found)
    judged = by_practice(topic)
    changed = before is None or before.stage != judged.stage
    last = own.kata.user_attempts[-1]
    if changed and last.passed:
        skill = _skill(before.skill_area if before else gap.topic, judged, before)
        store_stages(connection, actor, [skill], now=now, ids=ids)
    return PracticeResult(
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
    judged = by_practice(practised_topic(gap, found))
    if judged.stage == (before.stage if before else STAGES[0]):
        return None
    skill = _skill(before.skill_area if before else gap.topic, judged, before)
    store_stages(connection, actor, [skill], now=now, ids=ids)
    return skill


def after_taking_back(
    connection: Connection,
    actor: Actor,
    gap: GapRow,
    taken: RevokedReview,
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
        practised_topic(gap, replace(found, reviews={gap.topic: reviews}))
        for reviews in (taken.had, taken.left)
    )
    judged = without_attempt(had, left)
    if judged is None:
        return None
    skill = _skill(before.skill_area if before else gap.topic, judged, before)
    store_stages(connection, actor, [skill], now=now, ids=ids)
    return skill


def practised_topic(gap: GapRow, found: StageEvidence) -> PractisedTopic:
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
        shown_now=find_match(gap.topic, found.shown) is not None,
        previous=previous,
        reviewed=len(reviews.passed) + reviews.failed,
    )


def accumulated(found: StageEvidence) -> list[dict[str, Any]]:
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
        topic = practised_topic(gap, found)
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


def evidence_in(phases: Sequence[PhaseDone]) -> SkillEvidence:
    """What phases say about a language."""
    alone = [phase for phase in phases if phase.status == "complete" and phase.hints == 0]
    return SkillEvidence(
        attempts=len(phases),
        unaided_successes=len(alone),
        deep_successes=sum(phase.hint_level in _FOUND_ALONE for phase in alone),
        hints_used=sum(phase.hints for phase in phases),
        days=len({phase.started_at.date() for phase in phases if phase.status == "complete"}),
    )
