"""What a person, their windows or a coding agent can do with the coach, through every door.

Whatever changes something tells the windows by itself, for those of other processes hear of it too.
"""

from dataclasses import asdict

from paige.app.application import App
from paige.app.coach_study import gaps_seen
from paige.base.errors import Refused
from paige.coach import client_messages as client
from paige.coach.dashboard import dashboard_state, load_kata
from paige.coach.files.values import BufferEntry, CoachFile, CoachTree
from paige.coach.log.queries import budget as costs
from paige.coach.log.queries import recent_actions
from paige.coach.message_parts import Decoration, IssueContext
from paige.coach.messages import DashboardState, EditorHoverHint, PracticeKataLoad
from paige.coach.model import PlanText
from paige.coach.phases import PhaseChange
from paige.coach.questions import CoachBudget, CoachOverview
from paige.coach.snapshot import CoachSessionSeen, session_to_review
from paige.coach.terminals import Size
from paige.doors.coach.values import (
    CoachActions,
    CoachDiffs,
    CoachDone,
    CoachEnd,
    CoachFileDone,
    CoachFileOrAll,
    CoachFilePath,
    CoachFilesDone,
    CoachGaps,
    CoachHighlight,
    CoachHints,
    CoachIssue,
    CoachItems,
    CoachNewest,
    CoachOpenFiles,
    CoachPeriod,
    CoachPhaseDone,
    CoachPlanned,
    CoachSaying,
    CoachSessionId,
    CoachState,
    CoachTranscript,
)
from paige.doors.frame.caller import caller
from paige.doors.frame.operations import Subject
from paige.doors.frame.web.messages import PracticeStop
from paige.store.messages import Message

COACH = Subject("coach", needs="coach", machine=True)


# --- looking -------------------------------------------------------------------------------------


@COACH.read
async def overview(app: App) -> CoachOverview:
    """Say where the person is: session, plan, phases, open files."""
    return await app.live_coach.overview(app.actor)


@COACH.read
async def look_back(app: App, given: CoachSessionId) -> CoachSessionSeen:
    """Look back at a session, open or over."""
    return await app.database.read(session_to_review, app.actor, given.id)


@COACH.read
async def actions(app: App, given: CoachNewest) -> CoachActions:
    """List what was done in the active session, newest first."""
    session = await app.live_coach.active_session(app.actor)
    if session is None:
        return CoachActions([])
    read = app.database.read
    return CoachActions(await read(recent_actions, app.actor, session.id, limit=given.limit))


@COACH.read
async def budget(app: App) -> CoachBudget:
    """Say what model calls cost."""
    session = await app.live_coach.active_session(app.actor)
    own = await app.database.read(costs, app.actor, session.id) if session else None
    return CoachBudget(own, await app.database.read(costs, app.actor))


@COACH.read
async def dashboard(app: App, given: CoachPeriod) -> DashboardState:
    """Show the dashboard as far as it is known without a model."""
    return await app.database.read(dashboard_state, app.actor, given.period, app.now())


@COACH.read
async def gaps(app: App) -> CoachGaps:
    """List what sessions showed to be missing, each with its stage and its next review."""
    return CoachGaps(await gaps_seen(app))


@COACH.read
async def tree(app: App) -> CoachTree:
    """List the project's folders and files."""
    return await app.live_coach.tree(app.actor)


@COACH.read
async def read_file(app: App, given: CoachFilePath) -> CoachFile:
    """Read a file of the project without opening it."""
    return await app.live_coach.read_file(app.actor, given.path)


@COACH.read
async def get_buffer(app: App, given: CoachFilePath) -> BufferEntry | None:
    """What the editor holds of a file; nothing when it never told."""
    return app.live_coach.buffer(app.actor, given.path)


@COACH.read
async def get_open_files(app: App) -> CoachOpenFiles:
    """The open files, whoever opened them."""
    return CoachOpenFiles(app.live_coach.open_files(app.actor))


@COACH.read
async def get_diff(app: App, given: CoachFileOrAll) -> CoachDiffs:
    """Unsaved changes."""
    return CoachDiffs(await app.live_coach.diffs(app.actor, given.path))


@COACH.read
async def get_session_state(app: App, given: CoachItems) -> CoachState:
    """What is known of the session. Raises: NotFound without one."""
    return await app.live_coach.session_state(app.actor, given.include)  # type: ignore[return-value]


