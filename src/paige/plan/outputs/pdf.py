"""A lesson as a PDF that can go to the printer: A4, page numbers, headings kept with their text."""

import logging
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from paige.base.paths import shipped
from paige.plan.lessons.text import shortened
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
    from fpdf import FPDF

_FONT, _MONO, _OTHER = "Atkinson", "Mono", "DejaVu"
_FACES = {
    (_FONT, ""): "atkinson-hyperlegible-next-regular.ttf",
    (_FONT, "B"): "atkinson-hyperlegible-next-bold.ttf",
    (_FONT, "I"): "atkinson-hyperlegible-next-italic.ttf",
    (_MONO, ""): "dejavu-sans-mono.ttf",
    (_OTHER, ""): "dejavu-sans.ttf",
}
_SIZES = {1: 20.0, 2: 14.0, 3: 12.0}
_TEXT, _SMALL, _LINE = 10.5, 9.0, 5.2
_MARGIN, _STEP = 20.0, 6.0
_INK, _SOFT, _ACCENT = (32, 32, 36), (96, 96, 104), (28, 74, 110)
_FOOTER = 80  # characters of the title at the foot of a page
_KEEP = 32.0  # a heading goes to the next page rather than stand alone at the foot of one


class Pdf(NamedTuple):
    """The file, and the signs of the text that none of its fonts has."""

    content: bytes
    missing: str = ""


def write_pdf(blocks: list[Block], *, title: str, now: datetime) -> Pdf:
    """The file as bytes; whoever asked for it hears what could not be printed."""
    page = _open(title, now)
    for block in blocks:
        _add(page, block)
    content = bytes(page.output())
    missing = {sign for font in page.fonts.values() for sign in getattr(font, "missing_glyphs", ())}
    return Pdf(content, "".join(map(chr, sorted(missing))))


def _open(title: str, now: datetime) -> "FPDF":
    from fpdf import FPDF  # noqa: PLC0415 - only this export needs it

    # It would tell about missing signs in its own words, wherever the program's words go.
    logging.getLogger("fpdf").setLevel(logging.ERROR)

    class _Pages(FPDF):
        def footer(self) -> None:
            self.set_y(-14)
            self.set_font(_FONT, size=_SMALL)
            self.set_text_color(*_SOFT)
            self.cell(0, 5, shortened(title, _FOOTER), align="L")
            self.set_x(_MARGIN)
            self.cell(0, 5, f"{self.page_no()} / {{nb}}", align="R")

    page = _Pages(format="A4")
    page.set_margins(_MARGIN, 18, _MARGIN)
    page.set_auto_page_break(auto=True, margin=20)
    for (family, style), name in _FACES.items():
        page.add_font(family, style, shipped("fonts") / name)
    page.set_fallback_fonts([_OTHER], exact_match=False)
    page.set_title(title)
    page.set_author("Paige")
    page.set_creation_date(now)
    page.set_lang("en-GB")
    page.add_page()
    return page


def _add(page: "FPDF", block: Block) -> None:
    match block:
        case Heading(level, runs):
            _heading(page, level, plain(runs))
        case Paragraph(runs, depth, quoted):
            _text(page, runs, depth * _STEP + (_STEP if quoted else 0))
            page.ln(2.2)
        case Item(runs, depth, number):
            mark = "•" if number is None else f"{number}."
            _text(page, runs, depth * _STEP, mark=mark)
            page.ln(1.0)
        case Code(text, depth):
            _code(page, text, depth * _STEP)
        case Table(header, rows):
            _table(page, header, rows)
        case Rule():
            page.ln(2)
            page.set_draw_color(*_SOFT)
            page.line(_MARGIN, page.get_y(), page.w - _MARGIN, page.get_y())
            page.ln(3)


def _heading(page: "FPDF", level: int, text: str) -> None:
    if page.will_page_break(_KEEP):
        page.add_page()
    elif level > 1:
        page.ln(3)
    page.set_font(_FONT, "B", _SIZES.get(level, _TEXT))
    page.set_text_color(*(_ACCENT if level > 1 else _INK))
    height = _SIZES.get(level, _TEXT) * 0.48
    page.multi_cell(0, height, text, align="L", new_x="LMARGIN", new_y="NEXT")
    page.ln(1.5 if level > 1 else 3)
    page.start_section(text[:120], level=0, strict=False)


def _text(page: "FPDF", runs: Runs, indent: float, mark: str = "") -> None:
    page.set_text_color(*_INK)
    if mark:
        if page.will_page_break(_LINE):
            page.add_page()
        page.set_font(_FONT, size=_TEXT)
        page.set_x(_MARGIN + indent - _STEP)
        page.cell(_STEP, _LINE, mark)
    page.set_left_margin(_MARGIN + indent)
    page.set_x(_MARGIN + indent)
    for run in runs:
        _style(page, run)
        page.write(_LINE, run.text)
        if place := place_of(run):
            page.set_font(_FONT, size=_SMALL)
            page.set_text_color(*_SOFT)
            page.write(_LINE, f" ({place})")
    page.ln(_LINE)
    page.set_left_margin(_MARGIN)
    page.set_x(_MARGIN)


def _style(page: "FPDF", run: Run) -> None:
    if run.code:
        page.set_font(_MONO, size=_SMALL)
    else:
        page.set_font(_FONT, "B" if run.bold else "I" if run.italic else "", _TEXT)
    page.set_text_color(*(_ACCENT if run.link else _INK))


def _code(page: "FPDF", text: str, indent: float) -> None:
    page.set_font(_MONO, size=_SMALL)
    page.set_text_color(*_INK)
    page.set_fill_color(243, 243, 246)
    page.set_left_margin(_MARGIN + indent)
    page.set_x(_MARGIN + indent)
    page.multi_cell(0, 4.6, text, fill=True, align="L", new_x="LMARGIN", new_y="NEXT")
    page.set_left_margin(_MARGIN)
    page.set_x(_MARGIN)
    page.ln(2.5)


def _table(page: "FPDF", header: tuple[Runs, ...], rows: tuple[tuple[Runs, ...], ...]) -> None:
    from fpdf.fonts import FontFace  # noqa: PLC0415 - see above

    page.set_font(_FONT, size=_TEXT)
    page.set_text_color(*_INK)
    bold = FontFace(emphasis="BOLD")
    with page.table(headings_style=bold, line_height=_LINE, text_align="LEFT") as table:
        for cells in (header, *rows):
            row = table.row()
            for runs in cells:
                row.cell(plain(runs))
    page.ln(3)
