"""Answers to questions that were asked before, given only when they are sure and fresh.

A person should not be asked the same thing twice, and not be answered from a guess. The same words
(apart from case, spaces and signs) match first; then a question that is alike by a function handed
in. Whatever is less than sure, older than a month, or only alike with another number or a "not" in
it, is not answered. A corrected answer supersedes the old one.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import NamedTuple

from paige.memory.access import Reader, may_read
from paige.memory.event import Draft, Event, Provenance, Scope
from paige.memory.lifecycle.queries import HeldMemories

MOST = 2000  # answers that are looked through, the newest
Likeness = Callable[[str, str], float]
_SIGNS = re.compile(r"[^\w\s]|_")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_APOSTROPHES = re.compile("['\u2019]")
_NOT = frozenset(
    {"not", "no", "never", "without", "none", "cannot", "cant", "dont", "doesnt", "didnt", "isnt",
     "arent", "shouldnt", "wont", "wouldnt", "mustnt", "nicht", "nie", "kein", "keine", "ohne"}
)  # fmt: skip
# Words that turn a question into another one when they are exchanged.
_OPPOSITES = (
    ("before", "after"), ("add", "remove"), ("enable", "disable"), ("on", "off"), ("up", "down"),
    ("start", "stop"), ("first", "last"), ("min", "max"), ("with", "without"), ("open", "close"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionThresholds:
    """How sure, how fresh, how alike."""

    confidence: float
    days: float
    likeness: float


class KnownAnswer(NamedTuple):
    """A known answer, and from where."""

    answer: str
    confidence: float
    id: str
    reason: str


class _Entry(NamedTuple):
    event: Event
    question: str
    answer: str
    confidence: float


def normalise_question(text: str) -> str:
    """The question without case, signs and extra spaces."""
    plain = _APOSTROPHES.sub("", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(_SIGNS.sub(" ", plain).split())


def question_key(text: str) -> str:
    """What a question is kept under, so that a later answer to it supersedes."""
    digest = blake2b(normalise_question(text).encode(errors="surrogatepass"), digest_size=10)
    return f"qa:{digest.hexdigest()}"


def look_up(
    question: str,
    known: Iterable[Event],
    *,
    now: datetime,
    thresholds: QuestionThresholds,
    likeness: Likeness | None = None,
) -> KnownAnswer | None:
    """The answer to a repeated question among the current `qa` events a reader may see."""
    asked = normalise_question(question)
    entries = [entry for event in known if (entry := _entry(event)) is not None]
    same = [entry for entry in entries if normalise_question(entry.question) == asked]
    if asked and same:
        return _judge(max(same, key=_newest), 1.0, now, thresholds)
    if likeness is None or not asked:
        return None
    scored = [(likeness(question, entry.question), entry) for entry in entries]
    alike = [
        (like, entry)
        for like, entry in scored
        if like >= thresholds.likeness and not differ(question, entry.question)
    ]
    if not alike:
        return None
    like, entry = max(alike, key=lambda pair: (pair[0], _newest(pair[1])))
    return _judge(entry, min(1.0, like), now, thresholds)


def find_answer(
    reading: HeldMemories,
    reader: Reader,
    question: str,
    *,
    now: datetime,
    thresholds: QuestionThresholds,
    likeness: Likeness | None = None,
) -> KnownAnswer | None:
    """The answer to a repeated question among everything a reader may see."""
    known = [held.event for held in reading.newest(("qa",), MOST) if may_read(reader, held.event)]
    return look_up(question, known, now=now, thresholds=thresholds, likeness=likeness)


def differ(first: str, second: str) -> bool:
    """Whether two questions that look alike are not the same one."""
    one, two = normalise_question(first), normalise_question(second)
    if set(_NUMBER.findall(one)) != set(_NUMBER.findall(two)):
        return True
    words, others = set(one.split()), set(two.split())
    if bool(words & _NOT) != bool(others & _NOT):
        return True
    return any(_exchanged(words, others, left, right) for left, right in _OPPOSITES)


def qa_draft(
    question: str,
    answer: str,
    *,
    confidence: float,
    corrects: str | None = None,
    scope: Scope | None = None,
    provenance: Provenance | None = None,
) -> Draft:
    """What the broker is given to keep an answer; `corrects` is the id of the wrong one."""
    return Draft(
        type="qa",
        text=f"{question}\n{answer}",
        scope=scope,
        session=provenance.session_id if provenance else None,
        payload={
            "question": question,
            "answer": answer,
            "confidence": min(1.0, max(0.0, confidence)),
            "key": question_key(question),
        },
        provenance=provenance or Provenance(),
        supersedes=corrects,
    )


def _judge(
    entry: _Entry, like: float, now: datetime, thresholds: QuestionThresholds
) -> KnownAnswer | None:
    age = now - entry.event.at
    sure = entry.confidence * like
    if age > timedelta(days=thresholds.days) or sure < thresholds.confidence:
        return None
    how = "the same question" if like == 1.0 else f"a question alike to {like:.2f}"
    return KnownAnswer(entry.answer, sure, entry.event.id, f"{how}, answered {age.days} days ago")


def _entry(event: Event) -> _Entry | None:
    payload = event.payload
    question, answer = payload.get("question"), payload.get("answer")
    confidence = payload.get("confidence")
    if event.type != "qa" or not isinstance(question, str) or not isinstance(answer, str):
        return None
    sure = float(confidence) if isinstance(confidence, int | float) else 0.0
    return _Entry(event, question, answer, min(1.0, max(0.0, sure)))


def _newest(entry: _Entry) -> tuple[datetime, int]:
    return entry.event.at, entry.event.seq


def _exchanged(words: set[str], others: set[str], left: str, right: str) -> bool:
    return (left in words and right in others and right not in words) or (
        right in words and left in others and left not in words
    )
