"""What a tool call would do to files, whichever tool it is: the words gates share.

A gate that is keyed on one tool's name is no gate. Here a shell command is taken apart as far as it
can be: programs with their words, files it redirects into, and whether anything stays hidden.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from paige.base.events import PermissionRequest, PreTool
from paige.guard.fast.place import Place
from paige.guard.hook_event import Heard
from paige.guard.shell.judge import Judge
from paige.guard.shell.outputs import output_of
from paige.guard.shell.resolver import Act, base_name
from paige.guard.shell.script import UNKNOWN
from paige.guard.shell.targets import full_path
from paige.guard.tools import command_of, is_powershell

_MOST_SIGNS = 10_000
_READERS = frozenset((
    "cat", "head", "tail", "less", "more", "bat", "grep", "egrep", "fgrep", "rg", "jq", "wc", "ls",
    "stat", "diff", "cmp", "file", "test", "[", "echo", "printf", "true", "sha256sum", "md5sum",
    "column", "nl", "sort", "uniq", "cut", "tac", "zcat", "zless", "readlink", "realpath", "pwd",
))  # fmt: skip
_GIT_READING = frozenset((
    "status", "diff", "log", "show", "add", "commit", "ls-files", "blame", "check-ignore",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Run:
    """One program a command line would run.

    `writes` are files it redirects into; `text` is what would go in there, if that is known;
    `cwds` are the folders it may run in, none for where the line began; `feeds` are the programs
    before it in a pipe.
    """

    name: str
    words: tuple[str, ...]
    writes: tuple[str, ...]
    appends: tuple[str, ...]
    text: str | None
    hidden: str
    cwds: tuple[str, ...] = ()
    feeds: tuple[tuple[str, ...], ...] = ()

    def full(self, path: str, place: Place) -> str:
        """A path of this program from the root of the disk."""
        if self.cwds and path[:1] not in ("/", "~"):
            path = f"{self.cwds[0]}/{path}"
        return full_path(path, place)

    @property
    def reads_only(self) -> bool:
        """Whether the program only reads what it is given; where it redirects to is not asked."""
        if self.hidden:
            return False
        if self.name == "git":
            sub = next((each for each in self.words[1:] if not each.startswith("-")), "")
            return sub in _GIT_READING
        if self.name == "sort":
            return not any(each.startswith(("-o", "--output")) for each in self.words)
        return self.name in _READERS


@dataclass(frozen=True, slots=True)
class Line:
    """A command line: what it would run, and what in it nobody can read."""

    runs: tuple[Run, ...]
    unclear: str = ""


def line_of(heard: Heard, place: Place, book: Mapping[str, Any]) -> Line | None:
    """The command line a tool call would run; nothing when it runs none."""
    event = heard.event
    if not isinstance(event, PreTool | PermissionRequest):
        return None
    command = command_of(event.tool, event.input)
    if command is None:
        return None
    if is_powershell(event.tool):
        return Line((), "Paige does not read PowerShell well enough")
    return read_line(command, place, book)


def read_line(command: str, place: Place, book: Mapping[str, Any]) -> Line:
    """What a command line would run."""
    if len(command) > _MOST_SIGNS:
        return Line((), "it is too long to be read")
    judge = Judge(place, {"readers": book["readers"]})
    for simple in judge.front(command):
        judge.resolver.resolve(simple)
    runs = tuple(_run(act) for act in judge.resolver.acts)
    return Line(runs, judge.why or judge.refused)


def real(path: str, place: Place, links: Mapping[str, str]) -> str:
    """Where a path leads to: links followed where a reader has looked, else by its words alone."""
    full = full_path(path, place)
    return links.get(full, full)


def below(full: str, root: str) -> str | None:
    """The path of a file from the project's folder; nothing when it lies elsewhere."""
    base = root.rstrip("/")
    if full == base:
        return ""
    return full[len(base) + 1 :] if full.startswith(f"{base}/") else None


def is_allowed_path(full: str, root: str, allowed: tuple[str, ...]) -> bool:
    """Whether a file of the project is one of those everybody with a role may write."""
    path = below(full, root)
    if path is None:
        return False
    return any(
        path == each.rstrip("/") or (each.endswith("/") and path.startswith(each))
        for each in allowed
    )


def _run(act: Act) -> Run:
    simple = act.simple
    name = base_name(simple.words[0]) if simple.words else ""
    writes = tuple(target for operator, target in simple.redirects if _writes(operator, target))
    appends = tuple(target for operator, target in simple.redirects if ">>" in operator)
    text = output_of(simple) if writes and simple.words else UNKNOWN
    known = None if UNKNOWN in text else text
    hidden = act.opaque
    if not hidden and (UNKNOWN in name or "*" in name or "?" in name):
        hidden = "nobody knows which program would run"
    return Run(name, simple.words, writes, appends, known, hidden, simple.cwds, simple.feeds)


def _writes(operator: str, target: str) -> bool:
    if ">" not in operator or operator.endswith("&"):
        return False
    quiet = target in ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "-")
    return not (quiet or target.isdigit() or target.startswith("/dev/fd/"))
