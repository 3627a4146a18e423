"""Executes the examples of a guard: it must meet all of `must` and none of `must_not`."""

from collections.abc import Mapping
from typing import Any

from paige.guard.fast.place import Place
from paige.guard.guards.matching import action_from, compiled, says
from paige.guard.guards.values import Example, Guard
from paige.guard.rules.examples import EXAMPLE_PLACE
from paige.guard.tools import changes_of, command_of

_MOST_SHOWN = 120


def failing(
    guard: Guard, *, place: Place = EXAMPLE_PLACE, book: Mapping[str, Any] | None = None
) -> tuple[str, ...]:
    """What its examples say against a guard, one sentence each; none when it does what it says."""
    if not guard.must:
        return ("It has no example of what it must meet.",)
    made = compiled(guard)
    found: list[str] = []
    for wanted, examples in ((True, guard.must), (False, guard.must_not)):
        for example in examples:
            action = action_from(guard.event, example, place, book)
            if says(made, action, example.facts) is not wanted:
                must = "must" if wanted else "must not"
                found.append(f"It {must} meet {shown(example)}, and it does{_not(wanted)}.")
    return tuple(found)


def shown(example: Example) -> str:
    """An example in a few words."""
    given = dict(example.input)
    who = f" of {example.agent or example.role}" if example.agent or example.role else ""
    if not example.tool:
        return f"a stop{who}"
    command = command_of(example.tool, given)
    paths = ", ".join(each.path for each in changes_of(example.tool, given))
    texts = (each for each in given.values() if isinstance(each, str))
    about = command or paths or next(texts, "")
    if len(about) > _MOST_SHOWN:
        about = f"{about[:_MOST_SHOWN]}…"
    return f"{example.tool} `{about}`{who}"


def _not(wanted: bool) -> str:
    return " not" if wanted else ""
