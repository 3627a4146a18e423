"""Worksheets that can be marked, units that build up, cover lessons, and notes to remember."""

from pathlib import Path

import pytest

from paige.agent.memories import MemoryAccess
from paige.exercise.worksheet.mark import mark_worksheet
from paige.exercise.worksheet.parse import looks_like_worksheet, parse_worksheet
from paige.plan.evidence import check_with
from paige.plan.fitting import judge_fit
from paige.plan.lesson_faults import faults_in
from paige.plan.lesson_sections import sections
from paige.plan.local.section_wishes import CannotCompose
from paige.plan.workspace import find_class
from paige.store.documents import NEW
from paige.store.engine import Database
from tests.memory.papers import Papers
from tests.plan.composing import ME, Composer, lesson_in

TOPICS = (
    ("loops for 3B", "Computing Science"),
    ("percentages for 2A", "Mathematics"),
    ("opinions in French for 2C", "French"),
    ("the Clearances for 2C", "History"),
    ("passwords for 1B", "Technologies"),
    ("similes for 2C", "English"),
)


@pytest.fixture
def composer(tmp_path: Path) -> Composer:
    return Composer(tmp_path)


def filled(sheet: str) -> str:
    """The worksheet with the right answer in every gap."""
    key = parse_worksheet(sheet).worksheet.key or {}
    lines: list[str] = []
    section = 0
    for line in sheet.split("\n"):
        if line.startswith("## Section "):
            section = int(line.removeprefix("## Section ").split(":")[0])
        number = line.removeprefix("| ").split(".")[0]
        name = f"{section}.{number}"
        if name in key and "___" in line:
            line = line.replace("___", key[name].split(" / ")[0])
        lines.append(line)
    return "\n".join(lines)


@pytest.mark.parametrize(("request_text", "subject"), TOPICS)
def test_a_worksheet_is_marked_by_the_study_door(
    composer: Composer, request_text: str, subject: str
) -> None:
    sheet = composer.say("worksheet", request_text)
    assert looks_like_worksheet(sheet)
    completed = parse_worksheet(sheet)
    assert completed.key_state == "intact"
    assert completed.problems == ()
    questions = completed.worksheet.questions
    assert 8 <= len(questions) <= 15
    assert len(completed.unanswered) == len(questions)
    assert completed.worksheet.course == subject.lower().replace(" ", "-")
    answered = parse_worksheet(filled(sheet))
    assert answered.unanswered == ()
    assert mark_worksheet(answered).score.percentage == 1.0
    assert mark_worksheet(completed).score.percentage == 0.0


def test_a_worksheet_fits_the_class_and_differs_by_request(composer: Composer) -> None:
    sheet = composer.say("worksheet", "loops for 3B")
    profile = find_class(composer.documents, "3B")
    assert judge_fit(sheet, "worksheet", profile).faults == ()
    assert composer.say("worksheet", "loops for 3B") == sheet
    assert composer.say("worksheet", "a sheet on loops for my 3B") != sheet


def test_a_worksheet_of_a_lesson_asks_what_the_lesson_asks(composer: Composer) -> None:
    lesson = composer.say("create-lesson", "iteration for 3B")
    path = "lessons/2026-03-01-3B-loops.md"
    composer.documents.write(path, lesson, base=NEW)
    sheet = composer.say("worksheet", f"for {path}")
    assert "How many times does `for i in range(5)` repeat its body?" in sheet
    assert mark_worksheet(parse_worksheet(filled(sheet))).score.percentage == 1.0


def test_a_worksheet_on_nothing_known_is_refused_with_a_hint(composer: Composer) -> None:
    with pytest.raises(CannotCompose, match="no material on `volcanoes`"):
        composer.say("worksheet", "volcanoes for 3B")


def test_a_worksheet_is_never_quietly_on_another_lesson(composer: Composer) -> None:
    lesson = composer.say("create-lesson", "iteration for 3B")
    composer.documents.write("lessons/2026-03-01-3B-loops.md", lesson, base=NEW)
    with pytest.raises(CannotCompose, match="no material on `volcanoes`"):
        composer.say("worksheet", "volcanoes for 3B")


