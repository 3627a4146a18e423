"""Takes text and outcomes out of a document that somebody brought: PDF, Word, markdown, a table.

The result is lines of markdown: headings and list items where the document has them, a table row
as one line. Such files come from anywhere, so size, pages and unpacked size are limited, and a file
that cannot be read ends with a sentence.

An outcome is a code of Curriculum for Excellence and its statement. Official tables put the code
below the statement, lists put it before; which of the two a document does is seen from its lines.
The words come out of a file by machine, so every row gets the grade B- until a person has compared
it with the document.
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
from paige.plan.curriculum.codes import CODE_IN_TEXT, clean, is_cfe_code, level_of, normal_code
from paige.plan.curriculum.values import Outcome, WorkspaceProblem

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
class DocumentText:
    """The text of a document, and what it calls itself."""

    lines: tuple[str, ...]
    title: str = ""

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)


def extract(name: str, data: bytes) -> DocumentText:
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


def _text(name: str, data: bytes) -> DocumentText:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadInput(
            f"{name}:{line}: this is not UTF-8 text", hint="Save it as UTF-8."
        ) from error
    lines = text.replace("\r\n", "\n").split("\n")
    title = next((line[2:].strip() for line in lines if line.startswith("# ")), "")
    return DocumentText(tuple(lines), title)


def _table(name: str, data: bytes) -> DocumentText:
    """A table that a spreadsheet saved, separated as the first line is; each row is a line."""
    text = _text(name, data).text
    separator = max(",;\t", key=text.partition("\n")[0].count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        lines = tuple(f"| {' | '.join(map(_tidy, row))} |" for row in rows if any(row))
    except csv.Error as error:
        hint = "Save it as CSV anew."
        raise BadInput(f"{name}:{rows.line_num}: this is no row of a table", hint=hint) from error
    return DocumentText(lines)


def _pdf(name: str, data: bytes) -> DocumentText:
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
    return DocumentText(lines, title)


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


def _word(name: str, data: bytes) -> DocumentText:
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
    return DocumentText(lines, title)


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


READERS: dict[str, Callable[[str, bytes], DocumentText]] = {
    "pdf": _pdf,
    "docx": _word,
    "md": _text,
    "markdown": _text,
    "txt": _text,
    "csv": _table,
    "tsv": _table,
}


LEAST_WORDS = 3
_CODE = re.compile(rf"(?<![A-Za-z0-9])(?P<code>{CODE_IN_TEXT})(?![A-Za-z0-9])", re.I)
_TITLED = re.compile(r"#{1,6}\s+(?P<title>.*\S)")
_LEVEL_NAMED = re.compile(r"(?:early|first|second|third|fourth)\s+level\b", re.I)
_BEGINS = re.compile(r"(?:I|My|When|While|Having|Through|By|As|To|Using|Working|In)\b")
_EDGES = " \t|:;,-/()[]"
_AREA_SUBJECTS = {
    "TCH": "Technologies",
    "MNU": "Numeracy",
    "MTH": "Mathematics",
    "LIT": "Literacy",
    "ENG": "English",
    "MLAN": "Modern Languages",
    "SOC": "Social Studies",
    "SCN": "Sciences",
    "HWB": "Health and Wellbeing",
    "EXA": "Expressive Arts",
    "RME": "Religious and Moral Education",
}


@dataclass(frozen=True, slots=True)
class _Mention:
    code: str
    line: int
    before: str
    after: str
    organiser: str


def find_outcomes(
    lines: Sequence[str], path: str, *, subject: str, edition: str
) -> tuple[list[Outcome], list[WorkspaceProblem]]:
    """The outcomes of a document, and the codes whose statement was not found."""
    plain = clean("\n".join(lines)).split("\n")
    mentions = list(_mentions(plain))
    after = sum(_enough(each.after) for each in mentions)
    led = after > 0 and after >= sum(_enough(each.before) for each in mentions)
    found: dict[str, Outcome] = {}
    problems: list[WorkspaceProblem] = []
    for at, mention in enumerate(mentions):
        words = _following(plain, mentions, at) if led else _preceding(plain, mentions, at)
        old = found.get(mention.code)
        if not _enough(words):
            if old is None:
                said = f"{mention.code} is named, but no statement was found beside it."
                problems.append(WorkspaceProblem(path, mention.line + 1, said))
            continue
        if old is None:
            found[mention.code] = _outcome(mention, words, path, subject, edition)
        elif words.casefold() != old.about.casefold():
            said = f"{mention.code} has a second statement; the first was taken."
            problems.append(WorkspaceProblem(path, mention.line + 1, said, "Compare them."))
    kept = [each for each in problems if not _settled(each, found)]
    return list(found.values()), kept


def subject_of(outcomes: Sequence[str]) -> str:
    """The subject that most codes belong to."""
    areas = [code.split()[0] for code in outcomes]
    most = max(dict.fromkeys(areas), key=areas.count, default="")
    return _AREA_SUBJECTS.get(most, "")


def _mentions(lines: Sequence[str]) -> Iterator[_Mention]:
    organiser = ""
    for number, line in enumerate(lines):
        if heading := _TITLED.match(line):
            title = heading["title"]
            organiser = organiser if _LEVEL_NAMED.search(title) or _CODE.search(title) else title
        matches = [each for each in _CODE.finditer(line) if is_cfe_code(each["code"])]
        ends = [each.start() for each in matches[1:]] + [len(line)]
        start = 0
        for match, end in zip(matches, ends, strict=False):  # without a code there is one end
            before, after = line[start : match.start()], line[match.end() : end]
            start = match.end()
            code = normal_code(match["code"])
            yield _Mention(code, number, before.strip(_EDGES), after.strip(_EDGES), organiser)


def _following(lines: Sequence[str], mentions: Sequence[_Mention], at: int) -> str:
    """The words after a code: the rest of its line and the lines that carry it on."""
    mention = mentions[at]
    parts = [mention.after]
    last = next((each.line for each in mentions[at + 1 :] if each.line > mention.line), len(lines))
    alone = at + 1 >= len(mentions) or mentions[at + 1].line > mention.line
    for line in lines[mention.line + 1 : last] if alone else ():
        if not line.strip() and not any(parts):
            continue
        if _ends(line):
            break
        parts.append(line.strip(_EDGES))
    return " ".join(" ".join(parts).split())


def _preceding(lines: Sequence[str], mentions: Sequence[_Mention], at: int) -> str:
    """The words before a code: up to the code or the empty line above."""
    mention = mentions[at]
    parts = [mention.before]
    above = max((each.line for each in mentions[:at]), default=-1)
    if above < mention.line:
        for line in reversed(lines[above + 1 : mention.line]):
            if not line.strip() and not any(parts):
                continue
            if _ends(line):
                break
            parts.append(line.strip(_EDGES))
    return " ".join(" ".join(_without_titles(parts[::-1])).split())


def _without_titles(lines: list[str]) -> list[str]:
    """The lines of a statement without titles above it: the text of a PDF has no empty lines."""
    while len(lines) > 1 and _is_title(lines[0], lines[1]):
        lines = lines[1:]
    return lines


def _is_title(line: str, after: str) -> bool:
    short = len(line.split()) <= 8 and not line.endswith((".", ",", ";", ":"))
    return short and not _BEGINS.match(line) and after[:1].isupper()


def _ends(line: str) -> bool:
    """Whether a line belongs to something else: empty, a heading, an item of its own."""
    return not line.strip() or bool(_TITLED.match(line)) or line.lstrip()[:2] in ("- ", "* ")


def _enough(words: str) -> bool:
    return len(words.split()) >= LEAST_WORDS


def _outcome(mention: _Mention, words: str, path: str, subject: str, edition: str) -> Outcome:
    return Outcome(
        code=mention.code,
        about=words,
        subject=subject,
        level=level_of(mention.code) or "",
        organiser=mention.organiser,
        grade="B-",
        edition=edition,
        path=path,
        start=mention.line + 1,
        end=mention.line + 1,
        about_end=mention.line + 1,
    )


def _settled(problem: WorkspaceProblem, found: dict[str, Outcome]) -> bool:
    """Whether a code without a statement got one elsewhere in the document."""
    missing = problem.message.endswith("no statement was found beside it.")
    return missing and problem.message.split(" is named,")[0] in found
