"""The way back from Study to the coach: what was recalled there closes gaps and moves stages.

The same kata counts the same wherever it is solved. In the course `coach` one solved without help
closes its gap; a gap without code is closed when its concept is mastered, and a concept that is
mastered in any other course closes the gap of that name. Every success is judged by the rules of
the coach, so that its next plan points as finely as the new stage asks for. A result that is taken
back opens the gap that it alone closed, and takes its step of the stage back.
"""

import logging
from collections.abc import Mapping
from functools import partial

from anyio.to_thread import run_sync
from sqlalchemy import Connection

from paige.app.application import App
from paige.app.coach_study import (
    COURSE,
    closes_gap,
    concept_id,
    is_told,
    practice_in,
    reviews_of,
)
from paige.app.places import teaching_documents
from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import PaigeError
from paige.coach.inquiry.assessment import RevokedReview, after_review, after_taking_back
from paige.coach.inquiry.services import Reviews
from paige.coach.records import Ids, random_ids
from paige.learner.progress import Progress
from paige.learner.queries import (
    GapRow,
    address_gap,
    address_mastered,
    gaps,
    gaps_named,
    reopen_gap,
)
from paige.study.session.context import PracticeOutcome, Retraction

logger = logging.getLogger(__name__)


async def tell_coach_in(app: App, practised: PracticeOutcome) -> None:
    """Tell the coach of an exercise; what fails is logged, and the session goes on."""
    evidence = practised.evidence
    if not evidence.mastered and not (practised.course == COURSE and evidence.success):
        return  # it has to know of success with what it gave, and of mastery of anything
    if not app.database.exists:
        return  # then there is no coach
    work = partial(take_back, practised=practised, now=app.now)
    try:
        await app.database.write(work, app.actor)
    except PaigeError as error:
        logger.warning("The coach was not told of a review: %s", error.message)


async def untell_coach_in(app: App, taken: Retraction) -> None:
    """Tell the coach that a result was taken back; what fails is logged, and it stays taken back.

    What the coach itself told Study is the coach's own: its attempt still counts there.
    """
    was_mastered = taken.had.status == "mastered" != taken.left.status
    if is_told(taken.exercise_id) or not (taken.course == COURSE or was_mastered):
        return
    try:
        known = await run_sync(lambda: practice_in(teaching_documents(app)))
        work = partial(take_away, taken=taken, known=known, now=app.now)
        await app.database.write(work, app.actor)
    except (PaigeError, OSError) as error:
        logger.warning("The coach was not told that a result was taken back: %s", error)


def take_back(
    connection: Connection,
    actor: Actor,
    *,
    practised: PracticeOutcome,
    now: Clock,
    ids: Ids = random_ids,
) -> tuple[GapRow, ...]:
    """Close the gaps that an exercise fills, and judge their topics; the gaps it is about."""
    if practised.course == COURSE:
        about = _closed(connection, actor, practised)
    else:
        about = address_mastered(connection, actor, practised.concept_id, practised.title)
    reviews = reviews_of(practised.progress)
    for gap in about:
        after_review(connection, actor, gap, reviews, now=now(), ids=ids)
    return tuple(about)


def take_away(
    connection: Connection,
    actor: Actor,
    *,
    taken: Retraction,
    known: Mapping[str, Progress],
    now: Clock,
    ids: Ids = random_ids,
) -> tuple[GapRow, ...]:
    """Open the gaps that a result alone had closed, and judge their topics without it.

    `known` is what is left in the course of the coach, by topic.
    """
    if taken.course == COURSE:
        found = gaps(connection, actor)
        about = [gap for gap in found if concept_id(gap.topic) == taken.concept_id]
    else:
        about = gaps_named(connection, actor, taken.concept_id, taken.title, addressed=True)
    for gap in about:
        own = known.get(gap.topic, Progress(concept_id=taken.concept_id))
        if gap.addressed and closes_gap(taken.had) and not closes_gap(own):
            reopen_gap(connection, actor, gap.id)
        review = RevokedReview(taken.at, *_reviews(taken, own))
        after_taking_back(connection, actor, gap, review, now=now(), ids=ids)
    return tuple(about)


def _reviews(taken: Retraction, own: Progress) -> tuple[Reviews, Reviews]:
    """The reviews that the coach knew with a result, and those that are left to it.

    Of another course it hears when something is mastered, and then of all reviews there at once.
    """
    had, left = reviews_of(taken.had), reviews_of(own)
    if taken.course == COURSE:
        return had, left
    return Reviews((*left.passed, *had.passed), left.failed + had.failed), left


def _closed(connection: Connection, actor: Actor, practised: PracticeOutcome) -> list[GapRow]:
    """The gap behind a concept of the course, closed by code that passed alone or by mastery."""
    found = [
        gap for gap in gaps(connection, actor) if concept_id(gap.topic) == practised.concept_id
    ]
    for gap in found:
        if not gap.addressed and (practised.modality == "code" or practised.evidence.mastered):
            address_gap(connection, actor, gap.id)
    return found
