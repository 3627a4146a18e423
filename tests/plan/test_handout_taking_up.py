"""What memory says of a worksheet: shown before a lesson, and asked once more in its starter."""

from dataclasses import replace
from pathlib import Path

import pytest

from paige.plan.known import MOST_WORKSHEETS, Sources, gather
from paige.plan.local.brief import Brief, brief_of
from paige.plan.local.fit import fit
from paige.plan.local.shipped_lesson import AGAIN, shipped_lesson
from tests.plan.composing import Composer

LINE = (
    "In the computing science worksheet of 12 Nov 2026 (handout fixed-loops-k7m2) 14 of 22 got "
    "“What is the last value of `i` in `range(5)`?” wrong, 9 with “5”. Right: “4”."
)
OLDER = LINE.replace("12 Nov", "2 Nov").replace("k7m2", "zz22").replace("“4”", "“four”")


@pytest.fixture
def brief(tmp_path: Path) -> Brief:
    """A request of the sample class whose memory has two worksheets."""
    made = brief_of("conditional loops for 3B", Composer(tmp_path).sources, class_id="3B")
    return replace(made, worksheets=(OLDER, LINE))


def test_the_starter_asks_once_more_what_the_newest_worksheet_showed(brief: Brief) -> None:
    topic = fit(brief).topic
    assert topic is not None
    lesson = shipped_lesson(brief, topic)

    first, *rest = lesson.starter.questions
    assert first.question == f"{AGAIN}What is the last value of `i` in `range(5)`?"
    assert first.answer == "4"
    assert not any(each.question.startswith(AGAIN) for each in rest)
    [note] = [each for each in lesson.notes if each.startswith("The starter takes up")]
    assert "(handout fixed-loops-k7m2): 14 of 22 got" in note
    assert '9 of them with "5"' in note


def test_another_subject_is_left_alone(brief: Brief) -> None:
    other = replace(brief, worksheets=(LINE.replace("computing science", "history"),))
    topic = fit(other).topic
    assert topic is not None

    assert not any(
        each.question.startswith(AGAIN) for each in shipped_lesson(other, topic).starter.questions
    )


def test_feedforward_shows_the_newest_worksheets_whole_and_with_their_source() -> None:
    lines = [LINE.replace("12 Nov", f"{day} Nov") for day in range(1, 8)]
    text = "\n".join(f"- {each}" for each in ["Quiet class.", "Never pair the twins.", *lines])

    known = gather(Sources(memory={"classes/3B/MEMORY.md": text}))

    assert known[0].text == "Never pair the twins."
    shown = [each.text for each in known if "worksheet" in each.text]
    assert shown == lines[:-5:-1]
    assert len(shown) == MOST_WORKSHEETS
    assert all(each.source == "classes/3B/MEMORY.md" for each in known)
