"""Which log an event goes to: the main one, or a project's own.

A project has its own log when its folder `.ai/memory/` exists; then its `project` events are kept
there and travel with the project. Where such projects are is kept in a small file, so that an index
that is made again finds their logs; a project whose folder is gone is passed over.
"""

import threading
from collections.abc import Callable
from pathlib import Path

import orjson

from paige.base.files import write_atomic
from paige.base.platform import locked
from paige.memory.event import Event
from paige.memory.intake.project_identity import Identity
from paige.memory.log.log import Log
from paige.memory.log.log_access import KeptLog

FOLDER = Path(".ai/memory")
NAME = "events.jsonl"


class ProjectLogs:
    """The main log and those of projects; it may be shared between threads."""

    def __init__(
        self,
        main: KeptLog,
        register: Path | None = None,
        *,
        open_log: Callable[[Path], KeptLog] = Log,
    ) -> None:
        """`register` is the file that remembers where projects are; without one nothing stays."""
        self.main = main
        self._register = register
        self._open = open_log
        self._lock = threading.Lock()
        self._roots: dict[str, Path] = {}
        self._logs: dict[Path, KeptLog] = {}
        self._read()

    def add(self, identity: Identity) -> None:
        """Make a project known; it is remembered when it has its own log."""
        with self._lock:
            if self._roots.get(identity.id) == identity.root:
                return
            self._roots[identity.id] = identity.root
            if (identity.root / FOLDER).is_dir():
                self._save(identity)

    def log_for(self, event: Event) -> KeptLog:
        """The log an event is written to."""
        if event.scope != "project" or event.project is None:
            return self.main
        with self._lock:
            root = self._roots.get(event.project)
            return self.main if root is None else self._own(root) or self.main

    def all(self) -> list[KeptLog]:
        """The main log, then those of projects, in a fixed order."""
        with self._lock:
            roots = [self._roots[id] for id in sorted(self._roots)]
            own = {log.path: log for root in roots if (log := self._own(root)) is not None}
            return [self.main, *own.values()]

    def _own(self, root: Path) -> KeptLog | None:
        folder = root / FOLDER
        if not folder.is_dir():
            return None
        path = folder / NAME
        if path.resolve() == self.main.path.resolve():
            return self.main
        if path not in self._logs:
            self._logs[path] = self._open(path)
        return self._logs[path]

    def _read(self) -> None:
        if self._register is None:
            return
        try:
            found = orjson.loads(self._register.read_bytes())
        except (FileNotFoundError, orjson.JSONDecodeError):
            return  # it only spares looking; projects are added again when they are visited
        if isinstance(found, dict):
            self._roots |= {id: Path(root) for id, root in found.items() if isinstance(root, str)}

    def _save(self, identity: Identity) -> None:
        if self._register is None:
            return
        self._register.parent.mkdir(parents=True, exist_ok=True)
        with locked(self._register.with_name(f"{self._register.name}.lock")):
            known = dict(self._roots)
            self._read()  # what others added meanwhile
            self._roots |= known
            self._roots[identity.id] = identity.root
            kept = {id: str(root) for id, root in self._roots.items() if (root / FOLDER).is_dir()}
            write_atomic(self._register, orjson.dumps(kept, option=orjson.OPT_SORT_KEYS))
