"""The observer at work: one watch per session, woken by the action log, typing and a timer.

What it knows of a session is a value, when it looks and when it keeps quiet are pure
rules (`rules.py`). Here are only the parts with effects: hearing, asking, logging, speaking. An
answer that comes after its session has ended is thrown away, and whatever fails, the watch goes on.
"""

import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any

import anyio
from anyio.abc import TaskGroup
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import PaigeError
from paige.coach import queries
from paige.coach.answers import TriageAnswer
from paige.coach.log.action_log import BY_NAME, ActionLog, ActionType
from paige.coach.log.queries import last_action, recent_actions
from paige.coach.message_parts import NudgeContext
from paige.coach.model import CoachModel
from paige.coach.observer import rules
from paige.coach.observer.edits import digest_of
from paige.coach.observer.rules import ObserverState, is_idle, quiet_for
from paige.coach.observer.trace import (
    BUFFER_UPDATE,
    NOVICE,
    PATH_KEYS,
    Act,
    Aim,
    Trace,
    clean_path,
    in_order,
)
from paige.coach.records import Action, CoachSession, PhaseRow
from paige.learner.queries import assessments
from paige.learner.stages import Stage
from paige.models.wrappers import Sleep
from paige.store.engine import Database
from paige.store.leases import hold_lease

TOLD = 20  # actions that a model is told
LOOKED_AT = 300  # actions that the rules look at
NEVER = "never"


@dataclass(frozen=True, slots=True)
class StoredMoment:
    """What the database knows of a session at this moment; actions newest first."""

    phase: PhaseRow | None
    actions: Sequence[Action]
    last_save: Action | None
    stage: Stage


@dataclass(frozen=True, slots=True)
class Moment:
    """What is judged: the same moment for a model and for the rules."""

    context: dict[str, Any]
    trace: Trace


def read_stored(connection: Connection, actor: Actor, session_id: str) -> StoredMoment:
    """What the database knows of a session."""
    return StoredMoment(
        queries.active_phase(connection, actor, session_id),
        recent_actions(connection, actor, session_id, limit=LOOKED_AT),
        last_action(connection, actor, session_id, "file_save"),
        current_stage(connection, actor),
    )


def current_stage(connection: Connection, actor: Actor) -> Stage:
    """The stage that was judged last, in whatever skill; a novice when none was."""
    found = assessments(connection, actor)
    newest = max(found, key=lambda each: each.assessed_at, default=None)
    return newest.stage if newest else NOVICE


def moment_of(
    stored: StoredMoment, state: ObserverState, typing: Iterable[Act], now: datetime
) -> Moment:
    """Put together what is stored, what is remembered, and what was typed."""
    acts = in_order((*(act_of(action) for action in stored.actions), *typing))
    trace = Trace(_aim(stored.phase), acts, now, stored.stage)
    return Moment(context_of(stored, state, now), trace)


def context_of(stored: StoredMoment, state: ObserverState, now: datetime) -> dict[str, Any]:
    """The snapshot a model is given; its names are those of the prompt."""
    save, nudge = stored.last_save, state.last_nudge
    return {
        "current_phase": _phase(stored.phase),
        "recent_actions": [_told(action, now) for action in stored.actions[:TOLD]],
        "time_since_last_save": quiet_for(now - save.created_at) if save else NEVER,
        "time_since_last_nudge": quiet_for(now - nudge) if nudge else NEVER,
        "dreyfus_stage": stored.stage,
        "user_idle": is_idle(state, now),
    }


def act_of(action: Action) -> Act:
    """A logged action as the rules see it."""
    data = action.data or {}
    path = next((data[key] for key in PATH_KEYS if isinstance(data.get(key), str)), None)
    named = clean_path(path) if path else None
    return Act(action.action_type, action.created_at, named, data)


def _told(action: Action, now: datetime) -> dict[str, str]:
    act = act_of(action)
    told = {"type": act.type, "ago": f"{quiet_for(now - act.at)} ago"}
    return {**told, "path": act.path} if act.path else told


def _phase(phase: PhaseRow | None) -> dict[str, Any] | None:
    if phase is None:
        return None
    return {
        "number": phase.number,
        "title": phase.title,
        "description": phase.description,
        "expected_files": list(phase.expected_files),
    }


