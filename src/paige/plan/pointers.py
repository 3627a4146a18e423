"""The pointers of a lesson into the curriculum: `[CODE](FILE#L12-L14) "quoted words"`."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

from paige.plan.curriculum.codes import find_codes, normal_code
from paige.plan.curriculum.values import FOLDER

NEAR = 300  # characters of a line in which an edition belongs to a pointer
# The possessive `++` and `*+` keep every line linear, whatever stands in it.
_LINK = re.compile(r"\[(?P<code>[^\[\]\n]{1,80}+)\]\((?P<target>[^()\s]{1,300}+)\)")
_QUOTE = re.compile(
    r"[ \t]*+[:,\u2013\u2014-]?[ \t]*+(?:\n[ \t>]*+)?"
    r"[\"\u201c](?P<quote>(?:[^\"\u201c\u201d\n]|\n(?![ \t]*+\n))*+)[\"\u201d]"
)
_DETAILS = re.compile(r"[ \t]*+\((?P<details>[^()\n]{1,200}+)\)")
_LINES = re.compile(r"L(?P<start>\d{1,9})(?:C\d+)?(?:-L?(?P<end>\d{1,9})(?:C\d+)?)?$")
_EDITION = re.compile(r"\bedition:?\s+(?P<value>[\w./-]+)", re.I)
# Outside brackets "edition" may be a word like any other; a number makes it a statement.
_SAID_EDITION = re.compile(r"\bedition:?\s+(?P<value>(?=[\w./-]*\d)[\w./-]+)", re.I)
_LEVEL = re.compile(
    r"\b(?P<value>early|first|second|third|fourth)\s+level\b|\b(?P<senior>senior phase)\b", re.I
)
_GRADE = re.compile(r"\bgrade:?\s+(?P<value>[A-Za-z]-?)(?![\w-])", re.I)


@dataclass(frozen=True, slots=True)
class Pointer:
    """A claim as a lesson writes it: `[CODE](FILE#L12-L14) "quoted words" (edition 2017-03)`."""

    code: str
    path: str
    start: int | None  # missing when the lesson gives no lines
    end: int | None
    quote: str
    at_line: int
    edition: str | None = None  # what the lesson says about it, if it says so
    level: str | None = None
    grade: str | None = None

    @property
    def lines(self) -> str:
        """Such as `12-14`; empty when the lesson gives none."""
        return "" if self.start is None else f"{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class PlacedPointer:
    """A pointer and the characters of the text that it takes."""

    pointer: Pointer
    start: int
    end: int


def normal_lines(markdown: str) -> str:
    """The text with line ends as the check counts them."""
    return markdown.removeprefix("\ufeff").replace("\r\n", "\n")


def place_pointers(text: str) -> list[PlacedPointer]:
    """Every pointer of a text and where it stands."""
    placed: list[PlacedPointer] = []
    line, counted = 1, 0
    for match in _LINK.finditer(text):
        path, _, fragment = unquote(match["target"].strip("<>")).partition("#")
        if not _meant(match["code"], path, fragment):
            continue
        line += text.count("\n", counted, match.start())
        counted = match.start()
        quote = _QUOTE.match(text, match.end())
        end = quote.end() if quote else match.end()
        words = " ".join(re.sub(r"\n[ \t>]*", " ", quote["quote"]).split()) if quote else ""
        said = _said(text, match.start(), end)
        pointer = _pointer(match["code"], path, fragment, words, line, said)
        placed.append(PlacedPointer(pointer, match.start(), end))
    return placed


def _meant(code: str, path: str, fragment: str) -> bool:
    """Whether a link is meant as a pointer, and not as a link somewhere else."""
    named = bool(find_codes(code))
    return named or (f"{FOLDER}/" in path and bool(_LINES.match(fragment)))


@dataclass(frozen=True, slots=True)
class _Said:
    """What a lesson says beside a pointer."""

    details: str  # in brackets after it
    line: str  # the rest of its line, up to other pointers


def _pointer(code: str, path: str, fragment: str, quote: str, line: int, said: _Said) -> Pointer:
    lines = _LINES.match(fragment)
    start = int(lines["start"]) if lines else None
    end = int(lines["end"] or lines["start"]) if lines else None
    edition = _EDITION.search(said.details) or _SAID_EDITION.search(said.line)
    level, grade = _LEVEL.search(said.details), _GRADE.search(said.details)
    return Pointer(
        code=normal_code(code),
        path=_plain_path(path),
        start=start,
        end=end,
        quote=quote,
        at_line=line,
        edition=edition["value"].rstrip(".-") if edition else None,
        level=(level["value"] or level["senior"]).capitalize() if level else None,
        grade=grade["value"].upper() if grade else None,
    )


def _said(text: str, start: int, end: int) -> _Said:
    brackets = _DETAILS.match(text, end)
    near = max(text.rfind("\n", max(start - NEAR, 0), start) + 1, start - NEAR, 0)
    before = text[near:start].rsplit("](", 1)
    after = text[end : _stop(text, end)].split("[", 1)[0]
    # What stands before a second pointer of a line belongs to the first.
    own = before[0] if len(before) == 1 else ""
    return _Said(brackets["details"] if brackets else "", f"{after} {own}")


def _stop(text: str, at: int) -> int:
    found = text.find("\n", at, at + NEAR)
    return at + NEAR if found < 0 else found


def _plain_path(path: str) -> str:
    """The path inside the workspace: a lesson may also write it from its own folder."""
    for before in ("./", "../"):
        if path.startswith(f"{before}{FOLDER}/"):
            return path.removeprefix(before)
    return path
