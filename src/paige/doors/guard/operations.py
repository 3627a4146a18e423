"""What a person or an agent can ask of the Guard, whichever door they come through.

What was decided, by which rules, what they say of a command, who is guarded. Secrets in commands
are left out of everything that is given.
"""

import inspect
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from paige.app.application import App
from paige.app.person_apps import place_for
from paige.base.errors import BadInput, NotFound
from paige.base.paths import SHIPPED
from paige.base.secrets import redact
from paige.doors.frame.operations import Subject
from paige.doors.guard.hosts import Hosts
from paige.doors.guard.values import (
    GuardCarryOut,
    GuardCounts,
    GuardDay,
    GuardDecisionId,
    GuardDecisions,
    GuardDecisionsRequest,
    GuardDone,
    GuardExplain,
    GuardExplained,
    GuardFamily,
    GuardGate,
    GuardHits,
    GuardHosts,
    GuardOverview,
    GuardPlan,
    GuardPlanRequest,
    GuardRule,
    GuardRules,
    GuardSession,
    GuardStep,
    Layer,
    LogRequest,
)
from paige.guard.compiler import book_for
from paige.guard.decision_log import VERDICTS, GuardEntry, GuardLog
from paige.guard.fast.place import Place
from paige.guard.fast.snapshot import is_fresh, source_of
from paige.guard.gates import GATES
from paige.guard.messages import GuardChanged
from paige.guard.rules.loader import Book
from paige.guard.shell.judge import DENY, Judge
from paige.guard.shell.resolver import base_name
from paige.guard.shell.script import UNKNOWN
from paige.guard.state import logs
from paige.guard.state.logs import LogPart

DAYS = 30
MOST_SESSIONS = 50


