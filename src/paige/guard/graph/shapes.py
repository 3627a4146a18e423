"""Names what was done and to what, without what differs from time to time.

Two things are the same when action, reason and shape are: `git push --force origin feat-12` and
`… feat-13` have one shape, and so have two source files of one folder and kind. All of it is pure.
"""

import re
from collections.abc import Mapping
from typing import Any

from paige.guard.tools import AGENT, READ, SEARCH, SHELL, WRITE, changes_of, command_of, kind_of
from paige.guard.tools import reads_of as reads_by

MOST_WORDS = 8
MOST_SHAPE = 160
MOST_TARGET = 400
MOST_FILES = 20
# What a rule is about says more than which tool was used.
BY_RULE = {
    "block-tested-true": "mark-tested",
    "block-direct-edit": "edit-source",
    "enforce-mcp-logs": "read-log",
    "force-tester-completion": "stop",
    "enforce-safe-paths": "write-elsewhere",
    "delegation": "work-alone",
    "completion": "stop",
}
BY_KIND = {WRITE: "write", READ: "read", SEARCH: "search", AGENT: "delegate"}
BY_EVENT = {"stop": "stop", "subagent_stop": "stop", "session_start": "start"}
# Programs whose first word says what they do.
_SUBCOMMANDS = (
    "git", "npm", "pnpm", "yarn", "cargo", "go", "docker", "kubectl", "gh", "pip", "uv", "poetry",
    "make", "terraform", "paige", "brew", "apt", "apt-get", "systemctl", "aws", "gcloud",
)  # fmt: skip
_WRAPPERS = ("sudo", "env", "time", "nice", "nohup", "command", "exec")
_STATE = (".claude/", ".ai/", ".github/", ".codex/", ".gemini/")
_FEATURE = re.compile(r"\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b")
_NAMED = re.compile(r"\bfor `(?P<id>[\w.-]{1,60})`")
_WORD = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|[^\s'\"]+")
_URL = re.compile(r"[a-z][a-z0-9+.-]{0,20}://\S+")
_HEX = re.compile(r"\b[0-9a-f]{7,64}\b")
_NUMBER = re.compile(r"\d+")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=\S*")


def action_of(event: str, tool: str, given: Mapping[str, Any], rule: str) -> str:
    """What was done, as a short phrase."""
    named = BY_RULE.get(rule.partition(".")[0])
    if named is not None:
        return named
    if event in BY_EVENT or not tool:
        return BY_EVENT.get(event, event.replace("_", "-"))
    command = command_of(tool, dict(given))
    if command is not None:
        return f"run:{_program(command)}"
    if changes_of(tool, dict(given)):
        return BY_KIND[WRITE]
    return BY_KIND.get(kind_of(tool), f"use:{_short_tool(tool)}")


def target_of(tool: str, given: Mapping[str, Any], cwd: str) -> str:
    """What it was done to: the command, or the files."""
    command = command_of(tool, dict(given)) if tool else None
    if command is not None:
        return " ".join(command.split())[:MOST_TARGET]
    files = files_of(tool, given, cwd)
    if files:
        return ", ".join(files[:3])[:MOST_TARGET]
    for key in ("description", "subagent_type", "pattern", "query", "url"):
        value = given.get(key)
        if isinstance(value, str) and value:
            return " ".join(value.split())[:MOST_TARGET]
    return ""


def files_of(tool: str, given: Mapping[str, Any], cwd: str) -> tuple[str, ...]:
    """The files a call would write or read, as seen from where it was made."""
    if not tool:
        return ()
    paths = [each.path for each in changes_of(tool, dict(given))] or reads_by(tool, dict(given))
    return tuple(dict.fromkeys(_beside(path, cwd) for path in paths))[:MOST_FILES]


def only_looks(tool: str, given: Mapping[str, Any]) -> bool:
    """Whether a call changes nothing by its kind; a command may."""
    return bool(tool) and kind_of(tool) in (READ, SEARCH) and not changes_of(tool, dict(given))


def shape_of(target: str, *, command: bool) -> str:
    """A target without what varies: `src/**/*.py`, `git push --force <n>`."""
    if command:
        return _command_shape(target)
    shapes = dict.fromkeys(path_shape(each.strip()) for each in target.split(","))
    return ", ".join(shapes)[:MOST_SHAPE]


def is_command(tool: str) -> bool:
    """Whether a tool runs commands."""
    return kind_of(tool) == SHELL


def path_shape(path: str) -> str:
    """The folder a path begins with and the kind of file; state files keep their name."""
    if not path:
        return ""
    if path.startswith(_STATE):
        return _NUMBER.sub("<n>", path)[:MOST_SHAPE]
    folder, _, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    kind = f"*.{ending}" if dot and stem else name
    if not folder:
        return kind if path.startswith("/") or dot else _NUMBER.sub("<n>", name)
    first = folder.strip("/").partition("/")[0]
    root = "/" if path.startswith("/") else ""
    return f"{root}{_NUMBER.sub('<n>', first)}/**/{kind}"[:MOST_SHAPE]


def feature_in(*texts: str) -> str:
    """The feature a text names, such as `PT-003`; empty when it names none."""
    for text in texts:
        found = _FEATURE.search(text[: MOST_TARGET * 4])
        if found is not None:
            return found.group()
    return ""


def feature_refused(rule: str, reason: str) -> str:
    """The feature that a refusal to call it tested names, whatever its id looks like."""
    found = _NAMED.search(reason) if rule == "block-tested-true" else None
    return found["id"] if found is not None else ""


def _program(command: str) -> str:
    words = [each for each in command.split()[:12] if not _ASSIGNED.fullmatch(each)]
    while words and words[0] in _WRAPPERS:
        words = words[1:]
    if not words:
        return "nothing"
    program = words[0].rpartition("/")[2][:40]
    rest = [each for each in words[1:] if not each.startswith("-")]
    if program in _SUBCOMMANDS and rest and re.fullmatch(r"[a-z][a-z0-9_-]{0,30}", rest[0]):
        return f"{program} {rest[0]}"
    return program


def _command_shape(command: str) -> str:
    shaped = [_word_shape(match.group()) for match in _WORD.finditer(command[: MOST_TARGET * 2])]
    more = " …" if len(shaped) > MOST_WORDS else ""
    return (" ".join(shaped[:MOST_WORDS]) + more)[:MOST_SHAPE]


def _word_shape(word: str) -> str:
    if word[0] in "'\"":
        return "<text>"
    if _URL.search(word):
        return "<url>"
    if "/" in word and not word.startswith("-"):
        return path_shape(word.removeprefix("./"))
    return _NUMBER.sub("<n>", _HEX.sub("<hex>", word))


def _beside(path: str, cwd: str) -> str:
    return path.removeprefix(f"{cwd}/") if cwd else path


def _short_tool(tool: str) -> str:
    return tool.lower().rpartition("__")[2][:40] or "tool"
