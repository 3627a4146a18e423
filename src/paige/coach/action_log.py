"""The action log: everything a person and the coach do, written before anyone goes on.

`log` returns when the action is committed. Callers that wait at the same moment share one
transaction: the first in line writes for all who have come by then. Who wants to know of actions
subscribes, and is called after the commit.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import anyio

from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import PaigeError, Refused, Unavailable
from paige.coach.action_queries import ActionValues, dump_action, insert_dumped
from paige.coach.actions import ActionType, kind_of
from paige.coach.ids import Ids, random_ids
from paige.coach.records import Action
from paige.store.engine import Database

logger = logging.getLogger(__name__)
Subscriber = Callable[[Actor, Action], None]
"""Hears of an action after its commit, on the event loop."""

TICK = timedelta(microseconds=1)
CLOCK_STEP = timedelta(seconds=1)


@dataclass(slots=True)
class Waiting:
    """An action on its way to the database, and what became of it."""

    actor: Actor
    action: Action
    row: ActionValues
    done: bool = False
    stored: bool = False
    error: PaigeError | None = None


class ActionLog:
    """Writes the actions of everyone in this process."""

    def __init__(self, database: Database, now: Clock, ids: Ids = random_ids) -> None:
        self._database = database
        self._now = now
        self._ids = ids
        self._turn = anyio.Lock(fast_acquire=True)
        self._waiting: list[Waiting] = []
        self._subscribers: list[Subscriber] = []
        self._last: datetime | None = None
        self._closed = False

    async def log(
        self,
        actor: Actor,
        session_id: str | None,
        action_type: ActionType,
        data: Mapping[str, Any] | None = None,
    ) -> Action | None:
        """Write an action and tell the subscribers; `None` when it has no session to belong to.

        Raises: BadInput for a type that does not exist, or data that lacks something or is no JSON.
        """
        kind = kind_of(action_type, data)
        if session_id is None and kind.needs_session:
            logger.warning("Nothing is logged for `%s`: no session is active", action_type)
            return None
        if self._closed:
            logger.warning("Nothing is logged for `%s`: Paige is stopping", action_type)
            return None
        action = self._action(session_id, action_type, data)
        mine = Waiting(actor, action, dump_action(actor, action))
        self._waiting.append(mine)
        await self._until_written(mine)
        if mine.error is not None:
            raise mine.error
        if not mine.stored:
            logger.warning("Nothing is logged for `%s`: no session `%s`", action_type, session_id)
            return None
        return mine.action

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call `subscriber` after every commit of an action; return what ends that."""
        self._subscribers.append(subscriber)

        def unsubscribe() -> None:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

        return unsubscribe

    def tell(self, actor: Actor, actions: Iterable[Action]) -> None:
        """Tell the subscribers of actions that a workflow wrote with its own change."""
        for action in actions:
            for subscriber in list(self._subscribers):
                try:
                    subscriber(actor, action)
                except Exception:  # a listener's fault is not the speaker's
                    logger.exception("A subscriber failed at `%s`", action.action_type)

    async def flush(self) -> None:
        """Write what is still waiting; its callers may have left."""
        async with self._turn:
            if self._waiting:
                await self._write()

    async def close(self) -> None:
        """Write what is waiting, and take nothing more."""
        self._closed = True
        await self.flush()

    async def _until_written(self, mine: Waiting) -> None:
        # Whoever gets the turn finds that someone before it has written its action, or writes all.
        async with self._turn:
            if not mine.done:
                await self._write()

    async def _write(self) -> None:
        group, self._waiting = self._waiting, []
        # Others wait for this: it goes on even if the one who does it is cancelled.
        with anyio.CancelScope(shield=True):
            await self._store(group)
            if len(group) > 1 and _at_fault(group):
                # One of them cannot be stored: it alone is to hear of that.
                for each in group:
                    await self._store([each])
        for each in group:
            each.done = True
            if each.stored:
                self.tell(each.actor, (each.action,))

    async def _store(self, group: list[Waiting]) -> None:
        rows = [each.row for each in group]
        try:
            stored = await self._database.write_quietly(insert_dumped, rows)
        except PaigeError as error:
            for each in group:
                each.error = error
            return
        for each in group:
            each.stored, each.error = each.action.id in stored, None

    def _action(
        self, session_id: str | None, action_type: str, data: Mapping[str, Any] | None
    ) -> Action:
        # Two actions of one moment are put a microsecond apart, so that their order is kept.
        now = self._now()
        if self._last is not None and self._last - CLOCK_STEP < now <= self._last:
            now = self._last + TICK
        self._last = now
        return Action(self._ids(now), session_id, action_type, data, now)


def _at_fault(group: list[Waiting]) -> bool:
    """Whether the database refused what it was given, rather than not being there."""
    error = group[0].error
    return error is not None and not isinstance(error, Unavailable | Refused)
