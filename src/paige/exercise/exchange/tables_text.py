"""Text of unknown origin as rows: its encoding, its separator, and Anki's lines at the top.

A table may come from a spreadsheet, from Anki (`#separator:tab` and the like before the rows) or
from a site that separates a word and its meaning by a tab. Every row keeps the number of the line
it began in.
"""

import codecs
import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from paige.base.errors import BadInput

MOST_BYTES = 16 * 2**20  # a hundred thousand cards need half of it
MOST_ROWS = 200_000
SEPARATORS = {
    "tab": "\t",
    "comma": ",",
    "semicolon": ";",
    "pipe": "|",
    "colon": ":",
    "space": " ",
}
_GUESSED = ("\t", ",", ";", "|")
_LOOKED_AT = 200  # rows, to find out what separates them
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DIRECTIVES = {
    *("separator", "html", "tags", "columns", "notetype", "deck", "if matches"),
    *("notetype column", "deck column", "tags column", "guid column"),
}


class Row(NamedTuple):
    """The cells of a row, and the line it begins in."""

    line: int
    cells: list[str]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows as they stand in the file; `directives` are what Anki's lines at the top say."""

    rows: tuple[Row, ...]
    separator: str
    directives: dict[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def read_table(data: bytes) -> Table:
    """The rows in a file. Raises: BadInput with the number of the line."""
    if len(data) > MOST_BYTES:
        raise BadInput(
            f"The file is larger than {MOST_BYTES // 2**20} MB", hint="Cut it into smaller ones."
        )
    text, remarks = _decoded(data)
    top = _read_top(text)
    if top.comments:
        remarks.append(f"Comments at the top were left out: {top.comments}.")
    body = text[top.characters :]
    chosen = _separator_named(top.directives) or _separator_guessed(body)
    rows = tuple(islice(_rows(body, chosen, top.lines, remarks), MOST_ROWS + 1))
    if len(rows) > MOST_ROWS:
        raise BadInput(
            f"The file has more than {MOST_ROWS:,} rows", hint="Cut it into smaller ones."
        )
    return Table(rows, chosen, top.directives, tuple(remarks))


def _decoded(data: bytes) -> tuple[str, list[str]]:
    """The text, and a remark when its encoding had to be guessed."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _strictly(data, name), []
    halves = data[: 2 * (len(data[:4000]) // 2)][:4000]
    for name, zeros in (("utf-16-le", halves[1::2]), ("utf-16-be", halves[0::2])):
        if zeros and zeros.count(0) > 0.4 * len(zeros):
            return _strictly(data, name), ["The file says nothing of it, but was read as UTF-16."]
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        remark = f"Line {line} is not UTF-8, so the file was read as Latin-1: check the accents."
        try:
            return data.decode("cp1252"), [remark]
        except UnicodeDecodeError:
            return data.decode("latin-1"), [remark]


def _strictly(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        name = encoding.removesuffix("-sig").upper()
        raise BadInput(
            f"The file begins as {name}, but is damaged at byte {error.start}",
            hint="Save it as UTF-8.",
        ) from None


class _Top(NamedTuple):
    """What the lines at the top say, how many lines and characters they are."""

    directives: dict[str, str]
    lines: int = 0
    characters: int = 0
    comments: int = 0


def _read_top(text: str) -> _Top:
    top = _Top({})
    for line in io.StringIO(text, newline=""):
        shown = line.rstrip("\r\n")
        name, colon, value = shown.removeprefix("#").partition(":")
        known = name.strip().lower()
        if not top.lines and shown.lower().startswith("sep=") and len(shown) == len("sep=") + 1:
            top.directives["separator"] = shown[-1]  # how a spreadsheet says it
        elif line.startswith("#") and colon and known in _DIRECTIVES:
            top.directives[known] = value if value == " " else value.strip(" ")
        elif line.startswith("#") and top.directives:
            top = top._replace(comments=top.comments + 1)
        else:
            break
        top = top._replace(lines=top.lines + 1, characters=top.characters + len(line))
    return top


def _separator_named(directives: dict[str, str]) -> str | None:
    named = directives.get("separator")
    if not named:
        return None
    separator = SEPARATORS.get(named.strip().lower(), named.replace("\\t", "\t"))
    if len(separator) != 1 or separator in '"\r\n':
        raise BadInput(
            f"Line 1: `{named}` cannot separate cells", hint="Use tab, comma, semicolon or pipe."
        )
    return separator


def _separator_guessed(text: str) -> str:
    """The separator that cuts most rows into the same number of cells, more than one."""
    scores = {each: _evenness(text, each) for each in _GUESSED}
    return max(_GUESSED, key=lambda each: scores[each])


def _evenness(text: str, separator: str) -> float:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        sizes = Counter(len(row) for row in islice(reader, _LOOKED_AT) if row)
    except csv.Error:
        return 0.0
    size, count = sizes.most_common(1)[0] if sizes else (1, 0)
    return count / sizes.total() if size > 1 else 0.0


def _rows(text: str, separator: str, skipped: int, remarks: list[str]) -> Iterator[Row]:
    try:
        yield from _quoted_rows(text, separator, skipped)
    except BadInput:
        # Sites that separate by tabs do not quote, so there a quote is only a character.
        if separator != "\t" or _multi_line(text):
            raise
        remarks.append("Quotes in the file do not pair up, so they were taken as characters.")
        for number, line in enumerate(text.split("\n"), skipped + 1):
            yield Row(number, line.rstrip("\r").split(separator))


def _quoted_rows(text: str, separator: str, skipped: int) -> Sequence[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[Row] = []
    begun = skipped + 1
    try:
        for cells in islice(reader, MOST_ROWS + 1):
            rows.append(Row(begun, cells))
            begun = skipped + reader.line_num + 1
    except csv.Error as error:
        raise BadInput(f"Line {begun}: {_why(error)}", hint=_QUOTING) from None
    return rows


_QUOTING = 'Put a cell with quotes or line breaks between quotes, and double its own: "say ""hi""".'


def _why(error: csv.Error) -> str:
    if "unexpected end" in str(error):
        return "a quote is opened and never closed"
    if "field larger" in str(error):
        return "a cell is far too long, or a quote before it is never closed"
    return "there is text after a closing quote"


def _multi_line(text: str) -> bool:
    return '"' in text and any("\t" not in line for line in text.split("\n") if line.strip())
