"""Sessions as a person sees them: started, resumed, ended, their phases, and what is known of them.

The workflows that change the database are in `sessions.py` and `phases.py`; here the
windows are told, the editor is cleared or filled again, and the session in memory follows.
"""

import logging
from collections.abc import Collection
from typing import Any, Literal, get_args

from anyio.to_thread import run_sync
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.errors import Conflict, PaigeError
from paige.coach import editor_state, queries, sessions
from paige.coach.display import Display
from paige.coach.editor_state import EditorState
from paige.coach.file_work import FileWork
from paige.coach.issues import issue_context
from paige.coach.log.queries import insert_actions
from paige.coach.message_parts import Decoration, FileHint, HintLevel, RestoredState
from paige.coach.model import PlanText, Progress, WrapUp
from paige.coach.phases import (
    PhaseChange,
    PhaseUpdate,
    PlanSource,
    StoredPlan,
    is_more,
    store_plan,
    update_phase,
)
from paige.coach.project_context import Place
from paige.coach.records import Action, CoachSession
from paige.coach.sessions import ResumedSession, StartedSession, project_key
from paige.coach.snapshot import STATE_ITEMS as STORED_ITEMS
from paige.coach.snapshot import session_state as stored_state

logger = logging.getLogger(__name__)
LiveItem = Literal["open_files", "buffers", "diffs"]
LIVE_ITEMS: tuple[LiveItem, ...] = get_args(LiveItem)
STATE_ITEMS = (*LIVE_ITEMS, *STORED_ITEMS)


