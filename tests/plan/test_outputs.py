import io
import zipfile
from dataclasses import replace
from datetime import date
from pathlib import Path

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar import Calendar
from pypdf import PdfReader

from paige.base.errors import BadInput
from paige.exercise.grading import grade
from paige.plan.lessons.lesson import Lesson, render
from paige.plan.outputs.blocks import Code, Heading, Item, Paragraph, Rule, Table, read_blocks
from paige.plan.outputs.exports import FORMATS, Format, export_lesson
from tests.conftest import NOON
from tests.depth import examples
from tests.plan.lessons import any_lessons, loops_lesson

MIXED = """# A *title*

Some **bold** and `code`, see [a row](curriculum/x.md#L1-L2).

1. one
   - nested

   more of one
2. two

> quoted

```python
# no heading
```

| a | b |
|---|---|
| 1 | ✓ |

---
<!-- not for paper -->
"""


def exported(to: Format, lesson: Lesson | None = None) -> bytes:
    return export_lesson(render(lesson or loops_lesson()), to, stem="loops", now=NOON).content


def test_markdown_becomes_blocks_without_its_comments() -> None:
    kinds = [type(block) for block in read_blocks(MIXED)]
    assert kinds == [
        Heading,
        Paragraph,
        Item,
        Item,
        Paragraph,
        Item,
        Paragraph,
        Code,
        Table,
        Rule,
    ]
    items = [block for block in read_blocks(MIXED) if isinstance(block, Item)]
    assert [(item.number, item.depth) for item in items] == [(1, 1), (None, 2), (2, 1)]


@settings(max_examples=examples(20))
@given(st.text(max_size=300))
def test_no_text_breaks_the_reader_of_blocks_or_a_page(text: str) -> None:
    assert export_lesson(text, "docx", stem="any", now=NOON).content
    assert isinstance(read_blocks(text), list)


def test_a_word_file_has_real_headings_and_every_word_of_the_lesson() -> None:
    lesson = loops_lesson()
    document = docx.Document(io.BytesIO(exported("docx")))
    headings = [p.text for p in document.paragraphs if p.style.name.startswith(("Head", "Title"))]
    assert headings[0] == lesson.title
    assert any(text.startswith("Starter") for text in headings)
    words = "\n".join(paragraph.text for paragraph in document.paragraphs)
    for keyword in lesson.keywords:
        assert keyword.meaning in words
    assert lesson.curriculum[0].code in words
    assert lesson.curriculum[0].file in words
    assert document.core_properties.title == lesson.title


def test_a_pdf_has_a4_pages_with_numbers_and_every_section() -> None:
    pages = PdfReader(io.BytesIO(exported("pdf"))).pages
    assert [round(float(side)) for side in pages[0].mediabox[2:]] == [595, 842]
    text = "\n".join(page.extract_text() for page in pages)
    assert f"1 / {len(pages)}" in text
    for title in ("Learning outcome", "Misconceptions", "Differentiation", "Exit check"):
        assert title in text


def test_letters_of_other_alphabets_reach_the_page() -> None:
    words = "Львів"
    content = export_lesson(f"# → ≤ ł\n\n{words}", "pdf", stem="x", now=NOON).content
    text = PdfReader(io.BytesIO(content)).pages[0].extract_text()
    assert words in text
    assert "→ ≤ ł" in text


def test_signs_that_no_font_has_are_left_out_and_named(caplog: pytest.LogCaptureFixture) -> None:
    made = export_lesson("# 你好\n\nplain", "pdf", stem="x", now=NOON)
    plain = export_lesson("# plain", "pdf", stem="x", now=NOON)

    assert "The PDF has no letters for 你 好, so they are left out." in made.note
    assert plain.note == ""
    assert caplog.records == []


def test_what_a_worksheet_command_made_is_its_own_worksheet_and_quiz() -> None:
    sheet = exported("worksheet").decode()

    again = export_lesson(sheet, "worksheet", stem="loops", now=NOON)
    quiz = export_lesson(sheet, "qti", stem="loops", now=NOON)

    assert (again.name, again.content.decode()) == ("loops.md", sheet)
    assert zipfile.ZipFile(io.BytesIO(quiz.content)).namelist()
    with pytest.raises(BadInput, match="This is a worksheet"):
        export_lesson(sheet, "slides", stem="loops", now=NOON)


