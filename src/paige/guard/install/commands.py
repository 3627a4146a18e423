"""The command a host starts for an event, in the forms the hosts want it."""

import shlex
import subprocess
from dataclasses import dataclass
from pathlib import PurePath

_MARK = "paige/hooks/entry.py"


@dataclass(frozen=True, slots=True)
class HookCommand:
    """Where Paige is: its interpreter, its entry, and the data folder if it is not the usual."""

    python: str
    entry: str
    data: str = ""

    def argv(self, cli: str, event: str) -> list[str]:
        """The program and its arguments."""
        data = ["--data", self.data] if self.data else []
        return [self.python, "-I", "-S", self.entry, cli, event, *data]


def for_shell(argv: list[str], *, windows: bool) -> str:
    """One line for the shell of the system."""
    return subprocess.list2cmdline(argv) if windows else shlex.join(argv)


def for_powershell(argv: list[str]) -> str:
    """One line for PowerShell."""
    return "& " + " ".join("'" + each.replace("'", "''") + "'" for each in argv)


def argv_of(handler: object) -> list[str]:
    """The program and arguments of a configured hook; empty when it has none."""
    if not isinstance(handler, dict):
        return []
    arguments = handler.get("args")
    for key in ("command", "bash", "exec"):
        value = handler.get(key)
        if isinstance(value, str):
            if isinstance(arguments, list):
                return [value, *map(str, arguments)]
            return _split(value)
    return []


def is_ours(handler: object) -> bool:
    """Whether a configured hook starts Paige."""
    return any(
        PurePath(each).as_posix().replace("\\", "/").endswith(_MARK) for each in argv_of(handler)
    )


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        return []
