"""Whether a request is lesson planning: judged by words, without a model.

A planner's request is often a bare topic (`recursion`, `the causes of the war`), so what is not
recognised is let through; what clearly is another task is not. The words are data
(`shipped/plan/scope.toml`).
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from paige.base.paths import shipped
from paige.plan.sensitive import NEVER, find_topics

WHAT_IT_DOES = "This assistant plans lessons: name a topic and a class, such as `iteration for 3B`"
_QUESTION = re.compile(
    r"\s*(?:what|who|whom|whose|when|where|why|which|how|is|are|was|were|does|do|did|can|could|"
    r"would|will|should|tell me|explain to me|define)\b[^\n]*\?\s*$",
    re.I,
)
_SUM = re.compile(r"[\s\d.,+*/^=()x\u00d7\u00f7-]+\??")
# Somebody is polite, and says nothing about a lesson.
_GREETING = re.compile(
    r"\W*(?:(?:hello|hi|hey|hiya|thanks|thank you|cheers|good (?:morning|afternoon|evening)|bye|"
    r"please|pls|paige|there|test|testing|ok|okay|yes|no)(?:\W+|$))+",
    re.I,
)
_CODE = re.compile(r"\b[A-Z]{3,4}\s?[0-4]-\d{2}[a-z]\b", re.I)


@dataclass(frozen=True, slots=True)
class Never:
    """A task that is no lesson planning, whatever else the request says."""

    words: re.Pattern[str]
    says: str


@dataclass(frozen=True, slots=True)
class ScopeWords:
    """The words that tell planning from other tasks."""

    planning: re.Pattern[str]
    never: tuple[Never, ...]
    elsewhere: re.Pattern[str]


@lru_cache(maxsize=1)
def shipped_scope() -> ScopeWords:
    """The words Paige comes with."""
    return read_scope(shipped("plan/scope.toml").read_text("utf-8"))


def read_scope(text: str) -> ScopeWords:
    """Scope words from their file."""
    data = tomllib.loads(text)
    never = tuple(Never(_pattern(each["words"]), each["says"]) for each in data["never"])
    return ScopeWords(_pattern(data["planning"]), never, _pattern(data["elsewhere"]))


def out_of_scope(
    prompt: str, *, names_class: bool = False, words: ScopeWords | None = None
) -> str | None:
    """Why a request is not lesson planning; nothing when it may be."""
    known = words or shipped_scope()
    if not any(map(str.isalnum, prompt)):
        return "The request says nothing"
    for topic in find_topics(prompt):
        if topic.topic.from_age >= NEVER:
            return f"No lesson is planned about {topic.topic.name}"
    for never in known.never:
        if never.words.search(prompt):
            return never.says
    if names_class or known.planning.search(prompt) or _CODE.search(prompt):
        return None
    if _GREETING.fullmatch(prompt):
        return "The request says nothing about a lesson"
    if found := known.elsewhere.search(prompt):
        return f"`{' '.join(found[0].split())}` is not lesson planning"
    if _QUESTION.match(prompt) or _SUM.fullmatch(prompt):
        return "A general question is not lesson planning"
    return None


def _pattern(phrases: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(_phrase, phrases))})(?!\w)", re.I)


def _phrase(phrase: str) -> str:
    parts: list[str] = []
    for word in phrase.split():
        if word == "…":
            parts.append(r"(?:\S+\s+){0,4}")
        else:
            ending = r"\w*" if word.endswith("*") else ""
            parts.append(re.escape(word.removesuffix("*")) + ending + r"\s+")
    joined = "".join(parts)
    return joined.removesuffix(r"\s+")
