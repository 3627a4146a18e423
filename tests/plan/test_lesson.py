"""A lesson goes to markdown and back, and its sections can be replaced one by one."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput, NotFound
from paige.plan.lessons.lesson import Lesson, Problems, render, tidy
from paige.plan.lessons.parser import missing_sections, parse
from paige.plan.lessons.sections import find_section, replace_section, section_id, sections
from tests.plan.lessons import any_lessons, blocks, loops_lesson, texts


def lesson_in(markdown: str) -> Lesson:
    found = parse(markdown)
    assert isinstance(found, Lesson), str(found)
    return found


@given(any_lessons)
def test_every_lesson_comes_back_from_its_markdown(lesson: Lesson) -> None:
    assert parse(render(lesson)) == lesson


@given(any_lessons)
def test_tidying_twice_changes_nothing(lesson: Lesson) -> None:
    assert tidy(lesson) == lesson


@given(st.lists(texts, max_size=20).map("\n".join))
def test_no_text_at_all_breaks_the_reader(text: str) -> None:
    found = parse(text)
    if isinstance(found, Problems):
        assert found.problems
        assert all(problem.line >= 1 and problem.fix for problem in found.problems)


@given(st.lists(texts, max_size=20).map("\n".join))
def test_sections_cover_everything_below_the_first_heading(text: str) -> None:
    found = sections(text)
    assert len({each.id for each in found}) == len(found)
    for here, following in pairwise(found):
        assert here.end + 1 == following.start
    if found:
        assert found[-1].end == len(text.split("\n"))


@given(any_lessons, blocks.filter(lambda text: not sections(text)), st.data())
def test_a_replaced_section_leaves_the_others_to_the_letter(
    lesson: Lesson, text: str, data: st.DataObject
) -> None:
    before = render(lesson)
    chosen = data.draw(st.sampled_from(sections(before)))
    after = replace_section(before, chosen.id, text)
    kept = {each.id: each.text for each in sections(before) if each.id != chosen.id}
    assert {each.id: each.text for each in sections(after) if each.id != chosen.id} == kept
    assert after.split("\n")[: chosen.start] == before.split("\n")[: chosen.start]


def test_a_comment_in_a_program_is_no_heading() -> None:
    text = render(loops_lesson())
    assert lesson_in(text) == loops_lesson()
    assert [each.id for each in sections(text)] == [
        "learning-outcome",
        "success-criteria",
        "curriculum",
        "before-the-lesson",
        "key-learning-points",
        "keywords",
        "misconceptions",
        "starter",
        "learning-cycle-1",
        "exit-check",
        "differentiation",
        "homework",
        "notes",
    ]


def test_the_right_option_is_not_always_the_first() -> None:
    checks = [
        replace(loops_lesson().cycles[0].checks[0], question=f"How many is {number}?")
        for number in range(9)
    ]
    assert len({check.options.index(check.answer) for check in checks}) == 3


def test_a_new_heading_may_change_the_minutes_of_a_section() -> None:
    text = render(loops_lesson())
    starter = find_section(text, "starter")
    assert starter is not None
    after = replace_section(text, "starter", f"## Starter (10 min)\n\n{starter.text}")
    assert lesson_in(after).starter.minutes == 10
    assert lesson_in(after).cycles == loops_lesson().cycles


def test_replacing_the_last_section_and_an_unknown_one() -> None:
    text = render(loops_lesson())
    assert lesson_in(replace_section(text, "notes", "- New")).notes == ("New",)
    with pytest.raises(NotFound, match="no section `plenary-two`"):
        replace_section(text, "plenary-two", "x")
    with pytest.raises(BadInput, match="another section"):
        replace_section(text, "notes", "- New\n\n## Homework\n\nNone")


@pytest.mark.parametrize(
    ("title", "id"),
    [
        ("Starter (8 min)", "starter"),
        ("Starter \u2013 8 minutes", "starter"),
        ("Learning cycle 2: Loops (12 min)", "learning-cycle-2"),
        ("Cycle 2 - Loops", "learning-cycle-2"),
        ("Exit check (5 mins)", "exit-check"),
        ("!!!", "section"),
    ],
)
def test_the_id_of_a_section_does_not_depend_on_minutes_or_titles(title: str, id: str) -> None:
    assert section_id(title) == id


LOOSE = """
# Counting loops

