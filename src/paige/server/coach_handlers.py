"""What each of the coach's messages does: read it, call the live coach, shape the answer.

A handler may answer by returning a message; most let the coach send, so that every window of the
person hears of it.
"""

from collections.abc import Awaitable, Callable
from functools import partial

from paige.app.person_apps import may_on_machine, need_machine
from paige.base.errors import PaigeError, Refused
from paige.coach import client_messages as client
from paige.coach.files.values import CursorPosition
from paige.coach.live import LiveCoach
from paige.coach.model import Passage
from paige.coach.terminals import Size, has_terminals
from paige.server.hub import Hub, Introduction
from paige.server.messages import PracticeStop
from paige.server.router import Handler, In, Router, Sender, refusal
from paige.store.messages import Message


def add_coach(hub: Hub, coach: LiveCoach) -> None:
    """Let the coach answer its messages, and say at the handshake what it has."""
    handlers = CoachHandlers(coach, hub)
    handlers.register(Allowed(hub.router))
    hub.introduce = handlers.introduce


class Allowed:
    """A router whose messages are only for people who may work in the project on this machine."""

    def __init__(self, router: Router) -> None:
        self._router = router

    def on(self, kind: type[In], handler: Handler[In]) -> None:
        """Let `handler` carry out messages of a kind."""

        async def carry_out(sender: Sender, message: In) -> Message | None:
            need_machine(sender.app, "coach")
            return await handler(sender, message)

        self._router.on(kind, carry_out)


