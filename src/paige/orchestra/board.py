"""The board of an orchestra: its features, the runs of its agents, what comes next.

The orchestra plays in a process of its own and keeps everything in files of the project. Here they
are only read, without the secrets in them; nothing is started or changed.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from paige.base.clock import from_iso
from paige.base.errors import PaigeError
from paige.base.secrets import redact
from paige.base.wire import wire
from paige.guard.state.evidence_files import machine_key, read_evidence
from paige.guard.state.features import Feature, SessionState, read_session
from paige.guard.state.files import Damaged, read_object
from paige.guard.state.next_step import CODER, TESTER, Next, next_step
from paige.orchestra import compaction
from paige.orchestra.handoffs import Entry, HandoffLog
from paige.orchestra.running.journal import Journal
from paige.orchestra.running.project_files import holder_of, progress, read_list, read_state
from paige.orchestra.running.runners import RUNS, TASK, RunResult, read_done
from paige.orchestra.values import (
    AgentReturned,
    Blocked,
    Closed,
    Event,
    Item,
    Missing,
    Open,
    Phase,
    State,
    Vetoed,
)

Standing = Literal["pending", "coding", "testing", "closed", "blocked"]
MOST_RUNS = 200
MOST_RETURNED = 8000
MOST_SAID = 1000
_ANSWER = "answer:"
_VERDICT = "verdict:"
_NUMBER = re.compile(r"\d{1,9}")
CODING: tuple[Phase, ...] = ("coding", "verifying", "judging")
TESTING: tuple[Phase, ...] = ("testing", "checking_tests", "merging")
STEPS: Mapping[str, str] = {
    "coding": "An agent writes the code.",
    "verifying": "Its change is checked.",
    "judging": "A second reader looks at the change.",
    "testing": "Another agent tests it.",
    "checking_tests": "The evidence of the tests is checked.",
    "merging": "It is merged.",
}
MISSING: Mapping[Missing, str] = {
    "features": "a list of features",
    "changes": "changes",
    "checks": "checks that pass",
    "tests": "tests",
    "evidence": "evidence",
    "report": "a report",
    "state_files": "untouched state files",
    "scope": "a change within its scope",
    "agreement": "the second reader's agreement",
    "merge": "a merge without conflict",
    "answer": "an answer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OrchestraFeature:
    """A feature and how far it is; `step` says what happens with it now."""

    id: str
    title: str
    state: Standing
    attempts: int = 0
    step: str = ""
    agent: str = ""
    since: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OrchestraNext:
    """What the table of the orchestra says comes next."""

    state: str
    action: str
    agent: str
    feature: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OrchestraRun:
    """One run of an agent; `returned` is what it told, shortened as the conductor reads it."""

    id: str
    feature: str
    agent: str
    runner: str
    attempt: int
    started: datetime | None
    ended: datetime | None
    outcome: str
    returned: str
    vetoed: bool


@dataclass(frozen=True, slots=True)
class OrchestraVetoes:
    """How often the judge looked at a change, and said no."""

    judged: int = 0
    vetoed: int = 0


@wire(kw_only=True)
class OrchestraBoard:
    """The whole orchestra at a glance."""

    project: str
    goal: str = ""
    begun: bool = False
    running: bool = False
    phase: str = ""
    waits: str = ""
    """Why nothing happens now, for the person."""
    features: tuple[OrchestraFeature, ...] = ()
    next: OrchestraNext | None = None
    runs: tuple[OrchestraRun, ...] = ()
    vetoes: OrchestraVetoes = field(default_factory=OrchestraVetoes)


def read_board(root: Path, data: Path) -> OrchestraBoard:
    """The board as the files of a project have it now; what cannot be read is said on it."""
    if not progress(root).is_dir():
        return OrchestraBoard(project=root.name)
    key = machine_key(data)
    listed = read_list(root)
    state, session, problem = _read(root, key)
    features = () if listed is None or isinstance(listed, Damaged) else listed
    journal = Journal(root, key)
    good = [each for each in read_evidence(root, data).records if each.good]
    proven = {each.feature for each in good if each.feature}
    if isinstance(listed, Damaged):
        problem = listed.sentence()
    begun = listed is not None or state is not None
    return OrchestraBoard(
        project=root.name,
        goal=redact(state.goal) if state is not None else "",
        begun=begun,
        running=holder_of(root) is not None,
        phase=state.phase if state is not None else "",
        waits=problem or (state.why if state is not None else ""),
        features=cards_of(state, features, session, proven),
        next=_next(next_step(listed, session)) if begun else None,
        runs=runs_of(root, HandoffLog(root).read(), answers_of(journal)),
        vetoes=_vetoes(journal),
    )


def moment_of(text: str) -> datetime | None:
    """A moment as a file has it; nothing where it is none."""
    try:
        return from_iso(text) if text else None
    except ValueError:
        return None


def cards_of(
    state: State | None,
    features: Sequence[Feature],
    session: SessionState | None,
    proven: Collection[str] = (),
) -> tuple[OrchestraFeature, ...]:
    """The features as they stand: by the machine where it plays, else by the list.

    What the list calls tested is closed only where evidence stands for it, as for the conductor.
    """
    if state is None:
        return tuple(_listed_card(each, proven=each.id in proven) for each in features)
    since = moment_of(session.updated_at) if session is not None else None
    return tuple(_card(each, state, since) for each in state.items)


def answers_of(journal: Journal) -> dict[str, Event]:
    """The answers to actions by key, in their order; what cannot be read is passed by."""
    keys = [name.removeprefix(_ANSWER) for name in journal.names(_ANSWER)]
    return {key: event for key in keys if (event := journal.answer(key)) is not None}


def runs_of(
    root: Path, entries: Iterable[Entry], answers: Mapping[str, Event]
) -> tuple[OrchestraRun, ...]:
    """The runs of agents, the newest first."""
    times = _times(entries)
    vetoed = _vetoed(answers)
    counts: dict[tuple[str, str], int] = {}
    found: list[OrchestraRun] = []
    for number, out in _folders(root / RUNS):
        task = _task(out)
        key, agent, feature = (str(task.get(name) or "") for name in ("key", "agent", "feature"))
        counts[agent, feature] = counts.get((agent, feature), 0) + 1
        done = read_done(out)
        started, ended = times.get(key, ("", ""))
        found.append(
            OrchestraRun(
                id=str(number),
                feature=feature,
                agent=agent,
                runner=done.source if done is not None else "",
                attempt=counts[agent, feature],
                started=moment_of(started),
                ended=moment_of(ended),
                outcome=redact(_outcome(done))[:MOST_SAID],
                returned=redact(_returned(done, answers.get(key))),
                vetoed=key in vetoed,
            )
        )
    return tuple(reversed(found))[:MOST_RUNS]


def _read(root: Path, key: bytes) -> tuple[State | None, SessionState | None, str]:
    """State and session, and what is wrong with their file."""
    try:
        kept = read_state(root, key)
        problem = f"It goes on from the list of features: {kept.problem}." if kept.problem else ""
        return kept.state, read_session(root), problem
    except PaigeError as error:
        return None, None, f"{error.message}. {error.hint or ''}".strip()


def _next(found: Next) -> OrchestraNext:
    agent, feature = found.agent or "", found.feature or ""
    return OrchestraNext(found.state, found.action, agent, feature, found.sentence())


def _vetoes(journal: Journal) -> OrchestraVetoes:
    verdicts = [journal.known(name) for name in journal.names(_VERDICT)]
    outcomes = [each.get("outcome") for each in verdicts if isinstance(each, dict)]
    vetoed = outcomes.count("veto")
    return OrchestraVetoes(outcomes.count("pass") + vetoed, vetoed)


def _card(item: Item, state: State, since: datetime | None) -> OrchestraFeature:
    phase = state.phase
    in_hand = item.id == state.feature and not state.ended
    match item:
        case Closed():
            standing: Standing = "closed"
        case Blocked():
            standing = "blocked"
        case Open() if in_hand and phase in CODING:
            standing = "coding"
        case Open(coded=True):
            standing = "testing"
        case Open() if in_hand and phase in TESTING:
            standing = "testing"
        case _:
            standing = "pending"
    at_work = in_hand and phase in (*CODING, *TESTING)
    begun = not isinstance(item, Open) or item.begun or at_work
    return OrchestraFeature(
        id=item.id,
        title=item.title,
        state=standing,
        attempts=item.retries + 1 if begun else 0,
        step=STEPS.get(phase, "") if at_work else "",
        agent=_agent(phase) if at_work else "",
        since=since if at_work else None,
        reason=_reason(item, state, in_hand=in_hand),
    )


def _listed_card(feature: Feature, *, proven: bool) -> OrchestraFeature:
    standings: Mapping[str, Standing] = {"in_progress": "coding", "blocked": "blocked"}
    standing: Standing = standings.get(feature.status, "pending")
    if feature.status == "completed":
        standing = "closed" if feature.tested and proven else "testing"
    attempts = 0 if standing == "pending" else feature.retries + 1
    return OrchestraFeature(id=feature.id, title=feature.title, state=standing, attempts=attempts)


def _agent(phase: Phase) -> str:
    return {"coding": CODER, "testing": TESTER}.get(phase, "")


def _reason(item: Item, state: State, *, in_hand: bool) -> str:
    missing = item.why if isinstance(item, Blocked) else state.missing if in_hand else ()
    if not missing:
        return ""
    return f"The last attempt lacked {', '.join(MISSING[each] for each in missing)}."


def _folders(folder: Path) -> list[tuple[int, Path]]:
    try:
        names = [each for each in folder.iterdir() if _NUMBER.fullmatch(each.name)]
    except OSError:
        return []
    return sorted((int(each.name), each) for each in names)


def _task(out: Path) -> Mapping[str, Any]:
    with suppress(Damaged):
        return read_object(out / TASK) or {}
    return {}


def _times(entries: Iterable[Entry]) -> dict[str, tuple[str, str]]:
    """When the work of each handoff began and ended."""
    found: dict[str, tuple[str, str]] = {}
    for each in entries:
        started, ended = found.get(each.key, ("", ""))
        if each.event in ("returned", "failed", "refused"):
            found[each.key] = (started, each.at)
        else:
            found[each.key] = (each.at, ended)  # received comes after sent
    return found


def _vetoed(answers: Mapping[str, Event]) -> frozenset[str]:
    """The coders' runs the judge was against: the last one before each veto."""
    last, found = "", set[str]()
    for key, event in answers.items():
        if isinstance(event, AgentReturned) and event.returned.agent == CODER:
            last = key
        elif isinstance(event, Vetoed) and last:
            found.add(last)
    return frozenset(found)


def _outcome(done: RunResult | None) -> str:
    if done is None:
        return "at work or cut off"
    return done.problem or {"ended": "returned", "timeout": "out of time"}.get(
        done.status, "failed"
    )


def _returned(done: RunResult | None, answer: Event | None) -> str:
    if isinstance(answer, AgentReturned):
        return compaction.render(answer.returned)[:MOST_RETURNED]
    return done.text[-MOST_RETURNED:] if done is not None else ""
