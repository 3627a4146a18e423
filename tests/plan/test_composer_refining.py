"""Refining a lesson changes what was asked for and what follows from it, and says so."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.plan.evidence import check_with
from paige.plan.lesson_faults import faults_in
from paige.plan.lesson_rendering import render
from paige.plan.local.brief import brief_of
from paige.plan.local.merging import merge
from paige.plan.local.section_wishes import CannotCompose
from paige.plan.local.wishes import (
    Adding,
    AtLevel,
    Change,
    ForClass,
    LeavingOut,
    LessonOf,
    NotUnderstood,
    StarterOf,
    Wish,
    read_wishes,
)
from paige.store.documents import NEW
from tests.plan.composing import Composer, differing, lesson_in
from tests.plan.lessons import any_lessons, loops_lesson

CYCLES = {"learning-cycle-1", "learning-cycle-2"}


@pytest.fixture
def composer(tmp_path: Path) -> Composer:
    return Composer(tmp_path)


@pytest.fixture
def loops(composer: Composer) -> str:
    return composer.say("create-lesson", "iteration for 3B")


@pytest.mark.parametrize(
    ("wish", "changed", "said"),
    [
        ("shorter starter", {"starter", *CYCLES}, "starter 5 to 3 minutes"),
        ("make the starter 8 minutes", {"starter", *CYCLES}, "starter 5 to 8 minutes"),
        ("longer practice please", CYCLES, "practice is longer"),
        ("less practice", CYCLES, "practice is shorter"),
        ("more challenge", {*CYCLES, "differentiation"}, "a harder task in every cycle"),
        ("more support", {*CYCLES, "differentiation"}, "one guided task more"),
        ("add EAL support", {"differentiation", "before-the-lesson"}, "support for EAL"),
        ("dyslexia support", {"differentiation"}, "support for ASN"),
        ("at fourth level", {"head", "curriculum", *CYCLES}, "Fourth level with its own row"),
        ("40 minutes", {"head", "starter", *CYCLES}, "50 to 40 minutes"),
        ("more retrieval", {"starter", *CYCLES}, "2 more questions from memory"),
        ("add homework", {"homework"}, "homework of about ten minutes added"),
        ("no computers", {"before-the-lesson", *CYCLES}, "without machines"),
    ],
)
def test_a_wish_changes_only_what_it_is_about(
    composer: Composer, loops: str, wish: str, changed: set[str], said: str
) -> None:
    after = composer.refined(loops, wish)
    assert differing(loops, after) - {"notes"} <= changed
    assert differing(loops, after) & changed
    assert faults_in(after) == []
    assert check_with(after, composer.documents).ok
    before, lesson = lesson_in(loops), lesson_in(after)
    assert lesson.notes[: len(before.notes)] == before.notes
    assert lesson.notes[-1].startswith("Changed: ")
    assert said in lesson.notes[-1]


def test_what_follows_a_new_lesson_and_names_no_topic_changes_that_lesson(
    composer: Composer, loops: str
) -> None:
    assert composer.say("create-lesson", "shorter starter", before=(loops,)) == composer.refined(
        loops, "shorter starter"
    )
    other = composer.say("create-lesson", "databases for 3B", before=(loops,))
    assert lesson_in(other).title != lesson_in(loops).title


def test_several_wishes_are_carried_out_together(composer: Composer, loops: str) -> None:
    wish = "Shorter starter, more challenge, and support for EAL, in 45 minutes."
    lesson = lesson_in(after := composer.refined(loops, wish))
    assert (lesson.minutes, lesson.planned_minutes, lesson.starter.minutes) == (45, 45, 3)
    assert "word bank" in lesson.differentiation[0].what.casefold()
    assert all("Someone answers" in cycle.practice for cycle in lesson.cycles)
    assert faults_in(after) == []
    assert lesson.notes[-1].count(";") == 3


def test_more_retrieval_with_a_short_starter_goes_to_the_exit(
    composer: Composer, loops: str
) -> None:
    lesson = lesson_in(composer.refined(loops, "starter of 3 minutes and more retrieval"))
    assert lesson.starter.minutes == 3
    assert lesson.exit_check.questions[0].question.startswith("From earlier: ")


def test_another_class_brings_its_needs_its_level_and_its_starter(
    composer: Composer, loops: str
) -> None:
    after = composer.refined(loops, "adapt it for 1B")
    lesson = lesson_in(after)
    assert (lesson.class_id, lesson.year, lesson.level) == ("1B", "S1", "Second")
    assert [claim.code for claim in lesson.curriculum] == ["TCH 2-14a"]
    assert "Polish" not in lesson.differentiation[0].what
    assert {each.audience for each in lesson.differentiation} == {
        "ASN (dyslexia)",
        "ASN (hearing)",
        "EAL",
        "Stretch",
    }
    assert lesson.starter.questions != lesson_in(loops).starter.questions
    assert lesson.cycles[0].explanation == lesson_in(loops).cycles[0].explanation
    assert faults_in(after) == []
    assert check_with(after, composer.documents).ok


def test_a_shorter_lesson_leaves_out_a_cycle_when_there_is_no_time(
    composer: Composer, loops: str
) -> None:
    lesson = lesson_in(composer.refined(loops, "make it 20 minutes"))
    assert (lesson.minutes, len(lesson.cycles)) == (20, 1)
    assert "1 learning cycle left out" in lesson.notes[-1]


def test_simpler_words_change_only_what_pupils_read(composer: Composer, loops: str) -> None:
    harder = loops.replace(
        "Some jobs repeat:",
        "Consequently numerous jobs require repetition in order to demonstrate iteration:",
    )
    after = composer.refined(harder, "simpler words")
    assert differing(harder, after) - {"notes"} <= {"learning-cycle-1", "starter", "exit-check"}
    text = lesson_in(after).cycles[0].explanation
    assert text.startswith("So many jobs need repetition to show iteration:")


def test_what_is_not_understood_is_said_and_nothing_else_happens(
    composer: Composer, loops: str
) -> None:
    after = composer.refined(loops, "make it funnier")
    assert differing(loops, after) == {"notes"}
    assert "“make it funnier” was not understood" in lesson_in(after).notes[-1]


def test_what_cannot_be_done_has_a_reason(composer: Composer, loops: str) -> None:
    notes = lesson_in(composer.refined(loops, "at second level, for 9Z, 5 minutes")).notes
    assert "a lesson of 5 minutes is not possible" in notes[-1]
    plain = composer.refined(loops, "at early level")
    assert "no curriculum row of Early level" in lesson_in(plain).notes[-1]


def test_a_teachers_own_words_and_sections_survive(composer: Composer, loops: str) -> None:
    own = loops.replace("## Notes", "## Safety\n\nMind the cables.\n\n## Notes").replace(
        "Show the answers at once.", "Show the answers at once. *My own addition.*"
    )
    after = composer.refined(own, "more challenge")
    assert "## Safety\n\nMind the cables." in after
    assert "*My own addition.*" in after


def test_the_lesson_is_found_in_the_workspace(composer: Composer, loops: str) -> None:
    with pytest.raises(CannotCompose, match="There is no lesson to change"):
        composer.say("refine-lesson", "shorter starter for 3B")
    other = composer.say("create-lesson", "databases for 3B")
    composer.documents.write("lessons/2026-03-01-3B-loops.md", loops, base=NEW)
    composer.documents.write("lessons/2026-03-02-3B-databases.md", other, base=NEW)
    newest = lesson_in(composer.say("refine-lesson", "shorter starter for 3B"))
    assert newest.title.startswith("Databases")
    assert any("1 other lessons could have been meant" in note for note in newest.notes)
    named = lesson_in(composer.say("refine-lesson", "shorter starter in the loops lesson for 3B"))
    assert named.title.startswith("Fixed loops")
    path = "lessons/2026-03-01-3B-loops.md"
    by_path = lesson_in(composer.say("refine-lesson", f"{path}: more challenge"))
    assert by_path.title.startswith("Fixed loops")
    assert "Not changed" not in by_path.notes[-1]
    with pytest.raises(CannotCompose, match="There is no lesson to change"):
        composer.say("refine-lesson", "shorter starter for 2A")
    moved = lesson_in(composer.say("refine-lesson", "the databases lesson for 2A"))
    assert (moved.class_id, moved.title) == ("2A", newest.title)


def test_a_text_that_is_no_lesson_is_refused_with_its_line(composer: Composer) -> None:
    broken = "\n".join(f"## Part {number}\n\ntext\n" for number in range(7))
    with pytest.raises(CannotCompose, match="The lesson cannot be changed by rules") as raised:
        composer.refined(broken, "shorter starter")
    assert (raised.value.hint or "").startswith("Line ")


def test_a_lesson_of_a_model_is_refined_too(composer: Composer) -> None:
    after = composer.refined(render(loops_lesson()), "more challenge and longer practice")
    lesson = lesson_in(after)
    assert "Someone answers" in lesson.cycles[0].practice
    assert lesson.notes[-1].startswith("Changed: ")


@given(any_lessons, any_lessons)
def test_merging_a_change_gives_the_changed_lesson(before, after) -> None:
    assert lesson_in(merge(render(before), before, after)) == after


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("shorter starter", [StarterOf(None)]),
        ("the starter is too long", [StarterOf(None)]),
        ("a 3-minute starter", [StarterOf(3, longer=True)]),
        ("longer starter", [StarterOf(None, longer=True)]),
        ("more practice", [Change("longer-practice")]),
        ("more retrieval practice", [Change("retrieval")]),
        ("make it harder", [Change("challenge")]),
        ("more EAL support", [Change("eal")]),
        ("simplify the language", [Change("simpler")]),
        ("35 minutes", [LessonOf(35)]),
        ("for a double period", [LessonOf(100)]),
        ("at second level", [AtLevel("Second")]),
        ("for 2A", [ForClass("2A")]),
        ("no homework", [Change("no-homework")]),
        ("add homework", [Change("homework")]),
        ("add: bring rulers", [Adding("bring rulers")]),
        ("leave out the second question", [LeavingOut("the second question")]),
        ("in rhyme", [NotUnderstood("in rhyme")]),
        ("please", []),
        (
            "shorter starter and more challenge, then 40 minutes",
            [StarterOf(None), Change("challenge"), LessonOf(40)],
        ),
    ],
)
def test_wishes_are_read_from_plain_words(tmp_path: Path, text: str, wishes: list[Wish]) -> None:
    classes = brief_of("", Composer(tmp_path).sources).classes
    assert list(read_wishes(text, classes, own_class="3B")) == wishes


@given(st.text(max_size=200))
def test_no_words_break_the_reading_of_wishes(text: str) -> None:
    assert isinstance(read_wishes(text), tuple)
