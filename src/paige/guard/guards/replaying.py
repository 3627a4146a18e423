"""Replays history: what a guard would have stopped, had it been there.

An action that was refused anyway speaks for the guard, and one that a person corrected does so even
more. An action that was fine and stayed so speaks against it, and one is enough. Pure.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from paige.guard.fast.guards import Action, meets
from paige.guard.fast.place import Place, outer_root
from paige.guard.guards.matching import action_from, compiled
from paige.guard.guards.values import RULE_PREFIX, Guard, Past, Replay, Shadowed

Acted = tuple[Past, Action]


def acted(
    pasts: Iterable[Past], place: Place, book: Mapping[str, Any], *, scope: str = "universal"
) -> tuple[Acted, ...]:
    """Actions taken apart; for the scope `project` only those of the place's project."""
    found: list[Acted] = []
    for past in pasts:
        if not in_scope(past, place, scope):
            continue
        where = place if not past.cwd else _place(past.cwd, place)
        found.append((past, action_from(past.event, past.example, where, book)))
    return tuple(found)


def in_scope(past: Past, place: Place, scope: str) -> bool:
    """Whether a guard of a scope would have looked at an action."""
    root = place.root.rstrip("/")
    return scope != "project" or not past.cwd or f"{past.cwd}/".startswith(f"{root}/")


def replay(guard: Guard, actions: Iterable[Acted]) -> Replay:
    """What a guard would have done to some actions."""
    made = compiled(guard)
    loose = {key: value for key, value in made.items() if key != "contains"}
    already: list[str] = []
    corrected: list[str] = []
    harmless: list[Past] = []
    unclear: list[str] = []
    count = 0
    for past, action in actions:
        count += 1
        if not meets(made if past.whole else loose, action):
            continue
        if past.corrected:
            corrected.append(past.id)
        elif not past.allowed:
            already.append(past.id)
        elif guard.matcher.unless or (guard.matcher.contains and not past.whole):
            unclear.append(past.id)  # shadow, which knows the facts, has to say it
        else:
            harmless.append(past)
    return Replay(
        actions=count,
        already=tuple(already),
        corrected=tuple(corrected),
        harmless=tuple(harmless),
        unclear=tuple(unclear),
    )


def seen_in(
    guard: Guard,
    lines: Iterable[Mapping[str, Any]],
    pasts: Mapping[str, Past],
    *,
    since: str,
    overridden: Iterable[str] = (),
) -> Shadowed:
    """What hooks noted of a guard since a moment; lines come the oldest first.

    `pasts` are the actions of the lines by their ids, `overridden` refusals a person took back.
    """
    let_pass = frozenset(overridden)
    events = harmless = 0
    last: list[bool] = []
    for said in lines:
        past = pasts.get(str(said.get("id")))
        if past is None or str(said.get("at", "")) < since:
            continue
        events += 1
        noted = said.get("shadow")
        blocked = said.get("rule") == f"{RULE_PREFIX}{guard.id}"
        if not blocked and not (isinstance(noted, list) and guard.id in noted):
            continue
        harmless += not blocked and past.allowed and not past.corrected
        last.append(past.id in let_pass or (blocked and past.approved))
    return Shadowed(
        events=events,
        hits=len(last),
        harmless=harmless,
        overridden=sum(last),
        last=tuple(last),
    )


def _place(cwd: str, place: Place) -> Place:
    """The place an action happened at: the project is known by its folder only."""
    root = place.root if f"{cwd}/".startswith(f"{place.root.rstrip('/')}/") else cwd
    outer = outer_root(cwd)
    if outer:  # a worktree of the orchestra, which may be gone by now
        root = "/".join(cwd.split("/")[: outer.count("/") + 4])
    return Place(cwd, root, place.home, place.data, place.own, place.apart)
