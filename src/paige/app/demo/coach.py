"""The term behind Coach: sessions on the shop's issues, with phases, hints, gaps and katas.

A live coach without windows does it, by rules. What the person does in the editor, and the gaps
that a model would find in it, come from the file of the demo.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from paige.app.application import App
from paige.app.coach_model import open_coach_model
from paige.app.coach_study import CoachInStudy
from paige.app.demo_project import close_issue, commit, project_of
from paige.app.demo_term import Happening, Term, content
from paige.base.actor import Actor
from paige.coach.answers import NO_COUNTS, FoundGap, GapExtractionAnswer, SessionCounts
from paige.coach.files.values import CursorPosition
from paige.coach.ids import random_ids
from paige.coach.issues import issue_context
from paige.coach.live import LiveCoach
from paige.coach.local.topics import topic_named
from paige.coach.message_parts import Anchor, Decoration, NudgeContext, TextRange
from paige.coach.message_sink import Reply
from paige.coach.model import Passage, PlanText
from paige.coach.project_context import Surroundings
from paige.coach.records import PhaseStatus
from paige.coach.thinking.gaps import store_gaps
from paige.learner.queries import katas
from paige.store.messages import Message

DONE: PhaseStatus = "complete"
Json = Mapping[str, Any]


class NoWindows:
    """An outlet that nobody looks through."""

    def send(self, message: Message, actor: Actor | None, *, reply: Reply | None = None) -> None:
        """Nobody sees it."""

    def answer(self, message: Message, reply: Reply) -> None:
        """Nobody asked."""

    async def room(self, actor: Actor | None) -> None:
        """There is always room."""

    async def after_events(self) -> None:
        """Nobody waits."""


@asynccontextmanager
async def open_coach(term: Term) -> AsyncIterator[LiveCoach]:
    """A coach for the demo's project, which sees nothing by itself."""
    app = term.app
    model = open_coach_model(app)
    around = Surroundings(
        database=app.database, bus=app.bus, outlet=NoWindows(), now=app.now, model=model
    )
    async with model.running():
        coach = LiveCoach(app.settings.project_dir, around)
        try:
            yield coach
        finally:
            await coach.log.close()


def coach_happenings(term: Term, coach: LiveCoach) -> list[Happening]:
    """The sessions, and the katas afterwards."""
    told = content("coach")
    sessions = [
        Happening(
            term.moment(each["week"], each["day"], each["at"]),
            "coach",
            partial(_session, term, coach, each),
        )
        for each in told["session"]
    ]
    attempts = [
        Happening(
            term.moment(each["week"], each["day"], each["at"]),
            "coach",
            partial(_attempt, term, coach, each),
        )
        for each in told["kata"]
    ]
    return [*sessions, *attempts]


async def _session(term: Term, coach: LiveCoach, told: Json) -> None:
    actor = term.app.actor
    issue = issue_context(project_of(term), told["issue"], None)
    await coach.start_session(actor, told["issue"])
    summary = issue.title if issue else ""
    plan = PlanText(told["plan"].strip(), summary, told["issue"])
    await coach.run_pipeline(actor, plan, _quiet)
    await coach.update_phase(actor, 1, "active")
    for step in told["step"]:
        term.clock.wait(minutes=3)
        await _step(term, coach, step)
    if "ended" not in told:
        return
    term.clock.wait(minutes=4)
    for number in await _open_phases(term, coach):
        await coach.update_phase(actor, number, DONE)
    for gap in told.get("gap", ()):
        session = await coach.need_session(actor)
        await show_gap(term.app, session.id, gap)
    await coach.end_session(actor, told["ended"])
    close_issue(term, told["issue"])
    commit(term, told["commit"])


