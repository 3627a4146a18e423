"""A worksheet handed out to a class: its tokens, how long it is open, what came back.

A token is a short code that stands for nobody. A teacher cuts the list of tokens into strips and
gives them out; who got which one is written down nowhere. A file without a token gets a mark made
from its name and the salt of the handout: the same file counts once, and its name is not kept.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from paige.base.errors import BadInput, Conflict, Refused
from paige.exercise.worksheet.values import Worksheet

LETTERS = "bcdfghjkmnpqrstvwxyz23456789"
"""No vowels, so no words come out; nothing that is read as something else."""
GROUPS, GROUP = 3, 3
MOST_TOKENS = 200
MOST_DAYS = 120
DEFAULT_DAYS = 7
MOST_QUESTIONS = 120
LONGEST_PART = 500
LONGEST_SLUG = 28
MOST_WORKSHEET = 64 * 1024
MOST_ANSWERS = 32 * 1024
_TOKEN = re.compile(rf"[{LETTERS}]{{{GROUP}}}(?:-[{LETTERS}]{{{GROUP}}}){{{GROUPS - 1}}}")
_IN_TEXT = re.compile(rf"(?<![\w-]){_TOKEN.pattern}(?![\w-])", re.I)
_CLASS = re.compile(r"[^\W_](?:[\w .()+&'-]{0,38}[\w()+&'-])?")
_NOT_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
Origin = Literal["web", "file"]
Given = Mapping[str, tuple[str, ...]]
"""Answers by question, one text for each blank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handout:
    """A worksheet as it was handed out; `worksheet` is markdown with its key."""

    id: str
    class_id: str
    title: str
    source: str
    worksheet: str
    salt: str
    created_at: datetime
    closes_at: datetime
    closed_at: datetime | None = None
    kept_at: datetime | None = None

    def is_open(self, now: datetime) -> bool:
        """Whether answers are taken."""
        return self.closed_at is None and self.kept_at is None and now < self.closes_at


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow:
    """What stands under one token; version 0 means that nothing was written yet."""

    token: str
    handout_id: str
    origin: Origin
    answers: Given
    version: int
    updated_at: datetime | None = None
    handed_in_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ClassError:
    """One wrong answer of one token; a token belongs to one handout."""

    token: str
    concept: str
    error_type: str | None
    what: str
    handout: str = ""


def new_token(randomness: bytes) -> str:
    """A token such as `k7m-q2x-pd9` from nine random bytes."""
    if len(randomness) != GROUPS * GROUP:
        raise ValueError(f"A token needs {GROUPS * GROUP} random bytes, got {len(randomness)}")
    # 256 is no multiple of 28: some letters come a little more often, which costs half a bit.
    letters = [LETTERS[byte % len(LETTERS)] for byte in randomness]
    return "-".join("".join(letters[at : at + GROUP]) for at in range(0, len(letters), GROUP))


def handout_id(slug: str, randomness: bytes) -> str:
    """The name of a handout: what it is about, and four letters that make it the only one."""
    tail = "".join(LETTERS[byte % len(LETTERS)] for byte in randomness[:4])
    words = slug if len(slug) <= LONGEST_SLUG else slug[:LONGEST_SLUG].rpartition("-")[0]
    return f"{(words or slug[:LONGEST_SLUG]).strip('-')}-{tail}"


def read_token(text: str) -> str | None:
    """The token as it is stored, however somebody typed it; nothing when it cannot be one."""
    letters = re.sub(r"[\s_.\u2010-\u2015-]+", "", text[:40].strip().lower())
    plain = "-".join(letters[at : at + GROUP] for at in range(0, len(letters), GROUP))
    return plain if _TOKEN.fullmatch(plain) else None


def token_in(text: str, known: Iterable[str]) -> str | None:
    """The token of this handout that stands in a text; nothing when none or several do."""
    found = {each.lower() for each in _IN_TEXT.findall(text)} & set(known)
    return found.pop() if len(found) == 1 else None


def file_mark(salt: str, name: str) -> str:
    """The mark of a file without a token: the same for the same name, and not the name."""
    digest = hmac.new(salt.encode(), name.casefold().encode("utf-8", "replace"), hashlib.sha256)
    return f"file-{digest.hexdigest()[:16]}"


