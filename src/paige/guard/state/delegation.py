"""What is kept of a session: the role, how much each agent did itself, and what is still owed.

The changes are pure functions of one value; the file of a session is read, changed and written
while nobody else does, so that of many calls at once each counts once.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from paige.base.clock import to_iso
from paige.base.wire import plain
from paige.guard.fast.snapshot import fingerprint
from paige.guard.state.files import Damaged, change_object, line_of, read_object, read_text

MAIN = "main"
FOLDER = ".delegation-state"
_MOST_NAME = 80
_MOST_KEPT = 200  # violations; older ones are in the log of the hooks


@dataclass(frozen=True, slots=True)
class Tally:
    """One agent's counts: its own work since it last delegated, delegations, refused stops."""

    work: int = 0
    delegated: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that was broken and is not made good: who, what about, when."""

    rule: str
    actor: str
    about: str
    at: str


@dataclass(frozen=True, slots=True)
class Delegation:
    """All that is kept of a session; `tested` are the features last known to be tested."""

    session: str
    role: str = ""
    actors: Mapping[str, Tally] = field(default_factory=dict[str, Tally])
    violations: tuple[Violation, ...] = ()
    tested: tuple[str, ...] | None = None

    def of(self, actor: str) -> Tally:
        """The counts of an agent."""
        return self.actors.get(actor, Tally())


Step = Callable[[Delegation], Delegation]


def with_work(state: Delegation, actor: str) -> Delegation:
    """One more piece of work the agent did itself."""
    tally = state.of(actor)
    return _with(state, actor, replace(tally, work=tally.work + 1))


def with_delegation(state: Delegation, actor: str) -> Delegation:
    """The agent gave a task away: its own work counts from nothing again."""
    tally = state.of(actor)
    return _with(state, actor, replace(tally, work=0, delegated=tally.delegated + 1))


def with_refusal(state: Delegation, actor: str) -> Delegation:
    """One more stop that was refused."""
    tally = state.of(actor)
    return _with(state, actor, replace(tally, refused=tally.refused + 1))


def without_refusals(state: Delegation, actor: str) -> Delegation:
    """What was asked for at a stop is done."""
    tally = state.of(actor)
    return _with(state, actor, replace(tally, refused=0)) if tally.refused else state


def with_violation(state: Delegation, violation: Violation) -> Delegation:
    """One more violation; the same one twice stays one."""
    same = (violation.rule, violation.actor, violation.about)
    if any((each.rule, each.actor, each.about) == same for each in state.violations):
        return state
    return replace(state, violations=(*state.violations, violation)[-_MOST_KEPT:])


def without_violations(
    state: Delegation, rule: str, about: frozenset[str] | None = None
) -> Delegation:
    """The violations of a rule are made good: all, or those about some things."""
    kept = tuple(
        each
        for each in state.violations
        if each.rule != rule or (about is not None and each.about not in about)
    )
    return replace(state, violations=kept)


def state_folder(root: Path | str) -> Path:
    """The folder of a project's sessions."""
    return Path(root) / ".claude" / FOLDER


def state_path(root: Path | str, session: str) -> Path:
    """The file of a session; two sessions never share one."""
    name = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "-_") else "_"
                   for sign in session)  # fmt: skip
    if name != session or not name or len(name) > _MOST_NAME:
        name = f"{name[:_MOST_NAME]}-{fingerprint(session)}"
    return state_folder(root) / f"{name}.json"


def read_delegation(root: Path | str, session: str) -> Delegation | None:
    """What is kept of a session; nothing when there is none. Raises: Damaged."""
    path = state_path(root, session)
    given = read_object(path)
    return None if given is None else _load(given, session, path)


def change_delegation(root: Path | str, session: str, now: datetime, step: Step) -> Delegation:
    """Change what is kept of a session; what it is then. Raises: Damaged, Refused, Unavailable."""
    path = state_path(root, session)
    made: list[Delegation] = []

    def change(before: dict[str, Any]) -> dict[str, Any]:
        old = _load(before, session, path)
        new = step(old)
        made.append(new)
        if new == old and before:
            return before
        return {**before, **plain(new), "updated_at": to_iso(now)}

    change_object(path, change)
    return made[-1]


def _with(state: Delegation, actor: str, tally: Tally) -> Delegation:
    return replace(state, actors={**state.actors, actor: tally})


def _load(given: dict[str, Any], session: str, path: Path) -> Delegation:
    try:
        actors = {str(name): _tally(each) for name, each in given.get("actors", {}).items()}
        violations = tuple(
            Violation(str(each["rule"]), str(each["actor"]), str(each["about"]), str(each["at"]))
            for each in given.get("violations", [])
        )
        tested = given.get("tested")
        known = None if tested is None else tuple(str(each) for each in tested)
        role = given.get("role", "")
        if not isinstance(role, str):
            raise TypeError("role")
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        raise _damaged(path, error) from error
    return Delegation(session, role, actors, violations, known)


def _tally(value: dict[str, Any]) -> Tally:
    counts = {name: value.get(name, 0) for name in ("work", "delegated", "refused")}
    for name, count in counts.items():
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise ValueError(name)
    return Tally(**counts)


def _damaged(path: Path, error: Exception) -> Damaged:
    word = str(error.args[0]) if error.args else ""
    line = line_of(read_text(path) or "", json.dumps(word))
    problem = f"`{word}` has a value it cannot have" if word else "it is not built as it should be"
    return Damaged(path, line, problem, "Ask the person to correct that value or remove the file.")
