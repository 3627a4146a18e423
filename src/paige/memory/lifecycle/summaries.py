"""Summaries at the boundary of a tier: what goes into one, and the sentences that say most.

A summary may be read by exactly those who may read every memory in it. So a group never mixes
owners, scopes, projects, classes, agents or access lists. Within that, one session is one group at
its end and from hot to warm; from warm to cold, and where there is no session, one month is.

Without a model a summary is an extract. Sentences are scored by how like they are to the whole
(tf-idf centroid), by the importance of the memory they come from, by their place in it, and by the
names, numbers and dates they bring in; what repeats is left out; the rest stays in order of time. A
model may write the summary instead, but only one that invents no number and keeps to the length is
taken, so a summary is never less reliable than an extract.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log, sqrt
from typing import Literal, NamedTuple

from paige.base.clock import to_iso
from paige.base.tokens import count_tokens_bound
from paige.language.english import english
from paige.language.words import sentences, words
from paige.memory.event import AgentRef, Draft, Provenance, Scope
from paige.memory.lifecycle.held_memory import HeldMemory, Tier, derived_id

PURPOSE = "memory.summarise"
Method = Literal["extract", "model"]

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*%?")
_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w-]*(?:\s+[A-ZÀ-ÖØ-Þ][\w-]*)*")
_LONGEST_SENTENCE = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryThresholds:
    """How long a summary may be, and what makes a sentence worth keeping."""

    most_tokens: int
    most_sentences: int
    least_group: int
    most_group: int
    centroid: float
    importance: float
    position: float
    details: float
    repeated: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A memory that goes into a summary."""

    id: str
    text: str
    at: datetime
    importance: float = 0.5
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class SummaryInputs:
    """What whoever writes a summary is given, a model as well as the local engine."""

    passages: tuple[Passage, ...]
    thresholds: SummaryThresholds


Summariser = Callable[[SummaryInputs], str | None]


class Summary(NamedTuple):
    """The text, who made it, and why not the other."""

    text: str
    method: Method
    reason: str


class _Sentence(NamedTuple):
    text: str
    words: frozenset[str]
    vector: dict[str, float]
    details: frozenset[str]
    score: float
    order: tuple[datetime, str, int]


def summarise(inputs: SummaryInputs, model: Summariser | None = None) -> Summary:
    """A summary by the model when one is given and keeps to the facts, by extract otherwise."""
    extract = extract_summary(inputs)
    if model is None:
        return Summary(extract, "extract", "no model is set")
    answer = model(inputs)
    if answer is None:
        return Summary(extract, "extract", "no model answered")
    written = answer.strip()
    refused = why_not(written, inputs)
    if refused is not None:
        return Summary(extract, "extract", f"the model's summary was not taken: {refused}")
    return Summary(written, "model", "the model's summary keeps to the facts")


def why_not(written: str, inputs: SummaryInputs) -> str | None:
    """Why a written summary cannot be taken, `None` when it can."""
    if not written:
        return "it is empty"
    tokens = count_tokens_bound(written)
    if tokens > inputs.thresholds.most_tokens:
        return f"it has up to {tokens} tokens, {inputs.thresholds.most_tokens} are allowed"
    known = {number for each in inputs.passages for number in _numbers(_said(each))}
    invented = sorted(set(_numbers(written)) - known)
    if invented:
        return f"it has numbers nobody wrote: {', '.join(invented[:5])}"
    return None


def extract_summary(inputs: SummaryInputs) -> str:
    """The local engine: the best sentences, within the length, in order of time."""
    thresholds = inputs.thresholds
    chosen: list[_Sentence] = []
    seen: set[str] = set()
    left = sorted(_scored(inputs), key=lambda each: (-each.score, each.order))
    while left and len(chosen) < thresholds.most_sentences:
        best = max(left, key=lambda each: _worth(each, seen, thresholds))  # first of equals
        left.remove(best)
        if _repeats(best, chosen, thresholds.repeated):
            continue
        if _tokens([*chosen, best]) <= thresholds.most_tokens:
            chosen.append(best)
            seen |= best.details
    return _joined(chosen)


