"""The live coach without sockets: what it stores, what it sends, and what it notices by itself."""

import json
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import anyio
import pytest

from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import BadInput, Conflict, NotFound, PaigeError, Refused, Unavailable
from paige.coach import live, sessions
from paige.coach import messages as sent
from paige.coach.dashboard import chart
from paige.coach.file_work import below
from paige.coach.files.values import Change, CursorPosition, Overflow
from paige.coach.live import LiveCoach
from paige.coach.log.queries import recent_actions
from paige.coach.message_parts import (
    Anchor,
    Decoration,
    DreyfusRow,
    FileHint,
    IssueContext,
    NudgeContext,
    Passage,
    TextRange,
)
from paige.coach.messages import Reply
from paige.coach.model import CoachModel, PlanText, Work
from paige.coach.phases import PhaseChange, is_more
from paige.coach.project_context import Surroundings
from paige.coach.queries import hints_of, latest_plan, phases_of, progress_of
from paige.coach.questions import MOST_QUESTIONS
from paige.coach.records import Action
from paige.store.bus import Bus
from paige.store.engine import Database
from paige.store.queries import events_after
from tests.coach.making import told
from tests.coach.message_sinks import SECONDS, Recorder
from tests.coach.scripted_model import ISSUE, MATERIAL, PLAN, ScriptedModel
from tests.conftest import NOON

pytestmark = pytest.mark.anyio
ME = Actor()
HERE = CursorPosition(1, 1)
PASSAGE = Passage(path="a.py", selection=TextRange(start_line=1, end_line=1), selected_text="x = 1")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text("x = 1\ny = 2\n")
    (folder / "issues.json").write_text(json.dumps([{"number": 3, "title": "Sum", "body": "b"}]))
    return folder


@asynccontextmanager
async def running(
    db: Database,
    project: Path | None,
    outlet: Recorder,
    model: CoachModel | None = None,
    *,
    summary_seconds: float = 3600.0,
) -> AsyncIterator[LiveCoach]:
    async with Bus(db, look_seconds=0.01).running() as bus:
        around = Surroundings(
            database=db,
            bus=bus,
            outlet=outlet,
            now=ticking(),
            model=model or CoachModel(),
            summary_seconds=summary_seconds,
            rewatch_seconds=0.01,
        )
        async with LiveCoach(project, around).running() as coach:
            yield coach


def ticking() -> Clock:
    """A clock that goes on by a millisecond whenever someone looks at it."""
    moments = (NOON + timedelta(milliseconds=number) for number in range(1_000_000))
    return lambda: next(moments)


async def actions(db: Database, session_id: str) -> list[Action]:
    """What was logged in a session, in order."""
    found = await db.read(recent_actions, ME, session_id, limit=100)
    return found[::-1]


async def types(db: Database, session_id: str) -> list[str]:
    return [action.action_type for action in await actions(db, session_id)]


async def topics(db: Database) -> list[str]:
    return [event.topic for event in await db.read(events_after, 0)]


async def no_progress(done: int, total: int, message: str) -> None:
    """Nobody watches."""


def fail(error: PaigeError) -> None:
    raise AssertionError(error.message)


async def test_a_plan_is_stored_told_and_its_first_hints_are_shown(
    db: Database, project: Path
) -> None:
    outlet, model, steps = Recorder(), ScriptedModel(), []

    async def progress(done: int, total: int, message: str) -> None:
        steps.append((done, total, message))

    async with running(db, project, outlet, model) as coach:
        session = (await coach.start_session(ME, 3)).session
        stored = await coach.run_pipeline(ME, PlanText("# Plan", "Sums", 3), progress)
        plan = await db.read(latest_plan, ME, session.id)
        phases = await db.read(phases_of, ME, stored.plan.id)
        hints = await db.read(hints_of, ME, phases[0].id)
        logged = await types(db, session.id)

    assert plan == stored.plan
    assert (stored.plan.raw_plan_text, stored.plan.estimated_difficulty) == ("# Plan", "beginner")
    assert [(phase.number, phase.title, phase.hint_level) for phase in phases] == [
        (1, "Look", "line"),
        (2, "Change", "none"),
    ]
    assert {hint.type for hint in hints} == {"file", "line"}
    assert steps == [(1, 2, "Reading"), (2, 2, "Writing")]
    assert outlet.of(sent.EditorHighlightLines)[0].hover_text == "Here"
    assert outlet.of(sent.ExplorerHintFiles)[0].hints == list(PLAN.phases[0].hints.file_hints)
    assert logged == [
        "session_started",
        "coaching_pipeline",
        "decorations_applied",
        "file_hints_applied",
    ]
    assert "coaching:plan_ready" in await topics(db)


