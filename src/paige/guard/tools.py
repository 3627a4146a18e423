"""What the tools of the hosts do, whatever each host calls them: kinds, commands, targets.

A gate that is keyed on one tool's name is no gate, so gates ask here: which command would run,
which files would be read or written. This page is on the hook's fast path: built-in modules only.
"""

from paige.base.record import Record
from paige.guard.fast.inputs import (
    READS,
    SEARCHES,
    UNSURE,
    WRITES,
    Program,
    Touch,
    does_what,
    folder_of,
    name_words,
    named_paths,
    programs_in,
    quoted,
)

__all__ = ["Program", "Touch", "folder_of"]

SHELL = "shell"
READ = "read"
WRITE = "write"
SEARCH = "search"
FETCH = "fetch"
AGENT = "agent"
MCP = "mcp"
OTHER = "other"
WORDS = "words"

# By the name in lower case, which no two hosts use for different things.
KINDS = {
    "bash": SHELL,
    "powershell": SHELL,
    "shell": SHELL,
    "local_shell": SHELL,
    "exec_command": SHELL,
    "run_shell_command": SHELL,
    "monitor": SHELL,
    "read": READ,
    "notebookread": READ,
    "read_file": READ,
    "read_many_files": READ,
    "view": READ,
    "view_image": READ,
    "write": WRITE,
    "edit": WRITE,
    "multiedit": WRITE,
    "notebookedit": WRITE,
    "write_file": WRITE,
    "replace": WRITE,
    "create": WRITE,
    "str_replace": WRITE,
    "str_replace_editor": WRITE,
    "apply_patch": WRITE,
    "grep": SEARCH,
    "glob": SEARCH,
    "ls": SEARCH,
    "rg": SEARCH,
    "grep_search": SEARCH,
    "list_directory": SEARCH,
    "webfetch": FETCH,
    "websearch": FETCH,
    "web_fetch": FETCH,
    "web_search": FETCH,
    "semantic_code_search": FETCH,
    "google_web_search": FETCH,
    "agent": AGENT,
    "task": AGENT,
    "spawn_agent": AGENT,
    "invoke_agent": AGENT,
    # These only say something to a person, an agent or the host.
    **dict.fromkeys(
        ("todowrite", "write_todos", "update_todo", "taskcreate", "taskupdate", "askuserquestion",
         "ask_user", "sendmessage", "reportfindings", "exitplanmode", "enterplanmode", "skill",
         "toolsearch", "tool_search", "update_topic", "schedulewakeup", "croncreate",
         "request_user_input", "write_agent", "update_plan", "create_goal", "update_goal"),
        WORDS,
    ),
}  # fmt: skip
POWERSHELL = ("powershell", "pwsh")
_TEXTS = (
    "content", "new_string", "new_source", "file_text", "new_str", "text", "insert_text", "data",
    "new",
)  # fmt: skip
_CHANGING = (
    "write", "edit", "create", "delete", "remove", "move", "rename", "patch", "append", "replace",
    "insert", "put", "save", "update", "copy",
)  # fmt: skip
# Searching for words shows what is in files; the others show names only.
_GREPS = ("grep", "rg", "grep_search")
_FILTERS = ("glob", "include", "include_pattern", "includePattern", "include_patterns", "includes")
_DIFF_MARKS = ("+++ ", "--- ", "rename from ", "rename to ", "copy to ")
_PATCH_MARKS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


class Change(Record):
    """One file that would be written, with the text that would go in as far as it is known."""

    path: str
    text: str


def kind_of(tool: str) -> str:
    """What a tool does."""
    name = tool.lower()
    if name in KINDS:
        return KINDS[name]
    if name.startswith(("mcp__", "mcp_")):
        return MCP
    return OTHER


def command_of(tool: str, given: dict[str, object]) -> str | None:
    """The command a shell tool would run; a list of words is quoted into one."""
    if kind_of(tool) != SHELL:
        return None
    command = given.get("command", given.get("cmd", given.get("script")))
    if isinstance(command, str):
        return command
    if isinstance(command, list) and all(isinstance(each, str) for each in command):
        return " ".join(quoted(str(each)) for each in command)
    # What is watched may be something else than a command.
    return None if command is None and tool.lower() == "monitor" else ""


def programs_of(tool: str, given: dict[str, object]) -> list[Program]:
    """The programs that a tool would run which is no shell by its name."""
    return programs_in(tool, given) if kind_of(tool) in (MCP, OTHER) else []