def check_class(class_id: str) -> str:
    """The name of a class. Raises: BadInput."""
    plain = class_id.strip()
    if not _CLASS.fullmatch(plain):
        raise BadInput(f"`{plain[:60]}` cannot be the name of a class", hint="Say it as `3B`.")
    return plain


def check_count(tokens: int) -> int:
    """How many tokens there are to be. Raises: BadInput."""
    if not 1 <= tokens <= MOST_TOKENS:
        raise BadInput(
            f"A handout has 1 to {MOST_TOKENS} tokens, not {tokens}",
            hint="One for each pupil, and a few to spare.",
        )
    return tokens


def closing_time(now: datetime, days: int) -> datetime:
    """When a handout closes by itself. Raises: BadInput."""
    if not 1 <= days <= MOST_DAYS:
        raise BadInput(f"A handout is open for 1 to {MOST_DAYS} days, not {days}")
    return now + timedelta(days=days)


def check_worksheet(worksheet: Worksheet, text: str) -> Worksheet:
    """A worksheet that can be handed out and marked. Raises: BadInput."""
    if not worksheet.questions:
        raise BadInput(
            "There are no questions in this worksheet",
            hint="A question is a numbered line such as `1. Good morning: ___`.",
        )
    if not worksheet.key:
        raise BadInput(
            "This worksheet has no answer key, so answers could not be marked",
            hint="Put the comment block `<!-- answers: … -->` back at its end.",
        )
    if len(worksheet.questions) > MOST_QUESTIONS:
        raise BadInput(
            f"This worksheet has {len(worksheet.questions)} questions; {MOST_QUESTIONS} are the"
            " most",
            hint="Hand it out in parts.",
        )
    if len(text.encode()) > MOST_WORKSHEET:
        raise BadInput(f"This worksheet has more than {MOST_WORKSHEET // 1024} KiB")
    return worksheet


def check_answers(worksheet: Worksheet, given: Mapping[str, Iterable[str]]) -> Given:
    """Answers that belong to a worksheet, spaces in order, empty ones left out. Raises: BadInput.

    More parts than blanks, unknown questions and texts that are too long are named.
    """
    blanks = {question.id: question.blanks for question in worksheet.questions}
    taken: dict[str, tuple[str, ...]] = {}
    for name, texts in given.items():
        if name not in blanks:
            raise BadInput(f"This worksheet has no question `{name[:20]}`")
        parts = tuple(_part(name, text) for text in texts)
        if len(parts) > blanks[name]:
            raise BadInput(f"Question {name} wants {blanks[name]} answers, not {len(parts)}")
        if any(parts):
            taken[name] = parts
    if sum(len(part.encode()) for parts in taken.values() for part in parts) > MOST_ANSWERS:
        raise BadInput(f"All answers together have more than {MOST_ANSWERS // 1024} KiB")
    return taken


def check_open(handout: Handout, now: datetime) -> None:
    """Whether answers are taken now. Raises: Refused."""
    if not handout.is_open(now):
        raise Refused(
            f"The worksheet “{handout.title}” is closed",
            hint="Ask your teacher whether it can be opened again.",
        )


def check_reopening(handout: Handout) -> None:
    """Whether a handout may be opened again. Raises: Conflict."""
    if handout.kept_at is not None:
        raise Conflict(
            f"The figures of `{handout.id}` were handed to the memory of {handout.class_id}",
            hint="Make a new handout of the same worksheet.",
        )


def changed_meanwhile(version: int) -> Conflict:
    """What the slower of two devices is told."""
    return Conflict(
        f"These answers were changed on another device (version {version})",
        hint="Load them again, and add yours; nothing was overwritten.",
    )


def _part(name: str, text: str) -> str:
    if _NOT_TEXT.search(text.replace("\n", " ").replace("\r", " ")):
        raise BadInput(f"The answer to {name} has signs in it that are no text")
    plain = " ".join(text.split())
    if len(plain) > LONGEST_PART:
        raise BadInput(
            f"The answer to {name} has {len(plain)} letters; {LONGEST_PART} are the most",
            hint="Say it shorter.",
        )
    return plain
