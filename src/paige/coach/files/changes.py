"""What changed between two looks at a project."""

from paige.coach.files.scanning import Entry
from paige.coach.files.values import Change

Entries = dict[str, Entry]


def changes_between(old: Entries, new: Entries) -> list[Change]:
    """The changes from one look to the next: what went (the deepest first), what came, the rest."""
    gone = [path for path in old if path not in new or new[path].kind != old[path].kind]
    came = [path for path in new if path not in old or new[path].kind != old[path].kind]
    moved = _moved({path: old[path] for path in gone}, {path: new[path] for path in came})
    kept = [path for path in new if path in old and new[path].kind == old[path].kind == "file"]
    removed = [_removed(path, old[path]) for path in sorted(gone, reverse=True)]
    added = [_added(path, new[path], moved) for path in sorted(came)]
    changed = [Change("change", path) for path in sorted(kept) if new[path] != old[path]]
    sources = set(moved.values())
    return [*(each for each in removed if each.path not in sources), *added, *changed]


def _moved(gone: Entries, came: Entries) -> dict[str, str]:
    """Where files came from that are the same ones under another path."""
    before = {entry: path for path, entry in gone.items() if entry.kind == "file"}
    found: dict[str, str] = {}
    for path, entry in came.items():
        if entry.kind == "file" and (source := before.pop(entry, None)) is not None:
            found[path] = source
    return found


def _removed(path: str, entry: Entry) -> Change:
    return Change("unlinkDir" if entry.kind == "directory" else "unlink", path)


def _added(path: str, entry: Entry, moved: dict[str, str]) -> Change:
    if path in moved:
        return Change("rename", moved[path], path)
    return Change("addDir" if entry.kind == "directory" else "add", path)