class OpenGuard:
    """The Guard of somebody: what it knows is read on when a file has changed."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.log = GuardLog(app.settings.data_dir)
        self.rules = Rules(app)
        self.hosts = Hosts(app.settings)


@asynccontextmanager
async def open_guard(app: App) -> AsyncIterator[OpenGuard]:
    """The Guard of the person of an application."""
    yield OpenGuard(app)


GUARD = Subject("guard", needs="guard", opens=open_guard)
MACHINE = Subject("guard", needs="guard", opens=open_guard, machine=True)
"""Where the Guard is installed belongs to the machine."""


@GUARD.read
def overview(guard: OpenGuard) -> GuardOverview:
    """Say what was decided in the last days, in numbers."""
    entries = guard.log.read()
    today = guard.app.now().astimezone().date()
    recent = [each for each in entries if day_of(each) > today - timedelta(days=DAYS)]
    decided = [each for each in recent if each.decided]
    return GuardOverview(
        counts=counts_of(decided),
        days=tuple(days_of(decided, today)),
        sessions=tuple(sessions_of(recent)[:MOST_SESSIONS]),
        clis={each.cli: each.at for each in reversed(entries)},
        events=tuple(sorted({each.event for each in entries})),
        rules=tuple(sorted({each.rule for each in entries if each.rule})),
        folder=str(guard.log.folder),
        complete=guard.log.complete,
    )


@GUARD.read
def decisions(guard: OpenGuard, given: GuardDecisionsRequest) -> GuardDecisions:
    """List the newest decisions that fit a filter."""
    found = [each for each in guard.log.read() if given.wants(each)]
    return GuardDecisions(tuple(map(_shown, found[: given.limit])), len(found))


@GUARD.read
def decision(guard: OpenGuard, given: GuardDecisionId) -> GuardEntry:
    """Show one decision. Raises: NotFound."""
    for each in guard.log.read():
        if each.id == given.id:
            return _shown(each)
    raise NotFound(f"There is no decision `{given.id}`", hint="It may be too old to be kept.")


@GUARD.read
def rules(guard: OpenGuard) -> GuardRules:
    """List every rule with its examples, and how often it decided."""
    return guard.rules.shown(guard.log.read())


@GUARD.read
def explain(guard: OpenGuard, given: GuardExplain) -> GuardExplained:
    """Judge a command as a hook would, and say how; nothing is run or written down.

    Raises: BadInput.
    """
    if not given.command.strip():
        raise BadInput("There is no command to judge", hint="Write one, such as `git status`.")
    if given.cwd and not given.cwd.startswith("/"):
        raise BadInput(
            f"`{given.cwd[:200]}` is not an absolute path", hint="Write `/home/me/work`."
        )
    return guard.rules.explain(given.command, given.cwd)


@GUARD.read
def read_log(guard: OpenGuard, given: LogRequest) -> LogPart:
    """Read a part of a log. Raises: Refused, NotFound, BadInput."""
    settings = guard.app.settings
    own = (settings.data_dir / "spool", settings.data_dir / "logs")
    path = logs.find_log(given.path, settings.project_dir, own)
    if given.mode == "grep":
        return logs.grep(path, given.pattern or "", given.lines, given.budget_tokens)
    read = logs.tail if given.mode == "tail" else logs.summary
    return read(path, given.lines, given.budget_tokens)


@MACHINE.read
def hosts(guard: OpenGuard) -> GuardHosts:
    """List the coding CLIs, and whether Paige guards them."""
    return guard.hosts.all({each.cli: each.at for each in reversed(guard.log.read())})


@MACHINE.read
def plan(guard: OpenGuard, given: GuardPlanRequest) -> GuardPlan:
    """Say what installing or uninstalling would change, file by file; nothing happens yet."""
    return guard.hosts.plan(given)


@MACHINE.change(announces=lambda given, done: done and GuardChanged(part="hosts", ids=[given.cli]))
def carry_out(guard: OpenGuard, given: GuardCarryOut) -> GuardDone:
    """Install or uninstall as it was planned; a plan that no longer fits is refused."""
    return guard.hosts.carry_out(given)


def counts_of(entries: Iterable[GuardEntry]) -> GuardCounts:
    """How many entries came to what."""
    found = Counter(each.verdict for each in entries)
    return GuardCounts(**{verdict: found[verdict] for verdict in VERDICTS})


def day_of(entry: GuardEntry) -> date:
    """The day of an entry, where this machine is."""
    return entry.at.astimezone().date()


def days_of(entries: Iterable[GuardEntry], today: date) -> list[GuardDay]:
    """The last days up to today, the oldest first, those without a decision too."""
    by_day: dict[date, list[GuardEntry]] = {}
    for each in entries:
        by_day.setdefault(day_of(each), []).append(each)
    days = [today - timedelta(days=ago) for ago in range(DAYS - 1, -1, -1)]
    return [GuardDay(day, counts_of(by_day.get(day, ()))) for day in days]


def sessions_of(entries: Iterable[GuardEntry]) -> list[GuardSession]:
    """The sessions of some entries, which come the newest first."""
    grouped: dict[tuple[str, str], list[GuardEntry]] = {}
    for each in entries:
        grouped.setdefault((each.cli, each.session), []).append(each)
    return [
        GuardSession(
            cli=cli,
            session=session,
            cwd=next((each.cwd for each in found if each.cwd), ""),
            last=found[0].at,
            decided=sum(each.decided for each in found),
            denied=sum(each.verdict == "denied" for each in found),
        )
        for (cli, session), found in grouped.items()
    ]


def _shown(entry: GuardEntry) -> GuardEntry:
    """An entry with its reason in two parts, and without secrets."""
    reason, instead = reason_parts(entry.reason)
    return replace(entry, reason=redact(reason), instead=instead, subject=redact(entry.subject))


COULD_NOT = "could-not-judge"
_UNKNOWN_SHOWN = "…"


class Rules:
    """The rules that hold where the server works; read again when a file of them has changed."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._known: tuple[str, tuple[tuple[str, int, int], ...], Book] | None = None

    def shown(self, entries: Iterable[GuardEntry]) -> GuardRules:
        """The rules that hold here, and how often each decided."""
        place, hits = self._place(), hits_of(entries)
        book = self._book(place)
        families = tuple(_family(path, data, place, hits) for path, data in book.families)
        known = {rule.name for family in families for rule in family.rules}
        others = [each for name, each in hits.items() if name not in known]
        return GuardRules(
            families=families,
            gates=tuple(gates()),
            others=tuple(sorted(others, key=lambda each: (-each.count, each.rule))),
            problems=book.problems,
        )

    def explain(self, command: str, cwd: str = "") -> GuardExplained:
        """Judge a command line as a hook would, and say how."""
        place = self._place(cwd)
        book = self._book(place)
        judge = Judge(place, book.compiled)
        try:
            judged = judge.judge(command)
        except Exception as error:  # noqa: BLE001 - a hook denies what it could not judge
            reason = f"Paige failed inside: {type(error).__name__}: {error}"
            return GuardExplained(
                decision=DENY,
                rule=COULD_NOT,
                reason=reason,
                instead="",
                clear=False,
                unclear=reason,
                cwd=place.cwd,
                root=place.root,
            )
        reason, instead = reason_parts(judged.reason)
        return GuardExplained(
            decision=judged.decision,  # type: ignore[arg-type]  # the judge knows these
            rule=judged.rule,
            reason=reason,
            instead=instead,
            clear=judge.clean,
            unclear=judge.why,
            cwd=place.cwd,
            root=place.root,
            steps=tuple(_step(*each, book) for each in judge.steps),
        )

    def _place(self, cwd: str = "") -> Place:
        """A place on this machine: the project, unless another folder is named. Raises: Refused."""
        settings = self._app.settings
        home = settings.environ.get("HOME", "")
        usual = "" if settings.project_dir or settings.many else home
        found = place_for(settings, self._app.actor, cwd=cwd or usual)
        if found.apart:
            return found
        return Place(found.cwd, found.root, home or found.home, found.data, found.own)

    def _book(self, place: Place) -> Book:
        root = place.root if place.own else ""
        if self._known is not None and self._known[0] == root and is_fresh(self._known[1]):
            return self._known[2]
        book = book_for(place)
        sources = tuple(source_of(str(path)) for path in book.sources)
        self._known = root, sources, book
        return book


