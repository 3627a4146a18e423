"""What a guard is tried on: its own examples, harmless actions, and what happened before.

A guard must meet all of `must` and none of `must_not`. One that would stop an action of the long
list of harmless ones is wrong, whatever else speaks for it; such an action is harmless for whoever
it names: an agent, a role, the person's own assistant (no name), or everybody (`*`). A guard that
is about one agent is probed with what is harmless for everybody as if that agent did it.

In history an action that was refused anyway speaks for the guard, and one that a person corrected
does so even more. An action that was fine and stayed so speaks against it, and one is enough.

Nothing is decided here that the hook would decide otherwise: guards are matched as `fast.guards`
does it, and commands are taken apart by the engine that judges them.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from paige.base.errors import BadInput
from paige.base.paths import shipped
from paige.guard.fast.guards import Action, action_of, meets
from paige.guard.fast.place import Place, outer_root
from paige.guard.guards.values import RULE_PREFIX, Example, Guard, PastAction, Replay, ShadowHistory
from paige.guard.rules.loader import EXAMPLE_PLACE, load_book
from paige.guard.shell.judge import Judge
from paige.guard.tools import changes_of, command_of, is_powershell

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


_MOST_SHOWN = 120
FILE = "guard/benign.jsonl"
EVERYBODY = "*"
LEAST = 1000
Acted = tuple[PastAction, Action]


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
                must, does = ("must", "does not") if wanted else ("must not", "does")
                found.append(f"It {must} meet {shown(example)}, and it {does}.")
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


@dataclass(frozen=True, slots=True)
class Harmless:
    """A harmless action, taken apart; `everybody` says that it is so whoever does it."""

    past: PastAction
    action: Action
    everybody: bool


def probe(guard: Guard, listed: Iterable[Harmless] | None = None) -> tuple[PastAction, ...]:
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
    past = PastAction(id=str(said["id"]), event=event, example=example)
    return Harmless(past, action_from(event, example), everybody)


def acted(
    pasts: Iterable[PastAction], place: Place, book: Mapping[str, Any], *, scope: str = "universal"
) -> tuple[Acted, ...]:
    """Actions taken apart; for the scope `project` only those of the place's project."""
    found: list[Acted] = []
    for past in pasts:
        if not in_scope(past, place, scope):
            continue
        where = place if not past.cwd else _place(past.cwd, place)
        found.append((past, action_from(past.event, past.example, where, book)))
    return tuple(found)


def in_scope(past: PastAction, place: Place, scope: str) -> bool:
    """Whether a guard of a scope would have looked at an action."""
    root = place.root.rstrip("/")
    return scope != "project" or not past.cwd or f"{past.cwd}/".startswith(f"{root}/")


def replay(guard: Guard, actions: Iterable[Acted]) -> Replay:
    """What a guard would have done to some actions."""
    made = compiled(guard)
    loose = {key: value for key, value in made.items() if key != "contains"}
    already: list[str] = []
    corrected: list[str] = []
    harmless: list[PastAction] = []
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
    pasts: Mapping[str, PastAction],
    *,
    since: str,
    overridden: Iterable[str] = (),
) -> ShadowHistory:
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
    return ShadowHistory(
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
