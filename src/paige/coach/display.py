"""What Paige shows in a person's windows: highlights, glowing files, messages, the issue."""

import logging
from collections.abc import Sequence
from datetime import datetime

from anyio.to_thread import run_sync
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.coach import editor_state
from paige.coach.log.queries import insert_actions
from paige.coach.message_parts import (
    Anchor,
    Decoration,
    FileHint,
    HintLevel,
    IssueContext,
    NudgeContext,
)
from paige.coach.messages import (
    CoachingIssueContext,
    CoachingMessage,
    EditorClearDecorations,
    EditorClearHighlights,
    EditorDecorations,
    EditorHighlightLines,
    ExplorerClearHints,
    ExplorerHintFiles,
    ObserverNudge,
    ObserverStatus,
)
from paige.coach.project_context import Place, ProjectContext
from paige.coach.records import Action
from paige.store.messages import Message, publish

logger = logging.getLogger(__name__)


class Display(ProjectContext):
    """The part of the live coach that puts things in front of a person."""

    async def highlight(self, actor: Actor, path: str, decoration: Decoration) -> str:
        """Highlight lines besides those that are; return the project's name of the file."""
        place = self.place(actor)
        key = place.files.relative(path)
        before = editor_state.shown_highlights(place.editor, key)
        place.editor = editor_state.highlighted(place.editor, key, decoration)
        if editor_state.shown_level(place.editor.hint_level) == "line":
            self.outlet.send(EditorHighlightLines(path=key, **decoration.model_dump()), actor)
        else:
            self._send_changed(actor, key, before)
        await self.note(actor, "decorations_applied", {"path": key, "count": 1})
        return key

    async def clear_highlights(self, actor: Actor, path: str | None = None) -> str | None:
        """Take away the highlights of a file, or all; return the project's name of the file."""
        place = self.place(actor)
        key = None if path is None else place.files.relative(path)
        place.editor = editor_state.without_highlights(place.editor, key)
        self.outlet.send(EditorClearHighlights(path=key), actor)
        return key

    async def hint_files(self, actor: Actor, hints: Sequence[FileHint]) -> list[str]:
        """Let files glow in the explorer; return the project's names of them."""
        place = self.place(actor)
        named = [
            hint.model_copy(update={"path": place.files.relative(hint.path)}) for hint in hints
        ]
        place.editor = editor_state.hinted(place.editor, named)
        if editor_state.shown_hints(place.editor):
            self.outlet.send(ExplorerHintFiles(hints=named), actor)
        paths = [hint.path for hint in named]
        await self.note(actor, "file_hints_applied", {"paths": paths})
        return paths

    async def clear_hints(self, actor: Actor) -> None:
        """Let no file glow any more."""
        place = self.place(actor)
        place.editor = editor_state.without_hints(place.editor)
        self.outlet.send(ExplorerClearHints(), actor)

    async def show_message(
        self, actor: Actor, message: str, *, type: str, anchor: Anchor | None = None
    ) -> None:
        """Say something to the person, by itself or beside some lines. Raises: NotFound."""
        session = await self.need_session(actor)
        if anchor is not None:
            key = self.place(actor).files.relative(anchor.path)
            anchor = anchor.model_copy(update={"path": key})
        message = await self._kept_back(actor, message)
        said = CoachingMessage(message=message, type=type, anchor=anchor)
        action = self.action(session.id, "coaching_message", {"messageType": type})
        await self._publish(actor, said, action)

    async def show_issue_context(self, actor: Actor, issue: IssueContext) -> None:
        """Show what the issue is about. Raises: NotFound without a session."""
        await self.need_session(actor)
        await self._publish(actor, CoachingIssueContext(**issue.model_dump()))

    async def mute(self, actor: Actor, *, muted: bool) -> None:
        """Let the observer be quiet, or speak again; without a session nobody observes."""
        place = self.place(actor)
        session = await self.active_session(actor)
        if session is None:
            logger.warning("Nobody is to be muted: no session is active")
            return
        place.editor = editor_state.muted(place.editor, muted=muted)
        looked = self.observer.mute(actor, muted=muted)
        status = ObserverStatus(
            active=True, muted=muted, last_evaluation=to_iso(looked) if looked else None
        )
        action = self.action(session.id, "observer_muted", {"muted": muted})
        await self._publish(actor, status, action)

    async def nudge(
        self, actor: Actor, *, signal: str, confidence: float, context: NudgeContext
    ) -> None:
        """Let the observer say that a word would help."""
        await self.note(actor, "nudge_sent", {"signal": signal, "confidence": confidence})
        message = ObserverNudge(signal=signal, confidence=confidence, context=context)
        self.outlet.send(message, actor)

    def clear_editor(self, place: Place) -> None:
        """Take everything of Paige's off a person's editor: a session begins or ends."""
        place.editor = editor_state.cleared(place.editor)

    def send_cleared(self, actor: Actor) -> None:
        """Tell the windows that nothing of Paige's lies in the editor any more."""
        self.outlet.send(EditorClearDecorations(), actor)
        self.outlet.send(ExplorerClearHints(), actor)

    def show_editor(self, actor: Actor) -> None:
        """Send again what Paige had put in the editor: a session goes on."""
        editor = self.place(actor).editor
        for path in editor.highlights:
            if shown := editor_state.shown_highlights(editor, path):
                self.outlet.send(EditorDecorations(path=path, decorations=list(shown)), actor)
        if hints := editor_state.shown_hints(editor):
            self.outlet.send(ExplorerHintFiles(hints=list(hints.values())), actor)

    def show_at_level(self, actor: Actor, level: HintLevel) -> None:
        """The hint slider moved: the windows show more or less of what lies on the editor."""
        place = self.place(actor)
        before = place.editor
        place.editor = editor_state.at_hint_level(before, level)
        for path in place.editor.highlights:
            self._send_changed(actor, path, editor_state.shown_highlights(before, path))
        was, now = editor_state.shown_hints(before), editor_state.shown_hints(place.editor)
        if now and not was:
            self.outlet.send(ExplorerHintFiles(hints=list(now.values())), actor)
        elif was and not now:
            self.outlet.send(ExplorerClearHints(), actor)

    def _send_changed(self, actor: Actor, path: str, before: Sequence[Decoration]) -> None:
        """Send the highlights of a file, if what is shown of them is not what was shown."""
        shown = editor_state.shown_highlights(self.place(actor).editor, path)
        if tuple(before) != shown:
            self.outlet.send(EditorDecorations(path=path, decorations=list(shown)), actor)

    async def _kept_back(self, actor: Actor, text: str) -> str:
        """A text without the solution of a kata that the person has not solved."""
        # It brings the catalogue of katas along, which a server starts without.
        from paige.coach.inquiry.disclosure import kept_back_from, open_secrets  # noqa: PLC0415

        secrets = await self.database.read(open_secrets, actor, self.now())
        if not secrets:
            return text
        return await run_sync(kept_back_from, secrets, text, self.now())

    async def _publish(self, actor: Actor, message: Message, action: Action | None = None) -> None:
        await self.database.write(_store, actor, message, action, now=self.now())
        if action is not None:
            self.log.tell(actor, (action,))


def _store(
    connection: Connection, actor: Actor, message: Message, action: Action | None, *, now: datetime
) -> None:
    if action is not None:
        insert_actions(connection, actor, [action])
    publish(connection, actor, message, now=now)