class CoachHandlers:
    """One method a message."""

    def __init__(self, coach: LiveCoach, hub: Hub) -> None:
        self.coach = coach
        self.hub = hub

    def register(self, router: Allowed) -> None:
        """Put every handler in its place."""
        router.on(client.FileOpen, self.file_open)
        router.on(client.FileSave, self.file_save)
        router.on(client.FileClose, self.file_close)
        router.on(client.FsRequestTree, self.request_tree)
        router.on(client.BufferUpdate, self.buffer_update)
        router.on(client.EditorTabSwitch, self.tab_switch)
        router.on(client.EditorSelection, self.selection)
        router.on(client.EditorScroll, self.activity)
        router.on(client.ExplorerExpandDir, self.activity)
        router.on(client.ExplorerCollapseDir, self.activity)
        router.on(client.HintsLevelChange, self.hint_level)
        router.on(client.UserIdleStart, self.idle_start)
        router.on(client.UserIdleEnd, self.idle_end)
        router.on(client.ObserverMute, self.mute)
        router.on(client.UserExplain, self.explain)
        router.on(client.UserReview, self.review)
        router.on(client.PracticeOpen, self.open_kata)
        router.on(client.PracticeSubmitSolution, self.submit_solution)
        router.on(PracticeStop, self.stop_run)
        router.on(client.SessionStart, self.session_start)
        router.on(client.SessionResume, self.session_resume)
        router.on(client.SessionEnd, self.session_end)
        router.on(client.DashboardRequest, self.dashboard)
        router.on(client.DashboardRefreshIssues, self.refresh_issues)
        router.on(client.TerminalReady, self.terminal_ready)
        router.on(client.TerminalInput, self.terminal_input)
        router.on(client.TerminalResize, self.terminal_resize)

    async def introduce(self, sender: Sender) -> Introduction:
        """What a client is told at the handshake."""
        if not may_on_machine(sender.app.settings, sender.actor, "coach"):
            return Introduction(None, {"terminal": False})
        has_project = self.coach.project_dir is not None
        flags = {"terminal": has_project and sender.trusted and has_terminals()}
        try:
            session = await self.coach.known_session(sender.actor)
        except PaigeError:  # the first thing it asks for will say why
            return Introduction(None, flags)
        return Introduction(session.id if session else None, flags)

    async def file_open(self, sender: Sender, asked: client.FileOpen) -> None:
        """Open a file; every window hears what became of it."""
        try:
            await self.coach.open_file(sender.actor, asked.path, reply=sender.reply)
        except PaigeError as error:
            self.hub.send(refusal(asked.topic, error), sender.actor, reply=sender.reply)

    async def file_save(self, sender: Sender, asked: client.FileSave) -> None:
        """Save a file."""
        await self.coach.save_file(sender.actor, asked.path, asked.content, reply=sender.reply)

    async def file_close(self, sender: Sender, asked: client.FileClose) -> None:
        """Close a file."""
        await self.coach.close_file(sender.actor, asked.path)

    async def request_tree(self, sender: Sender, _: client.FsRequestTree) -> None:
        """Send the tree to whoever asked."""
        await self.coach.send_tree(sender.actor, reply=sender.reply)

    async def buffer_update(self, sender: Sender, asked: client.BufferUpdate) -> None:
        """Keep what is typed."""
        cursor = CursorPosition(asked.cursor_position.line, asked.cursor_position.column)
        await self.coach.update_buffer(sender.actor, asked.path, asked.content, cursor)

    async def tab_switch(self, sender: Sender, asked: client.EditorTabSwitch) -> None:
        """Note which file is in front."""
        await self.coach.switch_tab(sender.actor, asked.from_path, asked.to_path)

    async def selection(self, sender: Sender, asked: client.EditorSelection) -> Message | None:
        """Note a selection; answer with what Paige has to say about it."""
        return await self.coach.select(
            sender.actor, asked.path, asked.range, asked.text_length, sent=asked.sent_range
        )

    async def activity(self, sender: Sender, _: Message) -> None:
        """Note that the person is there."""
        self.coach.touch(sender.actor)

    async def hint_level(self, sender: Sender, asked: client.HintsLevelChange) -> None:
        """Keep how many hints are wanted."""
        await self.coach.change_hint_level(sender.actor, asked.level, asked.previous_level)

    async def idle_start(self, sender: Sender, asked: client.UserIdleStart) -> None:
        """Note that nothing is done."""
        await self.coach.go_idle(sender.actor, asked.last_action_timestamp)

    async def idle_end(self, sender: Sender, _: client.UserIdleEnd) -> None:
        """Note that the person is back."""
        await self.coach.come_back(sender.actor)

    async def mute(self, sender: Sender, asked: client.ObserverMute) -> None:
        """Silence the observer, or let it speak."""
        await self.coach.mute(sender.actor, muted=asked.muted)

    async def explain(self, sender: Sender, asked: client.UserExplain) -> None:
        """Explain some code, beside whatever else is asked."""
        passage = Passage(
            path=asked.path,
            selection=asked.selection,
            selected_text=asked.selected_text,
            language=asked.language,
            surrounding_context=asked.surrounding_context,
        )
        work = partial(self.coach.explain, sender.actor, passage, reply=sender.reply)
        self._soon(sender, asked, work)

    async def review(self, sender: Sender, asked: client.UserReview) -> None:
        """Review a solution or the work in the active phase."""
        titles = tuple(asked.active_constraint_titles)
        work = partial(
            self.coach.review, sender.actor, asked.kata_id, asked.user_code or "", titles
        )
        self._soon(sender, asked, partial(work, reply=sender.reply))

    async def open_kata(self, sender: Sender, asked: client.PracticeOpen) -> Message:
        """Answer with a kata."""
        return await self.coach.open_kata(sender.actor, asked.kata_id)

    async def submit_solution(self, sender: Sender, asked: client.PracticeSubmitSolution) -> None:
        """Review the solution of a kata."""
        titles = tuple(asked.active_constraints)
        work = partial(self.coach.review, sender.actor, asked.kata_id, asked.code, titles)
        self._soon(sender, asked, partial(work, reply=sender.reply))

    async def stop_run(self, sender: Sender, _: PracticeStop) -> None:
        """Stop the code that the person is running."""
        sender.app.stop_runs()

    async def session_start(self, sender: Sender, asked: client.SessionStart) -> None:
        """Begin a session."""
        await self.coach.start_session(sender.actor, asked.issue_number, asked.issue_title)

    async def session_resume(self, sender: Sender, asked: client.SessionResume) -> None:
        """Go on with a session."""
        await self.coach.resume_session(sender.actor, asked.session_id)

    async def session_end(self, sender: Sender, asked: client.SessionEnd) -> None:
        """End the session; what is learnt from it may take a while."""
        await self.coach.need_session(sender.actor)
        self._soon(sender, asked, partial(self.coach.end_session, sender.actor))

    async def dashboard(self, sender: Sender, asked: client.DashboardRequest) -> None:
        """Send everything on the dashboard."""
        work = partial(self.coach.send_dashboard, sender.actor, asked.stats_period)
        self._soon(sender, asked, partial(work, reply=sender.reply))

    async def refresh_issues(self, sender: Sender, asked: client.DashboardRefreshIssues) -> None:
        """Send the issues again."""
        work = partial(self.coach.send_issues, sender.actor, reply=sender.reply)
        self._soon(sender, asked, work)

    async def terminal_ready(self, sender: Sender, asked: client.TerminalReady) -> None:
        """Show the terminal."""
        _check_terminal(sender)
        size = Size(asked.cols, asked.rows)
        await self.coach.terminals.open(sender.actor, size, sender.reply)

    async def terminal_input(self, sender: Sender, asked: client.TerminalInput) -> None:
        """Type into the terminal."""
        _check_terminal(sender)
        self.coach.terminals.type(sender.actor, asked.input)

    async def terminal_resize(self, sender: Sender, asked: client.TerminalResize) -> None:
        """Give the terminal another size."""
        _check_terminal(sender)
        self.coach.terminals.resize(sender.actor, Size(asked.cols, asked.rows))

    def _soon(self, sender: Sender, asked: Message, work: Callable[[], Awaitable[object]]) -> None:
        """Carry out what may take long; whoever asked is told when it cannot be done."""

        def failed(error: PaigeError) -> None:
            self.hub.answer(refusal(asked.topic, error), sender.reply)

        self.coach.soon(work, failed)


def _check_terminal(sender: Sender) -> None:
    """A shell is for our pages on this machine, or with the passcode. Raises: Refused."""
    if not sender.trusted:
        raise Refused(
            "The terminal is only for Paige's own pages, on this machine or with the passcode",
            hint="Open Paige at its own address on the machine it runs on, or set "
            "`PAIGE_PASSCODE` and sign in.",
        )
