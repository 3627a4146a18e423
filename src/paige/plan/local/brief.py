"""The facts that a lesson without a model is made of: request, class, curriculum, memory, minutes.

Reading stands here; what is made of it is pure. What the teacher set aside before is not read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from paige.agent.memories import MemoryAccess
from paige.base.actor import Actor
from paige.base.errors import BadInput, PaigeError
from paige.language.english import NUMBERS
from paige.memory.documents.records import ENTRY, entry_of
from paige.models.messages import Message
from paige.models.requests import Request
from paige.plan.class_names import recognise
from paige.plan.classes import MINUTES, ClassProfile
from paige.plan.curriculum.codes import CODE_IN_TEXT, find_codes
from paige.plan.curriculum.library import load_all
from paige.plan.curriculum.values import Library
from paige.plan.handout.notes import is_about_worksheet
from paige.plan.known import OFTEN, Briefing, read_briefing
from paige.plan.workspace import read_classes
from paige.store.documents import Documents

_CODE = re.compile(rf"(?<![A-Za-z0-9]){CODE_IN_TEXT}(?![a-z0-9])", re.I)
# Signs that mean something in markdown do not belong to the name of a topic.
_NOT_PLAIN = re.compile(r"[^\w\s.,;:'\u2019&/+()-]|_{2,}")
_LONGEST = 300
_CONTEXT = re.compile(r"<context from=(?:(?!<context from=).)*?</context>", re.S)
_BULLET = re.compile(r"^\s{0,3}[-*+]\s+(.*\S)\s*$")
_MINUTES = re.compile(r"\b(\d{2,3})[\s-]*(?:minutes?|mins?)\b", re.I)
_ABOUT_PARTS = re.compile(r"(?:starter|practice|exit|task)[^.\n]{0,20}$", re.I)
_LEVEL = re.compile(r"\b(early|first|second|third|fourth)[\s-]+level\b", re.I)
_ASK = re.compile(
    r"^(?:(?:please|can you|could you|i need|i want|i'd like|we need|make me|give me|create|plan|"
    r"write|draft|prepare|design|make|teach|do|a|an|the|me|my|new|short|quick|good|cover|whole|"
    r"single|one|lesson|lessons|plan|worksheet|sheet|unit|overview|quiz|revision|starter|on|about|"
    r"introduction|of|for|to|covering|that|teaches|looking|at)\b[\s:,-]*)+",
    re.I,
)
_TAIL = re.compile(
    r"[\s,;:-]*\b(?:(?:for|with|to|in|at|of)\s+)?(?:my|our|the|class|a)?\s*(?:\0+|"
    r"\d{2,3}[\s-]*(?:minutes?|mins?)(?:\s+long)?|(?:early|first|second|third|fourth)[\s-]+level|"
    r"s[1-6]|p[1-7]|please|lesson|today|tomorrow|next week|on (?:mon|tues|wednes|thurs|fri)day)"
    r"[\s.!]*$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a brief is read from; without `memory` nothing is remembered."""

    documents: Documents
    memory: MemoryAccess | None
    actor: Actor


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """One line of memory, and whether it is about the class or the teacher."""

    text: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What is known. `words` say what the lesson is about, without the rest of the request."""

    request: str
    words: str
    class_id: str = ""
    profile: ClassProfile | None = None
    classes: tuple[ClassProfile, ...] = ()
    library: Library = field(default_factory=Library)
    remembered: tuple[MemoryLine, ...] = ()
    worksheets: tuple[str, ...] = ()  # what memory says that the class's worksheets showed
    said: str = ""
    set_aside: bool = False
    asked_minutes: int | None = None
    asked_level: str = ""
    codes: tuple[str, ...] = ()  # outcomes that the request names
    often: tuple[str, ...] = ()  # what many learners of the class get wrong

    @property
    def minutes(self) -> int:
        """How long the lesson is: as asked, or as the class has it."""
        return self.asked_minutes or (self.profile.minutes if self.profile else MINUTES)

    @property
    def level(self) -> str:
        """The level to plan for; empty when nobody says it."""
        return self.asked_level or (self.profile.level if self.profile else "")

    @property
    def curricula(self) -> tuple[str, ...]:
        """The curriculum files of the class."""
        return self.profile.curriculum if self.profile else ()

    @property
    def starter(self) -> int | None:
        """How long the starter should be, if the teacher or memory says so; the last one counts."""
        lines = [*(each.text for each in self.remembered), *self.said.split("\n")]
        told = [minutes for each in lines if (minutes := starter_minutes(each)) is not None]
        return told[-1] if told else None


def read_brief(request: Request, sources: Sources) -> Brief:
    """The brief of a conversation with a local engine."""
    briefing = read_briefing(request.messages)
    return brief_of(prompt_of(request.messages), sources, briefing=briefing)


def brief_of(
    prompt: str,
    sources: Sources,
    *,
    briefing: Briefing | None = None,
    class_id: str | None = None,
) -> Brief:
    """The brief for a teacher's words; `class_id` or the briefing say which class is meant."""
    classes = read_classes(sources.documents)
    named = recognise(prompt, classes.profiles)
    chosen = class_id or (briefing.class_id if briefing else None) or named.only or ""
    profile = classes.find(chosen)
    aside = briefing is not None and briefing.response == "dismissed"
    said = briefing.said if briefing else ""
    known = briefing.known if briefing else ()
    brief = Brief(
        request=prompt,
        words=topic_words(prompt, [each.id for each in classes.profiles]),
        class_id=profile.id if profile else chosen,
        profile=profile,
        classes=classes.profiles,
        library=load_all(sources.documents),
        said=said,
        set_aside=aside,
        asked_minutes=_minutes(f"{prompt}\n{said}"),
        asked_level=_level(f"{prompt}\n{said}"),
        codes=tuple(dict.fromkeys(each.code for each in find_codes(prompt))),
        often=tuple(each.removeprefix(OFTEN) for each in known if each.startswith(OFTEN)),
    )
    return _plain(brief) if aside else _remembering(brief, sources)


