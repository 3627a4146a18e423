"""What happens to files: opened, saved, closed, typed in, listed, and changed by others."""

import logging
import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from anyio.to_thread import run_sync

from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.coach import editor_state
from paige.coach.files.languages import has_binary_name
from paige.coach.files.values import (
    BufferEntry,
    Change,
    CoachFile,
    CoachTree,
    CursorPosition,
    Overflow,
    PathDiff,
    SavedFile,
)
from paige.coach.message_parts import TextRange
from paige.coach.messages import (
    EditorHoverHint,
    EditorOpenFile,
    FsContent,
    FsSaveAck,
    FsSaveError,
    FsTree,
    FsTreeUpdate,
    Reply,
)
from paige.coach.project_context import Place, ProjectContext

if TYPE_CHECKING:
    from paige.coach.files.project import ProjectFiles

logger = logging.getLogger(__name__)
TOLD_AT_ONCE = 64  # changes of files, before it is asked whether the windows keep up


class FileWork(ProjectContext):
    """The part of the live coach that deals with files and editors."""

    async def open_file(self, actor: Actor, path: str, *, reply: Reply | None = None) -> CoachFile:
        """A person opens a file: it is read, remembered as open, logged, and sent."""
        place = self.place(actor)
        content = await run_sync(place.files.read, path)
        self._open(place, content.path)
        if place.files.buffer(content.path) is None:
            place.typing.opened(content.path, len(content.content))
        await self.note(actor, "file_open", {"path": content.path})
        shown = FsContent.model_validate(content, from_attributes=True)
        self.outlet.send(shown, actor, reply=reply)
        return content

    async def show_file(self, actor: Actor, path: str) -> CoachFile:
        """Paige opens a file for the person, who may have it open already."""
        place = self.place(actor)
        content = await run_sync(place.files.read, path)
        self._open(place, content.path)
        self.outlet.send(EditorOpenFile.model_validate(content, from_attributes=True), actor)
        return content

    async def read_file(self, actor: Actor, path: str) -> CoachFile:
        """Read a file without opening it for anyone."""
        return await run_sync(self.place(actor).files.read, path)

    async def save_file(
        self, actor: Actor, path: str, content: str, *, reply: Reply | None = None
    ) -> SavedFile | None:
        """A person saves a file; whoever cannot be served is told why, and nothing is lost."""
        place = self.place(actor)
        try:
            saved = await self._write(place, path, content)
        except PaigeError as error:
            sentence = error.message if error.hint is None else f"{error.message}. {error.hint}"
            self.outlet.send(FsSaveError(path=path, error=sentence), actor, reply=reply)
            return None
        self._touch(place)
        data = {"path": saved.path, "charCount": len(content)}
        await self.note(actor, "file_save", data)
        moment = int(saved.timestamp.timestamp() * 1000)
        self.outlet.send(FsSaveAck(path=saved.path, timestamp=moment), actor, reply=reply)
        return saved

    async def close_file(self, actor: Actor, path: str) -> None:
        """A person closes a tab; what was not saved stays in the buffer."""
        place = self.place(actor)
        key = place.files.relative(path)
        place.editor = editor_state.closed(place.editor, key)
        self._touch(place)
        held = place.files.buffer(key)
        if held is None or not held.dirty:
            place.files.forget(key)
            place.typing.forget(key)
        await self.note(actor, "file_close", {"path": key})

    async def update_buffer(
        self, actor: Actor, path: str, content: str, cursor: CursorPosition
    ) -> BufferEntry | None:
        """An editor's text changed; a large change is logged at once, the rest now and then.

        Of a file that is no text nothing is kept.
        """
        place = self.place(actor)
        key = place.files.relative(path)
        if has_binary_name(key):
            return None
        entry = place.files.update_buffer(key, content, cursor, now=self.now())
        self._touch(place)
        self.observer.typed(actor, key, content)
        await self._count_from_saved(place, key)
        large = place.typing.noted(key, len(content))
        if large is not None:
            await self.note(actor, "buffer_significant_change", large.data)
        return entry

    def buffer(self, actor: Actor, path: str) -> BufferEntry | None:
        """What the editor holds of a file, if it told."""
        return self.place(actor).files.buffer(path)

    def buffers(self, actor: Actor) -> list[BufferEntry]:
        """Everything the editor holds, by path."""
        kept = self.place(actor).files.buffers
        return [entry for path in kept.paths() if (entry := kept.get(path)) is not None]

    def open_files(self, actor: Actor) -> list[str]:
        """The files a person has open, in the order they were opened."""
        return list(self.place(actor).editor.open_files)

    async def diffs(self, actor: Actor, path: str | None = None) -> list[PathDiff]:
        """Unsaved changes: of one file (none when it has none), or of all that have some."""
        files = self.place(actor).files
        if path is None:
            return await run_sync(files.diffs)
        key = files.relative(path)
        text = await run_sync(files.diff, key)
        return [PathDiff(key, text)] if text else []

    async def tree(self, actor: Actor) -> CoachTree:
        """The project's folders and files."""
        return await run_sync(self.place(actor).files.tree)

    async def send_tree(self, actor: Actor, *, reply: Reply | None = None) -> None:
        """Send the whole tree: to whoever asked, or to all windows of a person."""
        self.tree_told = True
        message = await run_sync(_read_tree, self.place(actor).files)
        if reply is None:
            self.outlet.send(message, actor)
        else:
            self.outlet.answer(message, reply)

    async def switch_tab(self, actor: Actor, from_path: str | None, to_path: str | None) -> None:
        """Another tab is in front."""
        self._touch(self.place(actor))
        await self.note(actor, "tab_switch", {"fromPath": from_path, "toPath": to_path})

    async def select(
        self, actor: Actor, path: str, selected: TextRange, length: int, *, sent: object = None
    ) -> EditorHoverHint | None:
        """Text was selected; return what Paige has to say about those lines.

        The log keeps the range as it was `sent`, if that is known.
        """
        place = self.place(actor)
        key = place.files.relative(path)
        self._touch(place)
        where = sent or selected.model_dump(by_alias=True)
        await self.note(actor, "selection", {"path": key, "range": where, "textLength": length})
        found = editor_state.hover_text(place.editor, key, selected)
        if found is None or found.hover_text is None:
            return None
        if (key, found) not in place.editor.used:
            place.editor = editor_state.with_used(place.editor, key, found)
            lines_used = {"path": key, "start": found.start, "end": found.end}
            await self.progress(actor, "hint_used", lines_used)
        lines = TextRange(start_line=found.start, end_line=found.end)
        return EditorHoverHint(path=key, range=lines, hint_text=found.hover_text)

    def touch(self, actor: Actor) -> None:
        """A person did something that is not logged."""
        self._touch(self.place(actor))

    async def write_summaries(self) -> None:
        """Log what was typed since the last summary, for everyone in a session."""
        for place in self.places():
            session = await self.active_session(place.actor)
            if session is None:
                continue
            for summary in place.typing.summaries(place.files.buffers.dirty_paths()):
                await self.log.log(place.actor, session.id, "buffer_summary", summary.data)

    def count_again(self, place: Place) -> None:
        """A session begins or ends: what is typed from now on counts from what is there."""
        place.typing.reset()
        for entry in self.buffers(place.actor):
            place.typing.opened(entry.path, len(entry.content))

    async def files_changed(self, changes: list[Change] | Overflow) -> None:
        """Someone changed files on the disk: tell every window."""
        if isinstance(changes, Overflow):
            logger.info("%d files changed at once; the tree is sent whole", changes.count)
            await self.send_tree_to_all()
            return
        own = below(self.root(), self.around.own_folder)
        for number, change in enumerate(changes, start=1):
            if own is not None and PurePosixPath(change.path).is_relative_to(own):
                continue
            message = FsTreeUpdate(action=change.action, path=change.path, new_path=change.new_path)
            self.outlet.send(message, None)
            if number % TOLD_AT_ONCE == 0:
                await self.outlet.room(None)

    async def send_tree_to_all(self) -> None:
        """Send the whole tree to every window."""
        self.outlet.send(await run_sync(_read_tree, self.project_files()), None)

    async def _count_from_saved(self, place: Place, key: str) -> None:
        """Let a file that was not opened here be counted from what is saved of it."""
        if place.typing.knows(key):
            return
        saved = await run_sync(place.files.saved_length, key)
        if saved is not None and not place.typing.knows(key):
            place.typing.opened(key, saved)

    async def _write(self, place: Place, path: str, content: str) -> SavedFile:
        now = self.now()
        return await run_sync(lambda: place.files.write(path, content, now=now))

    def _open(self, place: Place, path: str) -> None:
        place.editor = editor_state.opened(place.editor, path)
        self._touch(place)

    def _touch(self, place: Place) -> None:
        place.editor = editor_state.active_at(place.editor, self.now())
        self.observer.present(place.actor)


def below(root: Path, folder: Path | None) -> PurePosixPath | None:
    """Where a folder lies in the project, if it does."""
    if folder is None:
        return None
    place, real = os.path.realpath(folder), os.path.realpath(root)
    if place == real or not Path(place).is_relative_to(real):
        return None
    return PurePosixPath(Path(place).relative_to(real).as_posix())


def _read_tree(files: "ProjectFiles") -> FsTree:
    tree = files.tree()
    return FsTree(root=tree.root, truncated=tree.truncated)
