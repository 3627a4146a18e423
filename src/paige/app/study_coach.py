"""The way back from Study to the coach: what was recalled there closes gaps and moves stages.

The same kata counts the same wherever it is solved. In the course `coach` one solved without help
closes its gap; a gap without code is closed when its concept is mastered, and a concept that is
mastered in any other course closes the gap of that name. Every success is judged by the rules of
the coach, so that its next plan points as finely as the new stage asks for.

It brings the coach along, so whoever opens a room for one step imports it late.
"""

import logging
from functools import partial

from sqlalchemy import Connection

from paige.app.application import App, open_app
from paige.app.coach_study import COURSE, concept_id, reviews_of
from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.coach.ids import Ids, random_ids
from paige.coach.thinking.assessing import after_review
from paige.learner.queries import address_gap, address_mastered, gaps
from paige.learner.records import GapRow
from paige.study.session.ports import Practised

logger = logging.getLogger(__name__)


async def tell_coach(settings: Settings, practised: Practised) -> None:
    """Tell the coach of an exercise; without a database there is no coach to tell."""
    if not settings.database_url and not (settings.data_dir / "paige.db").exists():
        return
    with open_app(settings, strict=False) as app:
        await tell_coach_in(app, practised)


async def tell_coach_in(app: App, practised: Practised) -> None:
    """Tell the coach of an exercise; what fails is logged, and the session goes on."""
    work = partial(take_back, practised=practised, now=app.now)
    try:
        await app.database.write(work, app.actor)
    except PaigeError as error:
        logger.warning("The coach was not told of a review: %s", error.message)


def take_back(
    connection: Connection,
    actor: Actor,
    *,
    practised: Practised,
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


def _closed(connection: Connection, actor: Actor, practised: Practised) -> list[GapRow]:
    """The gap behind a concept of the course, closed by code that passed alone or by mastery."""
    found = [
        gap for gap in gaps(connection, actor) if concept_id(gap.topic) == practised.concept_id
    ]
    for gap in found:
        if not gap.addressed and (practised.modality == "code" or practised.evidence.mastered):
            address_gap(connection, actor, gap.id)
    return found
