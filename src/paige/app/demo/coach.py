"""The term behind Coach: a small shop with a history, and sessions on its issues.

A live coach without windows does it, by rules. What the person does in the editor, and the gaps
that a model would find in it, come from the file of the demo.
"""

import json
import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from pathlib import Path

from paige.app.application import App
from paige.app.coach_model import NoWindows, open_coach_model
from paige.app.coach_study import CoachInStudy
from paige.app.demo.term import Json, Term, TermEvent, content
from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.base.files import write_error
from paige.base.modes import shut_tree
from paige.base.paths import shipped
from paige.coach.answers import FoundGap, GapExtractionAnswer
from paige.coach.files.values import CursorPosition
from paige.coach.inquiry.gaps import store_gaps
from paige.coach.inquiry.topics import topic_named
from paige.coach.issues import issue_context
from paige.coach.live import LiveCoach
from paige.coach.message_parts import Anchor, Decoration, NudgeContext, Passage, TextRange
from paige.coach.model import PlanText, Work
from paige.coach.phases import PhaseChange
from paige.coach.project_context import Surroundings
from paige.coach.records import PhaseStatus, random_ids
from paige.learner.queries import katas

WHO = "Demo"
ADDRESS = "demo@localhost"
SECONDS = 30


def begin_project(term: Term) -> None:
    """Put the shop into the project's folder, as it is before the term. Raises: Unavailable."""
    root = project_of(term)
    try:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(shipped("demo/project"), root, dirs_exist_ok=True, ignore=ignored)
        shut_tree(root)  # the copy has the rights of what was installed
        (root / ".gitignore").write_text("__pycache__/\n.claude/\n", encoding="utf-8")
    except OSError as error:
        raise write_error(root, error) from error
    _git(root, term.clock(), "init", "--quiet", "--initial-branch=main")
    commit(term, "Begin the till")


def project_of(term: Term) -> Path:
    """The folder of the demo's project."""
    folder = term.app.settings.project_dir
    assert folder is not None, "a demo has a project"
    return folder


def commit(term: Term, message: str) -> None:
    """Add everything that changed to the history; nothing happens without Git."""
    root, now = project_of(term), term.clock()
    _git(root, now, "add", "--all")
    _git(root, now, "commit", "--quiet", "--message", message)


def close_issue(term: Term, number: int) -> None:
    """Take an issue off the list: it is done."""
    path = project_of(term) / "issues.json"
    left = [each for each in json.loads(path.read_text("utf-8")) if each["number"] != number]
    path.write_text(f"{json.dumps(left, indent=2)}\n", encoding="utf-8")


def _git(root: Path, now: datetime, *words: str) -> None:
    """Run Git in the project, with nobody's settings and at the time of the term."""
    program = shutil.which("git")
    if program is None:
        return
    stamp = to_iso(now)
    environ = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": os.environ.get("HOME", ""),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": WHO,
        "GIT_AUTHOR_EMAIL": ADDRESS,
        "GIT_AUTHOR_DATE": stamp,
        "GIT_COMMITTER_NAME": WHO,
        "GIT_COMMITTER_EMAIL": ADDRESS,
        "GIT_COMMITTER_DATE": stamp,
    }
    subprocess.run(
        [program, *words],
        cwd=root,
        env=environ,
        check=False,
        capture_output=True,
        timeout=SECONDS,
    )


DONE: PhaseStatus = "complete"


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


def coach_happenings(term: Term, coach: LiveCoach) -> list[TermEvent]:
    """The sessions, and the katas afterwards."""
    told = content("coach")
    kinds = (("session", _session), ("kata", _attempt))
    return [
        term.happening("coach", each, partial(do, term, coach))
        for kind, do in kinds
        for each in told[kind]
    ]


async def _session(term: Term, coach: LiveCoach, told: Json) -> None:
    actor = term.app.actor
    issue = issue_context(project_of(term), told["issue"], None)
    await coach.start_session(actor, told["issue"])
    summary = issue.title if issue else ""
    plan = PlanText(told["plan"].strip(), summary, told["issue"])
    await coach.run_pipeline(actor, plan, _quiet)
    await coach.update_phase(actor, PhaseChange(1, "active"))
    for step in told["step"]:
        term.clock.wait(minutes=3)
        await _step(term, coach, step)
    if "ended" not in told:
        return
    term.clock.wait(minutes=4)
    for number in await _open_phases(term, coach):
        await coach.update_phase(actor, PhaseChange(number, DONE))
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
    )
    store = partial(store_gaps, now=app.now(), ids=random_ids)
    found = await app.database.write(store, app.actor, answer, session_id)
    await CoachInStudy(app.settings, app.now).give(app.actor, session_id, found.to_practise)


async def _open_phases(term: Term, coach: LiveCoach) -> list[int]:
    state = await coach.session_state(term.app.actor, ["plan"])
    return [each.number for each in state["plan"].phases if each.status != DONE]


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
    await coach.update_phase(term.app.actor, PhaseChange(number, DONE))
    if number + 1 in await _open_phases(term, coach):
        await coach.update_phase(term.app.actor, PhaseChange(number + 1, "active"))


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
    passage = Passage(
        path=path,
        selection=lines,
        selected_text=chosen,
        language="python",
        surrounding_context=text,
    )
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
    await coach.review(app.actor, Work(code, kata.id))


async def _quiet(done: int, total: int, message: str) -> None:
    """Nobody watches."""
