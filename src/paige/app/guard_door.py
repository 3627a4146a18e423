"""The Guard door: what was decided, by which rules, what they say of a command, who is guarded."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from paige.app.application import App
from paige.app.guard_hosts import Hosts
from paige.app.guard_log import VERDICTS, Entry, GuardLog, Verdict
from paige.app.guard_rules import Explained, Family, GateInfo, Rules, gates
from paige.base.errors import BadInput, NotFound
from paige.guard.rules.examples import RuleProblem

DAYS = 30
MOST_SESSIONS = 50
ANY_EVENT = "any"
MOST_COMMAND = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which decisions are wanted; without an event only those where there was one to make."""

    verdict: Verdict | None = None
    cli: str | None = None
    session: str | None = None
    rule: str | None = None
    event: str | None = None
    query: str = ""


@dataclass(frozen=True, slots=True)
class Decisions:
    """Some decisions, the newest first, and how many there are like these."""

    entries: tuple[Entry, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Day:
    """How many decisions there were on a day, by what they came to."""

    day: date
    counts: Mapping[Verdict, int]


@dataclass(frozen=True, slots=True)
class Session:
    """A session of a coding CLI."""

    cli: str
    session: str
    cwd: str
    last: datetime
    decided: int
    denied: int


@dataclass(frozen=True, slots=True)
class Hits:
    """How often a rule decided, and what it said the last time."""

    rule: str
    count: int = 0
    denied: int = 0
    last: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Overview:
    """Guard at a glance; `complete` says whether everything in the spool is counted."""

    counts: Mapping[Verdict, int]
    days: tuple[Day, ...]
    sessions: tuple[Session, ...]
    clis: Mapping[str, datetime]
    events: tuple[str, ...]
    rules: tuple[str, ...]
    folder: str
    complete: bool


@dataclass(frozen=True, slots=True)
class RuleBook:
    """Every rule with how often it decided; `others` decided without being in a rule file."""

    families: tuple[Family, ...]
    gates: tuple[GateInfo, ...]
    problems: tuple[RuleProblem, ...]
    hits: Mapping[str, Hits] = field(default_factory=dict)

    @property
    def others(self) -> tuple[Hits, ...]:
        """What decided and is in no file, the most frequent first."""
        known = {rule.name for family in self.families for rule in family.rules}
        found = [each for name, each in self.hits.items() if name not in known]
        return tuple(sorted(found, key=lambda each: (-each.count, each.rule)))


class GuardDoor:
    """What the Guard page and its API ask; everything here may read files: call it in a thread."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._log = GuardLog(app.settings.data_dir)
        self._rules = Rules(app.settings, app.actor)
        self.hosts = Hosts(app.settings)

    def overview(self) -> Overview:
        """The last days in numbers, and what can be filtered by."""
        entries = self._log.read()
        today = self._app.now().astimezone().date()
        recent = [each for each in entries if day_of(each) > today - timedelta(days=DAYS)]
        decided = [each for each in recent if each.decided]
        return Overview(
            counts=counts_of(decided),
            days=tuple(days_of(decided, today)),
            sessions=tuple(sessions_of(recent)[:MOST_SESSIONS]),
            clis={each.cli: each.at for each in reversed(entries)},
            events=tuple(sorted({each.event for each in entries})),
            rules=tuple(sorted({each.rule for each in entries if each.rule})),
            folder=str(self._log.folder),
            complete=self._log.complete,
        )

    def decisions(self, wanted: Filter, limit: int) -> Decisions:
        """The newest decisions that fit a filter."""
        found = [each for each in self._log.read() if fits(each, wanted)]
        return Decisions(tuple(found[:limit]), len(found))

    def decision(self, id: str) -> Entry:
        """One decision. Raises: NotFound."""
        for each in self._log.read():
            if each.id == id:
                return each
        raise NotFound(f"There is no decision `{id}`", hint="It may be too old to be kept.")

    def rules(self) -> RuleBook:
        """The rules that hold here, and how often each decided."""
        place = self._rules.place()
        return RuleBook(
            families=tuple(self._rules.families(place)),
            gates=tuple(gates()),
            problems=self._rules.book(place).problems,
            hits=hits_of(self._log.read()),
        )

    def explain(self, command: str, cwd: str = "") -> Explained:
        """What the rules say of a command. Raises: BadInput."""
        if not command.strip():
            raise BadInput("There is no command to judge", hint="Write one, such as `git status`.")
        if len(command) > MOST_COMMAND:
            raise BadInput(f"The command is longer than {MOST_COMMAND} characters")
        if cwd and not cwd.startswith("/"):
            raise BadInput(f"`{cwd[:200]}` is not an absolute path", hint="Write `/home/me/work`.")
        return self._rules.explain(command, cwd)


def fits(entry: Entry, wanted: Filter) -> bool:
    """Whether an entry is wanted."""
    if wanted.event is None:
        if not entry.decided:
            return False
    elif wanted.event not in (ANY_EVENT, entry.event):
        return False
    pairs = (
        (wanted.verdict, entry.verdict),
        (wanted.cli, entry.cli),
        (wanted.session, entry.session),
        (wanted.rule, entry.rule),
    )
    if any(want is not None and want != has for want, has in pairs):
        return False
    words = wanted.query.lower().split()
    if not words:
        return True
    text = f"{entry.subject} {entry.reason} {entry.rule} {entry.tool} {entry.cwd}".lower()
    return all(word in text for word in words)


def counts_of(entries: Iterable[Entry]) -> dict[Verdict, int]:
    """How many entries came to what."""
    found = Counter(each.verdict for each in entries)
    return {verdict: found[verdict] for verdict in VERDICTS}


def day_of(entry: Entry) -> date:
    """The day of an entry, where this machine is."""
    return entry.at.astimezone().date()


def days_of(entries: Iterable[Entry], today: date) -> list[Day]:
    """The last days up to today, the oldest first, those without a decision too."""
    by_day: dict[date, list[Entry]] = {}
    for each in entries:
        by_day.setdefault(day_of(each), []).append(each)
    days = [today - timedelta(days=ago) for ago in range(DAYS - 1, -1, -1)]
    return [Day(day, counts_of(by_day.get(day, ()))) for day in days]


def sessions_of(entries: Iterable[Entry]) -> list[Session]:
    """The sessions of some entries, which come the newest first."""
    grouped: dict[tuple[str, str], list[Entry]] = {}
    for each in entries:
        grouped.setdefault((each.cli, each.session), []).append(each)
    return [
        Session(
            cli=cli,
            session=session,
            cwd=next((each.cwd for each in found if each.cwd), ""),
            last=found[0].at,
            decided=sum(each.decided for each in found),
            denied=sum(each.verdict == "denied" for each in found),
        )
        for (cli, session), found in grouped.items()
    ]


def hits_of(entries: Iterable[Entry]) -> dict[str, Hits]:
    """How often each rule decided; entries come the newest first."""
    grouped: dict[str, list[Entry]] = {}
    for each in entries:
        if each.rule:
            grouped.setdefault(each.rule, []).append(each)
    return {
        rule: Hits(
            rule,
            count=len(found),
            denied=sum(each.verdict == "denied" for each in found),
            last=found[0].at,
            reason=found[0].reason,
        )
        for rule, found in grouped.items()
    }
