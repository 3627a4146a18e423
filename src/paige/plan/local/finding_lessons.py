"""Which lesson a teacher means: in this conversation, at a path, or the newest for the class."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from paige.base.errors import PaigeError
from paige.models.messages import Message
from paige.plan.lesson_sections import sections
from paige.plan.products import title_of
from paige.store.documents import Documents

FOLDER = "lessons"
_PATH = re.compile(r"\b(?:workspace/)?(lessons/[^\s`'\"]{1,200}?\.md)\b", re.I)
_WORD = re.compile(r"[a-z0-9]{3,}")
_COMMON = frozenset(
    {"the", "lesson", "for", "and", "with", "make", "more", "less", "shorter", "longer"}
)


@dataclass(frozen=True, slots=True)
class FoundLesson:
    """A lesson's markdown, and where it was found; empty for one of this conversation."""

    markdown: str
    path: str = ""
    others: int = 0


def find_lesson(
    prompt: str,
    messages: Sequence[Message],
    documents: Documents,
    class_id: str,
    *,
    named: bool = False,
) -> FoundLesson | None:
    """The lesson that is meant; a path counts first, then this conversation, then the newest.

    Where the class has none, a lesson of another class is meant only if the words name it; with
    `named` that goes for every lesson of the workspace.
    """
    if path := _PATH.search(prompt):
        return _read(documents, path[1])
    if said := lesson_said(messages):
        return said
    own = _newest(prompt, documents, class_id, named=named)
    if own is not None or not class_id:
        return own
    return _newest(prompt, documents, "", named=True)


def lesson_said(messages: Sequence[Message]) -> FoundLesson | None:
    """The last lesson of this conversation."""
    for message in reversed(messages):
        if message.role == "assistant" and len(sections(message.text)) > 5:
            return FoundLesson(message.text)
    return None


def _newest(
    prompt: str, documents: Documents, class_id: str, *, named: bool = False
) -> FoundLesson | None:
    paths = [path for path in documents.paths(FOLDER) if path.endswith(".md")]
    if class_id:
        own = re.compile(rf"-{re.escape(class_id)}-", re.I)
        paths = [path for path in paths if own.search(path)]
    found = [each for path in reversed(paths) if (each := _read(documents, path)) is not None]
    words = set(_WORD.findall(prompt.lower())) - _COMMON - {class_id.lower()}
    fitting = [each for each in found if words & set(_WORD.findall(_named(each)))]
    chosen = fitting if named else fitting or found
    if not chosen:
        return None
    return FoundLesson(chosen[0].markdown, chosen[0].path, len(chosen) - 1)


def _named(found: FoundLesson) -> str:
    return f"{title_of(found.markdown)} {found.path}".lower()


def _read(documents: Documents, path: str) -> FoundLesson | None:
    try:
        return FoundLesson(documents.read(path).text, path)
    except PaigeError:  # gone, or not text
        return None
