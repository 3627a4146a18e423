"""The compiled rules: one file the hook reads instead of all the files they are written in.

A snapshot names the files it was made from with their size and time. When one has changed, or the
snapshot is damaged, somebody else's, or made by another Python, it is not used, and the slow path
makes a new one: for lack of rules nothing is ever allowed. The rules of each command lie in a
drawer of their own, as most calls open one. This page is on the hook's fast path: built-in modules
only.
"""

import _imp
import marshal
import sys

from paige.guard.fast.system import system

FORMAT = 5
FOLDER = "guard"
_MOST_BYTES = 32 * 2**20
_SUM_BYTES = 8
_SUM_KEY = 4  # the same for every format: an old file is old, not damaged
_HEAD_BYTES = 4
_OTHERS_MAY_WRITE = 0o022
_DAMAGE = (ValueError, EOFError, TypeError, KeyError)
_FLAGS = (
    system.O_RDONLY
    | getattr(system, "O_CLOEXEC", 0)
    | getattr(system, "O_BINARY", 0)
    | getattr(system, "O_NONBLOCK", 0)  # a pipe in its place must not hold the hook up
)


class Drawers:
    """Values by name, each packed until somebody asks for it; used like a dictionary.

    `names` say where in the data the value of a name begins and ends.
    """

    __slots__ = ("_data", "_names", "_opened")

    def __init__(self, names: dict[str, tuple[int, int]], data: memoryview) -> None:
        self._names = names
        self._data = data
        self._opened: dict[int, object] = {}

    def get(self, name: str, default: object = None) -> object:
        """The value of a name, or the default. Raises: ValueError when it is damaged."""
        known = self._names.get(name)
        if known is None:
            return default
        begin, end = known
        if begin not in self._opened:
            self._opened[begin] = marshal.loads(_sound(self._data[begin:end]))
        return self._opened[begin]

    def __getitem__(self, name: str) -> object:
        if name not in self._names:
            raise KeyError(name)
        return self.get(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self):
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def whole(self) -> bool:
        """Whether every value is as it was packed."""
        try:
            for begin, end in set(self._names.values()):
                _sound(self._data[begin:end])
        except ValueError:
            return False
        return True

    def items(self) -> list[tuple[str, object]]:
        """Every name with its value."""
        return [(name, self.get(name)) for name in self._names]


def snapshot_path(data: str, root: str) -> str:
    """Where the snapshot for a project lies; the one for everything else has no root."""
    return f"{data}/{FOLDER}/guard-{fingerprint(root)}.bin"


def fingerprint(text: str) -> str:
    """A short name for a text (FNV-1a), without importing a hash."""
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-8", "surrogatepass"):
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def read_snapshot(path: str) -> dict[str, object] | None:
    """The compiled rules, or nothing when there are none that may be used."""
    found = _contents(path)
    try:
        head, body, drawers = _opened(found or b"")
        if head != (FORMAT, sys.implementation.cache_tag, len(drawers)):
            return None
        names = body["shell"]["families"]
        if not is_fresh(body["sources"]):
            return None
    except _DAMAGE:
        return None
    body["shell"]["families"] = Drawers(names, drawers)
    return body


def is_damaged(path: str) -> bool:
    """Whether a file that is there holds no rules any more, not even old ones."""
    found = _contents(path)
    if found is None:
        return False
    try:
        _, body, drawers = _opened(found)
        return not Drawers(body["shell"]["families"], drawers).whole()
    except _DAMAGE:
        return True


def _opened(found: bytes):
    """The head, the body and the packed drawers. Raises: one of `_DAMAGE`."""
    data = memoryview(found)
    start = _HEAD_BYTES + int.from_bytes(data[:_HEAD_BYTES], "little")
    head, body = marshal.loads(_sound(data[_HEAD_BYTES:start]))
    return head, body, data[start:]


def is_whole(body: dict[str, object]) -> bool:
    """Whether no drawer is damaged; the fast path looks into one only."""
    shell = body.get("shell")
    drawers = shell.get("families") if isinstance(shell, dict) else None
    return isinstance(drawers, Drawers) and drawers.whole()


def dump_snapshot(body: dict[str, object]) -> bytes:
    """The bytes of a snapshot; `body["sources"]` are the files it was made from."""
    shell = body["shell"]
    if not isinstance(shell, dict):
        raise TypeError("the compiled rules are a dictionary")
    names, drawers = _packed(shell["families"])
    packed = {**body, "shell": {**shell, "families": names}}
    head = _sealed(((FORMAT, sys.implementation.cache_tag, len(drawers)), packed))
    return len(head).to_bytes(_HEAD_BYTES, "little") + head + drawers


def source_of(path: str) -> tuple[str, int, int]:
    """A file or folder as it is now: path, time, size; zeros when there is none."""
    try:
        about = system.stat(path)
    except (OSError, ValueError):
        return path, 0, 0
    return path, about.st_mtime_ns, about.st_size


def is_fresh(sources: object) -> bool:
    """Whether the files are still as they were."""
    return isinstance(sources, tuple) and all(source_of(each[0]) == each for each in sources)


def _packed(families: dict[str, object]) -> tuple[dict[str, tuple[int, int]], bytes]:
    """Where each value lies, and all of them; equal ones share a drawer, as many commands do."""
    names: dict[str, tuple[int, int]] = {}
    known: dict[bytes, tuple[int, int]] = {}
    drawers: list[bytes] = []
    at = 0
    for name, value in families.items():
        alike = marshal.dumps(value, 2)  # type: ignore[arg-type]  # this version writes equal values as equal bytes
        if alike not in known:
            drawers.append(_sealed(marshal.loads(alike)))
            known[alike] = (at, at + len(drawers[-1]))
            at += len(drawers[-1])
        names[name] = known[alike]
    return names, b"".join(drawers)


def _sealed(value: object) -> bytes:
    """A value with a checksum: against damage, not malice, as that could write the rules too."""
    data = marshal.dumps(value)  # type: ignore[arg-type]  # only rules of plain values come here
    return _imp.source_hash(_SUM_KEY, data) + data


def _sound(data: memoryview) -> memoryview:
    """What was sealed. Raises: ValueError when it is damaged."""
    if _imp.source_hash(_SUM_KEY, data[_SUM_BYTES:]) != data[:_SUM_BYTES]:
        raise ValueError("the compiled rules are damaged")
    return data[_SUM_BYTES:]


def _contents(path: str) -> bytes | None:
    try:
        handle = system.open(path, _FLAGS)
    except (OSError, ValueError):
        return None
    try:
        about = system.fstat(handle)
        if about.st_size > _MOST_BYTES or not _trusted(about):
            return None
        return _read_all(handle, about.st_size)
    except OSError:
        return None
    finally:
        system.close(handle)


def _read_all(handle: int, size: int) -> bytes:
    parts = []
    left = size + 1
    while left > 0 and (part := system.read(handle, left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _trusted(about) -> bool:
    """Whether a file may say what is allowed: one's own or the administrator's, nobody else's."""
    whoami = getattr(system, "getuid", None)
    if whoami is None:
        return True
    return about.st_uid in (whoami(), 0) and not about.st_mode & _OTHERS_MAY_WRITE
