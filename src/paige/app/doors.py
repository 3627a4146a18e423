"""What each door is for and how far it is, as data from `shipped/doors.toml`."""

import tomllib
from dataclasses import dataclass

from paige.base.paths import shipped


@dataclass(frozen=True, slots=True)
class Door:
    """One of the four ways into Paige."""

    id: str
    title: str
    audience: str
    summary: str
    works: tuple[str, ...]
    next: tuple[str, ...]


def read_doors() -> list[Door]:
    """The doors in the order people see them."""
    table = tomllib.loads(shipped("doors.toml").read_text(encoding="utf-8"))
    return [
        Door(
            id=name,
            title=door["title"],
            audience=door["audience"],
            summary=door["summary"],
            works=tuple(door["works"]),
            next=tuple(door["next"]),
        )
        for name, door in table.items()
    ]
