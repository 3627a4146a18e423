"""Imported papers, marking instructions, specifications: split into parts, tagged, written, read.

A part is a heading of the second level. The line below it may say `- codes: …` (a person confirmed
them, or the document names them) or `- suggested codes: …`: the outcomes whose words it shares, at
most two, and only when several words meet. A person confirms them by changing the word in the file.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from paige.plan.curriculum.codes import find_codes, normal_code
from paige.plan.curriculum.front import (
    front_value,
    missing_keys,
    read_head,
    split_lines,
    unknown_keys,
)
from paige.plan.curriculum.search import rank
from paige.plan.curriculum.values import (
    MATERIAL_KINDS,
    Library,
    Material,
    MaterialKind,
    Part,
    WorkspaceProblem,
)
from paige.plan.lessons.text import one_line

KEYS = frozenset({"kind", "title", "subject", "edition", "original", "about"})
SUGGESTED = "suggested codes"
CONFIRMED = "codes"
_HEADING = re.compile(r"##\s+(?P<title>.*\S)")
_TAGS = re.compile(r"- (?P<key>suggested codes|codes):(?P<codes>.*)$")
MOST_SUGGESTED = 2
LEAST_SHARED = 2  # words
CLOSE = 0.6  # of the best score: how good a second suggestion must be
BEFORE = "Before the first part"
_QUESTION = re.compile(
    r"\W{0,3}(?:question\s+(?P<said>\d{1,2})\b|(?P<number>\d{1,2})[.)](?:\s|$))", re.I
)
_ROW = re.compile(r"\|\s*(?P<number>\d{1,2})[.)]?\s*(?:\([a-z]\)\s*)?\|", re.I)
_SECTION = re.compile(r"\W{0,3}section\s+(?P<name>\d{1,2}|[A-D])\b", re.I)
_ANY_HEADING = re.compile(r"#{1,6}\s+(?P<title>.*\S)")
_MEANT = re.compile(r"(?P<mark>#|-{3}|- (?:suggested )?codes:)")


def is_material(text: str) -> bool:
    """Whether a file says of itself that it is imported material."""
    return read_head(text, "").text("kind") in MATERIAL_KINDS


def read_material(text: str, path: str) -> Material:
    """The sections of an imported document and their codes."""
    head = read_head(text, path)
    problems = [*head.problems, *missing_keys(head, ("kind",)), *unknown_keys(head, KEYS)]
    kind = head.text("kind")
    if kind not in MATERIAL_KINDS:
        if kind:
            known = ", ".join(f"`{each}`" for each in MATERIAL_KINDS)
            said = f"`kind` is `{kind}`."
            problems.append(head.problem("kind", said, f"There are: {known}."))
        kind = "guidance"
    return Material(
        path=path,
        title=head.text("title") or path.rsplit("/", 1)[-1].removesuffix(".md"),
        kind=cast(MaterialKind, kind),
        subject=head.text("subject"),
        edition=head.text("edition"),
        original=head.text("original"),
        parts=_parts(split_lines(text), head.body, path, problems),
        problems=tuple(problems),
    )


def _parts(
    lines: tuple[str, ...], start: int, path: str, problems: list[WorkspaceProblem]
) -> tuple[Part, ...]:
    heads = [
        (number, match["title"])
        for number, line in enumerate(lines[start:], start + 1)
        if (match := _HEADING.match(line))
    ]
    ends = [number - 1 for number, _ in heads[1:]] + [len(lines)]
    parts: list[Part] = []
    for (number, title), end in zip(heads, ends, strict=False):  # without heads there is one end
        codes, suggested = _tags(lines, number, end, path, problems)
        parts.append(Part(title, number, end, codes, suggested))
    return tuple(parts)


def _tags(
    lines: tuple[str, ...], heading: int, end: int, path: str, problems: list[WorkspaceProblem]
) -> tuple[tuple[str, ...], bool]:
    """The codes on the first lines below a heading."""
    for number in range(heading + 1, min(end, heading + 3) + 1):
        match = _TAGS.match(lines[number - 1])
        if match is None:
            continue
        codes = tuple(normal_code(each) for each in match["codes"].split(",") if each.strip())
        if not codes:
            problems.append(
                WorkspaceProblem(path, number, "No codes follow.", "Name them, or remove it.")
            )
        return codes, match["key"] == SUGGESTED
    return (), False


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an imported document."""

    title: str
    lines: tuple[str, ...]
    titled: bool = False  # the title is the document's own

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines).strip()


