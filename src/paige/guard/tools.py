"""What the tools of the hosts do, whatever each host calls them: kinds, commands, targets.

A gate that is keyed on one tool's name is no gate, so gates ask here: which command would run,
which files would be read or written. This page is on the hook's fast path: built-in modules only.
"""

from paige.base.record import Record

SHELL = "shell"
READ = "read"
WRITE = "write"
SEARCH = "search"
FETCH = "fetch"
AGENT = "agent"
MCP = "mcp"
OTHER = "other"

# By the name in lower case, which no two hosts use for different things.
KINDS = {
    "bash": SHELL,
    "powershell": SHELL,
    "shell": SHELL,
    "local_shell": SHELL,
    "exec_command": SHELL,
    "run_shell_command": SHELL,
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
    "google_web_search": FETCH,
    "agent": AGENT,
    "task": AGENT,
    "spawn_agent": AGENT,
    "invoke_agent": AGENT,
}
POWERSHELL = ("powershell", "pwsh")
_PATHS = (
    "file_path", "path", "notebook_path", "absolute_path", "filePath", "file", "filename",
    "destination", "target", "target_file", "new_path", "to", "output_path",
)  # fmt: skip
_TEXTS = (
    "content", "new_string", "new_source", "file_text", "new_str", "text", "insert_text", "data",
    "new",
)  # fmt: skip
_CHANGING = (
    "write", "edit", "create", "delete", "remove", "move", "rename", "patch", "append", "replace",
    "insert", "put", "save", "update", "copy",
)  # fmt: skip
_PATCH_MARKS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


class Change(Record):
    """One file that would be written, with the text that would go in as far as it is known."""

    __slots__ = ("path", "text")
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
        return " ".join(_quoted(str(each)) for each in command)
    return ""


def is_powershell(tool: str) -> bool:
    """Whether a shell tool speaks another language than the shell of Unix."""
    return tool.lower() in POWERSHELL


def changes_of(tool: str, given: dict[str, object]) -> list[Change]:
    """The files a tool would write, besides those a shell command would."""
    kind = kind_of(tool)
    if kind == WRITE:
        patch = _patch_of(given)
        return _patched(patch) if patch is not None else _changes(given)
    if kind in (MCP, OTHER) and _changing(tool):
        return _changes(given)
    return []


def reads_of(tool: str, given: dict[str, object]) -> list[str]:
    """The files a tool would read, besides those a shell command would."""
    kind = kind_of(tool)
    if kind not in (READ, MCP) or _changing(tool):
        return []
    found = [value for key in _PATHS if isinstance(value := given.get(key), str) and value]
    for key in ("paths", "include", "files"):
        listed = given.get(key)
        if isinstance(listed, list):
            found += [each for each in listed if isinstance(each, str)]
    return found


def _changing(tool: str) -> bool:
    name = tool.lower().rpartition("__")[2]
    return any(word in name for word in _CHANGING)


def _changes(given: dict[str, object]) -> list[Change]:
    text = "\n".join(_texts(given))
    paths = [value for key in _PATHS if isinstance(value := given.get(key), str) and value]
    return [Change(path, text) for path in dict.fromkeys(paths)]


def _texts(given: dict[str, object]) -> list[str]:
    found = [value for key in _TEXTS if isinstance(value := given.get(key), str)]
    edits = given.get("edits")
    if isinstance(edits, list):
        for each in edits:
            if isinstance(each, dict):
                found += [value for key in _TEXTS if isinstance(value := each.get(key), str)]
    return found


def _patch_of(given: dict[str, object]) -> str | None:
    for key in ("command", "patch", "input"):
        value = given.get(key)
        if isinstance(value, list) and value:
            value = value[-1]
        if isinstance(value, str) and "*** Begin Patch" in value:
            return value
    return None


def _patched(patch: str) -> list[Change]:
    """The files of a patch; each with the lines added to it."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in patch.splitlines():
        for mark in _PATCH_MARKS:
            if line.startswith(mark):
                current = found.setdefault(line[len(mark) :].strip(), [])
        if line.startswith("+"):
            current.append(line[1:])
    return [Change(path, "\n".join(lines)) for path, lines in found.items()]


def _quoted(word: str) -> str:
    plain = word and all(sign.isalnum() or sign in "@%+=:,./-_" for sign in word)
    return word if plain else "'" + word.replace("'", "'\"'\"'") + "'"