# --- files and the editor ------------------------------------------------------------------------


@COACH.change()
async def open_file(app: App, asked: client.FileOpen) -> None:
    """Open a file; every window hears what became of it."""
    await app.live_coach.open_file(app.actor, asked.path, reply=caller().reply)


@COACH.change()
async def save_file(app: App, asked: client.FileSave) -> None:
    """Save a file."""
    reply = caller().reply
    await app.live_coach.save_file(app.actor, asked.path, asked.content, reply=reply)


@COACH.change()
async def close_file(app: App, asked: client.FileClose) -> None:
    """Close a file."""
    await app.live_coach.close_file(app.actor, asked.path)


@COACH.read
async def send_tree(app: App, _: client.FsRequestTree) -> None:
    """Send the tree to whoever asked."""
    await app.live_coach.send_tree(app.actor, reply=caller().reply)


@COACH.change()
async def update_buffer(app: App, asked: client.BufferUpdate) -> None:
    """Keep what is typed."""
    await app.live_coach.update_buffer(app.actor, asked.path, asked.content, asked.cursor_position)


@COACH.change()
async def switch_tab(app: App, asked: client.EditorTabSwitch) -> None:
    """Note which file is in front."""
    await app.live_coach.switch_tab(app.actor, asked.from_path, asked.to_path)


@COACH.change()
async def select(app: App, asked: client.EditorSelection) -> EditorHoverHint | None:
    """Note a selection; answer with what Paige has to say about it."""
    return await app.live_coach.select(
        app.actor, asked.path, asked.range, asked.text_length, sent=asked.sent_range
    )


@COACH.change()
async def touch(app: App, _: Message) -> None:
    """Note that the person is there."""
    app.live_coach.touch(app.actor)


@COACH.change()
async def change_hint_level(app: App, asked: client.HintsLevelChange) -> None:
    """Keep how many hints are wanted."""
    await app.live_coach.change_hint_level(app.actor, asked.level, asked.previous_level)


@COACH.change()
async def go_idle(app: App, asked: client.UserIdleStart) -> None:
    """Note that nothing is done."""
    await app.live_coach.go_idle(app.actor, asked.last_action_timestamp)


@COACH.change()
async def come_back(app: App, _: client.UserIdleEnd) -> None:
    """Note that the person is back."""
    await app.live_coach.come_back(app.actor)


@COACH.change()
async def mute(app: App, asked: client.ObserverMute) -> None:
    """Silence the observer, or let it speak."""
    await app.live_coach.mute(app.actor, muted=asked.muted)


# --- what an agent shows -------------------------------------------------------------------------


@COACH.change()
async def show_file(app: App, given: CoachFilePath) -> CoachFileDone:
    """Open a file in the person's editor. Raises: NotFound, Refused naming the file."""
    return CoachFileDone(path=(await app.live_coach.show_file(app.actor, given.path)).path)


@COACH.change()
async def highlight_lines(app: App, given: CoachHighlight) -> CoachFileDone:
    """Highlight lines, besides those that are highlighted already."""
    lines = Decoration(
        start=given.start, end=given.end, style=given.style, hover_text=given.hover_text
    )
    return CoachFileDone(path=await app.live_coach.highlight(app.actor, given.path, lines))


@COACH.change()
async def clear_highlights(app: App, given: CoachFileOrAll) -> CoachDone:
    """Take highlights away."""
    await app.live_coach.clear_highlights(app.actor, given.path)
    return CoachDone()


@COACH.change()
async def hint_files(app: App, given: CoachHints) -> CoachFilesDone:
    """Let files glow in the explorer."""
    return CoachFilesDone(paths=await app.live_coach.hint_files(app.actor, given.files))


@COACH.change()
async def clear_hints(app: App) -> CoachDone:
    """Let no file glow any more."""
    await app.live_coach.clear_hints(app.actor)
    return CoachDone()


@COACH.change()
async def show_message(app: App, given: CoachSaying) -> CoachDone:
    """Say something to the person. Raises: NotFound without a session."""
    await app.live_coach.show_message(
        app.actor, given.message, type=given.type, anchor=given.anchor
    )
    return CoachDone()


