"""Snapshots kept in memory, for processes that judge more than one event."""

from paige.guard.fast.snapshot import is_fresh, read_snapshot, source_of

_MOST_KEPT = 20


class SnapshotCache:
    """Reads a snapshot once, and again when it or a file it was made from has changed."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[tuple[str, int, int], dict[str, object]]] = {}

    def read(self, path: str) -> dict[str, object] | None:
        """The compiled rules, or nothing when there are none that may be used."""
        now = source_of(path)
        known = self._kept.get(path)
        if known is not None and known[0] == now and is_fresh(known[1]["sources"]):
            return known[1]
        body = read_snapshot(path)
        if body is None:
            self._kept.pop(path, None)
            return None
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        self._kept[path] = (now, body)
        return body