def details_of(text: str) -> frozenset[str]:
    """Names, numbers and dates of a text."""
    names = {
        name
        for found in _NAME.finditer(text)
        if (name := _without_stop_words(found.group())) and not _opens_sentence(text, found)
    }
    return frozenset(names | set(_numbers(text)))


def _worth(sentence: _Sentence, seen: set[str], thresholds: SummaryThresholds) -> float:
    new = len(sentence.details - seen)
    return sentence.score + thresholds.details * (1 - 0.5**new)


def _scored(inputs: SummaryInputs) -> list[_Sentence]:
    cut = [(each, _sentences(_said(each))) for each in inputs.passages]
    bags = [[_words(text) for text in texts] for _, texts in cut]
    spread = Counter(word for bag in bags for words in bag for word in set(words))
    count = sum(map(len, bags))
    vectors = [[_tf_idf(words, spread, count) for words in bag] for bag in bags]
    centroid = _sum(vector for bag in vectors for vector in bag)
    thresholds = inputs.thresholds
    return [
        _Sentence(
            text,
            frozenset(vector),
            vector,
            details_of(text),
            thresholds.centroid * _cosine(vector, centroid)
            + thresholds.importance * passage.importance
            + thresholds.position / (1 + place),
            (passage.at, passage.id, place),
        )
        for (passage, texts), bag in zip(cut, vectors, strict=True)
        for place, (text, vector) in enumerate(zip(texts, bag, strict=True))
        if vector
    ]


def _said(passage: Passage) -> str:
    return f"{passage.speaker}: {passage.text}" if passage.speaker else passage.text


def _sentences(text: str) -> list[str]:
    found = (" ".join(part.split()) for part in sentences(text))
    return [_cut(sentence) for sentence in found if sentence]


def _cut(sentence: str) -> str:
    if len(sentence) <= _LONGEST_SENTENCE:
        return sentence
    return sentence[:_LONGEST_SENTENCE].rsplit(" ", 1)[0] + " …"


def _words(text: str) -> list[str]:
    return [word for word in words(text.casefold()) if word not in english().stop]


def _tf_idf(words: list[str], spread: Counter[str], count: int) -> dict[str, float]:
    return {
        word: times * (1 + log((1 + count) / (1 + spread[word])))
        for word, times in Counter(words).items()
    }


def _sum(vectors: Iterable[dict[str, float]]) -> dict[str, float]:
    total: Counter[str] = Counter()
    for vector in vectors:
        length = _length(vector)
        for word, value in vector.items():
            total[word] += value / length  # type: ignore[assignment]  # a Counter of floats
    return dict(total)


def _cosine(first: dict[str, float], second: dict[str, float]) -> float:
    shared = sum(value * second.get(word, 0.0) for word, value in first.items())
    return shared / (_length(first) * _length(second)) if shared else 0.0


def _length(vector: dict[str, float]) -> float:
    return sqrt(sum(value * value for value in vector.values())) or 1.0


def _repeats(sentence: _Sentence, chosen: Sequence[_Sentence], limit: float) -> bool:
    return any(
        len(sentence.words & each.words) >= limit * len(sentence.words)
        and sentence.details <= each.details
        for each in chosen
    )


def _tokens(sentences: Sequence[_Sentence]) -> int:
    return count_tokens_bound(_joined(sentences))


def _joined(sentences: Sequence[_Sentence]) -> str:
    return "\n".join(each.text for each in sorted(sentences, key=lambda each: each.order))


def _numbers(text: str) -> list[str]:
    return _NUMBER.findall(text)


def _without_stop_words(name: str) -> str:
    small = english().stop - english().months.keys()
    return " ".join(word for word in name.split() if word.casefold() not in small)


def _opens_sentence(text: str, found: re.Match[str]) -> bool:
    """A capital at the start of a sentence says nothing, unless more follow it."""
    before = text[: found.start()].rstrip()
    return " " not in found.group() and (not before or before[-1] in ".!?\n:")


