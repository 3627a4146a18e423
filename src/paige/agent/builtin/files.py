"""File tools over the workspace's documents; whatever leaves the folder is refused there."""

import anyio.to_thread
from pydantic import BaseModel, Field

from paige.agent.tools import FileChange, Tool, ToolScope, TryAgain
from paige.base.errors import NotFound
from paige.store.documents import NEW, Document, Documents

MAX_LINES = 2000


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
    document = await _read(scope, params.path)
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
        base = (await _read(scope, params.path)).version
    except NotFound:
        base = NEW
    verb = "Wrote" if base == NEW else "Replaced"
    return FileChange(params.path, base, params.content, f"{verb} `{params.path}`.")


async def str_replace(scope: ToolScope, params: StrReplace) -> FileChange:
    """Replace a text that stands in a file exactly once."""
    document = await _read(scope, params.path)
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


async def _read(scope: ToolScope, path: str) -> Document:
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
