"""The frame: what Paige says without a model about something it has no lesson for. Nothing more."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paige.plan.class_fit import judge_fit
from paige.plan.evidence import check_with
from paige.plan.lessons.faults import faults_in
from paige.plan.lessons.lesson import Lesson
from paige.plan.lessons.parser import missing_sections, parse
from paige.plan.lessons.sections import MARK, MESSAGE, open_titles, replace_section, sections
from paige.plan.local.brief import brief_of
from paige.plan.local.engines import NeedsModel
from paige.plan.local.fit import fit
from paige.plan.workspace import find_class
from tests.depth import examples
from tests.plan.composing import Composer, lesson_in

OPEN = [
    "Learning outcome",
    "Success criteria",
    "Curriculum",
    "Before the lesson",
    "Key learning points",
    "Keywords",
    "Misconceptions",
    "Starter (5 min)",
    "Learning cycle 1 (20 min)",
    "Learning cycle 2 (20 min)",
    "Exit check (5 min)",
    "Differentiation",
]
ODD = [
    "TCH 3-13a",
    "aligns with CfE outcomes",
    "[x](curriculum/a.md#L1)",
    "## Notes",
    "loops",
    "for 3B",
    "with",
    "but",
    "```",
    "- [x]",
    "40 minutes",
    "volcanoes",
    "MNU 4-99x",
    '"',
    "*Open:",
]
STRANGE = [
    "photosynthesis in plant cells for 1B",
    "biology: cells",
    "cells",
    "cells for 2A",
    "functions of the liver for 3B",
    "the selection of MPs for 3B",
    "networks of blood vessels for 3B",
    "the Boolean satisfiability problem for 3B",
    "percentages for 3B",
    "the water cycle for 2C",
    "natural selection",
    "Ohm's law for 2A",
    "quantum chromodynamics for 3B",
    "a sequence of yoga poses for 1B",
    "recursion for 1B",
    "expanding brackets for 2A",
]


@pytest.fixture(scope="module")
def composer(tmp_path_factory: pytest.TempPathFactory) -> Composer:
    return Composer(tmp_path_factory.mktemp("frames"))


def test_a_frame_has_the_facts_and_every_open_section_says_what_to_do(composer: Composer) -> None:
    markdown = composer.say("create-lesson", "photosynthesis for 1B")
    lesson = lesson_in(markdown)

    assert list(open_titles(markdown)) == OPEN
    assert missing_sections(markdown) == []
    assert (lesson.class_id, lesson.level, lesson.minutes) == ("1B", "Second", 50)
    assert lesson.planned_minutes == 50
    assert lesson.title == "Photosynthesis"
    for section in sections(markdown):
        if section.title in OPEN:
            last = section.text.split("\n")[-1]
            assert last.startswith(f"{MARK} this needs you or a model. Write ")
            assert last.endswith("or choose a model in Settings.*")
    assert "no lesson that fits" in lesson.notes[0]
    assert "No row of your curriculum files speaks of this." in lesson.notes
    assert any("Paper and movement before machines" in note for note in lesson.notes)
    assert lesson.differentiation[0].audience == "ASN (dyslexia)"


def test_nothing_about_the_topic_is_written(composer: Composer) -> None:
    one = composer.say("create-lesson", "photosynthesis for 1B")
    other = composer.say("create-lesson", "volcanoes for 1B")
    assert one.replace("Photosynthesis", "Volcanoes") == other
    assert one.casefold().count("photosynthesis") == 1, "in its title"


@pytest.mark.parametrize("request_text", STRANGE)
def test_a_word_in_common_makes_no_lesson(composer: Composer, request_text: str) -> None:
    assert fit(brief_of(request_text, composer.sources)).topic is None


@pytest.mark.parametrize("request_text", STRANGE)
def test_a_frame_passes_the_gates_and_names_what_is_open(
    composer: Composer, request_text: str
) -> None:
    markdown = composer.say("create-lesson", request_text)
    profile = find_class(composer.documents, lesson_in(markdown).class_id)
    fitted = judge_fit(markdown, "lesson", profile)
    assert fitted.faults == ()
    [told] = fitted.flaws
    assert told == f"Still open: {', '.join(open_titles(markdown))}"
    assert {fault.message for fault in faults_in(markdown)} == {MESSAGE}
    assert check_with(markdown, composer.documents).ok


def test_a_shipped_lesson_that_was_nearly_asked_for_is_named(composer: Composer) -> None:
    notes = composer.lesson("recursion for 1B").notes
    [near] = [note for note in notes if "Recursion: a job that contains itself" in note]
    assert "Fourth level" in near
    assert "by its title" in near
    asked = composer.lesson("Recursion: a job that contains itself, fourth level, for 3B")
    assert asked.title == "Recursion: a job that contains itself"


def test_a_frame_quotes_the_row_that_speaks_of_the_topic(composer: Composer) -> None:
    markdown = composer.say("create-lesson", "simulation and state diagrams for 3B")
    lesson = lesson_in(markdown)
    assert [claim.code for claim in lesson.curriculum] == ["TCH 3-13b"]
    assert check_with(markdown, composer.documents).pointers
    assert "Curriculum" not in open_titles(markdown)
    assert any("was searched for your words" in note for note in lesson.notes)


def test_a_code_alone_takes_its_row_and_names_the_lessons_that_serve_it(
    composer: Composer,
) -> None:
    lesson = composer.lesson("TCH 3-14b for 3B")
    assert [claim.code for claim in lesson.curriculum] == ["TCH 3-14b"]
    assert sum("by its title" in note for note in lesson.notes) == 3
    unknown = composer.say("create-lesson", "TCH 9-99z for 3B")
    assert check_with(unknown, composer.documents).ok
    assert "A code you named stands in no curriculum file." in lesson_in(unknown).notes


def test_what_a_person_writes_closes_a_section(composer: Composer) -> None:
    markdown = composer.say("create-lesson", "photosynthesis for 1B")
    written = replace_section(markdown, "learning-outcome", "I can say what plants need.")
    assert "Learning outcome" not in open_titles(written)
    assert lesson_in(written).outcome == "I can say what plants need."


def test_the_other_commands_give_frames_too(composer: Composer) -> None:
    unit = composer.say("unit-overview", "volcanoes, 4 lessons, for 2C")
    sheet = composer.say("worksheet", "volcanoes for 2C")
    cover = composer.say("cover-lesson", "2C tomorrow")

    assert unit.startswith("# Unit: Volcanoes\n")
    assert list(open_titles(unit)) == [each.title for each in sections(unit)][:-1]
    assert sheet.startswith("# Worksheet: Volcanoes\n")
    assert list(open_titles(sheet)) == ["Words", "Questions", "Answer key"]
    assert cover.startswith("# Cover: ")
    assert "Starter (5 min)" in open_titles(cover)
    for markdown in (unit, sheet, cover):
        assert check_with(markdown, composer.documents).ok


def test_without_any_curriculum_file_nothing_is_claimed(tmp_path: Path) -> None:
    composer = Composer(tmp_path)
    for path in composer.documents.paths("curriculum"):
        composer.documents.delete(path, base=composer.documents.read(path).version)
    lesson = composer.lesson("iteration for 3B")
    assert lesson.curriculum == ()
    assert lesson.title == "Iteration"


@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(ODD), max_size=6).map(" ".join)))
@settings(max_examples=examples(40))
def test_whatever_is_asked_the_lesson_can_be_read_and_claims_nothing_false(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    composer = Composer(tmp_path_factory.getbasetemp() / "any")
    markdown = composer.say("create-lesson", f"{text} .")
    assert isinstance(parse(markdown), Lesson)
    assert {fault.message for fault in faults_in(markdown)} <= {MESSAGE}
    assert check_with(markdown, composer.documents).faults == ()


# --- one section ----------------------------------------------------------------------------------


@pytest.mark.parametrize("wish", ["4 minutes", "Make the starter 4 minutes", "4 min, please"])
def test_minutes_are_arithmetic(composer: Composer, wish: str) -> None:
    lesson = composer.say("create-lesson", "iteration for 3B")
    before = next(each.text for each in sections(lesson) if each.id == "starter")
    assert composer.section(lesson, "starter", wish) == (f"## Starter (4 min)\n\n{before}",)


@pytest.mark.parametrize(
    ("section", "wish", "alternatives"),
    [
        ("starter", "shorter", 0),
        ("starter", "4 minutes and with a song", 0),
        ("keywords", "4 minutes", 0),
        ("starter", "0 minutes", 0),
        ("exit-check", "", 2),
    ],
)
def test_everything_else_needs_a_person_or_a_model(
    composer: Composer, section: str, wish: str, alternatives: int
) -> None:
    lesson = composer.say("create-lesson", "iteration for 3B")
    with pytest.raises(NeedsModel, match="Without a model Paige does not") as raised:
        composer.section(lesson, section, wish, alternatives)
    assert raised.value.hint == "Choose “Write it yourself”, or choose a model in Settings."
