"""The text of a worksheet as lines, comments and blocks, whatever editor it went through.

Editors change line ends, quotes, tabs, bullets and blank lines, formatters escape underscores and
realign tables. All of that is undone here, so that the modules above see one form. Every piece
keeps the number of the line it came from.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from paige.base.errors import NotFound
from paige.base.files import write_atomic
from paige.exercise.worksheet.values import Status

_ODD = str.maketrans(
    {
        **dict.fromkeys("\t\u00a0\u2007\u202f\u3000", " "),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u201b", "'"),
        **dict.fromkeys("\ufeff\u200b\u2060\u00ad"),
    }
)
_MOST_OF_BLOCK = 100  # lines; what goes on longer is taken for several
_SPACES = re.compile(r"\s*")
_FIELD = re.compile(r"^\s*([A-Za-z][\w -]{0,40}?)\s*[:=](.*)$", re.DOTALL)
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s*+([^\s#]*+(?:[\s#]++(?!$)[^\s#]++)*+)[\s#]*+$")
_SECTION = re.compile(
    r"^\W*section\s*(\d{1,3})?\s*(?:[:.)\-\u2013\u2014]+\s*|\s+|$)(.*)$", re.IGNORECASE
)
_BARE_SECTION = re.compile(r"^[*_]{0,2}Section \d{1,3}[*_]{0,2}\s*[:.\-\u2013\u2014][^_]{0,90}$")
_RULE = re.compile(r"^\s*(?:(?:[-*=]\s*){3,}|[\u2013\u2014]+|_\s*(?:_\s*){5,})$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_ITEM = re.compile(
    r"^\s*(?:[-*+\u2022]\s+)?(?:[Qq](?:uestion)?\s*)?[*_]{0,2}\(?(?:(\d{1,3})\.)?(\d{1,3})"
    r"(?:\\?[.)\]]|(?=[*_]{2}))[*_]{0,2}(?!\d)\s*(.*)$"
)
_ID = re.compile(r"^\s*(?:[-*+\u2022]\s+)?(\d{1,3})\.(\d{1,3})\s*[:)=]?\s+(.*)$")
_BULLET = re.compile(r"^\s*[-*+\u2022\u2013]\s+(.*)$")
_TABLE_RULE = re.compile(r"^\s*+(?:\|\s*+)?(?::?-++:?\s*+[|+]\s*+)++(?::?-*+:?\s*+)$")
_CHOICE = re.compile(r"^(?:\(?[A-Za-z][.)]\s|_{2,}$)")
_QUOTED = re.compile(r"^\s*>\s?")


@dataclass(frozen=True, slots=True)
class Line:
    """One line with its number, straightened out, comments taken away."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Comment:
    """One HTML comment, and the line it begins in."""

    line: int
    text: str
    open: bool = False  # it was never closed

    @property
    def field(self) -> tuple[str, str] | None:
        """Name and value of a comment such as `course: malay`."""
        found = _FIELD.match(self.text)
        return (found[1].strip().lower().replace(" ", "_"), found[2].strip()) if found else None


Kind = Literal["heading", "item", "row", "text"]


@dataclass(slots=True)
class Block:
    """A heading, a question with the lines that go on with it, a table row, or a paragraph.

    `section` counts the headings before it; `number` and `named` are what its marker says.
    """

    kind: Kind
    section: int
    lines: list[Line]
    number: int | None = None
    named: int | None = None
    after_gap: bool = False

    @property
    def line(self) -> int:
        """Where it begins."""
        return self.lines[0].number

    @property
    def text(self) -> str:
        """All its lines in one."""
        return " ".join(line.text.strip() for line in self.lines).strip()


def decode(data: bytes) -> str:
    """The text of a file, whichever encoding an editor saved it in."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def straighten(text: str) -> str:
    """The text with one kind of line end, of quotes and of spaces."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").translate(_ODD)
    return plain.replace("\\_", "_")


def split_comments(text: str) -> tuple[list[Line], list[Comment]]:
    """The lines without comments, and the comments. `text` is straightened already."""
    comments: list[Comment] = []
    kept: list[str] = []
    at, line, close = 0, 1, -1
    while (start := text.find("<!--", at)) >= 0:
        kept.append(text[at:start])
        line += text.count("\n", at, start)
        if close < start:
            found = text.find("-->", start + 4)
            close = found if found >= 0 else len(text)
        end, is_open = _comment_end(text, start, close)
        comments.append(Comment(line, text[start + 4 : end], is_open))
        at = end if is_open else end + 3
        newlines = text.count("\n", start, at)
        kept.append("\n" * newlines)
        line += newlines
    kept.append(text[at:])
    plain = "".join(kept).split("\n")
    return [Line(number, each.rstrip()) for number, each in enumerate(plain, 1)], comments


def _comment_end(text: str, start: int, close: int) -> tuple[int, bool]:
    """Where a comment ends: at its line's end if it was never closed and would eat the sheet."""
    closed = close < len(text)
    if text.startswith("answers", start + 4 + _spaces(text, start + 4)):
        return close, not closed
    if closed and text.find("<!--", start + 4, close) < 0:
        return close, False
    end = text.find("\n", start)
    return (len(text) if end < 0 else end), True


