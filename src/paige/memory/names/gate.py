"""The anonymisation gate: finds people named in a text, without a model.

What teachers keep about their classes names nobody: "the EAL pair", not two pupils. The gate reads
a text as words, knows several thousand names from many countries, and scores each candidate by what
stands around it (`score.py`); it also finds addresses and numbers that point at one person
(`details.py`). It is a filter for slips, not a proof: a name that is an ordinary word and
stands where that word could stand is let through.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from paige.memory.names.details import find_details
from paige.memory.names.lists import fold
from paige.memory.names.score import find_runs
from paige.memory.names.tokens import tokens_of

INSTEAD = "Write about the group instead, for example “the EAL pair” or “the advanced group”."


_PIECE, _OVERLAP = 4_000, 300  # signs


class Span(NamedTuple):
    """A place where somebody is named: `text` stands at `start` to `end`."""

    start: int
    end: int
    text: str
    kind: str
    reason: str


class Judgement(NamedTuple):
    """Who is named, and whether the text may be kept."""

    named: tuple[Span, ...]
    allowed: bool


class NameGate:
    """Judges texts. Words in `let_through` are never names here, whatever the lists say."""

    def __init__(self, let_through: Iterable[str] = ()) -> None:
        self._let_through = frozenset(fold(word) for word in let_through)

    def find(self, text: str) -> list[Span]:
        """The places where somebody is named."""
        found = find_names(text)
        return [each for each in found if fold(each.text) not in self._let_through]

    def judge(self, text: str) -> Judgement:
        """Who is named, and whether the text may be kept."""
        named = tuple(self.find(text))
        return Judgement(named, not named)


def find_names(text: str) -> list[Span]:
    """The places of a text where somebody is named, in order, not overlapping.

    What weighs for a name is near it, so a long text is read in pieces that overlap.
    """
    kept: list[Span] = []
    for start in range(0, max(len(text) - _OVERLAP, 1), _PIECE - _OVERLAP):
        for span in _names_in(text[start : start + _PIECE]):
            if not kept or span.start + start >= kept[-1].end:
                kept.append(span._replace(start=span.start + start, end=span.end + start))
    return kept


def _names_in(text: str) -> list[Span]:
    details = list(find_details(text))
    spans = [Span(each.start, each.end, "", each.kind, each.reason) for each in details]
    tokens = tokens_of(text)
    for run in find_runs(text, tokens):
        tail = tokens[run.last - 1]
        start, end = tokens[run.first].start, tail.end - (2 if _marked(tail.text) else 0)
        spans.append(Span(start, end, "", "name", run.reason))
    spans.sort(key=lambda span: (span.start, -span.end))
    kept: list[Span] = []
    for span in spans:
        if not kept or span.start >= kept[-1].end:
            kept.append(span._replace(text=text[span.start : span.end]))
    return kept


def refusal(spans: Sequence[Span]) -> str:
    """What a writer is told: who was named, and how to say it instead."""
    shown = list(dict.fromkeys(f"`{span.text}` ({span.reason})" for span in spans))
    more = f" and {len(shown) - 5} more" if len(shown) > 5 else ""
    return f"It names people: {', '.join(shown[:5])}{more}. {INSTEAD}"


def _marked(word: str) -> bool:
    return word.lower().endswith(("'s", "\u2019s"))
