"""A lesson as a Word file: real headings and lists, so that a teacher can go on working in it."""

import io
from datetime import datetime
from typing import TYPE_CHECKING, Any

from paige.plan.outputs.blocks import (
    Block,
    Code,
    Heading,
    Item,
    Paragraph,
    Rule,
    Run,
    Runs,
    Table,
    place_of,
    plain,
)

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph as WordParagraph

_DEEPEST = 3  # Word's own list styles go no deeper


def write_word(blocks: list[Block], *, title: str, now: datetime) -> bytes:
    """The file as bytes."""
    import docx  # noqa: PLC0415 - only this export needs it

    document = docx.Document()
    _set_up(document, title, now)
    for block in blocks:
        _add(document, block)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _set_up(document: "Document", title: str, now: datetime) -> None:
    from docx.shared import Cm, Pt  # noqa: PLC0415 - see above

    properties = document.core_properties
    properties.title, properties.author = title[:255], "Paige"
    properties.created = properties.modified = now
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21.0), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.2)
    section.top_margin = section.bottom_margin = Cm(2.0)
    normal: Any = document.styles["Normal"]
    normal.font.name, normal.font.size = "Calibri", Pt(11)
    normal.paragraph_format.space_after = Pt(6)
    _number_pages(section.footer.paragraphs[0], title)


def _number_pages(paragraph: "WordParagraph", title: str) -> None:
    """Title and page number at the foot; Word works out the number itself."""
    from docx.oxml import OxmlElement  # noqa: PLC0415 - see above
    from docx.oxml.ns import qn  # noqa: PLC0415

    paragraph.add_run(f"{title}   ")
    for kind, text in (("begin", ""), ("", "PAGE"), ("end", "")):
        run = paragraph.add_run()._r  # there is no other way to a field
        element = OxmlElement("w:fldChar" if kind else "w:instrText")
        if kind:
            element.set(qn("w:fldCharType"), kind)
        element.text = text or None
        run.append(element)


def _add(document: "Document", block: Block) -> None:
    match block:
        case Heading(level, runs):
            heading = document.add_heading(level=min(level, 4) - 1 if level > 1 else 0)
            _write(heading, runs)
        case Paragraph(runs, depth, quoted):
            paragraph = document.add_paragraph(style="Quote" if quoted else None)
            _indent(paragraph, depth)
            _write(paragraph, runs)
        case Code(text, depth):
            paragraph = document.add_paragraph()
            _indent(paragraph, depth)
            _write(paragraph, (Run(text, code=True),))
        case Table(header, rows):
            _table(document, header, rows)
        case Rule():
            document.add_paragraph("─" * 30)
        case Item():
            _item(document, block)


def _item(document: "Document", item: Item) -> None:
    depth = min(item.depth, _DEEPEST)
    suffix = f" {depth}" if depth > 1 else ""
    if item.number is None:
        _write(document.add_paragraph(style=f"List Bullet{suffix}"), item.runs)
        return
    # Word's automatic numbers run through all lists of a document; these stay as written.
    paragraph = document.add_paragraph(style=f"List{suffix}")
    paragraph.add_run(f"{item.number}.\t")
    _write(paragraph, item.runs)


def _indent(paragraph: "WordParagraph", depth: int) -> None:
    from docx.shared import Cm  # noqa: PLC0415 - see above

    if depth:
        paragraph.paragraph_format.left_indent = Cm(0.63 * (depth + 1))


def _table(
    document: "Document", header: tuple[Runs, ...], rows: tuple[tuple[Runs, ...], ...]
) -> None:
    table = document.add_table(rows=1 + len(rows), cols=len(header), style="Table Grid")
    for number, cells in enumerate((header, *rows)):
        for cell, runs in zip(table.rows[number].cells, cells, strict=True):
            shown = tuple(Run(run.text, bold=True) for run in runs) if number == 0 else runs
            _write(cell.paragraphs[0], shown)
    document.add_paragraph()


def _write(paragraph: "WordParagraph", runs: Runs) -> None:
    from docx.shared import Pt  # noqa: PLC0415 - see above

    for run in runs:
        written = paragraph.add_run(run.text)
        written.bold, written.italic = run.bold or None, run.italic or None
        if run.code:
            written.font.name, written.font.size = "Consolas", Pt(10)
        if run.link:
            written.underline = True
        if place := place_of(run):
            paragraph.add_run(f" ({place})").font.size = Pt(9)


def title_of(blocks: list[Block], otherwise: str) -> str:
    """The first heading, as a title."""
    headings = (plain(block.runs) for block in blocks if isinstance(block, Heading))
    return next(headings, "") or otherwise
