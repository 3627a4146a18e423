"""What Paige shows in a person's windows: highlights, glowing files, messages, the issue."""

import logging
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach import desk as desks
from paige.coach.action_queries import insert_actions
from paige.coach.ground import Ground, Place
from paige.coach.message_parts import Anchor, Decoration, FileHint, IssueContext, NudgeContext
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
from paige.coach.records import Action
from paige.store.messages import Message, publish

logger = logging.getLogger(__name__)


class Showing(Ground):
    """The part of the live coach that puts things in front of a person."""

    async def highlight(self, actor: Actor, path: str, decoration: Decoration) -> str:
        """Highlight lines besides those that are; return the project's name of the file."""
        place = self.place(actor)
        key = place.files.relative(path)
        place.desk = desks.highlighted(place.desk, key, decoration)
        self.outlet.send(EditorHighlightLines(path=key, **decoration.model_dump()), actor)
        await self.note(actor, "decorations_applied", {"path": key, "count": 1})
        return key

    async def clear_highlights(self, actor: Actor, path: str | None = None) -> str | None:
        """Take away the highlights of a file, or all; return the project's name of the file."""
        place = self.place(actor)
        key = None if path is None else place.files.relative(path)
        place.desk = desks.without_highlights(place.desk, key)
        self.outlet.send(EditorClearHighlights(path=key), actor)
        return key

    async def hint_files(self, actor: Actor, hints: Sequence[FileHint]) -> list[str]:
        """Let files glow in the explorer; return the project's names of them."""
        place = self.place(actor)
        named = [
            hint.model_copy(update={"path": place.files.relative(hint.path)}) for hint in hints
        ]
        place.desk = desks.hinted(place.desk, named)
        self.outlet.send(ExplorerHintFiles(hints=named), actor)
        paths = [hint.path for hint in named]
        await self.note(actor, "file_hints_applied", {"paths": paths})
        return paths

    async def clear_hints(self, actor: Actor) -> None:
        """Let no file glow any more."""
        place = self.place(actor)
        place.desk = desks.without_hints(place.desk)
        self.outlet.send(ExplorerClearHints(), actor)

    async def show_message(
        self, actor: Actor, message: str, *, type: str, anchor: Anchor | None = None
    ) -> None:
        """Say something to the person, by itself or beside some lines. Raises: NotFound."""
        session = await self.need_session(actor)
        if anchor is not None:
            key = self.place(actor).files.relative(anchor.path)
            anchor = anchor.model_copy(update={"path": key})
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
        place.desk = desks.muted(place.desk, muted=muted)
        action = self.action(session.id, "observer_muted", {"muted": muted})
        await self._publish(actor, ObserverStatus(active=True, muted=muted), action)

    async def nudge(
        self, actor: Actor, *, signal: str, confidence: float, context: NudgeContext
    ) -> None:
        """Let the observer say that a word would help."""
        await self.note(actor, "nudge_sent", {"signal": signal, "confidence": confidence})
        message = ObserverNudge(signal=signal, confidence=confidence, context=context)
        self.outlet.send(message, actor)

    def clear_desk(self, place: Place) -> None:
        """Take everything of Paige's off a person's desk: a session begins or ends."""
        place.desk = desks.cleared(place.desk)

    def send_cleared(self, actor: Actor) -> None:
        """Tell the windows that nothing of Paige's lies on the desk any more."""
        self.outlet.send(EditorClearDecorations(), actor)
        self.outlet.send(ExplorerClearHints(), actor)

    def show_desk(self, actor: Actor) -> None:
        """Send again what Paige had put on the desk: a session goes on."""
        desk = self.place(actor).desk
        for path, decorations in desk.highlights.items():
            self.outlet.send(EditorDecorations(path=path, decorations=list(decorations)), actor)
        if desk.hints:
            self.outlet.send(ExplorerHintFiles(hints=list(desk.hints.values())), actor)

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
