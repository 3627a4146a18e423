"""The memory at a glance: how much there is, where it is kept, and what finds it."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from paige.memory.index.totals import Totals


class LogStanding(NamedTuple):
    """One log, and how far the index has read it."""

    path: Path
    last_seq: int
    indexed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What is there, as far as one reader may see it."""

    totals: Totals
    logs: tuple[LogStanding, ...]
    index: Path
    embedder: str | None  # None: only words are compared
    backends: tuple[str, ...]  # where vectors are kept
