"""One section written anew: as the teacher says, or in several ways that really differ."""

from pathlib import Path

import pytest

from paige.plan.evidence import check_with
from paige.plan.lesson_faults import faults_in
from paige.plan.lesson_minutes import balanced
from paige.plan.lesson_rendering import render
from paige.plan.lesson_sections import replace_section, sections
from paige.plan.local.section_wishes import CannotCompose
from tests.plan.composing import Composer, differing, lesson_in
from tests.plan.lessons import loops_lesson

SECTIONS = (
    "learning-outcome",
    "success-criteria",
    "before-the-lesson",
    "key-learning-points",
    "keywords",
    "misconceptions",
    "starter",
    "learning-cycle-1",
    "learning-cycle-2",
    "exit-check",
    "differentiation",
)
REQUESTS = ("iteration for 3B", "equations for 2A", "the Clearances for 2C", "opinions for 2C")


@pytest.fixture
def composer(tmp_path: Path) -> Composer:
    return Composer(tmp_path)


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("request_text", REQUESTS)
def test_three_alternatives_differ_and_keep_the_lesson_right(
    composer: Composer, request_text: str, section: str
) -> None:
    markdown = composer.say("create-lesson", request_text)
    own = next(each.text for each in sections(markdown) if each.id == section)
    texts = composer.section(markdown, section, alternatives=3)
    assert len(set(texts)) == 3
    for text in texts:
        assert own not in text
        after = replace_section(markdown, section, text)
        assert differing(markdown, after) == {section}
        assert faults_in(after) == []
        assert check_with(after, composer.documents).ok


def test_alternatives_work_for_a_lesson_that_a_model_wrote(composer: Composer) -> None:
    markdown = render(loops_lesson())
    for section in ("starter", "learning-cycle-1", "exit-check", "differentiation", "homework"):
        texts = composer.section(markdown, section, alternatives=2)
        assert len(set(texts)) == 2
        for text in texts:
            assert faults_in(replace_section(markdown, section, text)) == []


def test_another_row_of_the_curriculum_is_an_alternative(composer: Composer) -> None:
    markdown = composer.say("create-lesson", "databases for 3B")
    (text,) = composer.section(markdown, "curriculum", alternatives=1)
    after = replace_section(markdown, "curriculum", text)
    assert check_with(after, composer.documents).ok
    assert lesson_in(after).curriculum != lesson_in(markdown).curriculum


@pytest.mark.parametrize(
    ("section", "wish", "expected"),
    [
        ("starter", "shorter", "## Starter (3 min)"),
        ("starter", "10 minutes please", "## Starter (10 min)"),
        ("starter", "something different", "In pairs: one asks"),
        ("starter", "add: sit in your pairs first", "Sit in your pairs first"),
        ("learning-cycle-1", "more challenge", "Someone answers"),
        ("learning-cycle-2", "more practice", "About 13 minutes"),
        ("exit-check", "fewer questions", "1. What is the first value"),
        ("differentiation", "more for EAL", "word bank"),
        ("keywords", "leave out body", "**iteration**"),
        ("notes", "add: book the laptops", "Book the laptops"),
        ("before-the-lesson", "add: six printed maps", "Six printed maps"),
    ],
)
def test_a_wish_about_a_section_is_carried_out_there(
    composer: Composer, section: str, wish: str, expected: str
) -> None:
    markdown = composer.say("create-lesson", "iteration for 3B")
    (text,) = composer.section(markdown, section, wish)
    assert expected.casefold() in text.casefold()
    assert differing(markdown, replace_section(markdown, section, text)) == {section}


def test_what_is_left_out_is_gone(composer: Composer) -> None:
    markdown = composer.say("create-lesson", "iteration for 3B")
    (text,) = composer.section(markdown, "keywords", "leave out body")
    assert "**body**" not in text
    (fewer,) = composer.section(markdown, "exit-check", "fewer questions")
    assert fewer.count("- Answer:") == 2


@pytest.mark.parametrize(
    ("section", "wish", "reason"),
    [
        ("starter", "in the style of a pirate", "was not understood"),
        ("keywords", "leave out photosynthesis", "nothing in this section says"),
        ("learning-outcome", "shorter", "cannot be cut by rules"),
        ("learning-outcome", "more homework", "changes nothing in this section"),
    ],
)
def test_what_the_rules_cannot_do_is_an_error_that_says_what_they_can(
    composer: Composer, section: str, wish: str, reason: str
) -> None:
    markdown = composer.say("create-lesson", "iteration for 3B")
    with pytest.raises(CannotCompose) as raised:
        composer.section(markdown, section, wish)
    assert reason in raised.value.message
    assert "Without a model Paige understands" in (raised.value.hint or "")


def test_sections_of_other_texts_are_left_to_people_and_models(composer: Composer) -> None:
    unit = composer.say("unit-overview", "loops, 4 lessons, for 3B")
    with pytest.raises(CannotCompose, match="only the sections of a whole lesson"):
        composer.section(unit, "purpose", alternatives=3)
    lesson = composer.say("create-lesson", "iteration for 3B")
    with pytest.raises(CannotCompose, match="only 0 other ways"):
        composer.section(lesson, "notes", alternatives=3)


def test_minutes_that_one_section_gave_up_go_to_the_cycles(composer: Composer) -> None:
    markdown = composer.say("create-lesson", "iteration for 3B")
    (text,) = composer.section(markdown, "starter", "shorter")
    after = replace_section(markdown, "starter", text)
    assert [fault.section for fault in faults_in(after)] == ["lesson"]
    mended = balanced(after, "starter")
    assert faults_in(mended) == []
    assert [cycle.minutes for cycle in lesson_in(mended).cycles] == [21, 21]
    longer = replace_section(markdown, "starter", text.replace("(3 min)", "(9 min)"))
    assert [cycle.minutes for cycle in lesson_in(balanced(longer, "starter")).cycles] == [18, 18]


def test_minutes_that_cannot_be_mended_stay_as_they_are(composer: Composer) -> None:
    markdown = composer.say("create-lesson", "iteration for 3B")
    far = markdown.replace("## Starter (5 min)", "## Starter (49 min)")
    assert balanced(far, "starter") == far
    assert balanced("no lesson", "starter") == "no lesson"
    assert balanced(markdown, "starter") == markdown