class SessionFlow(FileWork, Display):
    """The part of the live coach that deals with sessions, phases and plans."""

    async def start_session(
        self, actor: Actor, issue_number: int | None, issue_title: str | None = None
    ) -> StartedSession:
        """Begin a session on an issue, or without one; an earlier one is abandoned."""
        place = self.place(actor)
        issue = await run_sync(issue_context, self.root(), issue_number, issue_title)
        async with place.turn:
            started = await self.database.write(
                sessions.start, actor, self.root(), issue=issue, now=self.now(), ids=self.ids
            )
            self._now_in(place, started.session)
            self.clear_editor(place)
        self.log.tell(actor, started.actions)
        await self.outlet.after_events()
        self.send_cleared(actor)
        await self.send_tree(actor)
        return started

    async def resume_session(self, actor: Actor, session_id: str) -> ResumedSession:
        """Go on with an earlier session of this project. Raises: NotFound, Conflict."""
        place = self.place(actor)
        async with place.turn:
            await self._check_project(actor, session_id)
            before = await self.known_session(actor)
            same = before is not None and before.id == session_id
            resumed = await self.database.write(
                sessions.resume,
                actor,
                session_id,
                muted=same and place.editor.muted,
                now=self.now(),
                ids=self.ids,
            )
            self._now_in(place, resumed.session)
            if not same:  # what lies there is another session's
                self.clear_editor(place)
            place.editor = restored_editor(place.editor, resumed.restored)
        self.log.tell(actor, resumed.actions)
        await self.outlet.after_events()
        self.send_cleared(actor)
        await self.send_tree(actor)
        self.show_editor(actor)
        return resumed

    async def end_session(
        self, actor: Actor, transcript: str = "", *, strict: bool = False
    ) -> WrapUp:
        """Complete the session with what was learnt from it; `strict` ends nothing without that.

        Raises: NotFound without a session; when strict, Unavailable when nobody can analyse it.
        """
        place = self.place(actor)
        async with place.turn:
            session = await self.need_session(actor)
            learnt = await self._wrap_up(actor, session, transcript, strict=strict)
            await self.write_summaries()
            ended = await self.database.write(
                sessions.end, actor, session.id, learnt=learnt, now=self.now(), ids=self.ids
            )
            self._now_in(place, None)
            self.clear_editor(place)
        self.log.tell(actor, ended.actions)
        await self.outlet.after_events()
        self.send_cleared(actor)
        return learnt

    async def update_phase(self, actor: Actor, change: PhaseChange) -> PhaseUpdate:
        """Give a phase another status. Raises: NotFound without a session or such a phase."""
        session = await self.need_session(actor)
        update = await self.database.write(
            update_phase, actor, session.id, change, now=self.now(), ids=self.ids
        )
        self.log.tell(actor, update.actions)
        return update

    async def change_hint_level(
        self, actor: Actor, level: HintLevel, previous: HintLevel | None
    ) -> None:
        """The hint slider moved: the active phase keeps the level, the log says what was sent."""
        place = self.place(actor)
        self.touch(actor)
        before = place.editor.hint_level if previous is None else previous
        self.show_at_level(actor, level)
        session = await self.active_session(actor)
        data = {"level": level, "previousLevel": before}
        if session is None:
            await self.log.log(actor, None, "hint_level_change", data)
            return
        action = self.action(session.id, "hint_level_change", data)
        await self.database.write(_store_level, actor, action, str(level))
        self.log.tell(actor, (action,))
        if is_more(level, before):
            await self.progress(actor, "hint_escalated", {"from": before, "to": level})

    async def go_idle(self, actor: Actor, since: float | str) -> None:
        """Nothing has been done for a while."""
        await self.note(actor, "idle_start", {"lastActionTimestamp": since})

    async def come_back(self, actor: Actor) -> None:
        """The person is here again."""
        self.touch(actor)
        await self.note(actor, "idle_end", {})

    async def run_pipeline(self, actor: Actor, text: PlanText, progress: Progress) -> StoredPlan:
        """Turn a plan into phases, store them, and show the hints of the first one.

        Raises: NotFound without a session, Unavailable when nobody can do it.
        """
        session = await self.need_session(actor)
        coached = await self.model.run_pipeline(actor, session, text, progress)
        made = PlanSource(text, coached)
        stored = await self.database.write(
            store_plan, actor, session.id, made, now=self.now(), ids=self.ids
        )
        self.log.tell(actor, stored.actions)
        for first in coached.phases[:1]:
            for line in first.hints.line_hints:
                await self.highlight(actor, line.path, line.decoration)
            if first.hints.file_hints:
                files = [FileHint.model_validate(each) for each in first.hints.file_hints]
                await self.hint_files(actor, files)
        return stored

    async def session_state(
        self, actor: Actor, include: Collection[str] | None = None
    ) -> dict[str, Any]:
        """What is known of the session, the items asked for or all, as clients read it.

        Raises: NotFound without a session.
        """
        session = await self.need_session(actor)
        wanted = [item for item in STATE_ITEMS if not include or item in include]
        stored = [item for item in wanted if item in STORED_ITEMS]
        found: dict[str, Any] = {}
        if stored:
            found = await self.database.read(stored_state, actor, session, stored)
        for item in wanted:
            if item not in STORED_ITEMS:
                found[item] = await self._live(actor, item)
        return {item: found[item] for item in wanted}

    async def follow_session(self, place: Place) -> None:
        """Another process may have changed the session: look, and clear the editor if it did."""
        async with place.turn:
            before = place.session if place.session_known else None
            place.session_known = False
            now = await self.known_session(place.actor)
            if (before.id if before else None) == (now.id if now else None):
                return
            self.count_again(place)
            self.clear_editor(place)
        await self.outlet.after_events()
        self.send_cleared(place.actor)
        if now is not None:
            await self.send_tree(place.actor)

    async def _live(self, actor: Actor, item: str) -> list[Any]:
        match item:
            case "open_files":
                return self.open_files(actor)
            case "buffers":
                return self.buffers(actor)
            case _:
                return await self.diffs(actor)

    async def _wrap_up(
        self, actor: Actor, session: CoachSession, transcript: str, *, strict: bool
    ) -> WrapUp:
        try:
            return await self.model.wrap_up(actor, session, transcript)
        except PaigeError as error:
            if strict:
                raise
            logger.warning("The session ends without analysis: %s", error.message)
            return WrapUp()

    async def _check_project(self, actor: Actor, session_id: str) -> None:
        session = await self.database.read(queries.get_session, actor, session_id)
        if session.project_dir != project_key(self.root()):
            raise Conflict(
                f"Session `{session_id}` belongs to the project `{session.project_dir}`",
                hint="Start Paige there to go on with it.",
            )

    def _now_in(self, place: Place, session: CoachSession | None) -> None:
        place.session, place.session_known = session, True
        self.observer.follow(place.actor, session)
        self.count_again(place)


def _store_level(connection: Connection, actor: Actor, action: Action, level: str) -> None:
    assert action.session_id is not None
    phase = queries.active_phase(connection, actor, action.session_id)
    if phase is not None:
        queries.set_hint_level(connection, actor, phase.id, level)
    insert_actions(connection, actor, [action])


def restored_editor(editor: EditorState, restored: RestoredState) -> EditorState:
    """The editor with what a session brings back, besides what is there."""
    for path in restored.open_files:
        editor = editor_state.opened(editor, path)
    for hint in restored.hints.line_hints:
        editor = editor_state.highlighted(editor, hint.path, Decoration.model_validate(hint))
    return editor_state.hinted(editor, restored.hints.file_hints)