def _spaces(text: str, at: int) -> int:
    found = _SPACES.match(text, at)
    return len(found[0]) if found else 0


def blocks(lines: list[Line]) -> list[Block]:
    """The headings, questions, rows and paragraphs, in order."""
    found: list[Block] = []
    section = 0
    gap = True
    for line in lines:
        if not line.text.strip() or _is_decoration(line.text):
            gap = True
            continue
        block = _block(line, section, gap)
        if block.kind == "heading":
            section += 1
            block.section = section
        before = found[-1] if found and found[-1].kind in ("item", "text") else None
        if block.kind == "text" and not gap and before and len(before.lines) < _MOST_OF_BLOCK:
            before.lines.append(block.lines[0])
        else:
            found.append(block)
        gap = False
    return found


def _is_decoration(text: str) -> bool:
    return bool(_RULE.match(text) or _TABLE_RULE.match(text) or _FENCE.match(text))


def _block(line: Line, section: int, gap: bool) -> Block:
    text = _QUOTED.sub("", line.text)
    if _section_heading(text) is not None:
        return Block("heading", section, [Line(line.number, text)])
    if _is_row(text):
        return Block("row", section, [Line(line.number, text)], after_gap=gap)
    if explicit := _ID.match(text):
        number, named = int(explicit[2]), int(explicit[1])
        return Block("item", section, [Line(line.number, explicit[3])], number, named, gap)
    if item := _ITEM.match(text):
        named = int(item[1]) if item[1] else None
        return Block("item", section, [Line(line.number, item[3])], int(item[2]), named, gap)
    if bullet := _BULLET.match(text):
        return Block("item", section, [Line(line.number, bullet[1])], after_gap=gap)
    return Block("text", section, [Line(line.number, text)], after_gap=gap)


def _is_row(text: str) -> bool:
    """Whether a line is a table row; an answer may hold pipes too, such as `a | b | c`."""
    if text.lstrip().startswith("|"):
        return text.count("|") > 1
    if text.count("|") < 2:
        return False
    others = cells(text)[1:]
    return not _ITEM.match(text) or any(_CHOICE.match(cell) or not cell for cell in others)


def section_heading(text: str) -> tuple[int | None, str]:
    """The number and the title in a section's heading."""
    found = _SECTION.match(_section_heading(text) or "")
    if not found:
        return None, text.strip()
    return (int(found[1]) if found[1] else None), found[2].strip(" *_")


def _section_heading(text: str) -> str | None:
    """The words of a heading that begins a section; other headings are text like any other."""
    marked = _HEADING.match(text)
    words = marked[1] if marked else text.strip()
    found = _SECTION.match(words)
    if not found or (not marked and not _BARE_SECTION.match(words)):
        return None
    return words


def plain_heading(text: str) -> str:
    """A line without the marks of a heading."""
    found = _HEADING.match(text)
    return found[1] if found else text


def cells(text: str) -> list[str]:
    """The cells of a table row, with or without its outer pipes."""
    inner = text.strip()
    inner = inner.removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", inner)]


_STATUS = re.compile(
    r"(<!--[ \t]*+status[ \t]*+[:=][ \t]*+)"
    r"((?:[^ \t\r\n<-]++|[ \t]++(?!-->)|-(?!->))*+)([ \t]*+-->)",
    re.IGNORECASE,
)
_HEADER = re.compile(r"\A(\ufeff?)((?:[ \t]*<!--[^\r\n]*-->[ \t]*(?:\r\n|\r|\n))*)")


def set_status(text: str, status: Status) -> str:
    """The text with another status. A header that lost its line gets one again."""
    changed, count = _STATUS.subn(lambda found: found[1] + status + found[3], text, count=1)
    if count:
        return changed
    header = _HEADER.match(text)
    at = header.end() if header else 0
    newline = "\r\n" if "\r\n" in text else "\r" if "\r" in text and "\n" not in text else "\n"
    return f"{text[:at]}<!-- status: {status} -->{newline}{text[at:]}"


def write_status(path: Path, status: Status) -> None:
    """Set the status in a file. Raises: NotFound."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise NotFound(f"There is no worksheet `{path}`") from None
    encoding = _encoding(data)
    # The mark at the start of the file is part of the text here, so it is written back as it was.
    text = data.decode(encoding, errors="surrogateescape")
    write_atomic(path, set_status(text, status).encode(encoding, errors="surrogateescape"))


def _encoding(data: bytes) -> str:
    if data.startswith(b"\xff\xfe"):
        return "utf-16-le"
    if data.startswith(b"\xfe\xff"):
        return "utf-16-be"
    return "utf-8"


def read_worksheet_text(path: Path) -> str:
    """The text of a worksheet in whichever encoding it was saved. Raises: NotFound."""
    try:
        return decode(path.read_bytes())
    except (FileNotFoundError, IsADirectoryError):
        raise NotFound(f"There is no worksheet `{path}`") from None
