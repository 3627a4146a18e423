"""`reflection-prompt` and `confidence`: what a teacher is asked about a draft before judging it."""

from pathlib import Path

import pytest

from paige.agent.interactions import Choices, Questions, Reply, automatic_reply, picked
from paige.plan.classes import read_class
from paige.plan.hooks.reflection import Draft, rating_of, reflection_questions
from tests.plan.planning import CLASS_3B, CREATE, lesson_text, planning

PROFILE = read_class(CLASS_3B, "classes/3B.md")


def questions(**more) -> tuple[str, ...]:
    return reflection_questions(Draft(**{"command": CREATE, "markdown": lesson_text(), **more}))


def test_the_questions_come_from_the_class_and_the_draft() -> None:
    assert questions(profile=PROFILE, remembered=["Short starters work."]) == (
        "Is this the learning outcome you want for 3B (“I can use a fixed loop to repeat code a "
        "known number of times.”)?",
        "Does it answer the EAL need in the profile (flowcharts before code)?",
        "Does it answer the Stretch need in the profile (compare two solutions)?",
        "Is the challenge right for this range of ability (Mixed ability)?",
        "From earlier sessions: “Short starters work.” Does the plan respect that?",
    )


def test_without_a_class_there_are_questions_too() -> None:
    assert len(questions()) == 2


@pytest.mark.parametrize(
    ("command", "word"),
    [
        ("worksheet", "practise"),
        ("unit-overview", "sequence"),
        ("refine-lesson", "change"),
        ("cover-lesson", "colleague"),
    ],
)
def test_every_command_has_its_own_first_question(command: str, word: str) -> None:
    assert word in questions(command=f"lesson-planning:{command}")[0]


def test_a_topic_that_needs_care_is_asked_about_and_there_are_never_too_many() -> None:
    asked = questions(profile=PROFILE, care=["It touches on war."], remembered=["One", "Two"])

    assert "It touches on war. Is that in order for this class?" in asked
    assert len(asked) == 5


@pytest.mark.anyio
async def test_the_draft_is_shown_and_the_answers_are_kept(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text()], hooks=("reflection-prompt",)) as plan:
        state = await plan.start()
        asked = state.gates[0].interaction
        assert isinstance(asked, Questions)
        answers = tuple(f"Answer {n}" for n in range(len(asked.questions)))
        state = await plan.answer(state, Reply(texts=answers))
        span = plan.spans(state)["reflection-prompt"]
        session = plan.session(state)

    assert lesson_text().strip() in asked.text
    assert [each["answer"] for each in span["answers"]] == list(answers)
    assert [each["question"] for each in span["answers"]] == list(asked.questions)
    assert (span["auto"], span["at"]) == (False, "2026-03-02T12:00:00.000000Z")
    assert session.decisions[0]["reply"]["texts"] == list(answers)
    assert state.run.output == lesson_text()


@pytest.mark.anyio
async def test_questions_that_cannot_be_made_do_not_keep_the_draft_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("paige.plan.hooks.reflection.reflection_questions", crash)
    with planning(tmp_path, [lesson_text()], hooks=("reflection-prompt",)) as plan:
        state = await plan.start()
        span = plan.spans(state)["reflection-prompt"]

    assert state.run.status == "success"
    assert span["outcome"] == "fault"


# --- confidence -----------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_confidence_is_asked_where_an_agent_lists_it_and_kept_as_a_number(
    tmp_path: Path,
) -> None:
    with planning(tmp_path, [lesson_text()], hooks=("confidence",)) as plan:
        state = await plan.start()
        asked = state.gates[0].interaction
        state = await plan.answer(state, picked("4"))
        span = plan.spans(state)["confidence"]

    assert isinstance(asked, Choices)
    assert [option.id for option in asked.options] == ["1", "2", "3", "4", "5", "skip"]
    assert (span["rating"], span["auto"]) == (4, False)


def test_a_rating_that_nobody_gave_is_none() -> None:
    asked = Choices("How sure?", ())

    assert rating_of(picked("5")) == 5
    assert rating_of(picked("skip")) is None
    assert rating_of(Reply(picked=picked("1").picked, auto=True)) is None
    assert asked.options == ()


@pytest.mark.anyio
async def test_who_says_yes_to_everything_has_given_no_rating(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text()], hooks=("confidence",)) as plan:
        state = await plan.start()
        state = await plan.answer(state, automatic_reply(state.gates[0].interaction))
        span = plan.spans(state)["confidence"]

    assert (span["rating"], span["auto"]) == (None, True)
