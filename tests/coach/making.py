"""Sessions, plans and phases for the tests of this room, and ids that are easy to read."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach import queries
from paige.coach.records import CoachSession, PhaseRow, PlanRow
from paige.doors.coach.mcp import TOOLS
from paige.doors.frame.mcp import OperationTool
from paige.store.queries import StoredEvent, events_after
from tests.conftest import NOON

ME = Actor(person="me")
YOU = Actor(person="you")
ELSEWHERE = Actor(tenant="school", person="me")


def counting(prefix: str = "id") -> Callable[[datetime], str]:
    """Ids in the order they were asked for."""
    numbers: Iterator[int] = iter(range(1, 1_000_000))
    return lambda _: f"{prefix}{next(numbers):04}"


def session(identity: str = "s1", *, project: str = "/projects/shop", day: int = 0) -> CoachSession:
    """An active session that began some days after noon of the test day."""
    started = NOON + timedelta(days=day)
    return CoachSession(identity, project, 12, "Fix the race", "active", started)


def plan(identity: str = "p1", *, of: str = "s1", minute: int = 0) -> PlanRow:
    """A plan of a session."""
    made = NOON + timedelta(minutes=minute)
    return PlanRow(identity, of, "1. Look\n2. Change", made, "Like last week", "beginner")


def phase(number: int = 1, *, of: str = "p1", **more: object) -> PhaseRow:
    """A phase of a plan; its id is `ph` and the number."""
    row = PhaseRow(f"ph{number}", of, number, f"Phase {number}", "Look at the handler")
    return PhaseRow(**{**_fields(row), **more})  # type: ignore[arg-type]


def planned(connection: Connection, actor: Actor = ME, phases: int = 3) -> None:
    """Store the session `s1` with the plan `p1` and some phases."""
    queries.insert_session(connection, actor, session())
    queries.insert_plan(connection, actor, plan())
    queries.insert_phases(connection, actor, [phase(n) for n in range(1, phases + 1)])


def topics(connection: Connection) -> list[str]:
    """What was published, in order."""
    return [event.topic for event in events(connection)]


def events(connection: Connection) -> list[StoredEvent]:
    """Every event, in order."""
    return events_after(connection, 0)


def _fields(row: PhaseRow) -> dict[str, object]:
    return {name: getattr(row, name) for name in PhaseRow.__dataclass_fields__}


def told(state: object) -> dict[str, Any]:
    """What an agent is told of the state of a session."""
    [row] = [row for row in TOOLS if row.name == "paige_get_session_state"]
    return OperationTool(row).told(state)
