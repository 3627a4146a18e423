"""Turns what somebody gives into a trace and its edges: checked, without secrets, not too long."""

import re
from dataclasses import fields
from datetime import UTC, datetime

from paige.base.errors import BadInput
from paige.guard.graph.lines import clean, cleaned
from paige.guard.graph.values import (
    GUARD,
    SCOPES,
    SOURCES,
    TYPES,
    Edge,
    NewTrace,
    Node,
    Relation,
    Trace,
)

MOST_TEXT = 4000
MOST_NAME = 400
MOST_FILES = 50
MOST_LINKS = 50
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,79}")
_LONG = ("task", "what_happened", "what_was_correct", "why", "target")
_NAMES = (
    "project", "agent", "feature", "session", "cli", "event", "tool", "action", "reason", "shape",
    "rule",
)  # fmt: skip
_KEPT = frozenset(each.name for each in fields(Trace))


def trace_of(new: NewTrace, *, id: str, now: datetime, project: str = "") -> Trace:
    """A trace as it is stored. Raises: BadInput naming the value."""
    identity = new.id or id
    if not _ID.fullmatch(identity):
        raise BadInput(
            f"`{identity[:100]}` is no id of a trace",
            hint="Use at most 80 letters, digits, `-`, `_`, `.` and `:`, or leave it out.",
        )
    _one_of("type", new.type, TYPES)
    _one_of("source", new.source, SOURCES)
    _one_of("scope", new.scope, SCOPES)
    if not 0 <= new.confidence <= 1:
        raise BadInput(f"`confidence` is {new.confidence}", hint="It is from 0 to 1.")
    given = {each.name: getattr(new, each.name) for each in fields(new) if each.name in _KEPT}
    texts = {name: clean(given[name])[:MOST_TEXT] for name in _LONG}
    names = {name: clean(given[name])[:MOST_NAME] for name in _NAMES}
    names["project"] = names["project"] or project
    rest = {
        "id": identity,
        "at": (new.at or now).astimezone(UTC),
        "files": tuple(clean(each)[:MOST_NAME] for each in new.files[:MOST_FILES]),
        "meta": cleaned(dict(new.meta)),
    }
    return Trace(**{**given, **texts, **names, **rest})


def edges_of(trace: Trace, new: NewTrace) -> tuple[Edge, ...]:
    """What joins a trace to the rest."""
    here = Node("decision", trace.id)
    ends: list[tuple[Relation, Node]] = []
    if trace.agent:
        ends.append(("made_by", Node("agent", trace.agent)))
    if trace.feature:
        ends.append(("about", Node("feature", trace.feature)))
    if trace.session:
        ends.append(("in_session", Node("session", trace.session)))
    ends.extend(("touched", Node("file", each)) for each in dict.fromkeys(trace.files) if each)
    if trace.rule:
        ruled: Relation = "overrode" if trace.type == "approval" else "by_rule"
        ends.append((ruled, rule_node(trace.rule)))
    ends.extend(("corrected", Node("decision", each)) for each in new.corrects[:MOST_LINKS])
    ends.extend(("informed_by", Node("memory", each)) for each in new.informed_by[:MOST_LINKS])
    own = [Edge(here, relation, node, trace.at) for relation, node in ends]
    led = [
        Edge(Node("decision", each), "led_to", here, trace.at) for each in new.led_by[:MOST_LINKS]
    ]
    return tuple(edge for edge in (*own, *led) if edge.source != edge.target)


def rule_node(rule: str) -> Node:
    """What a rule's name stands for: a guard, or a rule of ours."""
    if rule.startswith(GUARD):
        return Node("guard", rule.removeprefix(GUARD))
    return Node("rule", rule)


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise BadInput(f"`{name}` is `{value[:60]}`", hint=f"Known are: {', '.join(known)}.")
