"""Which memories are summarised together when they cross a boundary, and the event that results.

A summary may be read by exactly those who may read every memory in it. So a group never mixes
owners, scopes, projects, classes, agents or access lists. Within that, one session is one group at
its end and from hot to warm; from warm to cold, and where there is no session, one month is.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from paige.base.clock import to_iso
from paige.memory.event import AgentRef, Draft, Provenance, Scope
from paige.memory.lifecycle.derived import derived_id
from paige.memory.lifecycle.held import Held
from paige.memory.lifecycle.summarising import Passage, Summary
from paige.memory.lifecycle.tiers import Tier

Boundary = Literal["session end", "hot to warm", "warm to cold", "retention"]
# Keyed facts, preferences and patterns stay as they are: they are short and hold until changed.
SUMMARISED = frozenset({"note", "turn", "episode"})
_INTO: dict[Boundary, Tier] = {
    "session end": "hot",
    "hot to warm": "warm",
    "warm to cold": "cold",
    "retention": "cold",
}


class Circle(NamedTuple):
    """Who may read: memories of one circle may be summarised together."""

    scope: Scope
    owner: str
    project: str | None
    acl: tuple[str, ...]
    session: str | None  # of the scope session
    agent: str | None  # of the scope agent
    class_id: str | None
    learner: str | None


class Group(NamedTuple):
    """Memories that are summarised together."""

    circle: Circle
    part: str  # the session or the month
    held: tuple[Held, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its memories."""
        return tuple(each.id for each in self.held)


def circle_of(held: Held) -> Circle:
    """Who may read a memory."""
    event = held.event
    learner = event.payload.get("learner")
    return Circle(
        event.scope,
        event.owner,
        event.project,
        tuple(sorted(event.acl)),
        event.session if event.scope == "session" else None,
        event.agent.id if event.scope == "agent" else None,
        event.class_id,
        learner if isinstance(learner, str) else None,
    )


def group(memories: Iterable[Held], boundary: Boundary, *, least: int, most: int) -> list[Group]:
    """The groups that are large enough, cut where they are too large, each in order of time."""
    grouped: dict[tuple[Circle, str], list[Held]] = {}
    for held in memories:
        if held.event.text.strip():
            grouped.setdefault((circle_of(held), _part(held, boundary)), []).append(held)
    groups: list[Group] = []
    for (circle, part), members in grouped.items():
        members.sort(key=lambda each: (each.event.at, each.id))
        cuts = [members[start : start + most] for start in range(0, len(members), most)]
        groups += [Group(circle, part, tuple(cut)) for cut in cuts if len(cut) >= least]
    return groups


def passages(group: Group) -> tuple[Passage, ...]:
    """What the summary is written from."""
    return tuple(
        Passage(
            id=each.id,
            text=each.event.text,
            at=each.event.at,
            importance=each.importance,
            speaker=each.event.speaker,
        )
        for each in group.held
    )


def summary_draft(group: Group, boundary: Boundary, summary: Summary, reason: str) -> Draft:
    """What the broker is given: the summary, what it is of, and into which tier that goes."""
    first, last = group.held[0].event, group.held[-1].event
    circle = group.circle
    sessions = {each.event.session for each in group.held}
    traces = {each.event.provenance.trace_id for each in group.held}
    session = first.session if len(sessions) == 1 else None
    payload: dict[str, object] = {
        "of": list(group.ids),
        "tier": _INTO[boundary],
        "boundary": boundary,
        "from": to_iso(first.at),
        "to": to_iso(last.at),
        "method": summary.method,
        "reason": f"{reason}; {summary.reason}",
    }
    payload |= {"class_id": circle.class_id} if circle.class_id else {}
    payload |= {"learner": circle.learner} if circle.learner else {}
    return Draft(
        id=derived_id("summary", boundary, *group.ids),
        type="summary",
        text=summary.text,
        scope=circle.scope,
        owner=circle.owner,
        project=circle.project,
        session=session or circle.session,
        acl=circle.acl,
        agent=AgentRef(id=circle.agent),
        payload=payload,
        importance=_importance(group.held),
        provenance=Provenance(session, traces.pop() if len(traces) == 1 else None),
    )


def _part(held: Held, boundary: Boundary) -> str:
    event = held.event
    if event.session and boundary != "warm to cold":
        return event.session
    return event.at.strftime("%m/") + str(event.at.year)


def _importance(members: Sequence[Held]) -> float:
    """Of its sources the mean, a little above: it stands for all of them."""
    mean = sum(each.importance for each in members) / len(members)
    return round(min(1.0, mean + 0.1), 4)
