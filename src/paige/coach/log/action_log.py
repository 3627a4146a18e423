"""The action log: everything a person and the coach do, written before anyone goes on.

`log` returns when the action is committed. Callers that wait at the same moment share one
transaction: the first in line writes for all who have come by then. Who wants to know of actions
subscribes, and is called after the commit.

The keys of what is told with an action are camelCase, as they are stored and as clients read them.
Text in an editor changes with every key: a file is logged at once when its size jumps, and summed
up now and then otherwise.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

import anyio

from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import BadInput, PaigeError, Refused, Unavailable
from paige.coach.log.queries import ActionValues, dump_action, insert_dumped
from paige.coach.records import Action, Ids, random_ids
from paige.store.engine import Database

ActionType = Literal[
    "file_open",
    "file_save",
    "file_close",
    "buffer_summary",
    "buffer_significant_change",
    "tab_switch",
    "selection",
    "hint_level_change",
    "explain_requested",
    "review_requested",
    "idle_start",
    "idle_end",
    "session_started",
    "session_resumed",
    "session_ended",
    "phase_started",
    "phase_completed",
    "coaching_message",
    "nudge_sent",
    "nudge_suppressed",
    "observer_muted",
    "mcp_tool_call",
    "decorations_applied",
    "file_hints_applied",
    "explain_completed",
    "review_completed",
    "dashboard_loaded",
    "coaching_pipeline",
    "test_run",
]


class ActionKind(NamedTuple):
    """One type of action."""

    name: ActionType
    told: str = ""
    """The keys its data must have."""
    observed: bool = False
    """Whether the observer looks at it."""
    needs_session: bool = True

    @property
    def required(self) -> frozenset[str]:
        """The keys its data must have, each by itself."""
        return frozenset(self.told.split())


KINDS = (
    ActionKind("file_open", "path", observed=True),
    ActionKind("file_save", "path charCount", observed=True),
    ActionKind("file_close", "path", observed=True),
    ActionKind("buffer_summary", "path editCount charDelta charCount", observed=True),
    ActionKind(
        "buffer_significant_change", "path previousCharCount newCharCount delta", observed=True
    ),
    ActionKind("tab_switch", "fromPath toPath", observed=True),
    ActionKind("selection", "path range textLength", observed=True),
    ActionKind("hint_level_change", "level previousLevel", observed=True),
    ActionKind("explain_requested", "path range", observed=True, needs_session=False),
    ActionKind("review_requested", observed=True, needs_session=False),  # `kataId` of a kata
    ActionKind("idle_start", "lastActionTimestamp", observed=True),
    ActionKind("idle_end", observed=True),
    ActionKind("session_started", "issueNumber"),
    ActionKind("session_resumed", "previousSessionId"),
    ActionKind("session_ended", "status durationMs"),
    ActionKind("phase_started", "phaseId phaseNumber title", observed=True),
    ActionKind("phase_completed", "phaseId phaseNumber title", observed=True),
    ActionKind("coaching_message", "messageType"),
    ActionKind("nudge_sent", "signal confidence"),
    ActionKind("nudge_suppressed", "reason"),  # with `signal` and `confidence` of a model's answer
    ActionKind("observer_muted", "muted"),
    # With `toolUseId`, `agentSessionId`, `turnId` where a coding CLI tells them, and an `error`.
    ActionKind("mcp_tool_call", "toolName sessionId", needs_session=False),
    ActionKind("decorations_applied", "path count"),
    ActionKind("file_hints_applied", "paths"),
    # With `model`, `latency_ms`, and what was judged or the `error`.
    ActionKind("explain_completed", "path success", needs_session=False),
    ActionKind("review_completed", "kataId success", needs_session=False),
    ActionKind("dashboard_loaded", "statsPeriod issuesLoaded materialsLoaded", needs_session=False),
    ActionKind("coaching_pipeline", needs_session=False),  # `planId`, `phaseCount`
    ActionKind("test_run", "passed failed", observed=True),
)
BY_NAME: Mapping[str, ActionKind] = {kind.name: kind for kind in KINDS}


def kind_of(action_type: str, data: Mapping[str, Any] | None) -> ActionKind:
    """What is known about a type. Raises: BadInput when there is none, or its data lacks a key."""
    kind = BY_NAME.get(action_type)
    if kind is None:
        raise BadInput(
            f"There is no action type `{action_type}`",
            hint="The types are listed in `paige.coach.log.action_log`.",
        )
    missing = kind.required.difference(data or ())
    if missing:
        names = ", ".join(f"`{name}`" for name in sorted(missing))
        raise BadInput(f"An action `{action_type}` must say {names}")
    return kind


logger = logging.getLogger(__name__)
Subscriber = Callable[[Actor, Action], None]
"""Hears of an action after its commit, on the event loop."""

TICK = timedelta(microseconds=1)
CLOCK_STEP = timedelta(seconds=1)


@dataclass(slots=True)
class WaitingAction:
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
        self._waiting: list[WaitingAction] = []
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
        mine = WaitingAction(actor, action, dump_action(actor, action))
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

    async def _until_written(self, mine: WaitingAction) -> None:
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

    async def _store(self, group: list[WaitingAction]) -> None:
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


def _at_fault(group: list[WaitingAction]) -> bool:
    """Whether the database refused what it was given, rather than not being there."""
    error = group[0].error
    return error is not None and not isinstance(error, Unavailable | Refused)


MOST_SHARE = 0.5
MOST_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Significant:
    """A file that grew or shrank much since it was last logged."""

    path: str
    previous_chars: int
    new_chars: int

    @property
    def data(self) -> dict[str, str | int]:
        """The data of the action `buffer_significant_change`."""
        return {
            "path": self.path,
            "previousCharCount": self.previous_chars,
            "newCharCount": self.new_chars,
            "delta": self.new_chars - self.previous_chars,
        }


@dataclass(frozen=True, slots=True)
class Summary:
    """What happened in a file since it was last logged."""

    path: str
    edit_count: int
    char_delta: int
    char_count: int

    @property
    def data(self) -> dict[str, str | int]:
        """The data of the action `buffer_summary`."""
        return {
            "path": self.path,
            "editCount": self.edit_count,
            "charDelta": self.char_delta,
            "charCount": self.char_count,
        }


@dataclass(slots=True)
class TypingCount:
    """How one file stands."""

    logged_chars: int
    chars: int
    edits: int = 0


class BufferLog:
    """Counts the edits of one person's files in one session."""

    def __init__(self) -> None:
        self._files: dict[str, TypingCount] = {}

    def opened(self, path: str, chars: int) -> None:
        """A file has this many characters now, without anyone having typed."""
        self._files[path] = TypingCount(chars, chars)

    def knows(self, path: str) -> bool:
        """Whether a file is counted already."""
        return path in self._files

    def noted(self, path: str, chars: int) -> Significant | None:
        """The text of a file changed; a value when that is to be logged at once.

        A file nobody told about is new: it is counted from its first text on, unless that is long.
        """
        first = 0 if chars > MOST_CHARACTERS else chars
        counted = self._files.setdefault(path, TypingCount(first, chars))
        counted.chars = chars
        counted.edits += 1
        before = counted.logged_chars
        if not is_significant(before, chars):
            return None
        # The edits are still summed up later: this says only that the size jumped.
        counted.logged_chars = chars
        return Significant(path, before, chars)

    def summaries(self, dirty: Iterable[str]) -> list[Summary]:
        """One summary for every unsaved file that was edited since the last one, by path."""
        found: list[Summary] = []
        for path in sorted(set(dirty)):
            counted = self._files.get(path)
            if counted is None or counted.edits == 0:
                continue
            delta = counted.chars - counted.logged_chars
            found.append(Summary(path, counted.edits, delta, counted.chars))
            self._files[path] = TypingCount(counted.chars, counted.chars)
        return found

    def forget(self, path: str) -> None:
        """A file is closed."""
        self._files.pop(path, None)

    def reset(self) -> None:
        """The session has ended: the next one counts from nothing."""
        self._files.clear()


def is_significant(before: int, now: int) -> bool:
    """Whether a file's size changed by more than half, or by more than 500 characters."""
    change = abs(now - before)
    return change > MOST_CHARACTERS or change > before * MOST_SHARE