def prompt_of(messages: Sequence[Message]) -> str:
    """What the teacher said last, without what hooks and tools added."""
    for message in reversed(messages):
        if message.role == "user":
            text = _CONTEXT.sub("", message.text).strip()
            if text:
                return text
    return ""


def topic_words(prompt: str, class_ids: Sequence[str] = ()) -> str:
    """What a lesson is about: the request without its politeness, class and minutes."""
    line = " ".join(prompt.split("\n", 1)[0].split())
    text = without_codes(line[:_LONGEST])
    for name in sorted(class_ids, key=len, reverse=True):
        text = re.sub(rf"(?<![\w-]){re.escape(name)}(?!\w)", "\0" * len(name), text, flags=re.I)
    before = None
    while before != text:
        before = text
        end = max(0, len(text) - _LONGEST)
        text = (text[:end] + _TAIL.sub("", text[end:])).strip()
    return plain_words(_ASK.sub("", text).replace("\0", ""))


def plain_words(text: str) -> str:
    """A text that can stand in a lesson: no codes of outcomes, no signs of markdown."""
    plain = _NOT_PLAIN.sub(" ", without_codes(text))
    return re.sub(r"\s+", " ", plain).strip(" .,;:-!?/'")


def without_codes(text: str) -> str:
    """A text without the codes of outcomes: a lesson may name one only where it points at it."""
    return _CODE.sub(" ", text)


def _plain(brief: Brief) -> Brief:
    """The brief without what is known of the class: only how long, how old and at which level."""
    if brief.profile is None:
        return brief
    profile = replace(brief.profile, ability="", needs=(), works=(), taught=())
    return replace(brief, profile=profile)


def _remembering(brief: Brief, sources: Sources) -> Brief:
    teacher = [MemoryLine(line, "teacher") for line in _lines(sources, ENTRY)]
    own = _lines(sources, entry_of(brief.profile.id)) if brief.profile else []
    sheets = tuple(line for line in own if is_about_worksheet(line))
    notes = [MemoryLine(line, "class") for line in own if line not in sheets]
    return replace(brief, remembered=(*teacher, *notes), worksheets=sheets)


def _lines(sources: Sources, path: str) -> list[str]:
    if sources.memory is None:
        return []
    try:
        row = sources.memory.documents.find(sources.actor, path)
    except PaigeError:  # a class whose name no document can have
        return []
    text = row.content if row else ""
    return [found[1] for line in text.split("\n") if (found := _BULLET.match(line))]


def _minutes(text: str) -> int | None:
    for found in _MINUTES.finditer(text):
        if not _ABOUT_PARTS.search(text[: found.start()]) and 15 <= int(found[1]) <= 240:
            return int(found[1])
    return None


def _level(text: str) -> str:
    found = _LEVEL.search(text)
    return found[1].capitalize() if found else ""


SHORTEST = 15
FEWEST_CYCLE_MINUTES = 8
TWO_CYCLES = 30
THREE_CYCLES = 75
SHORT_STARTER = 5
_STARTER = re.compile(r"\bstarters?\b", re.I)
_STARTER_MINUTES = re.compile(rf"\b(\d{{1,2}}|{'|'.join(NUMBERS)})[\s-]*min", re.I)
_SHORTER = re.compile(r"\b(?:short(?:er)?|brief(?:er)?|quick(?:er)?|too long)\b", re.I)
_LONGER = re.compile(r"\b(?:longer|more time|too short)\b", re.I)


def cycles_for(minutes: int, most: int) -> int:
    """How many learning cycles fit."""
    fits = 1 if minutes < TWO_CYCLES else 2 if minutes < THREE_CYCLES else 3
    return max(1, min(fits, most))


def share(minutes: int, cycles: int, starter: int | None = None) -> tuple[int, list[int], int]:
    """Minutes of starter, cycles and exit check, together exactly those of the lesson.

    What is left over goes to the later cycles. Raises: BadInput when there are too few.
    """
    if minutes < SHORTEST:
        raise BadInput(
            f"{minutes} minutes are too few for a lesson", hint=f"Allow at least {SHORTEST}."
        )
    end = 3 if minutes < TWO_CYCLES else 5 if minutes < THREE_CYCLES else 8
    most = minutes - end - FEWEST_CYCLE_MINUTES * cycles
    begin = max(1, min(starter if starter is not None else _usual_starter(minutes), most))
    each, over = divmod(minutes - begin - end, cycles)
    return begin, [each + (at >= cycles - over) for at in range(cycles)], end


def _usual_starter(minutes: int) -> int:
    if minutes < TWO_CYCLES:
        return 3
    return 5 if minutes <= 50 else 6 if minutes < THREE_CYCLES else 8


def starter_minutes(text: str) -> int | None:
    """The minutes that a sentence about starters names, or nothing."""
    if not _STARTER.search(text):
        return None
    said = (found.lower() for found in _STARTER_MINUTES.findall(text))
    minutes = [NUMBERS[each] if each in NUMBERS else int(each) for each in said]
    if minutes:
        return max(minutes) if _LONGER.search(text) else min(minutes)
    return SHORT_STARTER if _SHORTER.search(text) else None
