"""Documents as teachers have them: a PDF, a Word file, a paper with its marking instructions."""

import io
from collections.abc import Sequence

from docx import Document
from fpdf import FPDF

TABLE = [
    (
        "I can select appropriate tools to design, build, evaluate and refine computing solutions.",
        "TCH 3-15a",
    ),
    ("I understand language constructs for representing structured information.", "TCH 3-14a"),
    ("I can describe different fundamental information processes and their use.", "TCH 3-13a"),
]
PAPER = """\
National 5 Computing Science
Question paper
Total marks 80
Attempt ALL questions in Section 1.
SECTION 1
1. State two kinds of test data, other than normal, that a programmer uses for testing a program.
2 marks
2. A program stores 20 scores in an array. Using a loop, write pseudocode that traverses the array
and keeps a running total of the scores.
3 marks
3. Explain how encryption and a firewall protect the security of a computer system.
SECTION 2
1. Write the SQL query that shows all records of the table Member, sorted by surname.
2. Describe the picture above.
"""
MARKING = [
    ("Question", "Expected response", "Max mark"),
    ("1.", "Extreme test data; exceptional test data", "2"),
    ("2.", "Total set to zero before the loop; traverse the array; add each score", "3"),
]


def pdf(
    pages: Sequence[Sequence[str]], *, title: str = "", footer: str = "", password: str = ""
) -> bytes:
    """A PDF with these lines on its pages."""
    made = FPDF()
    made.set_title(title)
    made.set_font("Helvetica", size=11)
    if password:
        made.set_encryption(owner_password=password, user_password=password)
    for number, lines in enumerate(pages, 1):
        made.add_page()
        for line in lines:
            made.multi_cell(0, 6, line, new_x="LMARGIN", new_y="NEXT")
        if footer:
            made.multi_cell(0, 6, footer, new_x="LMARGIN", new_y="NEXT")
            made.multi_cell(0, 6, f"Page {number} of {len(pages)}", new_x="LMARGIN", new_y="NEXT")
    return bytes(made.output())


def outcomes_pdf() -> bytes:
    """Outcomes as official tables have them: the statement, and its code below."""
    lines = [line for statement, code in TABLE for line in (statement, code, "")]
    return pdf([["Technologies: experiences and outcomes", "March 2017", "", *lines]], title="Es")


def word(blocks: Sequence[str | Sequence[Sequence[str]]], *, title: str = "") -> bytes:
    """A Word file: `# ` begins a heading, `- ` a list item, rows make a table."""
    document = Document()
    document.core_properties.title = title
    for block in blocks:
        if not isinstance(block, str):
            table = document.add_table(rows=0, cols=len(block[0]))
            for row in block:
                for cell, text in zip(table.add_row().cells, row, strict=True):
                    cell.text = text
        elif block.startswith("#"):
            marks, _, text = block.partition(" ")
            document.add_heading(text, level=len(marks))
        elif block.startswith("- "):
            document.add_paragraph(block[2:], style="List Bullet")
        else:
            document.add_paragraph(block)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()
