"""Where a hook runs: the data folder, the root of the project, who started it.

A file `.env` is not read here: whoever may write into the project must not decide where the rules
come from. This page is on the hook's fast path: built-in modules only.
"""

from paige.base.record import Record
from paige.guard.fast.system import POSIX, system

_MARKS = (".git", ".ai", ".claude")
_OWN = (
    ".ai/guard", ".ai/guards", ".ai/policies", ".claude/.delegation-state", ".claude/progress",
)  # fmt: skip
_WORKTREES = "/.claude/worktrees/"
_MOST_FOLDERS = 60
# What the hosts call the folder that was opened; Codex says it by where it starts the hook.
_OPENED = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "COPILOT_PROJECT_DIR")


class Caller(Record):
    """Who asks, as far as the event does not say it.

    `data` is the data folder, empty where it is the usual one. `project` is the folder that was
    opened; an agent that changes its folder does not leave the project's rules. `copilot` says
    that Copilot runs Claude Code's hooks. `line` is the id of the event's line in the spool.
    `place` is what a server has in place of `place_of`.
    """

    data: str = ""
    role: str = ""
    project: str = ""
    copilot: bool = False
    line: str = ""
    place: object = None


class Place(Record):
    """A place. `own` says whether the project has rules, roles or features of its own.

    `apart` is the place of somebody who has no right to this machine: whatever they name is judged
    by its name alone, and nothing of the machine's owner counts for them.
    """

    cwd: str
    root: str
    home: str
    data: str
    own: bool
    apart: bool = False

    def at(self, cwd: str) -> "Place":
        """The same place, in another folder of it."""
        return Place(cwd, self.root, self.home, self.data, self.own, self.apart)


def environment(name: str) -> str:
    """A variable of the process; empty when it is not set."""
    if POSIX:
        return system.environ.get(name.encode(), b"").decode("utf-8", "surrogateescape")
    return system.environ.get(name, "")


def caller(data: str = "", line: str = "") -> Caller:
    """Who started this process."""
    project = ""
    for name in _OPENED:
        project = project or environment(name)
    return Caller(data, environment("AGENT_ROLE"), project, bool(environment("COPILOT_CLI")), line)


def home_of() -> str:
    """The person's home folder; empty when there is none."""
    return environment("HOME") or (_home_by_id() if POSIX else environment("USERPROFILE"))


def data_folder(home: str) -> str:
    """Where Paige keeps its data."""
    set_to = environment("DATA_DIR")
    if set_to.startswith("~/"):
        set_to = home + set_to[1:]
    return set_to or (f"{home}/.paige" if home else "")


def place_of(cwd: str, data: str = "", project: str = "") -> Place:
    """The place of a call; the root is the nearest folder above that looks like a project."""
    home = home_of()
    cwd = cwd or _here()
    if not POSIX:
        cwd, project = cwd.replace("\\", "/"), project.replace("\\", "/")
    root = _root(project if project.startswith("/") else cwd, home)
    own = any(exists(f"{root}/{name}") for name in _OWN) or _WORKTREES in root
    return Place(cwd, root, home, data or data_folder(home), own)


def exists(path: str) -> bool:
    """Whether there is something at a path."""
    try:
        system.stat(path)
    except (OSError, ValueError):
        return False
    return True


def outer_root(root: str) -> str:
    """The project a worktree of the orchestra belongs to; empty for any other folder."""
    return root.partition(_WORKTREES)[0] if _WORKTREES in root else ""


def _here() -> str:
    try:
        return system.getcwd()
    except OSError:
        return "/"  # the folder is gone: everything lies outside


def _root(start: str, home: str) -> str:
    folder = start.rstrip("/") or "/"
    for _ in range(_MOST_FOLDERS):
        # A home folder has a `.claude` of its own; that makes it no project.
        if folder in ("", "/", home):
            break
        if any(exists(f"{folder}/{mark}") for mark in _MARKS):
            return folder
        folder = folder.rpartition("/")[0]
    return start


def _home_by_id() -> str:
    try:
        import pwd  # noqa: PLC0415 - needed where HOME is not set

        return pwd.getpwuid(system.getuid()).pw_dir
    except (ImportError, KeyError):
        return ""
