"""Takes the text out of a document that somebody brought: PDF, Word, markdown, text, a table.

The result is lines of markdown: headings and list items where the document has them, a table row
as one line. Such files come from anywhere, so size, pages and unpacked size are limited, and a file
that cannot be read ends with a sentence.
"""

import csv
import io
import logging
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paige.base.errors import BadInput

if TYPE_CHECKING:
    from docx.table import Table
    from docx.text.paragraph import Paragraph
    from pypdf import PageObject

MOST_BYTES = 50 * 2**20
MOST_UNPACKED = 200 * 2**20
MOST_PAGES = 1_000
MOST_CHARACTERS = 4_000_000
_LEAST_CHARACTERS = 20  # a scanned document has a few stray letters at most
_STYLED = re.compile(r"(?:Heading|Title)\s*(?P<level>\d?)", re.I)
_PAGE_NUMBER = re.compile(r"(?:page\s+)?\d{1,4}(?:\s+of\s+\d{1,4})?", re.I)


@dataclass(frozen=True, slots=True)
class Extracted:
    """The text of a document, and what it calls itself."""

    lines: tuple[str, ...]
    title: str = ""

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)


def extract(name: str, data: bytes) -> Extracted:
    """The text of a file, by the ending of its name. Raises: BadInput with what to do instead."""
    ending = name.rsplit(".", 1)[-1].lower() if "." in name else ""
    reader = READERS.get(ending)
    if reader is None:
        known = ", ".join(f".{each}" for each in READERS)
        raise BadInput(
            f"`{name}` is of a kind that cannot be imported", hint=f"There are: {known}, .json."
        )
    if len(data) > MOST_BYTES:
        raise BadInput(f"`{name}` has {len(data)} bytes; at most {MOST_BYTES} are read")
    found = reader(name, data)
    if len(found.text) > MOST_CHARACTERS:
        raise BadInput(f"`{name}` has more than {MOST_CHARACTERS} characters of text")
    return found


def _text(name: str, data: bytes) -> Extracted:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadInput(
            f"{name}:{line}: this is not UTF-8 text", hint="Save it as UTF-8."
        ) from error
    lines = text.replace("\r\n", "\n").split("\n")
    title = next((line[2:].strip() for line in lines if line.startswith("# ")), "")
    return Extracted(tuple(lines), title)


def _table(name: str, data: bytes) -> Extracted:
    """A table that a spreadsheet saved, separated as the first line is; each row is a line."""
    text = _text(name, data).text
    separator = max(",;\t", key=text.partition("\n")[0].count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        lines = tuple(f"| {' | '.join(map(_tidy, row))} |" for row in rows if any(row))
    except csv.Error as error:
        hint = "Save it as CSV anew."
        raise BadInput(f"{name}:{rows.line_num}: this is no row of a table", hint=hint) from error
    return Extracted(lines)


def _pdf(name: str, data: bytes) -> Extracted:
    # Needed for a PDF only.
    from pypdf import PdfReader  # noqa: PLC0415
    from pypdf.errors import FileNotDecryptedError  # noqa: PLC0415

    # Its remarks on a damaged file would stand among the words of the program.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(io.BytesIO(data))
        pages = [page.extract_text().split("\n") for page in _few(reader.pages, name)]
        title = str((reader.metadata or {}).get("/Title") or "").strip()
    except FileNotDecryptedError as error:
        raise BadInput(f"`{name}` has a password", hint="Save a copy without one.") from error
    except BadInput:
        raise
    except Exception as error:  # a damaged PDF makes its reader raise anything
        hint = "Open it and save it anew, or give its text as a `.md` file."
        raise BadInput(f"`{name}` cannot be read as a PDF", hint=hint) from error
    lines = tuple(_without_margins(pages))
    if sum(len(line.strip()) for line in lines) < _LEAST_CHARACTERS:
        hint = "It may be a scan: run text recognition on it first."
        raise BadInput(f"`{name}` holds no text", hint=hint)
    return Extracted(lines, title)


def _few(pages: Sequence["PageObject"], name: str) -> Iterator["PageObject"]:
    if len(pages) > MOST_PAGES:
        raise BadInput(f"`{name}` has {len(pages)} pages; at most {MOST_PAGES} are read")
    yield from pages


def _without_margins(pages: list[list[str]]) -> Iterator[str]:
    """The lines of all pages without page numbers and what repeats at the edge of most pages."""
    edges = Counter(
        line.strip() for page in pages for line in {*page[:2], *page[-2:]} if line.strip()
    )
    often = max(3, round(len(pages) * 0.6))
    for page in pages:
        for number, line in enumerate(page):
            edge = number < 2 or number >= len(page) - 2
            words = line.strip()
            if edge and (_PAGE_NUMBER.fullmatch(words) or edges[words] >= often):
                continue
            yield _tidy(line)
        yield ""


def _word(name: str, data: bytes) -> Extracted:
    # Needed for a Word file only.
    from docx import Document  # noqa: PLC0415

    _check_zip(name, data)
    try:
        document = Document(io.BytesIO(data))
        lines = tuple(line for block in document.iter_inner_content() for line in _block(block))
        title = (document.core_properties.title or "").strip()
    except Exception as error:  # so does a damaged Word file
        hint = "Open it and save it as .docx anew."
        raise BadInput(f"`{name}` cannot be read as a Word file", hint=hint) from error
    return Extracted(lines, title)


def _check_zip(name: str, data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            size = sum(each.file_size for each in package.infolist())
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        hint = "A `.doc` of an older Word has to be saved as .docx."
        raise BadInput(f"`{name}` is not a Word file", hint=hint) from error
    if size > MOST_UNPACKED:
        raise BadInput(f"`{name}` unpacks to {size} bytes; at most {MOST_UNPACKED} are read")


def _block(block: "Paragraph | Table") -> Iterator[str]:
    """A paragraph or a table as markdown lines, with an empty line after it."""
    from docx.table import Table  # noqa: PLC0415 - see above

    if not isinstance(block, Table):
        yield from _paragraph(block)
        return
    for row in block.rows:
        cells: list[str] = []
        for cell in row.cells:  # a merged cell comes once for every column it covers
            text = _tidy(cell.text)
            if not cells or cells[-1] != text:
                cells.append(text)
        yield f"| {' | '.join(cells)} |"
    yield ""


def _paragraph(paragraph: "Paragraph") -> Iterator[str]:
    text = _tidy(paragraph.text)
    if not text:
        return
    style = str(getattr(paragraph.style, "name", "") or "")
    heading = _STYLED.match(style)
    if heading:
        level = min(int(heading["level"] or 1), 6)
        yield f"{'#' * level} {text}"
        yield ""
    elif style.startswith("List"):
        yield f"- {text}"
    else:
        yield text
        yield ""


def _tidy(line: str) -> str:
    return " ".join(line.replace("\u00ad", "").split())


READERS: dict[str, Callable[[str, bytes], Extracted]] = {
    "pdf": _pdf,
    "docx": _word,
    "md": _text,
    "markdown": _text,
    "txt": _text,
    "csv": _table,
    "tsv": _table,
}
