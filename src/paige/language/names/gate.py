"""The anonymisation gate: finds people named in a text, without a model.

What teachers keep about their classes names nobody: "the EAL pair", not two pupils. The gate reads
a text as words, knows several thousand names from many countries, and scores each candidate by what
stands around it (`score.py`); it also finds addresses and numbers that point at one person: each
shape says by itself, or by the word before it, whose it is. It is a filter for slips, not a proof:
a name that is an ordinary word and stands where that word could stand is let through.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from paige.language.names.score import find_runs
from paige.language.names.tokens import tokens_of


class Detail(NamedTuple):
    """A span of a text and what it is."""

    start: int
    end: int
    kind: str
    reason: str


_DATE = (
    r"(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d|(?:19|20)\d\d-\d\d-\d\d"
    r"|\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?[A-Z][a-z]{2,8},?\s+(?:19|20)\d\d"
    r"|[A-Z][a-z]{2,8}\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d\d)"
)
_EMAIL = re.compile(r"(?<![\w.+-])([\w+-][\w.+-]{0,63})@((?:[\w-]+\.)+[A-Za-z]{2,})\b")
_NOBODY = re.compile(
    r"(?i)(?:info|office|admin|enquiries|support|help|helpdesk|noreply|no-reply|contact|hello|"
    r"school|reception|user|username|someone|name|example|test|you|me)"
)
_EXAMPLE = re.compile(r"(?i)(?:[\w-]+\.)*(?:example|test|invalid|localhost)(?:\.\w+)?")
_PHONE = re.compile(
    r"(?<![\w.+/-])(?:\+\d{1,3}[ \u00a0.-]?(?:\(0\)[ ]?)?\d[\d \u00a0.-]{6,13}\d"
    r"|\(0\d{2,4}\)[ ]?\d[\d ]{5,8}\d|0\d{2,4}[ -]?\d{3,4}[ -]?\d{3,4}"
    r"|\(\d{3}\)[ ]?\d{3}[ .-]\d{4}|\d{3}[.-]\d{3}[.-]\d{4})(?![\w/]|[.-]\d)"
)
_CALLED = re.compile(
    r"(?i)\b(?:phone|tel|telephone|mobile|mob|whatsapp|call|ring)\b[^\d\n]{0,20}"
    r"(?!\d{4}-\d\d-)(\d[\d -]{6,14}\d)(?!\w)"
)
_BORN = re.compile(
    rf"(?i:\b(?:d\.?o\.?b\.?|date of birth|birth ?date|birthday|born(?: on)?))\W{{0,6}}"
    rf"(?i:is |was |on )?({_DATE})"
)
_PUPIL_ID = re.compile(
    r"(?i)\b(?:scn|upn|uln|sqa (?:number|no\.?)|(?:pupil|student|candidate|learner|exam|seemis)"
    r" ?(?:id|no\.?|number|code|reference|ref))\b[^\w\n]{0,4}(?:is |was |number |no\.? )?[#:]?\s?"
    r"([A-Z]?\d[\dA-Z]{3,12})\b"
)
_UPN = re.compile(r"\b[A-HJ-NP-RT-Z]\d{11}[\dA-Z]\b")
_NINE = re.compile(r"(?<![\w.,-])\d{9}(?![\w]|[.,]\d)")
_CANDIDATE = re.compile(r"(?i)\b(?:scn|pupils?|students?|candidates?|learners?|sqa)\b")
_GLOW = re.compile(r"\bgw\d\d[a-z]{3,}\d*\b")
_HANDLE = re.compile(
    r"(?i)\b(?:insta(?:gram)?|snap(?:chat)?|tiktok|username|handle)\W{1,4}(@[\w.]+)"
)
_LIVES = re.compile(
    r"(?i)\b(?:lives?|living|lived|stays?|home address|address)\b[^.\n\d]{0,24}"
    r"(\d{1,4}[a-z]?,? (?:[A-Z][\w'-]+ ){1,3}"
    r"(?:street|road|avenue|lane|drive|crescent|terrace|place|court|gardens|way|close|st|rd))\b"
)
_SHAPES = (
    (_BORN, 1, "birth", "a date of birth"),
    (_PUPIL_ID, 1, "pupil id", "the number of a pupil"),
    (_UPN, 0, "pupil id", "a unique pupil number"),
    (_GLOW, 0, "account", "a pupil's account"),
    (_CALLED, 1, "phone", "a telephone number"),
    (_LIVES, 1, "address", "where somebody lives"),
)


def find_details(text: str) -> Iterator[Detail]:
    """Every personal detail of a text."""
    if "@" in text:
        yield from _addresses(text)
    if any(each.isdigit() for each in text):
        yield from _numbers(text)


def _addresses(text: str) -> Iterator[Detail]:
    for match in _EMAIL.finditer(text):
        if not _NOBODY.fullmatch(match[1]) and not _EXAMPLE.fullmatch(match[2]):
            yield Detail(match.start(), match.end(), "email", "an e-mail address")
    for match in _HANDLE.finditer(text):
        yield Detail(match.start(1), match.end(1), "handle", "the name of an account")


def _numbers(text: str) -> Iterator[Detail]:
    for pattern, group, kind, reason in _SHAPES:
        for match in pattern.finditer(text):
            yield Detail(match.start(group), match.end(group), kind, reason)
    if _CANDIDATE.search(text):
        for match in _NINE.finditer(text):
            yield Detail(match.start(), match.end(), "pupil id", "nine digits beside a pupil")
    for match in _PHONE.finditer(text):
        if 9 <= sum(each.isdigit() for each in match[0]) <= 15:
            yield Detail(match.start(), match.end(), "phone", "a telephone number")


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
    """Judges texts."""

    def find(self, text: str) -> list[Span]:
        """The places where somebody is named."""
        return find_names(text)

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
        marked = tail.text.lower().endswith(("'s", "\u2019s"))
        start, end = tokens[run.first].start, tail.end - (2 if marked else 0)
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
