"""Branches of a session: who changes a request gets a session of their own, and both stay.

A branch begins where the changed run began. What was said before that point belongs to both, and is
stored once. Runs that begin at the same point are the branches among which a person chooses there.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.plan import session_queries
from paige.plan.session_queries import RunPlace


class Point(NamedTuple):
    """A place between two runs: after that run of a session; 0 is before its first one."""

    session: str
    number: int

    @classmethod
    def read(cls, text: str) -> "Point":
        """A point as sessions keep it."""
        session, _, number = text.rpartition("#")
        return cls(session, int(number))

    def __str__(self) -> str:
        """As sessions keep it."""
        return f"{self.session}#{self.number}"


class Lineage(NamedTuple):
    """Everything that leads to the end of a session, with what it passed through on the way."""

    places: tuple[RunPlace, ...]
    origins: Mapping[str, Point | None]  # of every session on the way


def read_lineage(connection: Connection, actor: Actor, session: str) -> Lineage:
    """The runs of a session, those before it branched off first."""
    places: list[RunPlace] = []
    origins: dict[str, Point | None] = {}
    at, most = session, None
    while True:
        own = session_queries.places_of(connection, actor, at)
        if most is not None:  # of what it branched off from, only what had ended there
            own = [each for each in own if each.number <= most and each.state == "ended"]
        places[:0] = own
        forked_from = session_queries.origin_of(connection, actor, at)
        origins[at] = Point.read(forked_from) if forked_from else None
        origin = origins[at]
        if origin is None or origin.session in origins:
            return Lineage(tuple(places), origins)
        at, most = origin


def begins_at(place: RunPlace, origins: Mapping[str, Point | None]) -> Point:
    """Where a run begins: the same point for all that were said there instead of each other."""
    return _resolved(Point(place.session, place.number - 1), origins)


def read_branches(
    connection: Connection, actor: Actor, lineage: Lineage
) -> dict[str, tuple[RunPlace, ...]]:
    """The runs that begin where one of these does, oldest first; only where there are several."""
    points = {begins_at(each, lineage.origins): each for each in lineage.places}
    found = {point: {place.id: place} for point, place in points.items()}
    for point, place in _beginnings(connection, actor, points, lineage.origins):
        found[point][place.id] = place
    return {
        points[point].id: tuple(sorted(places.values(), key=_age))
        for point, places in found.items()
        if len(places) > 1
    }


def _beginnings(
    connection: Connection,
    actor: Actor,
    points: Mapping[Point, RunPlace],
    origins: Mapping[str, Point | None],
) -> list[tuple[Point, RunPlace]]:
    """The first runs of the branches at some points, and the runs that they stand beside."""
    begun: list[tuple[Point, RunPlace]] = []
    at = {str(point): point for point in points}
    # A branch may be branched before its first run: that is another one at the same point.
    before_first = (Point(each, 0) for each in origins)
    at |= {
        str(each): point for each in before_first if (point := _resolved(each, origins)) in points
    }
    seen: set[str] = set()
    while at:
        forks = session_queries.forks_of(connection, actor, list(at))
        fresh = {id: at[point] for id, point in forks.items() if id not in seen}
        seen |= fresh.keys()
        firsts = session_queries.places_at(connection, actor, list(fresh), 1)
        begun += [(fresh[first.session], first) for first in firsts]
        at = {str(Point(id, 0)): point for id, point in fresh.items()}
    for point, place in points.items():
        if place.session != point.session:  # the first run of a branch: what it was said instead of
            wanted = point.number + 1
            beside = session_queries.places_at(connection, actor, [point.session], wanted)
            begun += [(point, each) for each in beside]
    return begun


def _resolved(point: Point, origins: Mapping[str, Point | None]) -> Point:
    """The same point in the session in which something was said before it, if there is one."""
    while point.number == 0 and (origin := origins.get(point.session)) is not None:
        point = origin
    return point


def _age(place: RunPlace) -> tuple[datetime, str]:
    return place.created_at, place.id