Boundary = Literal["session end", "hot to warm", "warm to cold", "retention"]
# Keyed facts, preferences and patterns stay as they are: they are short and hold until changed.
SUMMARISED = frozenset({"note", "turn", "episode"})
_INTO: dict[Boundary, Tier] = {
    "session end": "hot",
    "hot to warm": "warm",
    "warm to cold": "cold",
    "retention": "cold",
}


class Circle(NamedTuple):
    """Who may read: memories of one circle may be summarised together."""

    scope: Scope
    owner: str
    project: str | None
    acl: tuple[str, ...]
    session: str | None  # of the scope session
    agent: str | None  # of the scope agent
    class_id: str | None
    learner: str | None


class Group(NamedTuple):
    """Memories that are summarised together."""

    circle: Circle
    part: str  # the session or the month
    held: tuple[HeldMemory, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its memories."""
        return tuple(each.id for each in self.held)


def circle_of(held: HeldMemory) -> Circle:
    """Who may read a memory."""
    event = held.event
    learner = event.payload.get("learner")
    return Circle(
        event.scope,
        event.owner,
        event.project,
        tuple(sorted(event.acl)),
        event.session if event.scope == "session" else None,
        event.agent.id if event.scope == "agent" else None,
        event.class_id,
        learner if isinstance(learner, str) else None,
    )


def group(
    memories: Iterable[HeldMemory], boundary: Boundary, *, least: int, most: int
) -> list[Group]:
    """The groups that are large enough, cut where they are too large, each in order of time."""
    grouped: dict[tuple[Circle, str], list[HeldMemory]] = {}
    for held in memories:
        if held.event.text.strip():
            grouped.setdefault((circle_of(held), _part(held, boundary)), []).append(held)
    groups: list[Group] = []
    for (circle, part), members in grouped.items():
        members.sort(key=lambda each: (each.event.at, each.id))
        cuts = [members[start : start + most] for start in range(0, len(members), most)]
        groups += [Group(circle, part, tuple(cut)) for cut in cuts if len(cut) >= least]
    return groups


def passages(group: Group) -> tuple[Passage, ...]:
    """What the summary is written from."""
    return tuple(
        Passage(
            id=each.id,
            text=each.event.text,
            at=each.event.at,
            importance=each.importance,
            speaker=each.event.speaker,
        )
        for each in group.held
    )


def summary_draft(group: Group, boundary: Boundary, summary: Summary, reason: str) -> Draft:
    """What the broker is given: the summary, what it is of, and into which tier that goes."""
    first, last = group.held[0].event, group.held[-1].event
    circle = group.circle
    sessions = {each.event.session for each in group.held}
    traces = {each.event.provenance.trace_id for each in group.held}
    session = first.session if len(sessions) == 1 else None
    payload: dict[str, object] = {
        "of": list(group.ids),
        "tier": _INTO[boundary],
        "boundary": boundary,
        "from": to_iso(first.at),
        "to": to_iso(last.at),
        "method": summary.method,
        "reason": f"{reason}; {summary.reason}",
    }
    payload |= {"class_id": circle.class_id} if circle.class_id else {}
    payload |= {"learner": circle.learner} if circle.learner else {}
    return Draft(
        id=derived_id("summary", boundary, *group.ids),
        type="summary",
        text=summary.text,
        scope=circle.scope,
        owner=circle.owner,
        project=circle.project,
        session=session or circle.session,
        acl=circle.acl,
        agent=AgentRef(id=circle.agent),
        payload=payload,
        importance=_importance(group.held),
        provenance=Provenance(session, traces.pop() if len(traces) == 1 else None),
    )


def _part(held: HeldMemory, boundary: Boundary) -> str:
    event = held.event
    if event.session and boundary != "warm to cold":
        return event.session
    return event.at.strftime("%m/") + str(event.at.year)


def _importance(members: Sequence[HeldMemory]) -> float:
    """Of its sources the mean, a little above: it stands for all of them."""
    mean = sum(each.importance for each in members) / len(members)
    return round(min(1.0, mean + 0.1), 4)
