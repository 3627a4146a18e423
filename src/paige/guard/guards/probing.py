"""Probes a guard on harmless actions: a long list that comes with Paige.

A guard that would stop one of them is wrong, whatever else speaks for it. An action of the list is
harmless for whoever it names: an agent, a role, the person's own assistant (no name), or everybody
(`*`). A guard that is about one agent is probed with what is harmless for everybody as if that
agent did it.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from paige.base.errors import BadInput
from paige.base.paths import shipped
from paige.guard.fast.guards import Action, meets
from paige.guard.guards.matching import action_from, compiled
from paige.guard.guards.values import Example, Guard, Past

FILE = "guard/benign.jsonl"
EVERYBODY = "*"
LEAST = 1000


@dataclass(frozen=True, slots=True)
class Harmless:
    """A harmless action, taken apart; `everybody` says that it is so whoever does it."""

    past: Past
    action: Action
    everybody: bool


def probe(guard: Guard, listed: Iterable[Harmless] | None = None) -> tuple[Past, ...]:
    """The harmless actions a guard would stop."""
    made = compiled(guard)
    anybody = {key: value for key, value in made.items() if key not in ("agents", "roles")}
    unless = set(guard.matcher.unless)
    return tuple(
        each.past
        for each in (harmless() if listed is None else listed)
        if meets(anybody if each.everybody else made, each.action)
        and not unless & set(each.past.example.facts)
    )


@cache
def harmless() -> tuple[Harmless, ...]:
    """The list that comes with Paige; read once. Raises: BadInput, NotFound."""
    return read_harmless(shipped(FILE))


def read_harmless(path: Path) -> tuple[Harmless, ...]:
    """The harmless actions of a file, one JSON object a line. Raises: BadInput with the line."""
    found: list[Harmless] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        try:
            found.append(_harmless(json.loads(line)))
        except (ValueError, KeyError, TypeError) as error:
            raise BadInput(
                f"`{path}`, line {number}: it is no action ({error})",
                hint="Make the list anew with `tools/benign_actions.py`.",
            ) from error
    if len(found) < LEAST:
        raise BadInput(
            f"`{path}` has {len(found)} actions, and {LEAST} are needed",
            hint="Make the list anew with `tools/benign_actions.py`.",
        )
    return tuple(found)


def _harmless(said: object) -> Harmless:
    if not isinstance(said, dict):
        raise TypeError("no object")
    everybody = said.get("agent") == EVERYBODY
    example = Example(
        tool=str(said["tool"]),
        input=dict(said["input"]),
        agent="" if everybody else str(said.get("agent", "")),
        role=str(said.get("role", "")),
        facts=tuple(said.get("facts", ())),
    )
    event = str(said["event"])
    past = Past(id=str(said["id"]), event=event, example=example)
    return Harmless(past, action_from(event, example), everybody)