def is_powershell(tool: str) -> bool:
    """Whether a shell tool speaks another language than the shell of Unix."""
    return tool.lower() in POWERSHELL


def touches_of(tool: str, given: dict[str, object]) -> list[Touch]:
    """The files and folders a call names, and what it would do to each."""
    kind = kind_of(tool)
    if kind in (SHELL, AGENT, WORDS):
        return []
    if kind == SEARCH:
        return _searched(tool, given)
    patch = _patch_of(given)
    found = [Touch(each.path, WRITES, True) for each in _patched(patch)] if patch else []
    if kind == WRITE:
        does = READS if given.get("command") == "view" else WRITES
        return found or named_paths(given, does, frozenset())
    if kind in (READ, FETCH):
        touches = named_paths(given, READS, frozenset())
        return [each for each in touches if kind == READ or each.path[:5].lower() == "file:"]
    words = name_words(tool)
    return found + named_paths(given, does_what(words, given), words)


def changes_of(tool: str, given: dict[str, object]) -> list[Change]:
    """The files a tool would write, besides those a shell command would."""
    kind = kind_of(tool)
    if kind not in (WRITE, MCP, OTHER):
        return []
    patch = _patch_of(given)
    if patch is not None:
        return _patched(patch)
    text = "\n".join(_texts(given))
    wanted = (WRITES, UNSURE) if kind == WRITE or _changing(tool) else (WRITES,)
    touches = touches_of(tool, given)
    paths = [each.path for each in touches if each.does in wanted and each.named]
    return [Change(path, text) for path in dict.fromkeys(paths)]


def reads_of(tool: str, given: dict[str, object]) -> list[str]:
    """The files a tool would read, besides those a shell command would."""
    if kind_of(tool) not in (READ, MCP) or _changing(tool):
        return []
    return [each.path for each in touches_of(tool, given) if each.named and each.does != WRITES]


def _changing(tool: str) -> bool:
    name = tool.lower().rpartition("__")[2]
    return any(word in name for word in _CHANGING)


def _searched(tool: str, given: dict[str, object]) -> list[Touch]:
    if tool.lower() not in _GREPS:
        return []
    folders: list[str] = []
    for key in ("path", "paths", "dir_path", "directory"):
        value = given.get(key)
        listed = value if isinstance(value, list) else [value]
        folders += [each for each in listed if isinstance(each, str) and each]
    filters: list[str] = []
    for key in _FILTERS:
        value = given.get(key)
        listed = value if isinstance(value, list) else [value]
        filters += [each for one in listed if isinstance(one, str) for each in one.split()]
    filters = [each for each in filters if not each.startswith("!")]
    folders = folders or ["."]
    if not filters:
        return [Touch(each, SEARCHES, True) for each in folders]
    # A folder is searched for such files only; a path may be a file itself.
    found = [Touch(f"{each}/{one}", SEARCHES, True) for each in folders for one in filters]
    return found + [Touch(each, READS, True) for each in folders]


def _texts(given: dict[str, object]) -> list[str]:
    found = [value for key in _TEXTS if isinstance(value := given.get(key), str)]
    edits = given.get("edits")
    if isinstance(edits, list):
        for each in edits:
            if isinstance(each, dict):
                found += [value for key in _TEXTS if isinstance(value := each.get(key), str)]
    return found


def _patch_of(given: dict[str, object]) -> str | None:
    for key in ("command", "patch", "input", "diff"):
        value = given.get(key)
        if isinstance(value, list) and value:
            value = value[-1]
        if isinstance(value, str) and ("*** Begin Patch" in value or "\n+++ " in f"\n{value}"):
            return value
    return None


def _patched(patch: str) -> list[Change]:
    """The files of a patch; each with the lines added to it."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    ours = "*** Begin Patch" in patch
    for line in patch.splitlines():
        mark = next((each for each in _PATCH_MARKS if line.startswith(each)), "")
        if ours and mark:
            current = found.setdefault(line[len(mark) :].strip(), [])
        elif not ours and line.startswith(_DIFF_MARKS):
            name = _unmarked(line)
            current = found.setdefault(name, []) if name else []
        elif line.startswith("+"):
            current.append(line[1:])
    return [Change(path, "\n".join(lines)) for path, lines in found.items()]


def _unmarked(line: str) -> str:
    """The file that a line of a unified diff names; empty for none."""
    name = next(line[len(each) :] for each in _DIFF_MARKS if line.startswith(each))
    name = name.partition("\t")[0].strip().strip('"')
    if name == "/dev/null":
        return ""
    return name[2:] if name.startswith(("a/", "b/")) else name