@COACH.change()
async def show_issue_context(app: App, given: CoachIssue) -> CoachDone:
    """Show what the issue is about. Raises: NotFound without a session."""
    issue = IssueContext.model_validate({**asdict(given), "labels": given.labels or []})
    await app.live_coach.show_issue_context(app.actor, issue)
    return CoachDone()


# --- sessions ------------------------------------------------------------------------------------


@COACH.change()
async def start_session(app: App, asked: client.SessionStart) -> None:
    """Begin a session."""
    await app.live_coach.start_session(app.actor, asked.issue_number, asked.issue_title)


@COACH.change()
async def resume_session(app: App, asked: client.SessionResume) -> None:
    """Go on with a session."""
    await app.live_coach.resume_session(app.actor, asked.session_id)


@COACH.change()
async def leave_session(app: App, _: client.SessionEnd) -> None:
    """End the session, whether anything can be learnt from it or not."""
    await app.live_coach.end_session(app.actor)


@COACH.change()
async def end_session(app: App, given: CoachTranscript) -> CoachEnd:
    """End the session and say what was learnt. Raises: NotFound without one, Unavailable."""
    learnt = await app.live_coach.end_session(app.actor, given.session_transcript, strict=True)
    return CoachEnd(**asdict(learnt))


@COACH.change()
async def update_phase(app: App, given: PhaseChange) -> CoachPhaseDone:
    """Give a phase another status. Raises: NotFound without a session or such a phase."""
    return CoachPhaseDone(phase=(await app.live_coach.update_phase(app.actor, given)).phase)


@COACH.change()
async def run_coaching_pipeline(app: App, given: PlanText) -> CoachPlanned:
    """Turn a plan into phases. Raises: NotFound without a session, Unavailable."""
    stored = await app.live_coach.run_pipeline(app.actor, given, caller().progress)
    plan = stored.plan
    return CoachPlanned(
        plan.id, stored.phases, plan.memory_connection, plan.estimated_difficulty or ""
    )


# --- questions -----------------------------------------------------------------------------------


@COACH.change()
async def explain(app: App, asked: client.UserExplain) -> None:
    """Explain some code."""
    await app.live_coach.explain(app.actor, asked, reply=caller().reply)


@COACH.change()
async def review(app: App, asked: client.UserReview | client.PracticeSubmitSolution) -> None:
    """Review the solution of a kata, or the work in the active phase."""
    await app.live_coach.review(app.actor, asked.work, reply=caller().reply)


@COACH.read
async def open_kata(app: App, asked: client.PracticeOpen) -> PracticeKataLoad:
    """A kata as the person may see it. Raises: NotFound."""
    return await app.database.read(load_kata, app.actor, asked.kata_id)


@COACH.change()
async def stop_run(app: App, _: PracticeStop) -> None:
    """Stop the code that the person is running."""
    app.stop_runs()


@COACH.read
async def send_dashboard(app: App, asked: client.DashboardRequest) -> None:
    """Send everything on the dashboard."""
    await app.live_coach.send_dashboard(app.actor, asked.stats_period, reply=caller().reply)


@COACH.read
async def send_issues(app: App, _: client.DashboardRefreshIssues) -> None:
    """Send the issues again."""
    await app.live_coach.send_issues(app.actor, reply=caller().reply)


# --- the terminal --------------------------------------------------------------------------------


@COACH.change()
async def open_terminal(app: App, asked: client.TerminalReady) -> None:
    """Show the terminal."""
    _check_terminal()
    size, reply = Size(asked.cols, asked.rows), caller().reply
    assert reply is not None, "only windows have terminals"
    await app.live_coach.terminals.open(app.actor, size, reply)


@COACH.change()
async def type_in_terminal(app: App, asked: client.TerminalInput) -> None:
    """Type into the terminal."""
    _check_terminal()
    app.live_coach.terminals.type(app.actor, asked.input)


@COACH.change()
async def resize_terminal(app: App, asked: client.TerminalResize) -> None:
    """Give the terminal another size."""
    _check_terminal()
    app.live_coach.terminals.resize(app.actor, Size(asked.cols, asked.rows))


def _check_terminal() -> None:
    """A shell is for our pages on this machine, or with the passcode. Raises: Refused."""
    if not caller().trusted:
        raise Refused(
            "The terminal is only for Paige's own pages, on this machine or with the passcode",
            hint="Open Paige at its own address on the machine it runs on, or set "
            "`PAIGE_PASSCODE` and sign in.",
        )
