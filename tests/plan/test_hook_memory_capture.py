"""`memory-capture`: what is proposed after a session, and what becomes of each proposal."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.agent.interactions import PickedOption, Reply, Sections, automatic_reply, picked
from paige.language.names.gate import NameGate
from paige.memory.documents.queries import events_of
from paige.plan.hooks.memory_capture import SessionReview, from_notes, suggest
from paige.plan.judgements import Change
from tests.plan.planning import Planning, judge, lesson_text, planning
from tests.plan.test_hook_adjudication import SHORT

NAMES = NameGate()
HOOKS = ("feedforward", "teacher-adjudication", "memory-capture")
LOG = "2026-03-02: Counting loops (TCH 3-15a), `lessons/2026-03-02-3B-counting-loops.md`"
STARTERS = "Starters: shorter works better (3 minutes rather than 5)."


def change(title: str, before: str, *wishes: str) -> Change:
    return Change(title.lower(), title, "old", "new", before, wishes)


def texts(**more) -> list[tuple[str | None, str]]:
    happened = SessionReview(**{"class_id": "3B", **more})
    return [(each.class_id, each.text) for each in suggest(happened, NAMES)]


# --- what is proposed -----------------------------------------------------------------------------


def test_changed_minutes_are_a_proposal_about_the_class() -> None:
    found = texts(changes=[change("Starter (5 min)", "Starter (10 min)", "make it shorter")])

    assert found == [("3B", "Starters: shorter works better (5 minutes rather than 10).")]


def test_a_wish_about_pupils_is_for_the_class_and_one_about_style_for_the_teacher() -> None:
    found = texts(
        changes=[
            change("Differentiation", "Differentiation", "flowcharts for the EAL pair"),
            change("Practice", "Practice", "a more informal register"),
        ]
    )

    assert found == [
        ("3B", "Differentiation: Flowcharts for the EAL pair."),
        (None, "Practice: A more informal register."),
    ]


def test_the_same_wish_in_several_sections_is_a_habit_of_the_teacher() -> None:
    found = texts(
        changes=[change("Starter", "", "Fewer words"), change("Notes", "", "fewer words")]
    )

    assert found == [(None, "Prefers: Fewer words.")]


def test_what_was_said_before_the_lesson_is_proposed_sentence_by_sentence() -> None:
    assert texts(said="They have finished functions. I prefer tables. OK.") == [
        ("3B", "They have finished functions."),
        (None, "I prefer tables."),
    ]


def test_what_holds_for_one_day_is_not_proposed() -> None:
    passing = change("Practice", "Practice", "on paper this time")

    assert texts(said="No computers today. Half of them are away tomorrow.") == []
    assert texts(changes=[passing]) == []


def test_without_a_class_everything_is_about_the_teacher() -> None:
    assert texts(class_id=None, said="No computers in this room.") == [
        (None, "No computers in this room.")
    ]


def test_nobody_is_named_in_a_proposal() -> None:
    found = texts(changes=[change("Practice", "Practice", "an easier start for Jamie Macdonald")])

    assert found == [("3B", "Practice: An easier start for one learner.")]


@given(
    said=st.text(max_size=300),
    wishes=st.lists(st.text(min_size=1, max_size=80), max_size=6),
    class_id=st.sampled_from([None, "3B"]),
)
def test_proposals_are_few_short_different_and_have_their_place(
    said: str, wishes: list[str], class_id: str | None
) -> None:
    changes = [change(f"Part {n}", "", wish) for n, wish in enumerate(wishes)]

    found = suggest(
        SessionReview(class_id=class_id, changes=changes, said=said, logged="Today"), NameGate()
    )

    assert len(found) <= 8
    assert len({each.id for each in found}) == len(found)
    assert len({(each.path, each.text) for each in found}) == len(found)
    assert all(0 < len(each.text) <= 300 and "\n" not in each.text for each in found)
    assert all(each.path.endswith(".md") for each in found)


def test_the_notes_of_an_agent_become_proposals() -> None:
    answer = (
        "- [class 3B] Starters of five minutes work better than ten.\n"
        '- [class 3B] Iteration is finished. (replaces "Iteration: half done")\n'
        "- [teacher] Prefers worksheets in an informal tone.\n"
        "Nothing else.\n"
    )

    assert [(each.path, each.text) for each in from_notes(answer, NAMES)] == [
        ("classes/3B/MEMORY.md", "Starters of five minutes work better than ten."),
        ("classes/3B/MEMORY.md", "Iteration is finished."),
        ("MEMORY.md", "Prefers worksheets in an informal tone."),
    ]


# --- what becomes of it ---------------------------------------------------------------------------


async def until_capture(plan: Planning) -> tuple[Sections, object]:
    """A run up to its last question: the starter was made shorter."""
    state = await plan.start()
    state = await plan.answer(state, picked("confirm"))
    state = await plan.answer(state, judge(starter=("revise", "x"))(state.gates[0].interaction))
    state = await plan.answer(state, judge()(state.gates[0].interaction))
    asked = state.gates[0].interaction
    assert isinstance(asked, Sections)
    return asked, state


def decisions(**by_id: str | tuple[str, str]) -> Reply:
    return Reply(
        picked={
            name: PickedOption(*given) if isinstance(given, tuple) else PickedOption(given)
            for name, given in by_id.items()
        }
    )


def happened(plan: Planning, run: str) -> list[tuple[str, str, str | None, str | None]]:
    with plan.app.database.transaction(write=False) as connection:
        rows = events_of(connection, plan.app.actor, trace=run)
    return [
        (row.event_type, row.path, row.proposed_text, row.final_text)
        for row in rows
        if row.event_type != "read"
    ]


def remembered(plan: Planning) -> dict[str, str]:
    assert plan.runtime.memory is not None
    return {row.path: row.content for row in plan.runtime.memory.documents.files(plan.app.actor)}


@pytest.mark.anyio
async def test_confirmed_edited_and_dismissed_items_are_kept_changed_and_left(
    tmp_path: Path,
) -> None:
    with planning(tmp_path, [lesson_text(), SHORT], hooks=HOOKS, memory={}) as plan:
        asked, state = await until_capture(plan)
        state = await plan.answer(
            state, decisions(p1=("edit", "Five-minute starters"), log="confirm")
        )
        span, events = plan.spans(state)["memory-capture"], happened(plan, state.run.id)
        kept = remembered(plan)
        session = plan.session(state)

    assert [(section.id, section.title) for section in asked.sections] == [
        ("p1", "About 3B"),
        ("log", "About 3B"),
    ]
    assert asked.sections[0].text.startswith(STARTERS)
    assert [option.id for option in asked.options] == ["confirm", "edit", "dismiss"]
    assert kept == {
        "classes/3B/MEMORY.md": "- Five-minute starters\n",
        "classes/3B/lessons.md": f"- {LOG}\n",
    }
    assert [
        (each["scope"], each["proposed"], each["decision"], each["final"])
        for each in span["decisions"]
    ] == [
        ("class", STARTERS, "edited", "Five-minute starters"),
        ("class", LOG, "confirmed", LOG),
    ]
    assert span["decisions"][0]["at"] == "2026-03-02T12:00:00.000000Z"
    assert sorted(events, key=str) == sorted(
        [
            ("capture_proposed", "classes/3B/MEMORY.md", STARTERS, None),
            ("capture_proposed", "classes/3B/lessons.md", LOG, None),
            ("capture_edited", "classes/3B/MEMORY.md", STARTERS, "Five-minute starters"),
            ("capture_confirmed", "classes/3B/lessons.md", LOG, LOG),
            ("write", "classes/3B/MEMORY.md", None, None),
            ("write", "classes/3B/lessons.md", None, None),
        ],
        key=str,
    )
    kept_too = {each["gate"]: each for each in session.decisions}
    assert kept_too["t1/hook/post_loop/memory-capture/1"]["reply"]["picked"]["p1"] == {
        "option": "edit",
        "text": "Five-minute starters",
    }


@pytest.mark.anyio
async def test_a_dismissed_item_leaves_nothing_but_the_decision(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text(), SHORT], hooks=HOOKS, memory={}) as plan:
        _, state = await until_capture(plan)
        state = await plan.answer(state, decisions(p1="dismiss", log="dismiss"))
        events, kept = happened(plan, state.run.id), remembered(plan)

    assert kept == {}
    assert ("capture_dismissed", "classes/3B/MEMORY.md", STARTERS, None) in events


@pytest.mark.anyio
async def test_who_says_yes_to_everything_leaves_proposals_pending(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text(), SHORT], hooks=HOOKS, memory={}) as plan:
        asked, state = await until_capture(plan)
        state = await plan.answer(state, automatic_reply(asked))
        span, kept = plan.spans(state)["memory-capture"], remembered(plan)
        events = happened(plan, state.run.id)

    assert kept == {}
    assert {row[0] for row in events} == {"capture_proposed"}
    assert {each["decision"] for each in span["decisions"]} == {"pending"}
    assert span["auto"] is True


@pytest.mark.anyio
async def test_a_name_in_an_edited_item_is_asked_about_again(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text(), SHORT], hooks=HOOKS, memory={}) as plan:
        _, state = await until_capture(plan)
        named = decisions(p1=("edit", "Jamie Macdonald likes loops"), log="confirm")
        state = await plan.answer(state, named)
        again = state.gates[0].interaction
        before = remembered(plan)
        state = await plan.answer(state, decisions(p1=("edit", "One learner likes loops")))
        after = remembered(plan)

    assert isinstance(again, Sections)
    assert [section.id for section in again.sections] == ["p1"]
    assert "It names people" in again.sections[0].text
    assert "classes/3B/MEMORY.md" not in before
    assert after["classes/3B/MEMORY.md"] == "- One learner likes loops\n"
    assert after["classes/3B/lessons.md"].count("Counting loops") == 1


@pytest.mark.anyio
async def test_without_memory_nothing_is_proposed(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text()], hooks=("memory-capture",)) as plan:
        state = await plan.start()
        span = plan.spans(state)["memory-capture"]

    assert state.run.status == "success"
    assert span["memory"] == "off"


@pytest.mark.anyio
async def test_notes_that_a_teacher_asked_for_are_confirmed_like_any_other(tmp_path: Path) -> None:
    command = "lesson-planning:update-memory"
    answer = "- [class 3B] Loops are finished.\n- [teacher] Likes tables."
    with planning(
        tmp_path, [answer], hooks=("memory-capture",), memory={}, command=command
    ) as plan:
        state = await plan.start("remember that 3B have finished loops")
        state = await plan.finish(state)
        kept = remembered(plan)

    assert kept == {
        "MEMORY.md": "- Likes tables.\n",
        "classes/3B/MEMORY.md": "- Loops are finished.\n",
    }
