"""What a teacher wants changed, as far as rules can tell: each wish is one small value.

Words are cut into clauses, each is understood or kept as it stands. What is kept is told to the
teacher: a wish is never dropped without a word.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from paige.plan.classes import ClassProfile
from paige.plan.local.preferences import starter_minutes
from paige.plan.recognising import recognise

Kind = Literal[
    "shorter-practice",
    "longer-practice",
    "challenge",
    "support",
    "eal",
    "asn",
    "simpler",
    "retrieval",
    "homework",
    "no-homework",
    "no-machines",
    "fewer",
    "more",
    "other",
]


@dataclass(frozen=True, slots=True)
class StarterOf:
    """A starter of other length; without minutes just shorter or longer."""

    minutes: int | None
    longer: bool = False


@dataclass(frozen=True, slots=True)
class LessonOf:
    """A lesson of other length."""

    minutes: int


@dataclass(frozen=True, slots=True)
class AtLevel:
    """The lesson at another level."""

    level: str


@dataclass(frozen=True, slots=True)
class ForClass:
    """The lesson for another class."""

    class_id: str


@dataclass(frozen=True, slots=True)
class Adding:
    """Something to add, in the teacher's words."""

    text: str


@dataclass(frozen=True, slots=True)
class LeavingOut:
    """Something to leave out, in the teacher's words."""

    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """A wish without a number or a name."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """What the rules could not make out."""

    text: str


Wish = StarterOf | LessonOf | AtLevel | ForClass | Adding | LeavingOut | Change | NotUnderstood

_CLAUSE = re.compile(
    r"[.;\n]+|,\s*(?:and|but|then|also)\b|,|\b(?:and|but|then|also|plus|as well as)\b", re.I
)
_NUMBER = re.compile(r"\b(\d{1,3})[\s-]*(?:minutes?|mins?|min)\b", re.I)
_DOUBLE = re.compile(r"\bdouble(?: period| lesson)?\b", re.I)
_LEVEL = re.compile(r"\b(early|first|second|third|fourth)[\s-]+level\b", re.I)
_SHORT = re.compile(r"\bshort|\bquick|\bbrief|\bless\b|\bcut\b|\breduce|\btoo long|\btrim", re.I)
_LONG = re.compile(r"\blong|\bmore\b|\bextend|\bextra\b|\bincrease|\btoo short|\bexpand", re.I)
_STARTER = re.compile(r"\bstarters?\b", re.I)
_PRACTICE = re.compile(r"\bpractice|\bpractise|\bpractising|\bindependent work|\btask time", re.I)
_ADD = re.compile(r"^\s*(?:please\s+)?(?:add|include|put in|mention)\b[:\s]+(?P<what>.*\S)", re.I)
_REMOVE = re.compile(
    r"^\s*(?:please\s+)?(?:remove|leave out|drop|delete|take out|skip)\b[:\s]+(?P<what>.*\S)", re.I
)


def _compiled(kinds: Sequence[tuple[str, Kind]]) -> tuple[tuple[re.Pattern[str], Kind], ...]:
    return tuple((re.compile(pattern, re.I), kind) for pattern, kind in kinds)


_SIMPLE = _compiled(
    (
        (r"\bno homework|\bwithout homework|\bhomework (?:away|out)", "no-homework"),
        (r"\b(?:remove|drop|leave out|skip) (?:the )?homework", "no-homework"),
        (r"\bhomework\b", "homework"),
        (r"\bEAL\b|\badditional language|\blanguage support|\bsentence (?:frames|starters)", "eal"),
        (r"\bASN\b|\bSEN\b|\bdyslexi|\badditional support", "asn"),
        (
            r"\bsimpl|\bplain(?:er)? (?:words|language|english)|\beasier (?:words|language|to read)"
            r"|\blower (?:the )?reading|\bless wordy",
            "simpler",
        ),
        (r"\bretrieval\b|\brecall\b|\brecap|\brevis(?:ion|iting) questions", "retrieval"),
        (r"\bchalleng|\bharder\b|\bstretch|\bdemanding|\bextension|\bmore difficult", "challenge"),
        (r"\bsupport\b|\bscaffold|\beasier\b|\bmore help", "support"),
        (
            r"\b(?:no|without)(?: the)? (?:computers?|machines?|laptops?|devices?|screens?)"
            r"|\bunplugged|\bon paper",
            "no-machines",
        ),
        (r"\bfewer\b|\bless\b|\bshort|\bcut\b|\btoo (?:long|many|much)", "fewer"),
        (r"\banother\b|\bdifferent\b|\bsomething else|\bnew one|\bvary|\balternative", "other"),
        (r"\bmore\b|\blonger\b|\bextra\b", "more"),
    )
)
_NO_WISH = re.compile(
    r"^(?:please|thanks?|thank you|make it|it|the lesson|lesson|refine|change|update|revise|adapt"
    r"|improve|can you|could you|my|the|last|latest|for|with|to|of|on|this|that|one|a|an|in)*\W*$",
    re.I,
)
_BESIDE = re.compile(
    r"(\s*[,.;\n]\s*(?:(?:and|but|with|using|including)\s+)*|\s+(?:with|but|using|including)\s+)",
    re.I,
)
_SPACES = re.compile(r"[^\S\n]+")
LONGEST = 2_000
_MEANT = frozenset({"with", "but", "using", "including"})
_FILE = re.compile(r"(?<!\S)\S{0,80}lessons/\S{1,200}\.md\S{0,20}", re.I)


def read_wishes(
    text: str, classes: Sequence[ClassProfile] = (), *, own_class: str = "", about: str = ""
) -> tuple[Wish, ...]:
    """The wishes in a teacher's words; `about` are words that only say which lesson is meant."""
    plain = _FILE.sub(" ", _tidy(text))
    found: list[Wish] = []
    named = recognise(plain, classes)
    found += [ForClass(id) for id in named.known if id.casefold() != own_class.casefold()]
    for name in (*named.known, *named.unknown):
        pattern = rf"\b(?:for|with|to)?\s*(?:my|class|our)?\s*(?<![\w-]){re.escape(name)}(?!\w)"
        plain = re.sub(pattern, " ", plain, flags=re.I)
    for clause in _CLAUSE.split(plain):
        wish = _read(clause.strip(" :-!?\"'"), about)
        if wish is not None and wish not in found:
            found.append(wish)
    return tuple(found)


