"""Puts the modules of the fast path into one file beside their compiled ones.

Which modules those are is read from their own import lines, so that no list has to be kept. The
file is made on the slow path where it is missing or old; where the folder cannot be written to,
hooks do without it.
"""

import ast
import contextlib
import importlib.util
import marshal
import os
import sys
from pathlib import Path
from types import CodeType

from paige.base import python_source
from paige.base.files import write_atomic
from paige.hooks.boot import EXTENSION

START = "paige.hooks.fast"
BOOT = "paige.hooks.boot"
EXTENSIONS = ("_json",)
# The slow path begins here: what it needs is imported as always.
EDGES = ("paige.guard.slow_path", "paige.hooks.recorder", "paige.hooks.bundle")
_PACKAGE = Path(__file__).parents[1]
_HEAD_BYTES = 8
Part = tuple[str, bool, int, int, int, int]


def bundle_path() -> Path:
    """Where the file lies."""
    return Path(__file__).parent / "__pycache__" / f"lean.{sys.implementation.cache_tag}.bin"


def keep_bundle() -> bool:
    """Make the file anew where it is missing or old; whether there is a fresh one now."""
    path = bundle_path()
    if is_fresh(path):
        return True
    folder = path.parent if path.parent.exists() else path.parent.parent
    if not os.access(folder, os.W_OK):
        return False
    with contextlib.suppress(Exception):  # hooks work without it
        write_atomic(path, made(), mode=0o644)
        return True
    return False


def is_fresh(path: Path) -> bool:
    """Whether a file was made by this Python from the modules as they are."""
    try:
        data = path.read_bytes()
        if data[:4] != importlib.util.MAGIC_NUMBER:
            return False
        _, table, _ = marshal.loads(data[_HEAD_BYTES:])
        return all(
            ((about := os.stat(file)).st_mtime_ns, about.st_size) == (time, size)
            for file, _, time, size, _, _ in table.values()
        )
    except (OSError, ValueError, TypeError, EOFError):
        return False


def made() -> bytes:
    """The bytes of the file."""
    needed = lean_modules(late=False)
    parts = {name: _part(_found(name)) for name in needed}
    later: dict[str, bytes] = {}
    for name in lean_modules(late=True):
        if name not in parts:
            later[name] = marshal.dumps(_code(_found(name)))
            parts[name] = _part(_found(name))
    for name in EXTENSIONS:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin and os.path.isfile(spec.origin):
            parts[name] = _part(Path(spec.origin))
    boot = _code(_found(BOOT))
    codes = {name: _code(_found(name)) for name in needed}
    head = b""
    for _ in range(3):  # where code begins depends on how long the numbers before it are
        head = marshal.dumps((boot, _placed(parts, later, _HEAD_BYTES + len(head)), codes))
    length = len(head).to_bytes(4, "little")
    return importlib.util.MAGIC_NUMBER + length + head + b"".join(later.values())


def lean_modules(*, late: bool) -> list[str]:
    """The modules of the fast path, packages first; with `late` those that only some calls need."""
    found: list[str] = []
    waiting = [START, *(_by_name() if late else [])]
    while waiting:
        name = waiting.pop(0)
        if name in found or name in EDGES or _file_of(name) is None:
            continue
        above = name.rpartition(".")[0]
        if above:
            waiting.append(above)
        found.append(name)
        waiting += _imported(name, late=late)
    return sorted(found)


def _by_name() -> list[str]:
    """Those that are imported by name, which no import line shows."""
    folders = (_PACKAGE / "guard" / "adapters", _PACKAGE / "guard" / "shell")
    return [
        f"paige.guard.{folder.name}.{path.stem}"
        for folder in folders
        for path in folder.glob("*.py")
        if path.stem != "__init__"
    ]


def _imported(name: str, *, late: bool) -> list[str]:
    tree = python_source.parse(_found(name).read_bytes())
    found: list[str] = []
    for node in ast.walk(tree) if late else tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("paige"):
            found += [str(node.module), *(f"{node.module}.{each.name}" for each in node.names)]
        elif isinstance(node, ast.Import):
            found += [each.name for each in node.names if each.name.startswith("paige")]
    return found


def _file_of(name: str) -> Path | None:
    base = _PACKAGE.parent.joinpath(*name.split("."))
    for path in (base / "__init__.py", base.with_suffix(".py")):
        if path.is_file():
            return path
    return None


def _found(name: str) -> Path:
    path = _file_of(name)
    assert path is not None, f"{name} is a part of Paige"
    return path


def _part(file: Path) -> Part:
    about = file.stat()
    package = file.name == "__init__.py"
    return (file.as_posix(), package, about.st_mtime_ns, about.st_size, EXTENSION, EXTENSION)


def _placed(parts: dict[str, Part], later: dict[str, bytes], at: int) -> dict[str, Part]:
    """The parts with where the code of each begins and ends; 0 for one that is in the head."""
    made: dict[str, Part] = {}
    for name, part in parts.items():
        size = len(later.get(name, b""))
        if name in later:
            made[name] = (*part[:4], at, at + size)
        else:
            made[name] = part if name in EXTENSIONS else (*part[:4], 0, 0)
        at += size
    return made


def _code(file: Path) -> CodeType:
    # Without docstrings and assertions it is a third smaller; nothing here needs them.
    return compile(file.read_bytes(), str(file), "exec", optimize=2)
