"""Plans, sessions, stages and notes by rules alone: facts, and what they cannot tell."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.coach.inquiry.assessment import PractisedTopic, StageEvidence, assess, by_practice
from paige.coach.inquiry.plan_steps import CANNOT, PlanInputs, coach_plan, steps_of
from paige.coach.inquiry.wrap_up import NOTHING, NoteInputs, not_judged, note_session
from paige.coach.records import Action, PhaseRow, ProgressEvent
from paige.learner.queries import Assessment, GapRow
from paige.learner.stages import STAGES
from tests.coach.coaching_room import SHOP
from tests.conftest import NOON

FILES = {"shop.py": SHOP, "web/cart.ts": "export function total(a) {\n  return a\n}\n"}
NUMBERED = "# Plan\n\n1. Look at `total` in `shop.py`.\n2. Change it.\n3. Run the tests.\n"
HEADINGS = """# Plan: shared baskets

## Overview
Some words.

## Step 1: Reproduce
Call `add` twice.

```python
def add(item, basket=None):
    return SECRET_SOLUTION
```

## Step 2: Change `add`
Make a fresh list.

## Step 3: Verify
Run the tests.
"""


def planned(text: str, stage: str = "novice") -> PlanInputs:
    return PlanInputs(text, stage, tuple(FILES), FILES.get)


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        (NUMBERED, ["Look at `total` in `shop.py`", "Change it", "Run the tests"]),
        (HEADINGS, ["Reproduce", "Change `add`", "Verify"]),
        ("- [ ] **Find it** - read\n- [ ] Change it\n", ["Find it", "Change it"]),
        ("Just fix the sum of the basket", ["Just fix the sum of the basket"]),
        ("", []),
        ("```\nonly code\n```", []),
    ],
)
def test_steps_are_found_in_every_way_people_write_them(text: str, titles: list[str]) -> None:
    assert [step.title for step in steps_of(text)] == titles


@given(st.text(alphabet="#-1. \n`ab*", max_size=300))
def test_any_text_is_read_into_steps_with_titles(text: str) -> None:
    assert all(step.title for step in steps_of(text))


@pytest.mark.parametrize(
    ("stage", "level", "lines"),
    [
        ("novice", "line", True),
        ("advanced_beginner", "region", True),
        ("competent", "file", False),
        ("expert", "none", False),
    ],
)
def test_the_stage_decides_how_finely_a_plan_points(stage: str, level: str, lines: bool) -> None:
    first = coach_plan(planned(NUMBERED, stage)).phases[0]
    assert first.hint_level == level
    assert bool(first.hints.line_hints) == lines
    assert bool(first.hints.file_hints) == (level != "none")


def test_lines_are_those_of_the_project_and_code_of_the_plan_is_kept_back() -> None:
    answer = coach_plan(planned(HEADINGS))
    hint = answer.phases[1].hints.line_hints[0]
    assert (hint.path, hint.start, hint.end) == ("shop.py", 1, 4)
    assert "SECRET_SOLUTION" not in answer.model_dump_json()


def test_other_languages_are_pointed_at_too() -> None:
    answer = coach_plan(planned("1. Read `total` in `web/cart.ts`\n2. Change it\n"))
    hint = answer.phases[0].hints.line_hints[0]
    assert (hint.path, hint.start, hint.end) == ("web/cart.ts", 1, 3)


def test_a_plan_is_not_retold_and_says_what_it_takes_to_explain_it() -> None:
    answer = coach_plan(
        planned("1. Change `add`: make a fresh list for everyone\n2. Rest a while\n")
    )
    first, second = answer.phases
    assert (first.title, second.title) == ("Change `add`", "Rest a while")
    assert first.description.startswith(CANNOT)
    assert "`add` (lines 1 to 4 of `shop.py`)" in first.description
    assert "fresh list" not in first.description
    assert "It names no file" in second.description


def test_a_step_that_names_no_place_points_nowhere() -> None:
    answer = coach_plan(planned(NUMBERED))
    assert answer.phases[1].expected_files == []
    assert answer.phases[1].hints.file_hints == []
    assert answer.phases[1].hints.line_hints == []


def test_a_file_that_is_still_to_be_made_is_expected_and_not_pointed_at() -> None:
    [phase] = coach_plan(planned("Write `src/new_basket.py` with a class")).phases
    assert phase.expected_files == ["src/new_basket.py"]
    assert phase.hints.file_hints == []


def action(kind: str, minute: float, **data: object) -> Action:
    return Action(f"{kind}{minute}", "s", kind, data, NOON + timedelta(minutes=minute))


PHASE = PhaseRow(
    "f1",
    "p",
    1,
    "Change the default",
    "Make the default argument fresh",
    "complete",
    "line",
    ("shop.py",),
    NOON,
    NOON + timedelta(minutes=30),
)


def told(*actions: Action, hints: int = 0) -> str:
    events = [ProgressEvent(f"e{n}", "f1", "hint_used", {}, NOON) for n in range(hints)]
    return not_judged(actions, (PHASE,), events)


def test_a_session_is_told_in_counts_and_nothing_is_concluded_from_them() -> None:
    failing = [action("test_run", n, passed=1, failed=2) for n in range(1, 5)]
    said = told(*failing, hints=2)
    assert said == (
        "Judging what you still lack needs a model, and none answered. Set one up, or judge by "
        "what the session shows: Tests failed in 4 of 4 runs in phase 1. More help was asked for "
        "2 times in phase 1."
    )


def test_a_session_that_went_well_has_nothing_to_tell() -> None:
    quiet = [action("file_save", 1, path="shop.py"), action("test_run", 2, passed=3, failed=0)]
    assert told(*quiet).endswith(NOTHING)


def test_going_round_in_circles_is_a_fact_without_any_test() -> None:
    loop = [
        action("buffer_summary", n, path="shop.py", editCount=9, charDelta=(-1) ** n, charCount=90)
        for n in range(1, 4)
    ]
    assert "`shop.py` was edited 27 times and hardly changed in phase 1." in told(*loop)


def topic(*passed: int, failed: int = 0, shown: bool = False, **more: object) -> PractisedTopic:
    return PractisedTopic("t", passed, failed, 1, shown, **{"previous": None, **more})  # type: ignore[arg-type]


def test_a_passed_kata_makes_a_beginner_of_a_novice_and_more_takes_more() -> None:
    assert by_practice(topic()).stage == "novice"
    assert by_practice(topic(5, previous="novice")).stage == "advanced_beginner"
    assert by_practice(topic(3, previous="novice")).stage == "novice"
    assert by_practice(topic(6, 7, previous="advanced_beginner")).stage == "competent"
    assert by_practice(topic(9, 9, 9, 9, previous="novice")).stage == "advanced_beginner"


def test_only_a_gap_that_shows_again_takes_a_stage_down() -> None:
    assert by_practice(topic(5, previous="competent")).stage == "competent"
    assert by_practice(topic(5, shown=True, previous="competent")).stage == "advanced_beginner"


@given(
    st.lists(st.integers(1, 10)),
    st.integers(0, 9),
    st.booleans(),
    st.sampled_from([None, *STAGES]),
)
def test_a_stage_moves_one_step_at_most(
    passed: list[int], failed: int, shown: bool, previous: str | None
) -> None:
    judged = by_practice(topic(*passed, failed=failed, shown=shown, previous=previous))
    before = STAGES.index(previous) if previous else 0  # type: ignore[arg-type]
    assert abs(STAGES.index(judged.stage) - before) <= 1
    assert 0 <= judged.confidence <= 1


def test_what_did_not_change_is_not_stored_again() -> None:
    gap = GapRow("g1", "me", None, "loops", "medium", "", (), 1, NOON, False)
    [first] = assess(StageEvidence((), (gap,), (), ())).assessments
    known = Assessment("a1", "me", "loops", first.stage, first.confidence, "", NOON)
    assert assess(StageEvidence((), (gap,), (), (known,))).assessments == []


def test_notes_say_what_was_hard_and_what_was_done_and_nothing_of_nothing() -> None:
    gaps = (("mutable default arguments", "high", "Tests failed."),)
    inputs = NoteInputs(issue="Baskets", completed=("A", "B"), total=3, alone=("A",), gaps=gaps)
    notes = note_session(inputs).memories
    assert [note.importance for note in notes] == ["high", "medium", "low"]
    assert "mutable default arguments" in notes[0].content
    nothing = NoteInputs(issue="", completed=(), total=0, alone=(), gaps=())
    assert note_session(nothing).memories == []