async def test_a_pipeline_that_fails_stores_nothing(db: Database, project: Path) -> None:
    async with running(db, project, Recorder(), ScriptedModel(fails=True)) as coach:
        session = (await coach.start_session(ME, None)).session
        with pytest.raises(Unavailable):
            await coach.run_pipeline(ME, PlanText("# Plan", "Sums"), no_progress)
        assert await db.read(latest_plan, ME, session.id) is None


async def test_without_a_model_the_pipeline_asks_for_a_session_first(
    db: Database, project: Path
) -> None:
    async with running(db, project, Recorder()) as coach:
        with pytest.raises(NotFound, match=r"^No active session$"):
            await coach.run_pipeline(ME, PlanText("# Plan", "Sums"), no_progress)
        await coach.start_session(ME, None)
        with pytest.raises(Unavailable, match="Nobody answers"):
            await coach.run_pipeline(ME, PlanText("# Plan", "Sums"), no_progress)


@pytest.mark.db
async def test_a_resumed_session_brings_back_phases_hints_and_open_files(
    db: Database, project: Path
) -> None:
    outlet = Recorder()
    async with running(db, project, outlet, ScriptedModel()) as coach:
        session = (await coach.start_session(ME, 3)).session
        await coach.run_pipeline(ME, PlanText("# Plan", "Sums"), no_progress)
        await coach.update_phase(ME, PhaseChange(1, "active"))
        await coach.open_file(ME, "a.py")
    again = Recorder()
    async with running(db, project, again) as coach:  # another server: its editors are empty
        resumed = await coach.resume_session(ME, session.id)
        opened = coach.open_files(ME)

    assert [phase.status for phase in resumed.restored.phases] == ["active", "pending"]
    assert resumed.restored.open_files == opened == ["a.py"]
    (shown,) = again.of(sent.EditorDecorations)
    assert shown.path == "a.py"
    assert [(each.start, each.end) for each in shown.decorations] == [(1, 2)]
    assert [hint.path for hint in again.of(sent.ExplorerHintFiles)[0].hints] == ["a.py"]
    assert again.of(sent.FsTree)


async def test_a_session_of_another_project_is_not_resumed_here(
    db: Database, project: Path, tmp_path: Path
) -> None:
    other = await db.write(sessions.start, ME, tmp_path / "elsewhere", now=NOON)
    async with running(db, project, Recorder()) as coach:
        with pytest.raises(Conflict, match="belongs to the project"):
            await coach.resume_session(ME, other.session.id)


async def test_an_ended_session_tells_what_was_learnt(db: Database, project: Path) -> None:
    model = ScriptedModel()
    async with running(db, project, Recorder(), model) as coach:
        await coach.start_session(ME, None)
        learnt = await coach.end_session(ME, "we talked")
        assert await coach.active_session(ME) is None
    events = await db.read(events_after, 0)

    assert model.asked == ["we talked"]
    assert learnt.memories_stored == 4
    completed = next(event for event in events if event.topic == "session:completed")
    assert completed.payload["kataSpecs"] == 2


async def test_a_strict_end_needs_an_analysis(db: Database, project: Path) -> None:
    async with running(db, project, Recorder()) as coach:
        with pytest.raises(NotFound, match=r"^No active session$"):
            await coach.end_session(ME, strict=True)
        await coach.start_session(ME, None)
        with pytest.raises(Unavailable):
            await coach.end_session(ME, strict=True)
        assert await coach.active_session(ME) is not None


@pytest.mark.db
async def test_a_session_that_another_process_changes_is_followed(
    db: Database, project: Path
) -> None:
    outlet = Recorder()
    async with running(db, project, outlet) as coach:
        assert await coach.known_session(ME) is None
        started = await db.write(sessions.start, ME, project, now=NOON)
        await outlet.until(sent.FsTree)
        first = await coach.known_session(ME)
        await coach.highlight(ME, "a.py", Decoration(start=1, end=1, style="focus"))
        await db.write(sessions.end, ME, started.session.id, now=NOON)
        await outlet.until(sent.EditorClearDecorations, 2)
        last = await coach.known_session(ME)
        editor = coach.place(ME).editor

    assert first == started.session
    assert last is None
    assert editor.highlights == {}


