"""The end of a session: what was missing, how far somebody is, what to remember.

Three questions, each by itself: one that fails is logged, leaves nothing half stored, and the
others go on. The session is completed by whoever called, whatever happens here.
"""

import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.coach.answers import MemoryNote, MemorySummaryAnswer
from paige.coach.inquiry.assessment import assess_stages
from paige.coach.inquiry.gaps import FoundGaps, extract_gaps
from paige.coach.inquiry.services import MemoryDraft, Services
from paige.coach.inquiry.session_record import SessionRecord, read_record
from paige.coach.model import WrapUp
from paige.coach.prompts import MEMORY_SUMMARY, make_call
from paige.coach.records import Action, CoachSession, PhaseRow, ProgressEvent
from paige.models.calls import call_api
from paige.models.local import LOCAL, NoLocalEngine

MOST_GAPS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteInputs:
    """A session that has ended."""

    issue: str
    completed: tuple[str, ...]
    total: int
    alone: tuple[str, ...]
    gaps: tuple[tuple[str, str, str], ...]
    """Topic, severity and evidence."""


def note_session(inputs: NoteInputs) -> MemorySummaryAnswer:
    """A few sentences that make sense without the session; none when nothing was done."""
    on = f"on \u201c{inputs.issue}\u201d" if inputs.issue else "without an issue"
    notes: list[MemoryNote] = []
    for topic, severity, evidence in inputs.gaps[:MOST_GAPS]:
        text = f"Had trouble with {topic} while working {on}: {evidence}"
        importance = "high" if severity != "low" else "medium"
        notes.append(MemoryNote(content=text, tags=[topic, "gap"], importance=importance))
    if inputs.completed:
        steps = "; ".join(inputs.completed[:4])
        text = (
            f"Worked {on} and finished {len(inputs.completed)} of {inputs.total} phases: {steps}."
        )
        notes.append(MemoryNote(content=text, tags=["session"], importance="medium"))
    if inputs.alone and len(inputs.alone) < len(inputs.completed):
        text = f"Needed no help for: {'; '.join(inputs.alone[:3])} ({on.removeprefix('on ')})."
        notes.append(MemoryNote(content=text, tags=["strength"], importance="low"))
    return MemorySummaryAnswer(memories=notes)


CANNOT = "Judging what you still lack needs a model, and none answered."
TELLING = "Set one up, or judge by what the session shows:"
NOTHING = "Set one up, or look back over the session yourself."
MOST_FACTS = 6
LOOP_EDITS = 20
LOOP_SAVES = 4
STILL = 40  # characters: who types much and changes less than this goes round in circles
HELP = ("hint_used", "hint_escalated")


def not_judged(
    actions: Sequence[Action], phases: Sequence[PhaseRow], progress: Sequence[ProgressEvent]
) -> str:
    """That nobody judged a session, and what it shows."""
    facts = session_facts(actions, phases, progress)[:MOST_FACTS]
    return " ".join((CANNOT, TELLING, *facts)) if facts else f"{CANNOT} {NOTHING}"


def session_facts(
    actions: Sequence[Action], phases: Sequence[PhaseRow], progress: Sequence[ProgressEvent]
) -> list[str]:
    """Where tests failed again and again, files went back and forth, and help was asked for."""
    grouped: dict[int | None, list[Action]] = defaultdict(list)
    for action in actions:
        grouped[phase_at(phases, action.created_at)].append(action)
    found: list[str] = []
    for number, done in grouped.items():
        found += _failing_tests(number, done)
        found += _loops(number, done)
        found += _questions(number, done)
    found += _hints(phases, progress)
    return found


def phase_at(phases: Iterable[PhaseRow], moment: datetime) -> int | None:
    """The phase that was worked on at a moment."""
    number = None
    for phase in phases:
        begun = phase.started_at is not None and phase.started_at <= moment
        if begun and (phase.completed_at is None or moment <= phase.completed_at):
            number = phase.number
    return number


def _failing_tests(number: int | None, actions: Iterable[Action]) -> Iterator[str]:
    runs = [_data(action) for action in actions if action.action_type == "test_run"]
    failed = sum(_count(run, "failed") > 0 for run in runs)
    if failed >= 2:
        yield f"Tests failed in {failed} of {len(runs)} runs{_in(number)}."


def _loops(number: int | None, actions: Iterable[Action]) -> Iterator[str]:
    edits: dict[str, int] = defaultdict(int)
    moved: dict[str, int] = defaultdict(int)
    saves: dict[str, int] = defaultdict(int)
    for action in actions:
        data = _data(action)
        path = str(data.get("path", ""))
        if action.action_type == "buffer_summary":
            edits[path] += _count(data, "editCount")
            moved[path] += _count(data, "charDelta")
        elif action.action_type == "file_save":
            saves[path] += 1
    for path in dict.fromkeys((*edits, *saves)):
        typed = edits[path] >= LOOP_EDITS and abs(moved[path]) <= STILL
        if typed:
            yield f"`{path}` was edited {edits[path]} times and hardly changed{_in(number)}."
        elif saves[path] >= LOOP_SAVES:
            yield f"`{path}` was saved {saves[path]} times{_in(number)}."


def _questions(number: int | None, actions: Sequence[Action]) -> Iterator[str]:
    asked: dict[str, int] = defaultdict(int)
    for action in actions:
        if action.action_type == "explain_requested":
            asked[str(_data(action).get("path", ""))] += 1
    for path, times in asked.items():
        yield f"An explanation of `{path}` was asked for{_times(times)}{_in(number)}."
    failed = sum(
        action.action_type == "review_completed" and _data(action).get("passed") is False
        for action in actions
    )
    if failed:
        yield f"A review did not pass{_times(failed)}{_in(number)}."


def _hints(phases: Iterable[PhaseRow], progress: Iterable[ProgressEvent]) -> Iterator[str]:
    used: dict[str, int] = defaultdict(int)
    for event in progress:
        used[event.phase_id] += event.event_type in HELP
    for phase in phases:
        times = used[phase.id]
        if times:
            yield f"More help was asked for{_times(times)}{_in(phase.number)}."


def _data(action: Action) -> Mapping[str, object]:
    return action.data or {}


def _count(data: Mapping[str, object], name: str) -> int:
    value = data.get(name, 0)
    return int(value) if isinstance(value, int | float) else 0


def _in(number: int | None) -> str:
    return "" if number is None else f" in phase {number}"


def _times(count: int) -> str:
    return "" if count == 1 else f" {count} times"


async def remember_session(
    services: Services, actor: Actor, record: SessionRecord, found: FoundGaps
) -> int:
    """Sum a session up and remember it; how many memories can be found now. Raises: ModelError."""
    issue = record.session.issue_title or ""
    call = make_call(
        MEMORY_SUMMARY,
        {
            "transcript": record.transcript,
            "issue": issue,
            "phases": [
                {"title": phase.title, "description": phase.description}
                for phase in record.completed
            ],
            "gaps": [{"topic": gap.topic, "severity": gap.severity} for gap in found.met],
        },
        inputs=NoteInputs(
            issue=issue,
            completed=tuple(phase.title for phase in record.completed),
            total=len(record.phases),
            alone=tuple(phase.title for phase in record.completed if record.hints_in(phase) == 0),
            gaps=tuple((gap.topic, gap.severity, gap.evidence) for gap in found.met),
        ),
        session_id=record.session.id,
    )
    answer = (await call_api(services.models, actor, call)).value
    notes = [
        MemoryDraft(note.content, tuple(note.tags), note.importance)
        for note in answer.memories
        if note.content.strip()
    ]
    return await services.memories.add(actor, notes, record.session.id)


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