def gates() -> list[GuardGate]:
    """The gates with the events they look at; each says of itself what it is for."""
    events: dict[str, list[str]] = {}
    about: dict[str, str] = {}
    for event, listed in GATES.items():
        for name, gate in listed:
            events.setdefault(name, []).append(event)
            words = inspect.getdoc(gate) or ""
            about[name] = words.partition("\n\n")[0].replace("\n", " ")
    return [GuardGate(name, about[name], tuple(found)) for name, found in events.items()]


def reason_parts(reason: str) -> tuple[str, str]:
    """What a rule says, and what it says to do instead."""
    said, _, instead = reason.partition(" Instead: ")
    return said, instead


def hits_of(entries: Iterable[GuardEntry]) -> dict[str, GuardHits]:
    """How often each rule decided; entries come the newest first."""
    grouped: dict[str, list[GuardEntry]] = {}
    for each in entries:
        if each.rule:
            grouped.setdefault(each.rule, []).append(each)
    return {
        rule: GuardHits(
            rule,
            count=len(found),
            denied=sum(each.verdict == "denied" for each in found),
            last=found[0].at,
            reason=redact(reason_parts(found[0].reason)[0]),
        )
        for rule, found in grouped.items()
    }


def _family(
    path: Path, data: Mapping[str, Any], place: Place, hits: Mapping[str, GuardHits]
) -> GuardFamily:
    name = str(data["family"])
    rules = tuple(_rule(name, each, hits) for each in data.get("rule", ()))
    return GuardFamily(
        name=name,
        about=str(data.get("about", "")),
        commands=_texts(data.get("commands", ())),
        path=str(path),
        layer=_layer(path, place),
        count=sum(each.hits.count for each in rules),
        rules=rules,
    )


def _rule(family: str, data: Mapping[str, Any], hits: Mapping[str, GuardHits]) -> GuardRule:
    name = f"{family}.{data['id']}"
    return GuardRule(
        name=name,
        decision=data["decision"],
        loses=str(data.get("reason") or data.get("loses") or ""),
        instead=str(data.get("instead", "")),
        must=_texts(data.get("must", ())),
        must_not=_texts(data.get("must_not", ())),
        hits=hits.get(name, GuardHits(name)),
    )


def _layer(path: Path, place: Place) -> Layer:
    if path.is_relative_to(SHIPPED):
        return "shipped"
    return "project" if place.root and path.is_relative_to(place.root) else "person"


def _step(words: tuple[str, ...], decision: Any, rule: str, reason: str, book: Book) -> GuardStep:  # noqa: ANN401 - one of four words
    families = book.compiled["families"].get(base_name(words[0]), ()) if words else ()
    reason, instead = reason_parts(reason.replace(UNKNOWN, _UNKNOWN_SHOWN))
    return GuardStep(
        words=tuple(each.replace(UNKNOWN, _UNKNOWN_SHOWN) for each in words),
        decision=decision,
        rule=rule,
        reason=reason,
        instead=instead,
        family=", ".join(dict.fromkeys(each["name"] for each in families)),
        considered=sum(len(each["rules"]) for each in families),
    )


def _texts(value: object) -> tuple[str, ...]:
    listed = value if isinstance(value, list | tuple) else [value]
    return tuple(str(each) for each in listed)