**Class:** 3B
**Year**: S3
| Subject | Computing Science |
* Level: Third
* Duration: 50 minutes

## Learning Intention
- I can use a loop.

## Success Criteria
1. I can read a loop.
2. I can write a loop
   that counts.

## Curriculum links
* [TCH 3-15a](curriculum/cfe-computing.md#L12) “choose tools to design”

## Before the lesson
- Variables

### Resources
- Laptops

## Key points
A loop repeats.

It counts.

It stops.

## Vocabulary
- loop: steps that repeat
- **body:** the steps

## Common misconceptions
- It starts at one.

## Starter \u2013 5 minutes
Think, pair, share.

1. What is a variable?
   **Answer:** a name for a value

## Cycle 1 - Reading (40 mins)
It goes round.

### Worked example 1
One.

### Practice tasks
Two.

### Check for understanding
1) How many?
   - [ ] two
   - [X] three
   - [ ] four

2) Which?
   * [ ] a
   * [x] b
   * [ ] c

## Plenary (5 min)
### Questions
1. Why?
   - Answer: because

## Differentiation
- EAL \u2013 a picture first

## Notes
"""


def test_what_people_and_models_write_a_little_differently_is_understood() -> None:
    lesson = lesson_in(LOOSE)
    assert (lesson.class_id, lesson.year, lesson.subject) == ("3B", "S3", "Computing Science")
    assert (lesson.level, lesson.minutes, lesson.planned_minutes) == ("Third", 50, 50)
    assert lesson.outcome == "I can use a loop."
    assert lesson.success_criteria == ("I can read a loop.", "I can write a loop that counts.")
    assert lesson.curriculum[0].lines == "12-12"
    assert (lesson.prior_knowledge, lesson.resources) == (("Variables",), ("Laptops",))
    assert len(lesson.key_points) == 3
    assert [each.word for each in lesson.keywords] == ["loop", "body"]
    assert lesson.starter.instructions == "Think, pair, share."
    assert lesson.starter.questions[0].answer == "a name for a value"
    assert lesson.cycles[0].title == "Reading"
    assert lesson.cycles[0].explanation == "It goes round."
    assert [check.answer for check in lesson.cycles[0].checks] == ["three", "b"]
    assert lesson.differentiation[0].audience == "EAL"
    assert lesson.notes == ()


def test_a_lesson_without_some_headings_says_which() -> None:
    text = render(loops_lesson()).replace("## Keywords", "## Words").replace("## Exit", "## Last")
    assert missing_sections(text) == ["Keywords", "Exit check (N min)"]
    found = parse(text)
    assert isinstance(found, Problems)
    assert "`## Keywords` is missing" in str(found)
    assert "`## Exit check (N min)` is missing" in str(found)


@pytest.mark.parametrize(
    ("change", "into", "message"),
    [
        ("- Minutes: 50\n", "", "does not say how long it is"),
        ("# Counting loops\n", "\n", "has no title"),
        ("2026-11-16", "16 November", "`16 November` is not a date"),
        ("## Starter (5 min)", "## Starter", "does not say how long it takes"),
        ("   - Answer: A name\n", "", "this question has no answer"),
        ("[x] 0", "[ ] 0", "this check has 0 right answers"),
        ("- **iteration**: Doing", "- Doing", "has no meaning"),
        ("- **EAL**: A", "- A", "does not say for whom it is"),
        ("- [TCH 3-15a]", "- TCH 3-15a", "not a curriculum claim with a pointer"),
        ("## Notes\n", "## Notes\n\n## Notes\n", "stands a second time"),
        ("cycle 1", "cycle 2", "`## Learning cycle 1: … (N min)` is missing"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(change: str, into: str, message: str) -> None:
    text = render(loops_lesson())
    assert change in text
    found = parse(text.replace(change, into, 1))
    assert isinstance(found, Problems)
    assert message in str(found)
    assert str(found).startswith("Line ")


def test_line_numbers_are_those_of_the_file() -> None:
    text = render(loops_lesson()).replace("- **iteration**: Doing", "- Doing")
    found = parse(text)
    assert isinstance(found, Problems)
    assert text.split("\n")[found.problems[0].line - 1].startswith("- Doing")