def test_a_worksheet_says_nothing_that_is_meant_for_the_teacher() -> None:
    starter = replace(loops_lesson().starter, instructions="Sort the answers into piles.")
    sheet = exported("worksheet", replace(loops_lesson(), starter=starter)).decode()

    assert "piles" not in sheet
    assert "<!-- concept: counting-loops -->" in sheet


def test_a_worksheet_of_a_lesson_can_be_marked(tmp_path: Path) -> None:
    sheet = exported("worksheet").decode()
    path = tmp_path / "loops-worksheet.md"
    path.write_text(sheet, encoding="utf-8")
    assert grade(path, now=NOON).score.percentage == 0
    key = dict(
        line.split(": ", 1)
        for line in sheet.partition("<!-- answers:")[2].splitlines()
        if ": " in line
    )
    filled = iter(answer.split(" / ")[0] for answer in key.values())
    body, marker, rest = sheet.partition("<!-- ANSWER_KEY")
    lines = [
        line.replace("___", next(filled)) if line[:1].isdigit() else line
        for line in body.splitlines()
    ]
    path.write_text("\n".join(lines) + marker + rest, encoding="utf-8")
    assert grade(path, now=NOON).score.percentage == 1


def test_slides_show_answers_after_the_questions() -> None:
    slides = exported("slides").decode()
    assert slides.index("## Starter") < slides.index("## Starter: answers")
    assert slides.count("\n---\n") >= 8


def test_a_slide_with_tasks_does_not_show_their_answers() -> None:
    first, *others = loops_lesson().cycles
    practice = (
        "1. **Start**: What is 2? *(Answer: range(2))*\n2. Next\n   - Answer: four\n3. Last (hard)"
    )
    cycles = (replace(first, practice=practice), *others)

    slides = exported("slides", replace(loops_lesson(), cycles=cycles)).decode()

    shown, _, after = slides.partition("## Your turn: answers")
    tasks = shown.rpartition("## Your turn")[2]
    assert "1. **Start**: What is 2?\n2. Next\n3. Last (hard)" in tasks
    assert practice in after


def test_a_quiz_is_a_package_that_platforms_import() -> None:
    names = zipfile.ZipFile(io.BytesIO(exported("qti"))).namelist()
    assert "imsmanifest.xml" in names


def test_a_lesson_goes_into_a_calendar_on_its_day() -> None:
    dated = replace(loops_lesson(), date=date(2026, 3, 9))
    [entry] = Calendar.from_ical(exported("ics", dated)).walk("VEVENT")
    assert entry["dtstart"].dt == date(2026, 3, 9)
    assert dated.title in entry["summary"]


def test_a_day_that_is_said_counts_where_the_lesson_has_none() -> None:
    undated = replace(loops_lesson(), date=None, class_id="")
    made = export_lesson(render(undated), "ics", stem="x", now=NOON, day=date(2026, 3, 9))
    [entry] = Calendar.from_ical(made.content).walk("VEVENT")
    assert entry["dtstart"].dt == date(2026, 3, 9)
    assert entry["summary"] == undated.title


def test_a_lesson_without_a_date_says_what_to_add() -> None:
    with pytest.raises(BadInput, match="has no date") as raised:
        exported("ics", replace(loops_lesson(), date=None))
    assert "- Date:" in (raised.value.hint or "")


@settings(max_examples=examples(10))
@given(any_lessons)
def test_every_lesson_can_be_exported(lesson: Lesson) -> None:
    for to in ("docx", "slides"):
        assert exported(to, lesson)


@pytest.mark.parametrize("to", ["slides", "worksheet", "qti", "ics"])
def test_a_text_that_is_no_lesson_is_refused_with_its_lines(to: Format) -> None:
    with pytest.raises(BadInput, match="Line 1"):
        export_lesson("just words", to, stem="x", now=NOON)


def test_every_format_names_its_file() -> None:
    dated = render(replace(loops_lesson(), date=date(2026, 3, 9)))
    names = [export_lesson(dated, to, stem="loops", now=NOON).name for to in FORMATS]
    assert len(set(names)) == len(FORMATS)