@pytest.mark.db
async def test_what_is_done_belongs_to_a_session_before_anyone_has_heard_of_it(
    db: Database, project: Path
) -> None:
    # Nobody follows here: as in the moment before the news of another process arrives.
    coach = LiveCoach(project, Surroundings(db, Bus(db), Recorder(), now=lambda: NOON))
    assert await coach.known_session(ME) is None
    started = await db.write(sessions.start, ME, project, now=NOON)
    logged = await coach.note(ME, "file_open", {"path": "a.py"})
    needed = await coach.need_session(ME)
    again = await db.write(sessions.start, ME, project, now=NOON)
    later = await coach.note(ME, "file_close", {"path": "a.py"})

    assert logged is not None
    assert later is not None
    assert logged.session_id == needed.id == started.session.id
    assert later.session_id == again.session.id


async def test_own_changes_clear_the_editor_once(db: Database, project: Path) -> None:
    outlet = Recorder()
    async with running(db, project, outlet) as coach:
        await coach.start_session(ME, None)
        await coach.show_message(ME, "Hello", type="info")
        await coach.end_session(ME)
        await coach.start_session(ME, None)
        other = Actor(person="other")
        await coach.start_session(other, None)
        await db.write(sessions.start, other, project, now=NOON)  # heard after everything before it
        await outlet.until(sent.EditorClearDecorations, 5)

    assert outlet.to.count(ME) == 3 * 2 + 2  # two to clear each time, and two trees


async def test_summaries_are_written_by_the_timer_and_not_after_the_session(
    db: Database, project: Path
) -> None:
    outlet = Recorder()
    async with running(db, project, outlet, summary_seconds=0.01) as coach:
        heard: list[Action] = []
        news = anyio.Event()

        def hear(_: Actor, action: Action) -> None:
            if action.action_type == "buffer_summary":
                heard.append(action)
                news.set()

        coach.log.subscribe(hear)
        session = (await coach.start_session(ME, None)).session
        await coach.open_file(ME, "a.py")
        await coach.update_buffer(ME, "a.py", "x = 1\ny = 22\n", HERE)
        await coach.update_buffer(ME, "a.py", "x = 1\ny = 223\n", HERE)
        with anyio.fail_after(SECONDS):
            await news.wait()
        await coach.update_buffer(ME, "a.py", "x = 1\ny = 2234\n", HERE)
        await coach.end_session(ME)
        count = len(await actions(db, session.id))
        await coach.update_buffer(ME, "a.py", "x = 1\ny = 22345\n", HERE)
        await coach.write_summaries()
        after = len(await actions(db, session.id))

    assert heard[0].data is not None
    assert heard[0].data["path"] == "a.py"
    assert sum(action.data["editCount"] for action in heard if action.data) == 3
    assert count == after


async def test_a_saved_file_has_nothing_to_sum_up(db: Database, project: Path) -> None:
    async with running(db, project, Recorder()) as coach:
        session = (await coach.start_session(ME, None)).session
        await coach.open_file(ME, "a.py")
        await coach.update_buffer(ME, "a.py", "x = 11\n", HERE)
        await coach.save_file(ME, "a.py", "x = 11\n")
        await coach.write_summaries()
        assert "buffer_summary" not in await types(db, session.id)


async def test_a_file_with_a_highlight_explains_itself_when_selected(
    db: Database, project: Path
) -> None:
    async with running(db, project, Recorder()) as coach:
        mark = Decoration(start=1, end=2, style="hint", hover_text="Look here")
        await coach.highlight(ME, "a.py", mark)
        inside = await coach.select(ME, "a.py", TextRange(start_line=2, end_line=2), 3)
        outside = await coach.select(ME, "a.py", TextRange(start_line=2, end_line=3), 3)
        await coach.clear_highlights(ME, "a.py")
        gone = await coach.select(ME, "a.py", TextRange(start_line=2, end_line=2), 3)

    assert inside is not None
    assert (inside.hint_text, inside.range.start_line, inside.range.end_line) == ("Look here", 1, 2)
    assert outside is None
    assert gone is None