@dataclass(frozen=True, slots=True)
class MaterialHead:
    """What is known about an imported document as a whole."""

    kind: MaterialKind
    title: str
    subject: str = ""
    edition: str = ""
    original: str = ""


def split(lines: Sequence[str], kind: MaterialKind) -> list[Piece]:
    """The questions of a paper or the sections of a document; the whole when it has neither."""
    heads = list(_questions(lines)) if kind in ("paper", "marking") else []
    asked = bool(heads)
    heads = heads or [
        (number, match["title"])
        for number, line in enumerate(lines)
        if (match := _ANY_HEADING.match(line))
    ]
    if not heads:
        return [Piece("Whole document", tuple(lines))]
    ends = [number for number, _ in heads[1:]] + [len(lines)]
    first = Piece(BEFORE, tuple(lines[: heads[0][0]]))
    # A heading becomes the title; the number of a question stays in its text.
    pieces = [
        Piece(title, tuple(lines[number + (not asked) : end]), titled=not asked)
        for (number, title), end in zip(heads, ends, strict=True)
    ]
    return [first, *pieces] if first.text else pieces


def render_material(head: MaterialHead, pieces: Sequence[Piece], library: Library) -> str:
    """The document as a file of the workspace, every part tagged."""
    values = [
        ("kind", head.kind),
        ("title", front_value(head.title)),
        ("subject", front_value(head.subject) if head.subject else ""),
        ("edition", front_value(head.edition) if head.edition else ""),
        ("original", front_value(head.original) if head.original else ""),
    ]
    lines = ["---", *(f"{key}: {value}" for key, value in values if value), "---", ""]
    lines += [f"# {one_line(head.title)}", ""]
    for piece in pieces:
        lines += [f"## {one_line(piece.title)}", *_tag_lines(piece, head.subject, library), ""]
        lines += [*_shown(piece.text.split("\n")), ""]
    return "\n".join(lines)


def tags(text: str, subject: str, library: Library) -> tuple[tuple[str, ...], bool]:
    """The codes of a text, and whether they are only suggested."""
    known = [each.code for each in library.outcomes]
    named = tuple(dict.fromkeys(each.code for each in find_codes(text, known)))
    if named:
        return named, False
    ranked = rank(library, text, subject=subject or None)
    shared = [each for each in ranked if each.shared >= LEAST_SHARED]
    close = [each for each in shared if each.score >= shared[0].score * CLOSE]
    return tuple(each.outcome.code for each in close[:MOST_SUGGESTED]), True


def _tag_lines(piece: Piece, subject: str, library: Library) -> Iterator[str]:
    text = f"{piece.title}\n{piece.text}" if piece.titled else piece.text
    codes, suggested = tags(text, subject, library)
    if codes and not (suggested and piece.title == BEFORE):
        yield f"- {SUGGESTED if suggested else CONFIRMED}: {', '.join(codes)}"


def _questions(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Where questions begin: their numbers follow one another, anew in every section."""
    last, section, begun = 0, "", False
    for at, line in enumerate(lines):
        if match := _SECTION.match(line):
            section, begun = f"Section {match['name'].upper()}, ", True
            continue
        match = _QUESTION.match(line) or _ROW.match(line)
        if match is None:
            continue
        groups = match.groupdict()
        number = int(groups.get("said") or groups["number"])
        if number == last + 1 or (number == 1 and begun):
            last, begun = number, False
            yield at, f"{section}question {number}".capitalize()


def _shown(lines: Sequence[str]) -> Iterator[str]:
    """The lines of the document so that none of them is read as a heading or a tag of the file."""
    for line in lines:
        yield _MEANT.sub(r"\\\g<mark>", line, count=1) if _MEANT.match(line) else line
