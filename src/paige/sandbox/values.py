"""What is run, within which limits, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

MIB = 2**20

Isolation = Literal["bubblewrap", "namespaces", "limits"]
"""How a run was shut in: a private file system, private namespaces, or limits alone."""
STRENGTH: tuple[Isolation, ...] = ("limits", "namespaces", "bubblewrap")
Ending = Literal[
    "exit", "signal", "wall", "cpu", "memory", "processes", "output", "disk", "stopped"
]
"""Why a run ended: by itself, because it went over one of its limits, or because of its owner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a run may use."""

    wall_seconds: float = 10.0
    cpu_seconds: int = 10
    memory_bytes: int = 512 * MIB
    processes: int = 48
    threads: int = 1200
    disk_bytes: int = 64 * MIB
    output_bytes: int = 200_000
    # A program such as Node reserves far more addresses than it uses; then only use is watched.
    limit_addresses: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A command, and the files it finds in its folder.

    `folder` is copied, without the paths in `hidden`; `files` are laid over the copy. The command
    sees nothing else of this machine but its programs, and `visible` folders, which it may read.
    """

    argv: tuple[str, ...]
    folder: Path | None = None
    hidden: frozenset[str] = frozenset()
    files: Mapping[str, bytes] = field(default_factory=dict)
    visible: tuple[Path, ...] = ()
    environ: Mapping[str, str] = field(default_factory=dict)
    stdin: bytes = b""
    limits: Limits = field(default_factory=Limits)
    result_channel: bool = False  # the number of its file is in the variable PAIGE_RESULT_FD


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a run ended. `result` came over the channel, apart from what the command printed."""

    ending: Ending
    exit_code: int | None
    stdout: str
    stderr: str
    result: bytes
    seconds: float
    isolation: Isolation
    limits: Limits

    @property
    def ended_by_itself(self) -> bool:
        """Whether no limit was in the way."""
        return self.ending == "exit"