def _aim(phase: PhaseRow | None) -> Aim | None:
    if phase is None:
        return None
    expected = tuple(clean_path(path) for path in phase.expected_files)
    return Aim(phase.number, phase.title, phase.description, expected)


ALONE_SECONDS = 90.0


async def observes_alone(database: Database, now: Clock, actor: Actor, session: str) -> bool:
    """Whether this server is the one that observes a session. Raises: PaigeError."""
    if database.kind != "postgresql":
        return True  # one machine, one server
    lease = await database.write_quietly(
        hold_lease, actor, f"observer/{session}", now=now(), seconds=ALONE_SECONDS
    )
    return lease is not None


logger = logging.getLogger(__name__)
TYPED = 200  # changes of buffers that are remembered
Speak = Callable[[Actor, str, float, NudgeContext], Awaitable[None]]
"""Tells a person: the signal, how sure it is, and what it is about; it logs that, too."""


@dataclass(frozen=True, slots=True)
class Senses:
    """What the observer works with."""

    database: Database
    log: ActionLog
    model: CoachModel
    now: Clock
    sleep: Sleep = anyio.sleep


@dataclass(slots=True)
class Watch:
    """One session that is watched."""

    actor: Actor
    session: CoachSession
    state: ObserverState
    typing: deque[Act] = field(default_factory=lambda: deque(maxlen=TYPED))
    timer: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    unsubscribe: Callable[[], None] = lambda: None


