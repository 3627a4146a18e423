"""Who acts: the role of an agent, and what roles may do, as data.

The host's own word comes first (`agent_id`, `agent_type`), then `AGENT_ROLE`, then the file of the
session. An agent inside another one is never the conductor, whatever the variable says: it is the
one the work was given to.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from paige.guard.hook_event import Scene
from paige.guard.state.delegation import state_folder
from paige.guard.trust import ONLY_ADDS, is_trusted

CONDUCTOR = "conductor"
SECTION_LEADER = "section_leader"
MUSICIAN = "musician"
TESTER = "tester"
ROLES = (CONDUCTOR, SECTION_LEADER, MUSICIAN, TESTER)
LEADING = (CONDUCTOR, SECTION_LEADER)
FILE = "guard/roles.toml"


@dataclass(frozen=True, slots=True)
class Manners:
    """What roles may do, from `roles.toml`; `problems` are files that could not be used."""

    names: Mapping[str, str]
    warn_at: int
    block_at: int
    counted: tuple[str, ...]
    allowed_paths: tuple[str, ...]
    may_run: tuple[tuple[str, ...], ...]
    may_not_run: tuple[tuple[str, ...], ...]
    most_refusals: int
    most_lines: int
    problems: tuple[str, ...] = ()


def has_orchestra(root: Path | str) -> bool:
    """Whether agents of a project have roles or features of their own."""
    return state_folder(root).is_dir() or (Path(root) / ".claude" / "progress").is_dir()


def role_of(scene: Scene, given: str, kept: str, names: Mapping[str, str]) -> str:
    """The role of whoever acts. `given` is the variable's, `kept` that of the session's file."""
    named = names.get(_normal(scene.agent_type or ""), "")
    if scene.agent:
        return named or MUSICIAN
    if named:
        return named
    if given:
        return names.get(_normal(given), MUSICIAN)
    return names.get(_normal(kept), "") if kept else ""


def is_role(given: str, names: Mapping[str, str]) -> bool:
    """Whether a word names a role."""
    return _normal(given) in names


def read_manners(layers: Sequence[Path], *, project: bool = False) -> Manners:
    """What roles may do, by the layers from the strongest to the shipped one.

    With `project` the first layer is a project's, which only makes it stricter.
    """
    if project and not is_trusted(layers[0] / FILE):
        whole = read_manners(layers)
        made = _stricter(read_manners(layers[1:]), whole)
        loose = [each.name for each in fields(made) if _unlike(made, whole, each.name)]
        if not loose:
            return made
        told = ONLY_ADDS.format(", ".join(loose), layers[0] / FILE)
        return replace(made, problems=(*made.problems, f"`{layers[0] / FILE}` {told}"))
    merged: dict[str, Any] = {}
    problems: list[str] = []
    for layer in reversed(layers):
        path = layer / FILE
        if not path.is_file():
            continue
        try:
            with path.open("rb") as file:
                tried = _merged(merged, tomllib.load(file))
            _manners(tried)
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            problems.append(f"`{path}` cannot be used and is left out: {error}")
            continue
        merged = tried
    return _manners(merged, tuple(problems))


def _stricter(one: Manners, other: Manners) -> Manners:
    """What both let roles do; the first says who has which role."""
    return Manners(
        {**other.names, **one.names},
        min(one.warn_at, other.warn_at),
        min(one.block_at, other.block_at),
        tuple(dict.fromkeys((*one.counted, *other.counted))),
        tuple(each for each in one.allowed_paths if each in other.allowed_paths),
        tuple(each for each in one.may_run if each in other.may_run),
        tuple(dict.fromkeys((*one.may_not_run, *other.may_not_run))),
        one.most_refusals,
        min(one.most_lines, other.most_lines),
        other.problems,
    )


def _unlike(one: Manners, other: Manners, name: str) -> bool:
    first, second = getattr(one, name), getattr(other, name)
    return set(first) != set(second) if isinstance(first, tuple) else first != second


def _manners(data: dict[str, Any], problems: tuple[str, ...] = ()) -> Manners:
    names = {
        _normal(str(word)): role for role, words in data["names"].items() for word in _texts(words)
    }
    names |= {role: role for role in ROLES}
    unknown = set(names.values()) - set(ROLES)
    if unknown:
        raise ValueError(f"there is no role `{unknown.pop()}`")
    delegation, edits = data["delegation"], data["edits"]
    return Manners(
        names,
        _count(delegation, "warn_at"),
        _count(delegation, "block_at"),
        _texts(delegation["counted"]),
        _texts(edits["allowed_paths"]),
        tuple(tuple(each.split()) for each in _texts(edits["may_run"])),
        tuple(tuple(each.split()) for each in _texts(edits["may_not_run"])),
        _count(data["stops"], "most_refusals"),
        _count(data["logs"], "most_lines"),
        problems,
    )


def _count(table: dict[str, Any], key: str) -> int:
    value = table[key]
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"`{key}` is {value!r}, and must be a whole number from 1")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError(f"{value!r} is no list of texts")
    return tuple(str(each) for each in value)


def _merged(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    made = dict(under)
    for key, value in over.items():
        below = made.get(key)
        if isinstance(value, dict) and isinstance(below, dict):
            made[key] = _merged(below, value)
        else:
            made[key] = value
    return made


def _normal(name: str) -> str:
    """A name without its plugin, its spelling and the word `agent`."""
    plain = name.rpartition(":")[2].strip().lower().replace("-", "_").replace(" ", "_")
    return plain.removesuffix("_agent")
