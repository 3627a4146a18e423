"""Lifecycle hooks: named functions that run at points of the loop and may decide.

A hook that only looks returns nothing. One that decides returns a `Decision`. One that must ask a
person returns an `Interaction` from `propose`; the run ends there, and when the answer has come
`resolve` turns it into a decision.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from paige.agent.context import RunContext
from paige.agent.interactions import Interaction, Reply
from paige.base.errors import BadInput
from paige.base.events import DECISIONS, EVENTS, Decision, Event
from paige.models.requests import Answer, Request

Proposal = Decision | Interaction | None
HOOK_SECONDS = 30.0
MOST_QUESTIONS = 20


@dataclass(frozen=True, slots=True)
class HookView:
    """What a hook sees. `step` makes an effect inside a hook part of the journal.

    `ask` asks whoever answers this run (`source`); the answer is journaled, counted and traced.
    Inside a step it takes the step's name, so that what it cost is counted when the step is known.
    `notes` go into the hook's span. `memo` holds whatever `propose` and `resolve` want to hand on
    to each other; it is lost with the segment, and made again when they are called again.
    """

    run: str
    session: str
    agent: str
    path: str
    context: RunContext
    inputs: Mapping[str, Any]
    step: Callable[[str, Callable[[], Awaitable[Any]]], Awaitable[Any]]
    ask: Callable[[str, Request], Awaitable[Answer]]
    source: str
    nested: bool = False  # in a subagent, which opens no gate
    notes: dict[str, Any] = field(default_factory=dict)
    memo: dict[str, Any] = field(default_factory=dict)


Propose = Callable[[HookView, Any], Awaitable[Proposal]]
Resolve = Callable[[HookView, Any, Reply], Awaitable[Proposal]]


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook. A fault in a `required` one ends the run: a check not made has failed.

    `tools` are those whose calls it is about, if not all. `asks_models` says that it uses
    `HookView.ask`; `questions` is how often it may ask a person.
    """

    name: str
    points: tuple[str, ...]
    propose: Propose
    resolve: Resolve | None = None
    required: bool = False
    seconds: float = HOOK_SECONDS
    tools: tuple[str, ...] = ()
    asks_models: bool = False
    questions: int = MOST_QUESTIONS

    def __post_init__(self) -> None:
        for point in self.points:
            if point not in EVENTS:
                raise ValueError(f"Hook `{self.name}`: there is no point `{point}`")

    def concerns(self, event: Event) -> bool:
        """Whether an event of one of its points is about a tool it looks at."""
        return not self.tools or getattr(event, "tool", None) in self.tools


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
    names = tuple(names)
    check_names(names, known)
    chosen = {name: known[name] for name in names}
    for hook in extra:
        chosen.setdefault(hook.name, hook)
    return tuple(chosen.values())


def check_names(names: Iterable[str], known: Collection[str]) -> None:
    """Refuse a name that no hook has. Raises: BadInput."""
    for name in names:
        if name not in known:
            raise BadInput(
                f"There is no hook `{name}`", hint=f"There are: {', '.join(sorted(known))}."
            )


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