def wishes_in_request(request: str) -> tuple[Wish, ...]:
    """The wishes beside the topic of a request: `loops for 3B, with a shorter starter`.

    What follows `with`, `but` or `using` and is not understood is kept; other words may belong to
    the topic. Class, level and length are read elsewhere.
    """
    found: list[Wish] = []
    parts = _BESIDE.split(_tidy(request))
    for word, text in zip(parts[1::2], parts[2::2], strict=True):
        for wish in read_wishes(text):
            meant = bool(_MEANT & set(re.findall(r"\w+", word.casefold())))
            meant = meant or not isinstance(wish, NotUnderstood)
            if meant and not isinstance(wish, LessonOf | AtLevel | ForClass):
                found.append(wish)
    return tuple(dict.fromkeys(found))


def _read(clause: str, about: str) -> Wish | None:
    if not clause or _NO_WISH.match(clause.replace(" ", "")) or _says(clause, about):
        return None
    if wish := _timed(clause):
        return wish
    if level := _LEVEL.search(clause):
        return AtLevel(level[1].capitalize())
    for pattern, kind in _SIMPLE[:2]:
        if pattern.search(clause):
            return Change(kind)
    if what := _ADD.match(clause):
        return _added(clause, what["what"])
    if what := _REMOVE.match(clause):
        return LeavingOut(what["what"])
    for pattern, kind in _SIMPLE:
        if pattern.search(clause):
            return Change(kind)
    return NotUnderstood(clause)


def _timed(clause: str) -> Wish | None:
    number = _NUMBER.search(clause)
    if _STARTER.search(clause):
        if number or _SHORT.search(clause) or _LONG.search(clause):
            minutes = starter_minutes(clause) if number else None
            return StarterOf(minutes, longer=not _SHORT.search(clause))
        return None
    if _PRACTICE.search(clause) and not re.search(r"\bretrieval\b", clause, re.I):
        if _SHORT.search(clause):
            return Change("shorter-practice")
        if _LONG.search(clause):
            return Change("longer-practice")
        return None
    if number:
        return LessonOf(int(number[1]))
    return LessonOf(100) if _DOUBLE.search(clause) else None


def _added(clause: str, what: str) -> Wish:
    """`add homework` and `add more challenge` are known changes; anything else is the text."""
    vague = ("fewer", "more", "other", "no-homework")
    for pattern, kind in _SIMPLE:
        if kind not in vague and pattern.search(clause):
            return Change(kind)
    return Adding(what)


def _tidy(text: str) -> str:
    """The beginning of a text with single spaces: nobody has that many wishes."""
    return _SPACES.sub(" ", text[:LONGEST])


def _says(clause: str, about: str) -> bool:
    """Whether a clause only names the lesson."""
    words = set(re.findall(r"\w+", clause.casefold())) - {"the", "lesson", "on", "about", "my", "a"}
    return bool(words) and words <= set(re.findall(r"\w+", about.casefold()))
