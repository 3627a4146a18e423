"""Which files of projects a person answers for.

What comes with a repository only adds denials and questions. A file that shall loosen something
counts in full once a person has trusted it, by its content: a changed file is not trusted any more.
The list lies in the person's configuration, where no agent may write.
"""

import hashlib
import json
import os
from datetime import datetime
from pathlib import Path

from paige.base.errors import BadInput, NotFound
from paige.base.files import write_atomic
from paige.base.paths import config_dir

FILE = "guard/trusted.json"
MOST_BYTES = 2**20


def trust_file() -> Path | None:
    """The list of trusted files; nothing where there is no home."""
    try:
        return config_dir(os.environ, instead="XDG_CONFIG_HOME") / FILE
    except BadInput:
        return None


def read_trusted() -> dict[str, dict[str, str]]:
    """The trusted files by the hash of their content; a list that cannot be read trusts nobody."""
    path = trust_file()
    try:
        found = json.loads(path.read_bytes()) if path else {}
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(key): each for key, each in found.items() if isinstance(each, dict)}


def is_trusted(path: Path) -> bool:
    """Whether a person answers for a file as it is now."""
    trusted = read_trusted()
    return bool(trusted) and _hash(path) in trusted


def is_current(key: str, entry: dict[str, str]) -> bool:
    """Whether a trusted file still has the content it was trusted with."""
    return _hash(Path(entry.get("file", ""))) == key


def trust(path: Path, *, by: str, now: datetime) -> str:
    """Trust a file of a project as it is now; its hash. Raises: NotFound, BadInput."""
    path = path.resolve()
    if ".ai" not in path.parts:
        raise BadInput(
            f"`{path}` is not in the folder `.ai` of a project",
            hint="Name a file that `paige guard list` or `paige doctor` complains of.",
        )
    found = _hash(path)
    if not found:
        raise NotFound(f"`{path}` cannot be read")
    _write({**read_trusted(), found: {"file": str(path), "at": now.isoformat(), "by": by}})
    return found


def revoke(path: Path) -> list[str]:
    """Trust a file no longer, whichever version of it; the hashes that went. Raises: NotFound."""
    path = path.resolve()
    trusted = read_trusted()
    gone = [key for key, each in trusted.items() if each.get("file") == str(path)]
    gone += [key for key in (_hash(path),) if key in trusted and key not in gone]
    if not gone:
        raise NotFound(f"`{path}` is not trusted", hint="`paige guard trust` lists what is.")
    _write({key: each for key, each in trusted.items() if key not in gone})
    return gone


def _write(trusted: dict[str, dict[str, str]]) -> None:
    path = trust_file()
    if path is None:
        raise BadInput("There is no home, so there is no place for what is trusted")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, json.dumps(trusted, indent=2), mode=0o600)


def _hash(path: Path) -> str:
    """The hash of a file; empty when it cannot be read."""
    try:
        with path.open("rb") as file:
            held = file.read(MOST_BYTES + 1)
    except OSError:
        return ""
    return hashlib.sha256(held).hexdigest() if len(held) <= MOST_BYTES else ""
