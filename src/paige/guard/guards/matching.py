"""Guards and examples as the hook's matcher wants them: plain dicts and actions.

The matcher itself is `guard.fast.guards`; here nothing is decided that the hook would decide
otherwise. A command in an example is taken apart by the same engine that judges it in a hook.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from paige.base.paths import shipped
from paige.guard.fast.guards import Action, action_of, meets
from paige.guard.fast.place import Place
from paige.guard.guards.values import Example, Guard
from paige.guard.rules.examples import EXAMPLE_PLACE
from paige.guard.rules.loading import load_book
from paige.guard.shell.judging import Judge
from paige.guard.tools import command_of, is_powershell

BEFORE_TOOLS = ("pre_tool", "permission_request")


def compiled(guard: Guard, *, shadow: bool = False) -> dict[str, Any]:
    """A guard as the hook reads it; what is empty is left out."""
    matcher = guard.matcher
    made: dict[str, Any] = {
        "id": guard.id,
        # Whoever may not do it may not be asked for the permission to do it either.
        "events": BEFORE_TOOLS if guard.event == "pre_tool" else (guard.event,),
        "decision": guard.decision,
        "message": guard.message,
        "shadow": shadow,
    }
    lists: dict[str, tuple[Any, ...]] = {
        "tools": tuple(each.lower() for each in matcher.tools),
        "agents": matcher.agents,
        "roles": matcher.roles,
        "command": matcher.command,
        "paths": matcher.paths,
        "fields": tuple(sorted(matcher.fields.items())),
        "contains": matcher.contains,
        "unless": matcher.unless,
    }
    return made | {name: value for name, value in lists.items() if value}


def action_from(
    event: str,
    example: Example,
    place: Place = EXAMPLE_PLACE,
    book: Mapping[str, Any] | None = None,
) -> Action:
    """What an example would do at a place, by the rules of a book; those of Paige by default."""
    given = dict(example.input)
    command = command_of(example.tool, given) if example.tool else None
    acts: tuple[Any, ...] = ()
    if command and not is_powershell(example.tool):
        judge = Judge(place, dict(book if book is not None else shipped_book()))
        judge.judge(command)
        acts = tuple(judge.acts)
    who = ((example.agent,), example.role)
    return action_of(event, example.tool, given, who, place, acts)


def matches(guard: Guard, example: Example) -> bool:
    """Whether a guard would say something to an example, as a hook would."""
    return says(compiled(guard), action_from(guard.event, example), example.facts)


def says(guard: Mapping[str, Any], action: Action, facts: tuple[str, ...] = ()) -> bool:
    """Whether a compiled guard has something to say, given the facts that hold."""
    return not any(each in facts for each in guard.get("unless", ())) and meets(dict(guard), action)


@cache
def shipped_book() -> Mapping[str, Any]:
    """The compiled rules that came with Paige; read once."""
    folder = shipped("guard/rules")
    return load_book(sorted(folder.glob("*.toml"))).compiled