async def test_hints_and_reviews_are_progress_of_the_active_phase(
    db: Database, project: Path
) -> None:
    async with running(db, project, Recorder(), ScriptedModel()) as coach:
        session = (await coach.start_session(ME, None)).session
        await coach.run_pipeline(ME, PlanText("# Plan", "Sums"), no_progress)
        await coach.select(ME, "a.py", TextRange(start_line=1, end_line=1), 1)  # no phase yet
        await coach.clear_highlights(ME)
        await coach.update_phase(ME, PhaseChange(1, "active"))
        mark = Decoration(start=1, end=1, style="hint", hover_text="Here")
        await coach.highlight(ME, "a.py", mark)
        for _ in range(3):
            await coach.select(ME, "a.py", TextRange(start_line=1, end_line=1), 1)
        await coach.change_hint_level(ME, "line", "file")
        await coach.change_hint_level(ME, "none", "line")
        await coach.change_hint_level(ME, "odd", "none")
        await coach.review(ME, Work(""))
        found = await db.read(progress_of, ME, session_id=session.id)

    assert [event.event_type for event in found] == [
        "hint_used",
        "hint_escalated",
        "review_requested",
        "review_passed",
    ]
    assert found[0].data == {"path": "a.py", "start": 1, "end": 1}


@pytest.mark.parametrize(
    ("level", "before", "more"),
    [("line", "none", True), ("none", "line", False), ("file", None, True), ("x", "none", False)],
)
def test_a_hint_level_gives_away_more_or_less(level: str, before: str | None, more: bool) -> None:
    assert is_more(level, before) is more