class Observer:
    """Watches everyone who is in a session."""

    def __init__(self, senses: Senses, speak: Speak) -> None:
        self._senses = senses
        self._speak = speak
        self._watches: dict[tuple[str, str], Watch] = {}
        self._tasks: TaskGroup | None = None

    def begin(self, tasks: TaskGroup) -> None:
        """Work in this group from now on."""
        self._tasks = tasks
        for watch in self._watches.values():
            tasks.start_soon(self._check_idle, watch)

    def follow(self, actor: Actor, session: CoachSession | None) -> None:
        """Watch the session a person is in now; nothing changes when it is the same."""
        watch = self._watch(actor)
        if watch is not None and session is not None and watch.session.id == session.id:
            return
        if watch is not None:
            self._stop(watch)
        if session is not None:
            self._start(actor, session)

    def state(self, actor: Actor) -> ObserverState | None:
        """What is remembered of a person's session; nothing without one."""
        watch = self._watch(actor)
        return watch.state if watch else None

    def mute(self, actor: Actor, *, muted: bool) -> datetime | None:
        """Keep quiet, or speak again; returns when it last had a look."""
        watch = self._watch(actor)
        if watch is None:
            return None
        watch.state = replace(watch.state, muted=muted)
        return watch.state.last_evaluation

    def present(self, actor: Actor) -> None:
        """A person did something that nobody logs."""
        watch = self._watch(actor)
        if watch is not None:
            watch.state = rules.present(watch.state, self._senses.now())

    def typed(self, actor: Actor, path: str, content: str) -> None:
        """The text of a file changed in an editor."""
        watch = self._watch(actor)
        if watch is None:
            return
        now = self._senses.now()
        data = {"digest": digest_of(content), "charCount": len(content)}
        watch.typing.append(Act(BUFFER_UPDATE, now, path, data))
        watch.state = rules.typed(watch.state, now)
        if rules.typed_enough(watch.state):
            self._triggered(watch)

    def ran_tests(self, actor: Actor, *, passed: int, failed: int) -> None:
        """Tests ran in the terminal: they are logged, and that wakes the observer."""
        watch = self._watch(actor)
        if watch is not None and self._tasks is not None:
            data = {"passed": passed, "failed": failed}
            self._tasks.start_soon(self._note, watch, "test_run", data)

    async def check(self, watch: Watch) -> None:
        """What the timer does: have a look when nobody has done anything for long."""
        if rules.idle_is_due(watch.state, self._senses.now()):
            self._triggered(watch, idle=True)

    def _watch(self, actor: Actor) -> Watch | None:
        return self._watches.get((actor.tenant, actor.person))

    def _start(self, actor: Actor, session: CoachSession) -> None:
        begun = ObserverState(session.id, self._senses.now())
        watch = self._watches[(actor.tenant, actor.person)] = Watch(actor, session, begun)
        watch.unsubscribe = self._senses.log.subscribe(partial(self._heard, watch))
        if self._tasks is not None:
            self._tasks.start_soon(self._check_idle, watch)

    def _stop(self, watch: Watch) -> None:
        watch.unsubscribe()
        watch.timer.cancel()
        watch.state = replace(watch.state, active=False, muted=False)
        self._watches.pop((watch.actor.tenant, watch.actor.person), None)

    def _heard(self, watch: Watch, actor: Actor, action: Action) -> None:
        if action.session_id != watch.session.id or not watch.state.active:
            return
        kind = BY_NAME.get(action.action_type)
        if kind is None or not kind.observed or action.action_type == "idle_start":
            return
        watch.state = rules.acted(watch.state, action.created_at)
        if rules.is_trigger(action.action_type):
            self._triggered(watch)

    def _triggered(self, watch: Watch, *, idle: bool = False) -> None:
        """Have a look, unless the person should be left alone or someone is looking already."""
        if self._tasks is None or not watch.state.active:
            return
        reason = rules.suppressed_by(watch.state, self._senses.now())
        if reason is not None:
            watch.state = replace(watch.state, buffer_updates=0)
            if reason != "muted":
                data = {"reason": reason}
                self._tasks.start_soon(self._note, watch, "nudge_suppressed", data)
            return
        if watch.state.evaluating:
            return
        looks = watch.state.idle_evaluations + idle
        watch.state = replace(
            watch.state, buffer_updates=0, evaluating=True, idle_evaluations=looks
        )
        self._tasks.start_soon(self._evaluate, watch)

    async def _check_idle(self, watch: Watch) -> None:
        with watch.timer:
            while watch.state.active:
                await self._senses.sleep(rules.CHECK_SECONDS)
                await self.check(watch)

    async def _evaluate(self, watch: Watch) -> None:
        answer = None
        try:
            answer = await self._ask(watch)
        except PaigeError as error:  # the call is in the log of calls; the next one may work
            logger.info("The observer could not judge: %s", error.message)
        except Exception:  # a fault in one look must not end the watch
            logger.exception("The observer failed")
        finally:
            now = self._senses.now()
            watch.state = replace(watch.state, evaluating=False, last_evaluation=now)
        if answer is not None and watch.state.active:
            await self._act_on(watch, answer)

    async def _is_alone(self, watch: Watch) -> bool:
        senses = self._senses
        return await observes_alone(senses.database, senses.now, watch.actor, watch.session.id)

    async def _ask(self, watch: Watch) -> TriageAnswer | None:
        """What is to be said at this moment; nothing while another server observes."""
        senses = self._senses
        if not await self._is_alone(watch):
            return None
        stored = await senses.database.read(read_stored, watch.actor, watch.session.id)
        moment = moment_of(stored, watch.state, tuple(watch.typing), senses.now())
        return await senses.model.triage(watch.actor, watch.session, moment)

    async def _act_on(self, watch: Watch, answer: TriageAnswer) -> None:
        outcome = rules.outcome_of(
            should_nudge=answer.should_nudge, confidence=answer.confidence, signal=answer.signal
        )
        told = {"signal": answer.signal, "confidence": answer.confidence}
        match outcome:
            case "nothing":
                return
            case "contradiction":
                logger.warning("The triage wants to speak, but about nothing: %s", answer.reasoning)
            case "low_confidence":
                data = {**told, "reason": "low_confidence"}
                await self._note(watch, "nudge_suppressed", data)
            case "nudge" if watch.state.muted:  # silenced while the question was on its way
                return
            case "nudge":
                watch.state = replace(watch.state, last_nudge=self._senses.now())
                logger.info("The observer speaks: %s", answer.reasoning)
                await self._say(watch, answer)

    async def _say(self, watch: Watch, answer: TriageAnswer) -> None:
        try:
            await self._speak(
                watch.actor, answer.signal, answer.confidence, answer.suggested_context
            )
        except PaigeError as error:
            logger.warning("The observer could not speak: %s", error.message)

    async def _note(self, watch: Watch, kind: ActionType, data: Mapping[str, Any]) -> None:
        try:
            # Keeping quiet is noted by the server that would have spoken; tests ran at this one.
            if kind == "nudge_suppressed" and not await self._is_alone(watch):
                return
            await self._senses.log.log(watch.actor, watch.session.id, kind, data)
        except PaigeError as error:
            logger.warning("`%s` is not logged: %s", kind, error.message)
