"""From ranked memories to an answer: nothing twice, what must not be missed first, within budget.

Also how recalled memories are written into a prompt. They stand in a block with a marker, so that
whoever stores what was said can tell what was recalled from what was new.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from paige.base.clock import to_iso
from paige.base.tokens import count_tokens_bound
from paige.memory.event import Event
from paige.memory.finding.budget import Limits, choose_within, class_of, cost
from paige.memory.search_values import Ask, Result

OPEN, CLOSE = "<paige-memory>", "</paige-memory>"
SHORT_ID = 6  # characters of an id that stand in a prompt
_WORD = re.compile(r"\w+(?:['\u2019.,:]\w+)*")
# Words that change nothing about what is said.
_FILLERS = frozenset({"a", "an", "the", "so", "oh", "well", "just", "really", "very", "please"})


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that was found, before anything is decided about it."""

    event: Event
    score: float
    why: Mapping[str, float]


class _Offer:
    """A hit with its price, which is worked out when it is asked for."""

    def __init__(self, hit: Hit, *, in_prompt: bool) -> None:
        self.hit = hit
        self._in_prompt = in_prompt
        self._tokens: int | None = None

    @property
    def tokens(self) -> int:
        if self._tokens is None:
            self._tokens = price(self.hit.event, in_prompt=self._in_prompt)
        return self._tokens

    @property
    def scope(self) -> str:
        return self.hit.event.scope

    @property
    def memory_class(self) -> str:
        return class_of(self.hit.event.type)


def choose(ask: Ask, hits: Iterable[Hit]) -> tuple[list[Result], int]:
    """The results that are returned, and how many were left out.

    Under a budget `hits` must begin with what must not be missed.
    """
    limits = Limits(
        results=ask.limit,
        tokens=_room(ask),
        by_scope=ask.scope_limits,
        tokens_by_class=ask.class_budgets,
    )
    repeated = _Repeated()
    wanted = hits if ask.budget_tokens is None else repeated.without(hits)
    offers = (_Offer(hit, in_prompt=ask.in_prompt) for hit in wanted)
    chosen = choose_within(offers, limits)
    results = [_result(offer) for offer in chosen.results]
    left_out = chosen.left_out + repeated.count
    if ask.in_prompt and ask.budget_tokens is not None:
        while results and count_tokens_bound(render_recalled(results)) > ask.budget_tokens:
            results.pop()
            left_out += 1
    return results, left_out


def price(event: Event, *, in_prompt: bool) -> int:
    """The most tokens that a memory costs with what stands between it and the next."""
    return cost(render_line(event) if in_prompt else event.text)


def render_recalled(results: Sequence[Result]) -> str:
    """The block that is put into a prompt; empty when there is nothing to put."""
    if not results:
        return ""
    return "\n".join([OPEN, *(render_line(result.event) for result in results), CLOSE])


def render_line(event: Event) -> str:
    """One memory in the block: its id, its day, who said it, what was said."""
    speaker = f"{event.speaker}: " if isinstance(event.speaker, str) and event.speaker else ""
    text = " ".join(event.text.split())
    while OPEN in text or CLOSE in text:  # again: taking one out may put another one together
        text = text.replace(OPEN, "").replace(CLOSE, "")
    return f"- [{short_id(event.id)}] {to_iso(event.at)[:10]} {speaker}{text}"


def short_id(id_: str) -> str:
    """The end of an id: in ids made one after the other it differs most."""
    return id_[-SHORT_ID:]


def saying(text: str) -> tuple[str, ...]:
    """What a text says, however it is spelled: its words in order, without those that add nothing.

    Numbers, negations and names stay, so texts that differ in one of them are not the same.
    """
    words = _WORD.findall(text.casefold())
    return tuple(word for word in words if word not in _FILLERS) or tuple(words)


class _Repeated:
    """Leaves out what says the same as something before it, and counts that."""

    def __init__(self) -> None:
        self.count = 0
        self._said: set[tuple[str, ...]] = set()

    def without(self, hits: Iterable[Hit]) -> Iterator[Hit]:
        for hit in hits:
            words = saying(hit.event.text)
            if words and words in self._said:
                self.count += 1
                continue
            self._said.add(words)
            yield hit


def _room(ask: Ask) -> int | None:
    if ask.budget_tokens is None:
        return None
    around = count_tokens_bound(f"{OPEN}\n\n{CLOSE}\n") if ask.in_prompt else 0
    return max(0, ask.budget_tokens - around)


def _result(offer: _Offer) -> Result:
    event = offer.hit.event
    return Result(
        id=event.id,
        text=event.text,
        score=offer.hit.score,
        scope=event.scope,
        meta=event.payload.get("meta"),
        event=event,
        why=offer.hit.why,
    )
