"""Worksheets that can be marked, units that build up, cover lessons, and notes to remember."""

from pathlib import Path

import pytest

from paige.agent.memories import MemoryAccess
from paige.base.errors import NotFound
from paige.exercise.worksheet.mark import mark_worksheet
from paige.exercise.worksheet.parse import looks_like_worksheet, parse_worksheet
from paige.plan.class_fit import judge_fit
from paige.plan.evidence import check_with
from paige.plan.lessons.faults import faults_in
from paige.plan.lessons.sections import open_titles, sections
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


@pytest.fixture(scope="module")
def composer(tmp_path_factory: pytest.TempPathFactory) -> Composer:
    return Composer(tmp_path_factory.mktemp("documents"))


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
    assert not completed.key_changed
    assert completed.problems == ()
    questions = completed.worksheet.questions
    assert 8 <= len(questions) <= 15
    assert not any(each.answered for each in completed.answers.values())
    assert completed.worksheet.course == subject.lower().replace(" ", "-")
    answered = parse_worksheet(filled(sheet))
    assert all(each.answered for each in answered.answers.values())
    assert mark_worksheet(answered).score.percentage == 1.0
    assert mark_worksheet(completed).score.percentage == 0.0


def test_a_worksheet_fits_the_class(composer: Composer) -> None:
    sheet = composer.say("worksheet", "loops for 3B")
    profile = find_class(composer.documents, "3B")
    assert judge_fit(sheet, "worksheet", profile).faults == ()


def test_a_worksheet_of_a_lesson_asks_what_the_lesson_asks(composer: Composer) -> None:
    lesson = composer.say("create-lesson", "iteration for 3B")
    path = "lessons/2026-03-01-3B-loops.md"
    composer.documents.write(path, lesson, base=NEW)
    sheet = composer.say("worksheet", f"for {path}")
    assert "How many times does `for i in range(5)` repeat its body?" in sheet
    assert mark_worksheet(parse_worksheet(filled(sheet))).score.percentage == 1.0


def test_a_worksheet_of_the_lesson_that_was_just_made(composer: Composer) -> None:
    lesson = composer.say("create-lesson", "iteration for 3B")
    sheet = composer.say("worksheet", "a worksheet please", before=(lesson,))
    assert "How many times does `for i in range(5)` repeat its body?" in sheet
    with pytest.raises(NotFound):
        composer.say("worksheet", "for lessons/gone.md")


def test_a_worksheet_is_never_quietly_on_another_lesson(composer: Composer) -> None:
    lesson = composer.say("create-lesson", "iteration for 3B")
    sheet = composer.say("worksheet", "volcanoes for 3B", before=(lesson,))
    assert open_titles(sheet)
    assert "range(" not in sheet


@pytest.mark.parametrize(("request_text", "_subject"), TOPICS)
def test_a_unit_lists_the_lessons_there_are_and_leaves_the_rest_open(
    composer: Composer, request_text: str, _subject: str
) -> None:
    unit = composer.say("unit-overview", f"{request_text}, four lessons")
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
    report = check_with(unit, composer.documents)
    assert report.ok
    assert report.pointers
    assert {"Purpose", "Final task", "Lessons"} <= set(open_titles(unit))
    first = next(each.text for each in sections(unit) if each.id == "lessons").split("\n")[2]
    title = first.split("**")[1]
    again = composer.say("create-lesson", f"{title}, for {request_text[-2:]}")
    assert again.startswith(f"# {title}\n"), "each can be had by its title"


def test_a_unit_follows_what_builds_on_what(composer: Composer) -> None:
    unit = composer.say("unit-overview", "fixed loops for 3B")
    lessons = next(each.text for each in sections(unit) if each.id == "lessons")
    titles = [line.split("**")[1] for line in lessons.split("\n") if "**" in line]
    assert titles[0].startswith("Fixed loops")
    assert len(titles) > 1


def test_a_cover_lesson_is_the_shipped_one_and_says_so(composer: Composer) -> None:
    markdown = composer.say("cover-lesson", "databases for 3B")
    lesson = lesson_in(markdown)
    plain = composer.lesson("databases for 3B")
    assert lesson.title == f"Cover: {plain.title}"
    assert (lesson.starter, lesson.cycles, lesson.exit_check) == (
        plain.starter,
        plain.cycles,
        plain.exit_check,
    )
    assert "not written for a colleague" in lesson.notes[0]
    assert faults_in(markdown) == []


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
