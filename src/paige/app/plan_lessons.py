"""Saved lessons as people read them: sections, evidence, and what is wrong."""

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from paige.app.plan_workspace import SAVED, Trouble, kind_of, lesson_troubles, workspace_path
from paige.base.errors import PaigeError
from paige.plan.curriculum.loading import load_all
from paige.plan.evidence import Checked, check
from paige.plan.lesson_facts import facts_of
from paige.plan.lesson_sections import SectionText, sections
from paige.plan.products import title_of
from paige.store.documents import Document, Documents

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class LessonItem:
    """A saved lesson as lists show it."""

    path: str
    title: str
    class_id: str | None = None
    date: str | None = None


@dataclass(frozen=True, slots=True)
class OpenLesson:
    """A saved lesson with everything that is known about it."""

    document: Document
    item: LessonItem
    source: str | None
    sections: tuple[SectionText, ...] = ()
    evidence: tuple[Checked, ...] = ()
    troubles: tuple[Trouble, ...] = field(default=())


def list_lessons(documents: Documents) -> list[LessonItem]:
    """Every saved lesson, unit and worksheet: the latest day first."""
    items: list[LessonItem] = []
    for folder in SAVED:
        for path in documents.paths(folder):
            if kind_of(path) == "lesson":
                try:
                    items.append(_item(documents.read(path)))
                except PaigeError:  # not text, or gone meanwhile; the tree shows it
                    continue
    return sorted(items, key=lambda item: (item.date or "", item.path), reverse=True)


def open_lesson(documents: Documents, path: str) -> OpenLesson:
    """One lesson. Raises: NotFound, Refused."""
    document = documents.read(workspace_path(documents, path))
    library = load_all(documents)
    facts = facts_of(document.text)
    return OpenLesson(
        document,
        _item(document),
        facts.get("Source", "").partition(" (")[0] or None,
        tuple(sections(document.text)),
        check(document.text, library).pointers,
        tuple(lesson_troubles(document.path, document.text, library)),
    )


def _item(document: Document) -> LessonItem:
    facts = facts_of(document.text)
    stem = PurePosixPath(document.path).stem
    day = _DAY.match(facts.get("Date", "")) or _DAY.match(stem)
    return LessonItem(
        document.path,
        title_of(document.text) or stem,
        facts.get("Class"),
        day[0] if day else None,
    )
