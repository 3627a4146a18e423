"""The tools every agent may have: files, skills, earlier sessions, tasks, subagents, a shell.

File tools work on the workspace's documents; whatever leaves the folder is refused there. `bash` is
for developers and evals only: no agent has it unless it names it.
"""

import os
import signal
import subprocess
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, Literal

import anyio
import anyio.to_thread
from anyio.abc import ByteReceiveStream
from pydantic import BaseModel, Field

from paige.agent import queries
from paige.agent.agents import SPAWN_SUBAGENT
from paige.agent.context import RunContext, Task, render_tasks
from paige.agent.library.skills import read_skill, tier_of
from paige.agent.memories import MEMORY_TOOLS
from paige.agent.queries import Transcript, read_session
from paige.agent.tables import SessionRow, SessionSearch
from paige.agent.tools import FileChange, Tool, ToolFailed, ToolScope, TryAgain
from paige.base.environment import passed_on
from paige.base.errors import NotFound
from paige.base.umask import persons_umask
from paige.models.messages import Message
from paige.store.documents import NEW, Document, Documents

MAX_LINES = 2000
BASH_SECONDS = 120.0
MAX_BYTES = 1_000_000
SUMMARY = 300


class ReadFile(BaseModel):
    """Which file, and which part of it."""

    path: str = Field(description="Path inside the workspace.")
    first_line: int = Field(default=1, ge=1)
    lines: int = Field(default=MAX_LINES, ge=1, le=MAX_LINES)


class WriteFile(BaseModel):
    """A whole file."""

    path: str = Field(description="Path inside the workspace.")
    content: str


class StrReplace(BaseModel):
    """A text that stands in the file exactly once, and what replaces it."""

    path: str = Field(description="Path inside the workspace.")
    old: str = Field(min_length=1)
    new: str


class ListDirectory(BaseModel):
    """Which folder; empty for the whole workspace."""

    path: str = ""


async def read_file(scope: ToolScope, params: ReadFile) -> str:
    """The lines of a file with their numbers."""
    document = await _read_document(scope, params.path)
    lines = _lines(document.text)
    start = params.first_line - 1
    shown = lines[start : start + params.lines]
    if not shown and lines:
        raise TryAgain(f"`{params.path}` has only {len(lines)} lines.")
    text = "\n".join(f"{number:>5}  {line}" for number, line in enumerate(shown, params.first_line))
    rest = len(lines) - start - len(shown)
    return f"{text}\n[… {rest} more lines]" if rest > 0 else text


async def write_file(scope: ToolScope, params: WriteFile) -> FileChange:
    """Create a file or replace it whole."""
    try:
        base = (await _read_document(scope, params.path)).version
    except NotFound:
        base = NEW
    verb = "Wrote" if base == NEW else "Replaced"
    return FileChange(params.path, base, params.content, f"{verb} `{params.path}`.")


async def str_replace(scope: ToolScope, params: StrReplace) -> FileChange:
    """Replace a text that stands in a file exactly once."""
    document = await _read_document(scope, params.path)
    first = document.text.find(params.old)
    if first < 0:
        raise TryAgain(f"The text is not in `{params.path}`. Read the file and copy it exactly.")
    if document.text.find(params.old, first + 1) >= 0:
        raise TryAgain(f"The text stands more than once in `{params.path}`. Give more of it.")
    text = document.text.replace(params.old, params.new)
    return FileChange(params.path, document.version, text, f"Changed `{params.path}`.")


async def list_directory(scope: ToolScope, params: ListDirectory) -> str:
    """The files below a folder."""
    documents: Documents = scope.segment.runtime.documents
    folder = params.path.strip("/").removeprefix("./")
    paths = await anyio.to_thread.run_sync(documents.paths, "" if folder == "." else folder)
    if not paths:
        raise NotFound(f"There is nothing in `{params.path or 'the workspace'}`")
    return "\n".join(paths)