async def show_gap(app: App, session_id: str, gap: Json) -> None:
    """Store a gap with its kata, as an answer of a model would, and hand it to Study."""
    topic = topic_named(gap["topic"])
    if topic is None:
        raise ValueError(f"The demo does not know the topic `{gap['topic']}`")
    answer = GapExtractionAnswer(
        knowledge_gaps=[
            FoundGap(
                topic=topic.name,
                evidence=gap["evidence"],
                severity=gap["severity"],
                related_concepts=list(topic.related),
            )
        ],
        kata_specs=[topic.draft()],
        session_summary=SessionCounts.model_validate(NO_COUNTS),
    )
    store = partial(store_gaps, now=app.now(), ids=random_ids)
    found = await app.database.write(store, app.actor, answer, session_id)
    await CoachInStudy(app.settings, app.now).give(app.actor, session_id, found.to_practise)


async def _open_phases(term: Term, coach: LiveCoach) -> list[int]:
    state = await coach.session_state(term.app.actor, ["plan"])
    phases = state["plan"]["phases"]
    return [each["number"] for each in phases if each["status"] != DONE]


async def _step(term: Term, coach: LiveCoach, step: Json) -> None:
    """One thing the person or the coach does."""
    actor = term.app.actor
    match step:
        case {"open": path}:
            await coach.open_file(actor, path)
        case {"save": path, "find": find, "put": put}:
            await _save(coach, actor, path, find, put)
        case {"tests": [passed, failed]}:
            await coach.note(actor, "test_run", {"passed": passed, "failed": failed})
        case {"message": words}:
            anchor = Anchor(path=coach.open_files(actor)[0], start_line=1)
            await coach.show_message(actor, words, type="hint", anchor=anchor)
        case {"phase": number}:
            await _finish_phase(term, coach, number)
        case {"level": level}:
            await coach.change_hint_level(actor, level, "file")
        case {"hint": words, "file": path, "lines": [start, end]}:
            mark = Decoration(start=start, end=end, style="focus", hover_text=words)
            await coach.highlight(actor, path, mark)
            await coach.select(actor, path, TextRange(start_line=start, end_line=start), 20)
        case {"explain": path, "lines": [start, end]}:
            await _explain(term, coach, path, start, end)
        case {"nudge": signal}:
            context = NudgeContext(current_file=coach.open_files(actor)[0])
            await coach.nudge(actor, signal=signal, confidence=0.8, context=context)
        case _:
            raise ValueError(f"The demo does not know the step {dict(step)}")


async def _finish_phase(term: Term, coach: LiveCoach, number: int) -> None:
    """Finish a phase and begin the next one."""
    await coach.update_phase(term.app.actor, number, DONE)
    if number + 1 in await _open_phases(term, coach):
        await coach.update_phase(term.app.actor, number + 1, "active")


async def _save(coach: LiveCoach, actor: Actor, path: str, find: str, put: str) -> None:
    before = (await coach.open_file(actor, path)).content
    if find not in before:
        raise ValueError(f"The demo cannot change `{path}`: `{find}` is not in it")
    text = before.replace(find, put)
    await coach.update_buffer(actor, path, text, CursorPosition(line=1, column=1))
    await coach.save_file(actor, path, text)


async def _explain(term: Term, coach: LiveCoach, path: str, start: int, end: int) -> None:
    actor = term.app.actor
    text = (await coach.read_file(actor, path)).content
    chosen = "\n".join(text.splitlines()[start - 1 : end])
    lines = TextRange(start_line=start, end_line=end)
    passage = Passage(path, lines, chosen, "python", text)
    await coach.explain(actor, passage)


async def _attempt(term: Term, coach: LiveCoach, told: Json) -> None:
    """Hand in a kata, if the sessions before led to it."""
    app = term.app
    topic = topic_named(told["topic"])
    found = await app.database.read(katas, app.actor)
    kata = next((each.kata for each in found if each.topic == told["topic"]), None)
    if kata is None or topic is None or topic.kata is None:
        return
    code = topic.kata.solution if told["solved"] else kata.scaffolding_code
    await coach.review(app.actor, kata.id, code)


async def _quiet(done: int, total: int, message: str) -> None:
    """Nobody watches."""
