"""Lifecycle hooks: named functions that run at points of the loop and may decide.

A hook that only looks returns nothing. One that decides returns a `Decision`. One that must ask a
person returns an `Interaction` from `propose`; the run ends there, and when the answer has come
`resolve` turns it into a decision.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from paige.agent.context import RunContext
from paige.agent.interactions import Interaction, Reply
from paige.base.errors import BadInput
from paige.base.events import DECISIONS, EVENTS, Decision, Event

Proposal = Decision | Interaction | None
HOOK_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class HookView:
    """What a hook sees. `step` makes an effect inside a hook part of the journal."""

    run: str
    session: str
    agent: str
    path: str
    context: RunContext
    inputs: Mapping[str, Any]
    step: Callable[[str, Callable[[], Awaitable[Any]]], Awaitable[Any]]


Propose = Callable[[HookView, Any], Awaitable[Proposal]]
Resolve = Callable[[HookView, Any, Reply], Awaitable[Proposal]]


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook. A fault in a `required` one ends the run: a check not made has failed."""

    name: str
    points: tuple[str, ...]
    propose: Propose
    resolve: Resolve | None = None
    required: bool = False
    seconds: float = HOOK_SECONDS

    def __post_init__(self) -> None:
        for point in self.points:
            if point not in EVENTS:
                raise ValueError(f"Hook `{self.name}`: there is no point `{point}`")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What all hooks of one point decided together."""

    event: Event
    deny: str | None = None
    ask: str | None = None
    contexts: tuple[tuple[str, str], ...] = ()
    keep_working: str | None = None
    abort: tuple[str, str] | None = None
    decisions: Mapping[str, Decision | None] = field(default_factory=dict)


def resolve_hooks(
    names: Iterable[str], known: Mapping[str, Hook], extra: Iterable[Hook] = ()
) -> tuple[Hook, ...]:
    """The agent's hooks by name, then the caller's; a name counts once. Raises: BadInput."""
    chosen: dict[str, Hook] = {}
    for name in names:
        if name not in known:
            raise BadInput(
                f"There is no hook `{name}`", hint=f"There are: {', '.join(sorted(known))}."
            )
        chosen[name] = known[name]
    for hook in extra:
        chosen.setdefault(hook.name, hook)
    return tuple(chosen.values())


def dump_decision(decision: Decision | None) -> Any:  # noqa: ANN401 - JSON
    """A decision as JSON."""
    if decision is None:
        return None
    return {"decision": decision.name, **decision.fields()}


def load_decision(data: Any) -> Decision | None:  # noqa: ANN401 - JSON
    """A decision from JSON."""
    if data is None:
        return None
    fields = dict(data)
    return DECISIONS[fields.pop("decision")](**fields)
