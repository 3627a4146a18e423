"""What there is to learn, and what has to be known before: a graph that says what is wrong with it.

A course is data that people write, so it is never refused as a whole: what can be reached is
ordered and taught, and everything else is named with the reason. Nothing here knows a learner; what
somebody knows is a set of ids.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Literal

from paige.base.errors import NotFound

ProblemKind = Literal["cycle", "unknown_prerequisite", "never_taught", "unreachable"]


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing to learn. One that is not `taught` is only named: nothing in the course gives it.

    `extra` holds what else the course says about it.
    """

    id: str
    title: str
    prerequisites: tuple[str, ...] = ()
    taught: bool = True
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class GraphProblem:
    """Something wrong with a graph: which concept, which others, and a sentence."""

    kind: ProblemKind
    concept: str
    others: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True)
class Graph:
    """Concepts in the order the course names them, and what is wrong with them."""

    concepts: Mapping[str, Concept]
    problems: tuple[GraphProblem, ...]
    order: tuple[str, ...]
    """Everything that can be reached, prerequisites first, otherwise as the course has it."""

    def get(self, concept: str) -> Concept:
        """One concept. Raises: NotFound."""
        found = self.concepts.get(concept)
        if found is None:
            raise NotFound(f"The course has no concept `{concept}`")
        return found

    def ready(self, known: Collection[str]) -> tuple[str, ...]:
        """What can be learned next by somebody who knows these, in the order of the course."""
        return tuple(
            concept.id
            for concept in self.concepts.values()
            if concept.taught
            and concept.id not in known
            and all(each in known for each in concept.prerequisites)
        )

    def before(self, concept: str) -> frozenset[str]:
        """Every prerequisite of a concept, near and far. Raises: NotFound."""
        found: set[str] = set()
        waiting = list(self.get(concept).prerequisites)
        while waiting:
            each = waiting.pop()
            if each not in found:
                found.add(each)
                waiting += self.concepts[each].prerequisites if each in self.concepts else ()
        return frozenset(found)


def build_graph(concepts: Iterable[Concept]) -> Graph:
    """The graph of these concepts, checked; each has an id of its own."""
    known = {concept.id: concept for concept in concepts}
    cycles = [_shortest_cycle(group, known) for group in _groups(known)]
    order = _order(known)
    found = [*_unknown(known), *_untaught(known)]
    found += [_cycle_problem(cycle) for cycle in cycles]
    found += _unreachable(known, set(order), {each for cycle in cycles for each in cycle})
    return Graph(known, tuple(found), order)


def _order(known: Mapping[str, Concept]) -> tuple[str, ...]:
    """Kahn's order; what needs something unknown, untaught or circular never gets its turn."""
    place = {name: number for number, name in enumerate(known)}
    waiting = {name: len(concept.prerequisites) for name, concept in known.items()}
    needed_by = _needed_by(known)
    names = tuple(known)
    turn = [place[name] for name, count in waiting.items() if count == 0 and known[name].taught]
    heapify(turn)
    order: list[str] = []
    while turn:
        name = names[heappop(turn)]
        order.append(name)
        for other in needed_by.get(name, ()):
            waiting[other] -= 1
            if waiting[other] == 0 and known[other].taught:
                heappush(turn, place[other])
    return tuple(order)


def _needed_by(known: Mapping[str, Concept]) -> dict[str, list[str]]:
    users: dict[str, list[str]] = {}
    for name, concept in known.items():
        for each in concept.prerequisites:
            users.setdefault(each, []).append(name)
    return users


def _unknown(known: Mapping[str, Concept]) -> Iterator[GraphProblem]:
    for concept in known.values():
        for each in concept.prerequisites:
            if each not in known:
                message = f"`{concept.id}` needs `{each}`, which is not in the course"
                yield GraphProblem("unknown_prerequisite", concept.id, (each,), message)


def _untaught(known: Mapping[str, Concept]) -> Iterator[GraphProblem]:
    needed_by = _needed_by(known)
    for concept in known.values():
        users = needed_by.get(concept.id)
        if users and not concept.taught:
            message = f"`{concept.id}` is never taught, but needed by {_list(users)}"
            yield GraphProblem("never_taught", concept.id, tuple(users), message)


def _cycle_problem(cycle: tuple[str, ...]) -> GraphProblem:
    way = " -> ".join(f"`{name}`" for name in (*cycle, cycle[0]))
    return GraphProblem("cycle", cycle[0], cycle, f"These need each other in a circle: {way}")


def _unreachable(
    known: Mapping[str, Concept], reached: set[str], circular: set[str]
) -> Iterator[GraphProblem]:
    for concept in known.values():
        if concept.id in reached or not concept.taught:
            continue
        blocked = [each for each in concept.prerequisites if each not in reached]
        reasons = [_reason(each, known, circular) for each in blocked]
        message = f"`{concept.id}` cannot be reached: {'; '.join(reasons)}"
        yield GraphProblem("unreachable", concept.id, tuple(blocked), message)


def _reason(name: str, known: Mapping[str, Concept], circular: set[str]) -> str:
    if name not in known:
        return f"`{name}` is not in the course"
    if not known[name].taught:
        return f"`{name}` is never taught"
    return f"`{name}` is part of a circle" if name in circular else f"`{name}` cannot be reached"


def _groups(known: Mapping[str, Concept]) -> Iterator[list[str]]:
    """Sets of concepts that need each other, found as Tarjan does, without recursion."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    stacked: set[str] = set()
    for root in known:
        work = [(root, _edges(root, known))] if root not in number else []
        while work:
            name, edges = work[-1]
            if name not in number:
                number[name] = low[name] = len(number)
                stack.append(name)
                stacked.add(name)
            child = next((each for each in edges if each not in number or each in stacked), None)
            if child is not None:
                if child in number:
                    low[name] = min(low[name], number[child])
                else:
                    work.append((child, _edges(child, known)))
                continue
            work.pop()
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[name])
            if low[name] == number[name]:
                group = _cut(stack, stacked, name)
                if len(group) > 1 or name in known[name].prerequisites:
                    yield group


def _edges(name: str, known: Mapping[str, Concept]) -> Iterator[str]:
    return (each for each in known[name].prerequisites if each in known)


def _cut(stack: list[str], stacked: set[str], name: str) -> list[str]:
    group: list[str] = []
    while not group or group[-1] != name:
        group.append(stack.pop())
        stacked.discard(group[-1])
    return group


def _shortest_cycle(group: list[str], known: Mapping[str, Concept]) -> tuple[str, ...]:
    """One circle in a group, from the concept that the course names first."""
    inside = set(group)
    start = next(name for name in known if name in inside)
    came: dict[str, str] = {}
    waiting = deque([start])
    while waiting:
        name = waiting.popleft()
        for each in known[name].prerequisites:
            if each == start:
                way = [name]
                while way[-1] != start:
                    way.append(came[way[-1]])
                return tuple(reversed(way))
            if each in inside and each not in came:
                came[each] = name
                waiting.append(each)
    raise AssertionError(f"`{start}` is in no circle")  # a group of more than one always has one


def _list(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
