"""Structural criteria hold for good lessons, and fail for the right reason."""

from pathlib import Path

import pytest

from paige.plan.evals.criteria import CRITERIA, Grounds, judge, reflects
from paige.plan.local.brief import brief_of
from tests.plan.composing import Composer


@pytest.fixture
def composer(tmp_path: Path) -> Composer:
    return Composer(tmp_path)


@pytest.fixture
def given(composer: Composer) -> Grounds:
    brief = brief_of("iteration for 3B", composer.sources)
    return Grounds(
        profile=brief.profile,
        library=brief.library,
        memory=("Starters of five minutes work better.",),
    )


@pytest.fixture
def lesson(composer: Composer) -> str:
    return composer.say("create-lesson", "iteration for 3B")


def failed(markdown: str, given: Grounds) -> list[str]:
    return [each.name for each in judge(markdown, given) if not each.passed]


def test_a_good_lesson_meets_every_criterion(lesson: str, given: Grounds) -> None:
    judged = judge(lesson, given)
    assert len(judged) == len(CRITERIA)
    assert all(each.passed and each.reason for each in judged)


def test_a_missing_section_is_named(lesson: str, given: Grounds) -> None:
    broken = lesson.replace("## Keywords", "## Words")
    (criterion,) = [each for each in judge(broken, given) if each.name == "sections"]
    assert criterion.reason == "missing: Keywords"
    assert not criterion.passed


def test_minutes_must_add_up_and_be_those_of_the_class(lesson: str, given: Grounds) -> None:
    assert "timings" in failed(lesson.replace("## Starter (5 min)", "## Starter (9 min)"), given)
    longer = lesson.replace("- Minutes: 50", "- Minutes: 60").replace("(20 min)", "(25 min)")
    assert failed(longer, given) == ["timings"]
    asked = Grounds(profile=given.profile, library=given.library, minutes=60)
    assert failed(longer, asked) == []


def test_a_false_claim_fails_the_evidence(lesson: str, given: Grounds) -> None:
    assert "evidence" in failed(lesson.replace("TCH 3-15a", "TCH 3-13a"), given)
    start, rest = lesson.split("## Curriculum", 1)
    without = f"{start}## Curriculum\n\n## Before{rest.split('## Before', 1)[1]}"
    assert "evidence" in failed(without, given)


def test_a_need_without_an_answer_fails_differentiation(lesson: str, given: Grounds) -> None:
    lines = [line for line in lesson.split("\n") if not line.startswith("- **EAL**")]
    (criterion,) = [e for e in judge("\n".join(lines), given) if e.name == "differentiation"]
    assert (criterion.passed, criterion.reason) == (False, "nothing for: EAL")


def test_a_lesson_that_knows_nothing_of_the_class_fails_its_context(
    composer: Composer, given: Grounds
) -> None:
    head = "The teacher set aside what is known. Plan from the request alone."
    briefing = f"<context from='feedforward'>\n{head}\nClass: 3B\n</context>"
    plain = composer.say("create-lesson", "percentages", briefing).replace("3B", "none")
    assert "class-context" in failed(plain, given)


def test_memory_that_left_no_trace_is_noticed(lesson: str, given: Grounds) -> None:
    other = Grounds(
        profile=given.profile, library=given.library, memory=("Loves tide tables and harbours.",)
    )
    assert failed(lesson, other) == ["memory"]
    traced = lesson.replace("## Notes\n", "## Notes\n\n- Tide tables and harbours, as they love.\n")
    assert failed(traced, other) == []


def test_without_class_and_memory_nothing_is_asked_of_them(lesson: str, given: Grounds) -> None:
    plain = Grounds(library=given.library)
    reasons = {each.name: each.reason for each in judge(lesson, plain)}
    assert reasons["class-context"] == "no class was given"
    assert reasons["differentiation"] == "the class file lists no needs"
    assert reasons["memory"] == "nothing was remembered"


def test_what_cannot_be_read_at_all_fails_and_does_not_break(given: Grounds) -> None:
    assert set(failed("# Nothing", given)) >= {"sections", "limits", "timings", "evidence"}


def test_a_line_is_reflected_when_most_of_its_telling_words_are_there() -> None:
    assert reflects("Flowcharts before code", "First a flowchart, then the code.")
    assert not reflects("Flowcharts before code", "First a picture.")
    assert not reflects("the and of", "the and of")
