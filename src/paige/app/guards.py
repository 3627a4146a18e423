"""The guards of a project as doors see them: list, try, shadow, promote, roll back, let pass once.

The files hold what is so; the lines of hooks and the context graph say what happened. Every step
reads both, asks the pure functions of the guard room, and writes one file. Everything here reads
files: call it in a thread.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from paige.app import person_apps
from paige.app.application import App
from paige.base.clock import to_iso
from paige.base.errors import BadInput, NotFound, PaigeError, Refused
from paige.guard.compiler import rules_for
from paige.guard.fast.place import Place
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.values import NewTrace
from paige.guard.guards import stages
from paige.guard.guards.files import Guards, change_record, find_guard, read_guards
from paige.guard.guards.history import history_of, read_lines
from paige.guard.guards.lookup import HOLDS, grant
from paige.guard.guards.parser import parse_guard
from paige.guard.guards.stages import introduce
from paige.guard.guards.trials import Acted, acted, in_scope, seen_in
from paige.guard.guards.values import (
    RULE_PREFIX,
    Guard,
    GuardRecord,
    Override,
    PastAction,
    ShadowHistory,
    Trial,
)
from paige.guard.learning.keep_or_change import Judgement, judge, measure
from paige.guard.learning.settings import Learning, read_learning

logger = logging.getLogger(__name__)
AGENT = "agent"


@dataclass(frozen=True, slots=True)
class ListedGuard:
    """A guard, the file it lies in, and what hooks noted of it."""

    record: GuardRecord
    path: Path
    shadowed: ShadowHistory


@dataclass(frozen=True, slots=True)
class GuardList:
    """All guards of a place, and what is wrong with some files."""

    guards: tuple[ListedGuard, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OneTimePass:
    """That an action may pass once: which guard refused it, until when, and whether that was one
    too many, so that the guard is rolled back.
    """

    guard: str
    until: datetime
    rolled_back: bool


@dataclass(frozen=True, slots=True)
class AutomaticStep:
    """A step that was made without anybody asking for it."""

    guard: str
    stage: str
    why: str


@dataclass(frozen=True, slots=True)
class _History:
    """What happened, read once for a step."""

    place: Place
    lines: tuple[Mapping[str, Any], ...]
    pasts: tuple[PastAction, ...]

    def actions(self, guard: Guard) -> tuple[Acted, ...]:
        return acted(self.pasts, self.place, rules_for(self.place)["shell"], scope=guard.scope)

    def seen(self, record: GuardRecord) -> ShadowHistory:
        """What was noted of a guard since it came to its stage."""
        live, tried = record.lineage.production, record.lineage.tried
        version = tried if tried is not None or live.value is None else live
        if version is None or version.value is None:
            return ShadowHistory()
        return seen_in(
            version.value,
            self.lines,
            {
                each.id: each
                for each in self.pasts
                if in_scope(each, self.place, version.value.scope)
            },
            since=to_iso(version.since),
            overridden=[each.decision for each in record.overrides],
        )


def place_for(app: App) -> Place:
    """The place whose guards are meant: the project that is open, else where the process is."""
    return person_apps.place_for(app.settings, app.actor)


def listed(app: App) -> GuardList:
    """Every guard with what hooks noted of it."""
    found: Guards = read_guards(place_for(app))
    known = _known(app)
    guards = tuple(
        ListedGuard(each.record, each.path, known.seen(each.record)) for each in found.kept
    )
    return GuardList(guards, found.problems)


def records(app: App) -> tuple[GuardRecord, ...]:
    """Every guard that can be used."""
    return read_guards(place_for(app)).records


def record(app: App, id: str) -> ListedGuard:
    """One guard. Raises: NotFound, BadInput."""
    kept = find_guard(place_for(app), id)
    return ListedGuard(kept.record, kept.path, _known(app).seen(kept.record))


def try_out(app: App, id: str) -> Trial:
    """What a guard does on its examples, on harmless actions and on history. Raises: NotFound."""
    found = find_guard(place_for(app), id).record
    return stages.try_out(found, _known(app).actions(found.guard))


def judgement(app: App, id: str) -> Judgement:
    """The eight answers behind a promotion. Raises: NotFound, BadInput."""
    known = _known(app)
    found = find_guard(known.place, id).record
    return _judged(found, known, read_learning(known.place))


def shadow(app: App, id: str, *, why: str, by: str, force: bool = False) -> GuardRecord:
    """Let a proposal watch. Raises: NotFound, BadInput, Conflict, Refused."""
    known = _known(app)

    def step(found: GuardRecord) -> GuardRecord:
        past = stages.replay(found.guard, known.actions(found.guard))
        return stages.to_shadow(found, past, at=app.now(), by=by, why=why, force=force)

    return change_record(known.place, id, step)


def promote(app: App, id: str, *, why: str, by: str, force: bool = False) -> GuardRecord:
    """Let a guard block. Raises: NotFound, BadInput, Conflict, Refused."""
    known = _known(app)
    limits = read_learning(known.place)

    def step(found: GuardRecord) -> GuardRecord:
        case = stages.Case(
            stages.replay(found.guard, known.actions(found.guard)),
            known.seen(found),
            _judged(found, known, limits),
            limits.promotion,
        )
        return stages.promote(found, case, at=app.now(), by=by, why=why, force=force)

    return change_record(known.place, id, step)


def roll_back(app: App, id: str, *, why: str, by: str) -> GuardRecord:
    """Take a guard back. Raises: NotFound, BadInput, Conflict."""
    step = partial(stages.roll_back, at=app.now(), by=by, why=why)
    return change_record(place_for(app), id, step)


def override(app: App, id: str, *, why: str, by: str) -> OneTimePass:
    """Let what a guard refused pass once, soon. Raises: NotFound, BadInput, Refused."""
    if not why.strip():
        raise BadInput("There is no reason given", hint='Say why: --why "…".')
    place = place_for(app)
    line = _refused_line(app, place, id)
    rule, same = str(line.get("rule", "")), str(line.get("same", ""))
    if not rule.startswith(RULE_PREFIX) or not same:
        raise Refused(
            f"`{id}` was not refused by a guard but by `{rule or 'nothing'}`",
            hint="Only what a learned guard refuses can be let pass; rules and gates hold. "
            "Run it yourself in a terminal of your own if you want it.",
        )
    name = rule.removeprefix(RULE_PREFIX)
    now = app.now()
    passed = Override(decision=str(line["id"]), at=now, by=by, why=why)
    change_record(place, name, lambda found: stages.with_override(found, passed))
    grant(Path(place.data), name, same, now)
    _note(app, line, name, why)
    return OneTimePass(name, now + HOLDS, any(each.guard == name for each in review(app)))


def review(app: App) -> tuple[AutomaticStep, ...]:
    """Roll back what is overridden too often; promote what may be, where a policy says so."""
    known = _known(app)
    limits = read_learning(known.place)
    done: list[AutomaticStep] = []
    for found in read_guards(known.place).records:
        try:
            after = _reviewed(app, found, known, limits)
        except PaigeError as error:
            logger.info("The guard %s stays as it is: %s", found.id, error.message)
            continue
        if after is not None:
            done.append(after)
    return tuple(done)


def create_from(
    app: App,
    *,
    pattern: str = "",
    guard: Mapping[str, Any] | None = None,
    why: str,
    by: str = AGENT,
) -> GuardRecord:
    """Propose a guard: a whole one, or the one a pattern asks for; never more than a proposal.

    Raises: BadInput, NotFound, Conflict, Refused.
    """
    known = _known(app)
    if guard is not None:
        made = parse_guard(dict(guard))
    elif pattern:
        made = _from_pattern(app, known.place, pattern)
    else:
        raise BadInput("There is neither a pattern nor a guard", hint="Give one of them.")
    return introduce(known.place, made, known.pasts, now=app.now(), by=by, why=why or "Proposed.")


def _known(app: App) -> _History:
    place = place_for(app)
    lines = read_lines(Path(place.data))
    return _History(place, tuple(lines), history_of(lines, _graph(app)))


def _graph(app: App) -> ContextGraph:
    return ContextGraph(app.database, app.actor, app.now)


def _judged(found: GuardRecord, known: _History, limits: Learning) -> Judgement:
    actions = known.actions(found.guard)
    past = stages.replay(found.guard, actions)
    return judge(measure(found, past, known.seen(found), actions), limits.keep)


def _reviewed(
    app: App, found: GuardRecord, known: _History, limits: Learning
) -> AutomaticStep | None:
    seen = known.seen(found)
    at, by = app.now(), stages.POLICY
    if found.lineage.tried is None and found.blocking is not None:
        if not stages.too_often(seen, limits.rollback):
            return None
        why = f"People let {seen.overridden} of its last {len(seen.last)} refusals pass."
        numbers = {"hits": seen.hits, "overridden": seen.overridden}
        step = partial(stages.roll_back, at=at, by=by, why=why, numbers=numbers)
        change_record(known.place, found.id, step)
        return AutomaticStep(found.id, "rolled_back", why)
    if limits.promotion.promote != "policy" or found.shadowing is None:
        return None
    why = "Everything that the policy asks for was seen in shadow."
    promote(app, found.id, why=why, by=by)
    return AutomaticStep(found.id, "production", why)


def _refused_line(app: App, place: Place, id: str) -> Mapping[str, Any]:
    """The line of a decision, by its own id or by that of its trace. Raises: NotFound."""
    wanted = id
    if id.startswith("trace-"):
        meta = _graph(app).trace(id).meta
        wanted = str(meta.get("line", id))
    for line in read_lines(Path(place.data)):
        if line["id"] == wanted:
            return line
    raise NotFound(
        f"There is no decision `{id}`",
        hint="Take the id from `paige guard traces find …` or from the Guard page.",
    )


def _note(app: App, line: Mapping[str, Any], guard: str, why: str) -> None:
    """Put the permission into the graph; it holds without, too."""
    try:
        _graph(app).store(
            NewTrace(
                type="approval",
                agent=str(line.get("agent_type") or ""),
                session=str(line.get("session", "")),
                cli=str(line.get("cli", "")),
                event=str(line.get("event", "")),
                tool=str(line.get("tool", "")),
                what_happened=f"A person let pass once what the guard `{guard}` refused.",
                why=why,
                source="user_correction",
                rule=f"{RULE_PREFIX}{guard}",
                reason=f"{RULE_PREFIX}{guard}",
                meta={"override": True, "line": str(line["id"])},
            )
        )
    except PaigeError as error:
        logger.warning("The permission is not in the context graph: %s", error.message)


def _from_pattern(app: App, place: Place, pattern: str) -> Guard:
    from paige.guard.learning.learning import known, learn  # noqa: PLC0415 - reads all of history

    graph = _graph(app)
    learned = learn(graph, known(place, graph), app.now())
    for proposal in learned.proposals:
        if proposal.guard.pattern == pattern:
            return proposal.guard
    raise NotFound(
        f"No guard can be made of the pattern `{pattern}`",
        hint="See what can be proposed: `paige guard learn`.",
    )