def test_an_informal_tone_is_remembered_for_worksheets(db: Database, tmp_path: Path) -> None:
    papers = Papers(db, tmp_path)
    papers.write(ME, "MEMORY.md", "- Prefers worksheets in an informal tone.\n", base=NEW)
    composer = Composer(tmp_path, MemoryAccess(papers))
    assert "Have a go" in composer.say("worksheet", "loops for 3B")


def test_a_unit_builds_up_and_comes_back(composer: Composer) -> None:
    unit = composer.say("unit-overview", "loops, 8 lessons, for 3B")
    assert unit.startswith("# Unit: Fixed loops")
    assert [each.id for each in sections(unit)] == [
        "purpose",
        "curriculum",
        "final-task",
        "lessons",
        "misconceptions",
        "differentiation",
        "where-to-stop-and-look",
        "notes",
    ]
    assert check_with(unit, composer.documents).ok
    rows = [line for line in unit.split("\n") if line.startswith("| ") and "I can" in line]
    assert len(rows) == 8
    assert ["mixed practice" in row for row in rows][3]
    assert "final task" in rows[-1]
    # Every new idea comes back in the next lesson that has one.
    assert "How often, and with which values?" in rows[1].split("|")[4]
    # The row before and the row after, along the progression.
    curriculum = next(each.text for each in sections(unit) if each.id == "curriculum")
    assert "Before: [TCH 2-15a]" in curriculum
    assert "After: [TCH 4-15a]" in curriculum


@pytest.mark.parametrize(("request_text", "_subject"), TOPICS)
def test_units_of_every_subject_hold_up(
    composer: Composer, request_text: str, _subject: str
) -> None:
    unit = composer.say("unit-overview", f"{request_text}, four lessons")
    assert "- Lessons: 4" in unit
    assert check_with(unit, composer.documents).faults == ()


def test_a_unit_needs_material(composer: Composer) -> None:
    with pytest.raises(CannotCompose, match="a unit cannot be made of nothing"):
        composer.say("unit-overview", "volcanoes for 3B")


@pytest.mark.parametrize("class_id", ["1B", "2A", "2C", "3B"])
def test_a_cover_lesson_brings_nothing_new(composer: Composer, class_id: str) -> None:
    markdown = composer.say("cover-lesson", f"{class_id} tomorrow")
    lesson = lesson_in(markdown)
    assert lesson.title.startswith("Cover: ")
    assert faults_in(markdown) == []
    assert check_with(markdown, composer.documents).ok
    heads = [note.split(":")[0] for note in lesson.notes[:5]]
    assert heads == [
        "The class",
        "Have ready",
        "Collect",
        "If it goes too fast",
        "If it goes too slowly",
    ]
    assert not any("may be new to them" in note for note in lesson.notes)
    assert lesson.cycles[0].explanation.startswith("Read this out")
    assert lesson.starter.instructions.startswith("Say: ")
    # What a colleague needs to do, without a diagnosis.
    assert not any(each.audience.startswith(("EAL", "ASN")) for each in lesson.differentiation)


def test_a_cover_lesson_on_something_new_warns(composer: Composer) -> None:
    lesson = lesson_in(composer.say("cover-lesson", "databases for 3B"))
    assert any("may be new to them" in note for note in lesson.notes)


def test_notes_to_remember_have_a_scope_and_no_names(composer: Composer) -> None:
    said = (
        "Please remember that starters of five minutes work better with 3B. "
        "I prefer worksheets in an informal tone. "
        "In 2C Sarah Thompson needs a quiet seat."
    )
    assert composer.say("update-memory", said).split("\n") == [
        "- [class 3B] Starters of five minutes work better with 3B.",
        "- [teacher] I prefer worksheets in an informal tone.",
        "- [class 2C] In 2C one pupil needs a quiet seat.",
    ]


def test_what_is_known_already_is_not_noted_again(db: Database, tmp_path: Path) -> None:
    papers = Papers(db, tmp_path)
    known = "- Starters of five minutes work better.\n"
    papers.write(ME, "classes/3B/MEMORY.md", known, base=NEW)
    composer = Composer(tmp_path, MemoryAccess(papers))
    answer = composer.say("update-memory", "For 3B: starters of five minutes work better")
    assert answer == "All of this is remembered already."
    assert composer.say("update-memory", "Hello!").startswith("There is nothing to remember")