def _lines(text: str) -> list[str]:
    """The lines as editors count them: a form feed does not end one, as `splitlines` would say."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


async def _read_document(scope: ToolScope, path: str) -> Document:
    return await anyio.to_thread.run_sync(scope.segment.runtime.documents.read, path)


FILE_TOOLS = (
    Tool(
        "read_file", "Read a file of the workspace, with line numbers.", ReadFile, "pure", read_file
    ),
    Tool(
        "write_file",
        "Create a file of the workspace, or replace it whole.",
        WriteFile,
        "file",
        change=write_file,
    ),
    Tool(
        "str_replace",
        "Replace a text that stands in a file exactly once.",
        StrReplace,
        "file",
        change=str_replace,
    ),
    Tool("list_directory", "List the files below a folder.", ListDirectory, "pure", list_directory),
)


class Bash(BaseModel):
    """A command line."""

    command: str = Field(min_length=1)


def bash_tool(folder: Path) -> Tool[Bash]:
    """The tool, working in a folder."""

    async def run(scope: ToolScope, params: Bash) -> str:
        return await run_bash(params.command, folder)

    return Tool(
        "bash",
        "Run a shell command in the project and read its output.",
        Bash,
        "once",
        run,
        seconds=BASH_SECONDS,
    )


async def run_bash(command: str, folder: Path) -> str:
    """Run a command to its end, with nothing of it left behind."""
    process = await anyio.open_process(
        ["bash", "-c", command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        env=passed_on(os.environ),
        start_new_session=True,
        umask=persons_umask(),
    )
    assert process.stdout is not None
    output = bytearray()

    async def read(stdout: ByteReceiveStream) -> None:
        async for part in stdout:
            output.extend(part[: max(0, MAX_BYTES - len(output))])

    async with process, anyio.create_task_group() as reading:
        reading.start_soon(read, process.stdout)
        try:
            await process.wait()
        finally:
            _end(process.pid)  # what it left running would also keep the output open
    text = output.decode("utf-8", "replace")
    if process.returncode != 0:
        raise ToolFailed(f"{text}\nThe command ended with exit code {process.returncode}.")
    return text or "The command printed nothing."


def _end(group: int) -> None:
    """End whatever the command started and left running."""
    if hasattr(os, "killpg"):
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            return


class ReadSkill(BaseModel):
    """A skill, or a file of one."""

    reference: str = Field(description="`name` for a skill, `name/file.md` for a file of it.")


async def read_skill_text(scope: ToolScope, params: ReadSkill) -> str:
    """The text of a skill with its references expanded; what is missing is said in it."""
    skills = scope.segment.runtime.library.skills(scope.work.agent)
    found = await anyio.to_thread.run_sync(read_skill, skills, params.reference)
    if not found.found:
        raise ToolFailed(found.text)
    return found.text


def _skill_attributes(params: ReadSkill) -> dict[str, object]:
    return {"skill": params.reference, "skill_tier": tier_of(params.reference)}


SKILL_TOOLS = (
    Tool(
        "read_skill",
        "Read a skill (`name`) or one of its reference files (`name/file.md`).",
        ReadSkill,
        "pure",
        read_skill_text,
        attributes=_skill_attributes,
    ),
)


class TaskChange(BaseModel):
    """A new task (without an id), or a change of a known one."""

    id: str | None = None
    title: str | None = Field(default=None, min_length=1)
    status: Literal["pending", "in_progress", "done"] | None = None


class UpdateTasks(BaseModel):
    """Changes, in order."""

    changes: list[TaskChange] = Field(min_length=1)


def change_tasks(tasks: tuple[Task, ...], changes: list[TaskChange]) -> tuple[Task, ...]:
    """The list after some changes. Raises: TryAgain."""
    known = {task.id: task for task in tasks}
    for change in changes:
        if change.id is None:
            if change.title is None:
                raise TryAgain("A new task needs a title.")
            identity = str(len(known) + 1)
            known[identity] = Task(identity, change.title, change.status or "pending")
        elif change.id in known:
            task = known[change.id]
            known[change.id] = replace(
                task, title=change.title or task.title, status=change.status or task.status
            )
        else:
            raise TryAgain(f"There is no task `{change.id}`. There are: {', '.join(known)}.")
    return tuple(known.values())


async def update_tasks(scope: ToolScope, params: UpdateTasks) -> str:
    """Show the list as it is after the changes; the context is changed by `fold`."""
    return render_tasks(change_tasks(scope.context.task_progress, params.changes))


def _fold_tasks(context: RunContext, params: UpdateTasks) -> RunContext:
    changed = change_tasks(context.task_progress, params.changes)
    return replace(context, task_progress=changed)


TASK_TOOLS = (
    Tool(
        "update_tasks",
        "Add, change or complete tasks of this session's list.",
        UpdateTasks,
        "pure",
        update_tasks,
        fold=_fold_tasks,
    ),
)


class SearchSessions(BaseModel):
    """Words, a class, or days; at least one of them."""

    query: str = Field(default="", description="Words that must all be in the session.")
    class_id: str | None = Field(default=None, description="A class such as 3B.")
    since: date | None = Field(default=None, description="First day, as 2026-03-01.")
    until: date | None = Field(default=None, description="Last day, as 2026-03-07.")
    limit: int = Field(default=10, ge=1, le=50)


class ReadSession(BaseModel):
    """Which session."""

    session_id: str


async def search_sessions(scope: ToolScope, params: SearchSessions) -> str:
    """Summaries of matching sessions with their ids."""
    segment = scope.segment
    wanted = SessionSearch(
        params.query,
        params.class_id,
        _morning(params.since),
        _morning(params.until, days=1),
        params.limit + 1,  # this session may be among them
    )
    found = await segment.runtime.db.read(queries.search_sessions, segment.actor, wanted)
    others = [row for row in found if row.id != segment.session][: params.limit]
    if not others:
        return "No earlier session matches."
    return "\n\n".join(_summary(row) for row in others)


async def read_past_session(scope: ToolScope, params: ReadSession) -> str:
    """What was said in a session."""
    segment = scope.segment
    found = await segment.runtime.db.read(read_session, segment.actor, params.session_id)
    return render_transcript(found)


def render_transcript(transcript: Transcript) -> str:
    """A session as text: who said what, without the inside of tools."""
    row = transcript.session
    head = f"Session {row.id}, {row.updated_at:%Y-%m-%d}, {row.title or 'untitled'}"
    return "\n\n".join([head, *(text for m in transcript.messages if (text := _line(m)))])


def _line(message: Message) -> str:
    used = ", ".join(use.name for use in message.tool_uses)
    said = message.text.strip()
    if not said and not used:
        return ""
    who = "Person" if message.role == "user" else "Agent"
    return f"{who}: {said}" + (f" [used {used}]" if used else "")


def _summary(row: SessionRow) -> str:
    place = f", class {row.class_id}" if row.class_id else ""
    text = " ".join(row.messages_text.split())
    shown = text if len(text) <= SUMMARY else f"{text[:SUMMARY]}…"
    return f"{row.id} ({row.updated_at:%Y-%m-%d}{place}): {row.title or ''}\n{shown}"


def _morning(day: date | None, *, days: int = 0) -> datetime | None:
    return datetime.combine(day + timedelta(days=days), time(), UTC) if day else None


SESSION_TOOLS = (
    Tool(
        "search_sessions",
        "Search earlier sessions by words, class and days; gives summaries with session ids.",
        SearchSessions,
        "pure",
        search_sessions,
        attributes=lambda params: {"query": params.query, "class": params.class_id},
    ),
    Tool(
        "read_session",
        "Read what was said in an earlier session.",
        ReadSession,
        "pure",
        read_past_session,
        attributes=lambda params: {"session_id": params.session_id},
    ),
)


def builtin_tools(*, project: Path | None = None) -> dict[str, Tool[Any]]:
    """Every built-in tool by name; `bash` only where there is a project to work in."""
    tools: list[Tool[Any]] = [
        *FILE_TOOLS,
        *SKILL_TOOLS,
        *MEMORY_TOOLS,
        *SESSION_TOOLS,
        *TASK_TOOLS,
        SPAWN_SUBAGENT,
    ]
    if project is not None:
        tools.append(bash_tool(project))
    return {tool.name: tool for tool in tools}
