"""What leaves the near memory by itself, and what is forgotten because someone asks.

What a session said and did, and nobody promoted, leaves the hot index after a while: it is
summarised and gets cold, nothing more. Forgetting is another thing: it takes the content away, on
request only, after a plan that shows what would go. What was made from a forgotten memory goes with
it when it may repeat its words: a summary of it, an earlier version of it, a pattern with no other
evidence.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from paige.base.errors import BadInput
from paige.memory.event import Draft, Event
from paige.memory.forgotten_words import LEAST
from paige.memory.lifecycle.held_memory import HeldMemory, derived_id

_SHOWN = 80
_DERIVED = ("pattern", "anti_pattern")


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionThresholds:
    """How long what a session said stays near."""

    session_days: float
    session_types: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget:
    """What someone wants forgotten: these, or all of an owner, or all before a moment, or both."""

    ids: frozenset[str] = frozenset()
    owner: str | None = None
    before: datetime | None = None
    reason: str = "asked for"
    by: str = "me"


@dataclass(frozen=True, slots=True)
class MemoryGoing:
    """One memory that goes, or would go."""

    id: str
    type: str
    at: datetime
    shown: str
    why: str


class ForgetPlan(NamedTuple):
    """What would be forgotten; nothing has happened yet."""

    going: tuple[MemoryGoing, ...]
    refused: tuple[MemoryGoing, ...]  # asked for, but not theirs to forget
    missing: tuple[str, ...]  # ids nobody knows
    reason: str
    by: str

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids that would go."""
        return tuple(each.id for each in self.going)


def leaves(
    held: HeldMemory, *, long_term: Collection[str], now: datetime, thresholds: RetentionThresholds
) -> bool:
    """Whether what a session said leaves the hot index: not promoted, and not used for long."""
    event = held.event
    if event.scope != "session" or event.type not in thresholds.session_types:
        return False
    if held.tier == "cold" or event.id in long_term:
        return False
    used = max(filter(None, (held.since, held.last_recall)))
    return now - used > timedelta(days=thresholds.session_days)


def plan_forgetting(
    read: Callable[[], Iterable[Event]], ask: Forget, may: Callable[[Event], bool]
) -> ForgetPlan:
    """What a wish to forget comes to. `read` gives every event, as often as it is called.

    Raises: BadInput when nothing is named.
    """
    if not ask.ids and ask.owner is None and ask.before is None:
        raise BadInput("nothing is named to forget", hint="Give ids, an owner or a moment.")
    events = [each for each in read() if not each.forgotten and each.type != "forgotten"]
    asked = {each.id: why for each in events if (why := _asked(each, ask)) is not None}
    refused = [each for each in events if each.id in asked and not may(each)]
    whys = {id: why for id, why in asked.items() if id not in {each.id for each in refused}}
    _add_what_follows(events, whys)
    going = [_going(each, whys[each.id]) for each in events if each.id in whys]
    missing = sorted(ask.ids - {each.id for each in events})
    not_theirs = tuple(_going(each, "it belongs to someone else") for each in refused)
    return ForgetPlan(tuple(going), not_theirs, tuple(missing), ask.reason, ask.by)


def forget_draft(plan: ForgetPlan) -> Draft:
    """The event that says what was forgotten, by whom and why; it repeats no content."""
    return Draft(
        id=derived_id("forgotten", *sorted(plan.ids)),
        type="forgotten",
        scope="global",
        owner=plan.by,
        payload={"ids": list(plan.ids), "reason": plan.reason, "by": plan.by},
    )


def forget(
    plan: ForgetPlan,
    write: Callable[[Draft], object],
    erase: Callable[[Collection[str]], int],
) -> int:
    """Carry a plan out and return how many lines lost their content.

    First comes the event, so that a crash between the two can be made good.
    """
    if not plan.going:
        return 0
    write(forget_draft(plan))
    return erase(plan.ids)


def _asked(event: Event, ask: Forget) -> str | None:
    if event.id in ask.ids:
        return "asked for by id"
    if ask.owner is None and ask.before is None:
        return None
    if ask.owner is not None and event.owner != ask.owner:
        return None
    if ask.before is not None and event.at >= ask.before:
        return None
    return "of that owner" if ask.owner is not None else "before that moment"


def _add_what_follows(events: Iterable[Event], whys: dict[str, str]) -> None:
    """Add what may repeat the words of what goes, until nothing is added."""
    by_id = {each.id: each for each in events}
    derived = [each for each in by_id.values() if each.type in ("summary", *_DERIVED)]
    copies = [each for each in by_id.values() if _sources(each) or each.type == "recalled"]
    versions = [each for each in by_id.values() if each.supersedes]
    size = -1
    while size != len(whys):
        size = len(whys)
        for event in versions:
            if event.id in whys and event.supersedes in by_id:
                whys.setdefault(event.supersedes or "", f"an earlier version of `{event.id}`")
        for event in derived:
            if event.id not in whys and _repeats(event, whys):
                whys[event.id] = "made from what is forgotten"
        for event in copies:
            if event.id not in whys and _copies(event, whys, by_id):
                whys[event.id] = "a copy of what is forgotten"


def _copies(event: Event, gone: Mapping[str, Any], known: Mapping[str, Event]) -> bool:
    """Whether an event says again what is forgotten, as one that was promoted, or a question."""
    if event.type == "recalled":
        query = str(event.payload.get("query") or "")
        owned = (known[id] for id in gone if id in known and known[id].owner == event.owner)
        return any(len(each.text) >= LEAST and each.text.strip() in query for each in owned)
    sources = [known[id] for id in _sources(event) if id in gone and id in known]
    return any(each.text.strip() and each.text.strip() in event.text for each in sources)


def _sources(event: Event) -> set[str]:
    """The memories that an event was made from or took the place of."""
    named = (event.supersedes, *(event.payload.get(key) for key in ("promoted_from", "source")))
    return {*event.evidence, *(each for each in named if isinstance(each, str))}


def _repeats(event: Event, gone: Mapping[str, Any]) -> bool:
    of = event.payload.get("of")
    sources = {*event.evidence, *(of if isinstance(of, list | tuple) else ())}
    if not sources:
        return False
    if event.type in _DERIVED:
        return all(each in gone for each in sources)
    return any(each in gone for each in sources)


def _going(event: Event, why: str) -> MemoryGoing:
    text = " ".join(event.text.split())
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    return MemoryGoing(event.id, event.type, event.at, shown, why)