async def test_a_folder_that_cannot_be_watched_is_tried_again(
    db: Database, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outlet = Recorder()
    warned = anyio.Event()
    monkeypatch.setattr(live.logger, "warning", lambda *_: warned.set())
    async with running(db, project, outlet) as coach:
        await coach.send_tree(ME)
        await outlet.until(sent.FsTree, 2)  # one more when the watcher hears everything
        shutil.rmtree(project)
        with anyio.fail_after(60):
            await warned.wait()
        os.mkdir(project)
        await outlet.until(sent.FsTree, 3)  # the watcher has its folder again
        (project / "new.py").write_text("x")
        (update,) = await outlet.until(sent.FsTreeUpdate)

    assert (update.action, update.path) == ("add", "new.py")


async def test_an_explanation_is_asked_for_logged_and_sent(db: Database, project: Path) -> None:
    outlet = Recorder()
    async with running(db, project, outlet, ScriptedModel()) as coach:
        session = (await coach.start_session(ME, None)).session
        await coach.explain(ME, PASSAGE, reply=Reply("c1", "q1"))
        logged = await actions(db, session.id)

    (answer,) = outlet.of(sent.ExplainResponse)
    assert answer.explanation == "It adds."
    assert answer.related_files == ["b.py"]
    assert outlet.replies[-1] == Reply("c1", "q1")
    assert [action.action_type for action in logged[1:]] == [
        "explain_requested",
        "explain_completed",
    ]
    assert logged[-1].data is not None
    assert logged[-1].data["success"] is True
    assert logged[-1].data["latency_ms"] >= 0


async def test_a_question_nobody_answers_is_told_and_logged_without_a_session(
    db: Database, project: Path
) -> None:
    outlet = Recorder()
    async with running(db, project, outlet, ScriptedModel(fails=True)) as coach:
        await coach.explain(ME, PASSAGE)
        await coach.review(ME, Work("x", "kata-1"))

    (explained,) = outlet.of(sent.ExplainError)
    (reviewed,) = outlet.of(sent.ReviewError)
    assert explained.error == reviewed.error == "The model does not answer"
    assert reviewed.kata_id == "kata-1"


async def test_a_solution_is_answered_in_both_ways(db: Database, project: Path) -> None:
    outlet, model = Recorder(), ScriptedModel()
    async with running(db, project, outlet, model) as coach:
        await coach.review(ME, Work("print(1)", "kata-1", ("fast",)))

    (review,), (solution,) = outlet.of(sent.ReviewResponse), outlet.of(sent.PracticeSolutionReview)
    assert (review.kata_id, review.level, review.passed) == ("kata-1", 4, True)
    assert (solution.review, solution.level) == ("Well done", 4)


async def test_a_review_of_the_phase_looks_at_unsaved_work(db: Database, project: Path) -> None:
    outlet, model = Recorder(), ScriptedModel()
    async with running(db, project, outlet, model) as coach:
        await coach.update_buffer(ME, "a.py", "x = 5\ny = 2\n", HERE)
        await coach.review(ME, Work(""))

    (work,) = model.asked
    assert "+x = 5" in work.code  # type: ignore[attr-defined]
    assert outlet.of(sent.ReviewResponse)[0].kata_id is None
    assert outlet.of(sent.PracticeSolutionReview) == []


@pytest.mark.parametrize("fails", [False, True])
async def test_the_dashboard_comes_whole_or_says_what_is_missing(
    db: Database, project: Path, fails: bool
) -> None:
    outlet = Recorder()
    async with running(db, project, outlet, ScriptedModel(fails=fails)) as coach:
        session = (await coach.start_session(ME, None)).session
        await coach.send_dashboard(ME, "7d")
        logged = (await actions(db, session.id))[-1]

    assert outlet.of(sent.DashboardState)[0].stats.period == "7d"
    assert outlet.of(sent.DashboardDreyfus)
    assert logged.data == {
        "statsPeriod": "7d",
        "issuesLoaded": not fails,
        "materialsLoaded": not fails,
    }
    if fails:
        assert outlet.of(sent.DashboardIssuesError)
        assert outlet.of(sent.DashboardMaterialsError)
    else:
        assert outlet.of(sent.DashboardIssues)[0].issues == [ISSUE]
        assert outlet.of(sent.DashboardMaterials)[0].recommendations == [MATERIAL]


async def test_too_many_questions_at_once_are_refused(db: Database, project: Path) -> None:
    async with running(db, project, Recorder()) as coach:
        gate = anyio.Event()
        for _ in range(MOST_QUESTIONS):
            coach.soon(gate.wait, fail)
        with pytest.raises(Unavailable, match="still busy"):
            coach.soon(gate.wait, fail)
        gate.set()
        await anyio.wait_all_tasks_blocked()
        coach.soon(gate.wait, fail)


async def test_a_fault_in_an_answer_is_told_and_the_coach_goes_on(
    db: Database, project: Path
) -> None:
    told: list[str] = []
    async with running(db, project, Recorder()) as coach:

        async def broken() -> None:
            raise ZeroDivisionError

        coach.soon(broken, lambda error: told.append(error.message))
        await anyio.wait_all_tasks_blocked()
        assert await coach.active_session(ME) is None

    assert told == ["Paige failed inside; the server's log says why"]


async def test_many_changes_become_the_whole_tree(db: Database, project: Path) -> None:
    outlet = Recorder()
    async with running(db, project, outlet) as coach:
        await coach.files_changed([Change("add", "b.py"), Change("rename", "b.py", "c.py")])
        await coach.files_changed(Overflow(5000))

    updates = outlet.of(sent.FsTreeUpdate)
    assert [(each.action, each.path, each.new_path) for each in updates] == [
        ("add", "b.py", None),
        ("rename", "b.py", "c.py"),
    ]
    assert [child.name for child in outlet.of(sent.FsTree)[0].root.children or []] == [
        "a.py",
        "issues.json",
    ]
    assert set(outlet.to) == {None}


async def test_many_changes_in_a_row_wait_for_the_windows(db: Database, project: Path) -> None:
    outlet = Recorder()
    async with running(db, project, outlet) as coach:
        await coach.files_changed([Change("add", f"{number}.py") for number in range(150)])

    assert outlet.asked_for_room == 2


async def test_paiges_own_folder_in_the_project_is_no_news(tmp_path: Path) -> None:
    assert below(tmp_path, tmp_path / "data") is not None
    assert below(tmp_path, tmp_path.parent) is None
    assert below(tmp_path, tmp_path) is None
    assert below(tmp_path, None) is None


async def test_without_a_project_every_question_says_so(db: Database) -> None:
    async with running(db, None, Recorder()) as coach:
        assert await coach.active_session(ME) is None
        for work in (
            coach.open_file(ME, "a.py"),
            coach.start_session(ME, None),
            coach.tree(ME),
        ):
            with pytest.raises(BadInput, match="without a project"):
                await work
        assert (await coach.overview(ME)).project is None


async def test_messages_and_issues_need_a_session_and_are_events(
    db: Database, project: Path
) -> None:
    outlet = Recorder()
    async with running(db, project, outlet) as coach:
        issue = IssueContext(number=9, title="Nine", labels=["bug"])
        for work in (
            coach.show_message(ME, "Hello", type="info"),
            coach.show_issue_context(ME, issue),
            coach.session_state(ME),
            coach.update_phase(ME, PhaseChange(1, "active")),
        ):
            with pytest.raises(NotFound, match=r"^No active session$"):
                await work
        await coach.start_session(ME, None)
        anchor = Anchor(path="./a.py", start_line=1)
        await coach.show_message(ME, "Hello", type="info", anchor=anchor)
        await coach.show_issue_context(ME, issue)
        with pytest.raises(Refused):
            await coach.show_message(ME, "x", type="i", anchor=Anchor(path="../b", start_line=1))
    events = {event.topic: event.payload for event in await db.read(events_after, 0)}

    assert events["coaching:message"]["anchor"] == {"path": "a.py", "startLine": 1}
    assert events["coaching:issue_context"]["number"] == 9


async def test_the_state_has_what_was_asked_for(db: Database, project: Path) -> None:
    async with running(db, project, Recorder(), ScriptedModel()) as coach:
        await coach.start_session(ME, 3)
        await coach.run_pipeline(ME, PlanText("# Plan", "Sums"), no_progress)
        await coach.open_file(ME, "a.py")
        await coach.update_buffer(ME, "a.py", "x = 9\n", CursorPosition(3, 4))
        whole = told(await coach.session_state(ME))
        some = told(await coach.session_state(ME, ["phase", "diffs"]))
        empty = told(await coach.session_state(ME, []))

    assert list(some) == ["diffs", "phase"]
    assert set(whole) == set(empty)
    assert len(whole) == 9
    assert whole["open_files"] == ["a.py"]
    assert whole["buffers"] == [
        {
            "path": "a.py",
            "content": "x = 9\n",
            "cursorPosition": {"line": 3, "column": 4},
            "dirty": True,
        }
    ]
    assert whole["session"]["issueTitle"] == "Sum"


async def test_a_muted_observer_stays_muted_until_the_session_ends(
    db: Database, project: Path
) -> None:
    async with running(db, project, Recorder()) as coach:
        await coach.start_session(ME, None)
        await coach.mute(ME, muted=True)
        muted = (await coach.overview(ME)).observer.muted
        await coach.end_session(ME)
        after = (await coach.overview(ME)).observer.muted
    states = [e.payload for e in await db.read(events_after, 0) if e.topic == "observer:status"]

    assert (muted, after) == (True, False)
    assert [(state["active"], state["muted"]) for state in states] == [
        (True, False),
        (True, True),
        (False, False),
    ]


async def test_a_nudge_is_logged_and_sent(db: Database, project: Path) -> None:
    outlet = Recorder()
    async with running(db, project, outlet) as coach:
        session = (await coach.start_session(ME, None)).session
        await coach.nudge(ME, signal="stuck", confidence=0.9, context=NudgeContext())
        assert (await types(db, session.id))[-1] == "nudge_sent"

    assert outlet.of(sent.ObserverNudge)[0].signal == "stuck"


async def test_files_that_glow_are_named_as_the_project_names_them(
    db: Database, project: Path
) -> None:
    outlet = Recorder()
    async with running(db, project, outlet) as coach:
        paths = await coach.hint_files(ME, [FileHint(path="./a.py", style="suggested")])
        await coach.clear_hints(ME)

    assert paths == ["a.py"]
    assert outlet.of(sent.ExplorerClearHints)


def test_the_chart_weighs_stages_by_how_sure_they_are() -> None:
    def row(stage: str, confidence: float) -> DreyfusRow:
        return DreyfusRow(skill_area=stage, stage=stage, confidence=confidence, assessed_at="x")

    assert chart([]).overall_stage is None
    assert chart([row("no such", 1.0)]).overall_stage is None
    assert chart([row("expert", 0.0)]).overall_stage == "expert"
    mixed = chart([row("novice", 0.9), row("expert", 0.1)])
    assert mixed.overall_stage == "novice"
    assert [area.score for area in mixed.skill_areas] == [0.2, 1.0]
