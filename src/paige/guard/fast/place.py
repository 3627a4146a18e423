"""Where a hook runs: the data folder, the root of the project, who started it.

A file `.env` is not read here: whoever may write into the project must not decide where the rules
come from. This page is on the hook's fast path: built-in modules only.
"""

from paige.base.record import Record
from paige.guard.fast.system import POSIX, system

_MARKS = (".git", ".ai", ".claude")
_OWN = (".ai/guard", ".claude/.delegation-state", ".claude/progress")
_MOST_FOLDERS = 60


class Place(Record):
    """A place. `own` says whether the project has rules, roles or features of its own."""

    __slots__ = ("cwd", "root", "home", "data", "own")
    cwd: str
    root: str
    home: str
    data: str
    own: bool


def environment(name: str) -> str:
    """A variable of the process; empty when it is not set."""
    if POSIX:
        return system.environ.get(name.encode(), b"").decode("utf-8", "surrogateescape")
    return system.environ.get(name, "")


def home_of() -> str:
    """The person's home folder; empty when there is none."""
    return environment("HOME") or (_home_by_id() if POSIX else environment("USERPROFILE"))


def data_folder(home: str) -> str:
    """Where Paige keeps its data."""
    set_to = environment("DATA_DIR")
    if set_to.startswith("~/"):
        set_to = home + set_to[1:]
    return set_to or (f"{home}/.paige" if home else "")


def place_of(cwd: str, data: str = "") -> Place:
    """The place of a call; the root is the nearest folder above that looks like a project."""
    home = home_of()
    cwd = (cwd or system.getcwd()).replace("\\", "/") if not POSIX else cwd or system.getcwd()
    root = _root(cwd, home)
    own = any(exists(f"{root}/{name}") for name in _OWN)
    return Place(cwd, root, home, data or data_folder(home), own)


def exists(path: str) -> bool:
    """Whether there is something at a path."""
    try:
        system.stat(path)
    except (OSError, ValueError):
        return False
    return True


def _root(cwd: str, home: str) -> str:
    folder = cwd.rstrip("/") or "/"
    for _ in range(_MOST_FOLDERS):
        # A home folder has a `.claude` of its own; that makes it no project.
        if folder in ("", "/", home):
            break
        if any(exists(f"{folder}/{mark}") for mark in _MARKS):
            return folder
        folder = folder.rpartition("/")[0]
    return cwd


def _home_by_id() -> str:
    import pwd  # noqa: PLC0415 - a built-in module, needed where HOME is not set

    try:
        return pwd.getpwuid(system.getuid()).pw_dir
    except KeyError:
        return ""
