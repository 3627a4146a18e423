"""What is run, within which limits, what came of it, and what a person is told about that."""

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
_MORE_TIME = "`PAIGE_RUN_SECONDS` is where whoever runs Paige can allow more time."


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


_EXPLAINED: dict[Ending, str] = {
    "wall": "It was still running after {0.wall_seconds:g} seconds and was stopped: look for a "
    f"loop that never ends, or for something that waits for input. {_MORE_TIME}",
    "cpu": "It computed for more than {0.cpu_seconds} seconds and was stopped: look for a loop "
    f"that never ends, or for a slower way than the task needs. {_MORE_TIME}",
    "memory": "It needed more than {1} MB of memory and was stopped: look for a list or text that "
    "keeps growing.",
    "processes": "It started more than {0.processes} processes and was stopped: one program must "
    "not keep starting others.",
    "output": "It printed more than {2} kB and was stopped: look for a print inside a loop.",
    "disk": "It wrote more than {3} MB to files and was stopped: look for a file that keeps "
    "growing.",
    "stopped": "You stopped it.",
}


def explain(outcome: Outcome) -> str:
    """What happened and what to look for; empty when the run ended by itself."""
    if outcome.ending == "signal":
        code = outcome.exit_code or 0
        return f"It was ended by signal {-code if code < 0 else code - 128}."
    limits = outcome.limits
    memory, disk = limits.memory_bytes // MIB, limits.disk_bytes // MIB
    said = _EXPLAINED.get(outcome.ending, "")
    return said.format(limits, memory, limits.output_bytes // 1000, disk)


_ISOLATIONS: dict[Isolation, str] = {
    "bubblewrap": "code runs in bubblewrap: no network, its own files, limits",
    "namespaces": "code runs in namespaces: no network, files of this machine can be read, limits",
    "limits": "code runs with limits alone: it can use the network and read your files",
}


def explain_isolation(isolation: Isolation) -> str:
    """How well a run is shut in, as doctor says it."""
    return _ISOLATIONS[isolation]
