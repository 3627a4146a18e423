"""The end of a session: what was missing, how far somebody is, what to remember.

Three questions, each by itself: one that fails is logged, leaves nothing half stored, and the
others go on. The session is completed by whoever called, whatever happens here.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.coach.local.session_facts import not_judged
from paige.coach.model import WrapUp
from paige.coach.records import CoachSession
from paige.coach.thinking.assessing import assess_stages
from paige.coach.thinking.gaps import FoundGaps, extract_gaps
from paige.coach.thinking.remembering import remember_session
from paige.coach.thinking.services import Services
from paige.coach.thinking.session_record import SessionRecord, read_record
from paige.models.local import LOCAL, NoLocalEngine

logger = logging.getLogger(__name__)
T = TypeVar("T")
U = TypeVar("U")


async def wrap_up(
    services: Services, actor: Actor, session: CoachSession, transcript: str
) -> WrapUp:
    """Learn what there is to learn from a session. Raises: Unavailable without the database."""
    record = await services.database.read(read_record, actor, session, transcript, services.now())

    async def judge() -> int:
        return await assess_stages(services, actor, record, [gap.topic for gap in found.met])

    judged = await _best_effort(
        "knowledge gaps", lambda: extract_gaps(services, actor, record), None
    )
    found = judged or FoundGaps()
    stages = await _best_effort("stages", judge, 0)
    notes = await _best_effort(
        "memories", lambda: remember_session(services, actor, record, found), 0
    )
    if found.to_practise:
        await _best_effort(
            "practice", lambda: services.studying.give(actor, session.id, found.to_practise), None
        )
    return WrapUp(
        knowledge_gaps=found.new,
        kata_specs=len(found.katas),
        dreyfus_updates=stages,
        memories_stored=notes,
        note=_unjudged(services, record) if judged is None else "",
    )


def _unjudged(services: Services, record: SessionRecord) -> str:
    """What is said where rules stand in; a model that failed is somebody else's news."""
    if LOCAL not in (services.models.provider.name, services.models.fallback):
        return ""
    return not_judged(record.actions, record.phases, record.progress)


async def _best_effort(what: str, work: Callable[[], Awaitable[T]], instead: U) -> T | U:
    try:
        return await work()
    except NoLocalEngine:
        pass  # rules cannot answer it; whoever called says so
    except PaigeError as error:
        logger.warning("The end of the session goes on without its %s: %s", what, error.message)
    except Exception:  # a fault in one of them must not keep the session open
        logger.exception("The end of the session goes on without its %s", what)
    return instead
