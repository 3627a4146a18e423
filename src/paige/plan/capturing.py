"""What a session taught about a teacher or a class: proposals to remember, made without a model.

They come from what the teacher changed while judging, from what they said before the lesson was
written, and from notes that an agent was asked to make. Nobody is named in them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from paige.memory.documents.records import ENTRY, entry_of
from paige.memory.names.gate import NameGate
from paige.plan.adjudicating import Change
from paige.plan.known import LESSON_LOG
from paige.plan.lesson_sections import split_minutes
from paige.plan.lesson_text import shortened

MOST_PROPOSALS = 8
SOMEBODY = "one learner"
_LONGEST = 300
# Wishes about how a plan is written, rather than about these pupils.
_STYLE = re.compile(
    r"\b(?:informal|formal|register|tone|style|bullet|bullets|table|tables|wording|phras\w+|"
    r"spelling|british|american|concise|wordy|jargon|layout|format|heading\w*|bold|emoji\w*|"
    r"shorter sentences|plain english|plan(?:s)? (?:shorter|on one page)|always|never|in general|"
    r"i prefer|i like|i don't like|i want)\b",
    re.I,
)
# What holds for one day is not worth remembering.
_PASSING = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|"
    r"this (?:time|once|lesson|week|period|morning|afternoon)|"
    r"(?:on|next) (?:mon|tues|wednes|thurs|fri)day|just once|for now)\b",
    re.I,
)
_NOTE = re.compile(
    r"^\s*[-*+]\s*\[(?P<scope>teacher|class\s++(?P<name>[^\]]+?))\]\s*(?P<text>.*\S)", re.I
)
_REPLACES = re.compile(r"(?:(?<!\s)\s++)?\(replaces .{0,500}\)\s*+$", re.I)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_CYCLE = re.compile(r"^learning cycle \d+\b.*", re.I)


@dataclass(frozen=True, slots=True)
class Proposed:
    """Something that might be remembered: where, in which words, and what led to it."""

    id: str
    path: str
    text: str
    why: str
    class_id: str | None = None

    @property
    def scope(self) -> str:
        """Whom it is about: `class` or `teacher`."""
        return "class" if self.class_id else "teacher"


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """What a session is reviewed for."""

    class_id: str | None = None
    changes: Sequence[Change] = ()
    said: str = ""
    logged: str = ""  # the line about this lesson for the log of the class


def propose(happened: Happened, names: NameGate) -> tuple[Proposed, ...]:
    """Proposals, each once, none naming anybody; the most telling ones first."""
    found: list[tuple[str, str, str | None]] = [
        *_from_minutes(happened),
        *_from_wishes(happened),
        *_from_said(happened),
    ]
    proposals = _numbered(found[: MOST_PROPOSALS - 1], names)
    if happened.logged and happened.class_id:
        path = f"classes/{happened.class_id}/{LESSON_LOG}"
        line = anonymous(happened.logged, names)
        log = Proposed("log", path, line, "The lesson was accepted", happened.class_id)
        return (*proposals, log)
    return proposals


def from_notes(answer: str, names: NameGate) -> tuple[Proposed, ...]:
    """The notes of an agent that was asked to make some: `- [class 3B] text`."""
    found: list[tuple[str, str, str | None]] = []
    for line in answer.split("\n"):
        if match := _NOTE.match(line):
            name = (match["name"] or "").strip() or None
            found.append((_REPLACES.sub("", match["text"]), "You asked to remember it", name))
    return _numbered(found[:MOST_PROPOSALS], names)


def anonymous(text: str, names: NameGate) -> str:
    """A text in which whoever is named has become one learner."""
    for span in reversed(names.find(text)):
        text = f"{text[: span.start]}{SOMEBODY}{text[span.end :]}"
    return text


def _numbered(
    found: Iterable[tuple[str, str, str | None]], names: NameGate
) -> tuple[Proposed, ...]:
    proposals: list[Proposed] = []
    seen: set[tuple[str | None, str]] = set()
    for text, why, class_id in found:
        line = _short(anonymous(text, names))
        if line and (class_id, line.casefold()) not in seen:
            seen.add((class_id, line.casefold()))
            path = entry_of(class_id) if class_id else ENTRY
            proposals.append(Proposed(f"p{len(proposals) + 1}", path, line, why, class_id))
    return tuple(proposals)


def _from_minutes(happened: Happened) -> Iterator[tuple[str, str, str | None]]:
    """A part that was made shorter or longer."""
    for change in happened.changes:
        name, after = split_minutes(change.title)
        _, before = split_minutes(change.title_before)
        if before is None or after is None or before == after or not change.wishes:
            continue
        part = (
            "Learning cycles" if _CYCLE.match(name) else f"{name}s" if name == "Starter" else name
        )
        better = "shorter" if after < before else "longer"
        text = f"{part}: {better} works better ({after} minutes rather than {before})."
        why = f"You changed “{name}” from {before} to {after} minutes"
        yield text, why, happened.class_id


def _from_wishes(happened: Happened) -> Iterator[tuple[str, str, str | None]]:
    """What the teacher asked to be written differently; the same wish twice is a habit."""
    timed = {why for _, why, _ in _from_minutes(happened)}
    wishes: dict[str, list[str]] = {}
    for change in happened.changes:
        name, _ = split_minutes(change.title)
        if any(f"“{name}”" in why for why in timed) and len(change.wishes) == 1:
            continue  # said already by its minutes
        part = "Learning cycles" if _CYCLE.match(name) else name
        for wish in change.wishes:
            if not _PASSING.search(wish):
                wishes.setdefault(_tidy(wish), []).append(part)
    for wish, parts in wishes.items():
        several = len(set(parts)) > 1
        where = "" if several else f"{parts[0]}: "
        general = several or bool(_STYLE.search(wish))
        text = f"Prefers: {wish}" if several else f"{where}{wish}"
        named = ", ".join(f"“{part}”" for part in dict.fromkeys(parts))
        yield text, f"You asked for it in {named}", None if general else happened.class_id


def _from_said(happened: Happened) -> Iterator[tuple[str, str, str | None]]:
    """What the teacher added before the lesson was written."""
    for sentence in _SENTENCE.split(happened.said.strip()):
        if len(sentence.split()) > 2 and not _PASSING.search(sentence):
            about = None if _STYLE.search(sentence) else happened.class_id
            yield _tidy(sentence), "You said so before the lesson was written", about


def _tidy(text: str) -> str:
    line = " ".join(text.split())
    line = line[:1].upper() + line[1:]
    return line if line.endswith((".", "!", "?")) else f"{line}."


def _short(text: str) -> str:
    return shortened(text, _LONGEST)
