"""Which files of projects a person answers for, and what has no effect in the others.

What comes with a repository only adds denials and questions. A file that shall loosen something
counts in full once a person has trusted it, by its content: a changed file is not trusted any more.
The list lies in the person's configuration, where no agent may write; rules, guards and policies of
their own for all their projects lie there too.
"""

import hashlib
import json
import os
import tomllib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from paige.base.errors import BadInput, NotFound
from paige.base.files import write_atomic
from paige.base.paths import config_dir
from paige.guard.fast.place import Place
from paige.guard.rules.loader import GuardProblem


def config_of(place: Place) -> Path:
    """The folder; whoever stands apart has theirs among their own files. Raises: BadInput."""
    if place.apart:
        return Path(place.data) / "ai"
    return config_dir(os.environ, instead="XDG_CONFIG_HOME")


def find_config(place: Place) -> Path | None:
    """The folder; nothing where there is no home."""
    try:
        return config_of(place)
    except BadInput:
        return None


FILE = "guard/trusted.json"
MOST_BYTES = 2**20
_RANK = {"allow": 0, "ask": 1, "deny": 2}
_MOST_NAMED = 3
ONLY_ADDS = (
    "would loosen what Paige or the person says ({}), and that part has no effect: what comes with "
    "a project only adds denials and questions. If you answer for it: `paige guard trust {}`"
)


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


def loosened(path: Path, below: Path | None) -> GuardProblem | None:
    """What of a file has no effect; `below` is the file that it would replace."""
    over, under = _read(path), _read(below) if below else {}
    gone = list(dict.fromkeys((*_allowing(over, path.stem), *_missing(over, under, path.stem))))
    if not gone:
        return None
    named = ", ".join(gone[:_MOST_NAMED]) + (", …" if len(gone) > _MOST_NAMED else "")
    return GuardProblem(str(path), "", ONLY_ADDS.format(named, path))


def _allowing(data: dict[str, Any], stem: str) -> Iterator[str]:
    """What allows something: a rule, a group of places or variables, a line of what is harmless."""
    if stem == "harmless":
        yield from (str(name) for group in data.values() for name in group)
    for name, decision in _decisions(data, stem):
        if decision == "allow":
            yield name


def _missing(over: dict[str, Any], under: dict[str, Any], stem: str) -> Iterator[str]:
    """What the file below says and this one leaves out, or says less strictly."""
    said = dict(_decisions(over, stem))
    for name, decision in _decisions(under, stem):
        if _RANK.get(said.get(name, ""), 0) < _RANK.get(decision, 0):
            yield name
    if "rule" not in under and "family" not in under:
        yield from (name for name, each in under.items() if over.get(name) != each)


def _decisions(data: dict[str, Any], stem: str) -> Iterator[tuple[str, str]]:
    listed = data.get("family")
    for family in listed if isinstance(listed, list) else [data]:
        name = family.get("name", family.get("family", stem))
        for rule in family.get("rule", ()):
            yield f"{name}.{rule.get('id')}", str(rule.get("decision"))
        if "default" in family:
            yield f"{name}.default", str(family["default"])
    for group in data.get("group", ()):
        for word in (*group.get("places", ()), *group.get("names", ())):
            yield str(word), str(group.get("decision"))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}  # whoever reads the rules says so
