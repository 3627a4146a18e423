"""`feedforward`: what is surfaced before a lesson is written, and what the teacher says to it."""

from pathlib import Path

import pytest

from paige.agent.interactions import Choices, automatic_reply, picked
from paige.memory.documents.queries import events_of
from paige.models.messages import user_message
from paige.plan.known import (
    MOST_WRONG,
    WRONG,
    Briefing,
    read_briefing,
    render_briefing,
    render_known,
)
from tests.plan.planning import (
    CLASS_3B,
    CURRICULUM,
    Planning,
    lesson_text,
    planning,
    write_files,
)

pytestmark = pytest.mark.anyio

ONLY = ("feedforward",)
MEMORY = {
    "MEMORY.md": "- Likes bullet points\n",
    "classes/3B/MEMORY.md": "- Starters of five minutes work\n- The EAL pair needs flowcharts\n",
    "classes/3B/lessons.md": "- 2026-02-01: Selection\n",
    "classes/1B/MEMORY.md": "- Secret of 1B\n",
}


def first_words(plan: Planning) -> str:
    """Everything the model was told before it first spoke."""
    return "\n".join(message.text for message in plan.model.requests[0].messages)


async def test_it_shows_the_class_the_teacher_the_curriculum_and_memory_and_waits(
    tmp_path: Path,
) -> None:
    with planning(tmp_path, [], hooks=ONLY, memory=MEMORY) as plan:
        state = await plan.start()

    [gate] = state.gates
    assert isinstance(gate.interaction, Choices)
    assert [option.id for option in gate.interaction.options] == ["confirm", "modify", "dismiss"]
    shown = gate.interaction.text
    for words in (
        "3B: S3 Computing Science, Third level, 24 pupils, lessons of 50 minutes, reading age 12.",
        "EAL (2 pupils, Ukrainian): flowcharts before code",
        "Taught so far: Variables; Selection.",
        "Bullet points",
        "Start with retrieval",
        "Computing Science, edition 2017-03: 2 outcomes at Third level; 1 of them unverified.",
        "The EAL pair needs flowcharts",
        "Starters of five minutes work",
        "Planned: 2026-02-01: Selection",
        "Likes bullet points",
        "Shall I go on with all of this?",
    ):
        assert words in shown
    assert "Secret of 1B" not in shown
    assert plan.model.requests == []


async def test_what_could_not_be_read_in_the_files_is_said_and_the_rest_is_used(
    tmp_path: Path,
) -> None:
    broken = CLASS_3B.replace("reading_age: 12", "reading_age: [12").replace("Third", "Thrid", 1)
    row = CURRICULUM.replace("**TCH 3-15b** (grade C)", "TCH 3-15b (grade C)")
    with planning(tmp_path, [], hooks=ONLY) as plan:
        write_files(
            tmp_path / "workspace", {"classes/3B.md": broken, "curriculum/cfe-computing.md": row}
        )
        state = await plan.start()

    shown = state.gates[0].interaction.text
    assert "3B: S3 Computing Science, 24 pupils, lessons of 50 minutes." in shown
    told = shown.partition(WRONG)[2]
    assert "classes/3B.md:6: `level` is `Thrid`. Choose one of Early, First" in told
    assert "classes/3B.md:9: `reading_age` cannot be read" in told
    assert "curriculum/cfe-computing.md:11: This looks like the outcome TCH 3-15b" in told


def test_of_many_things_that_could_not_be_read_the_first_are_named() -> None:
    shown = render_known((), class_id="3B", wrong=[f"line {n}" for n in range(7)])

    assert [line for line in shown.split("\n") if line.startswith("- line")] == [
        f"- line {n}" for n in range(MOST_WRONG)
    ]
    assert "- And 3 more: `paige doctor` names them." in shown


async def test_what_was_confirmed_reaches_the_model_and_the_trace(tmp_path: Path) -> None:
    with planning(tmp_path, ["Done"], hooks=ONLY, memory=MEMORY) as plan:
        state = await plan.start()
        state = await plan.answer(state, picked("confirm"))
        span = plan.spans(state)["feedforward"]
        session = plan.session(state)
        with plan.app.database.transaction(write=False) as connection:
            read = events_of(connection, plan.app.actor, trace=state.run.id)

    assert (
        "<context from='feedforward'>\nThe teacher has confirmed this:\nClass: 3B"
        in first_words(plan)
    )
    assert "- Earlier: Starters of five minutes work" in first_words(plan)
    assert first_words(plan).endswith("loops for 3B")
    assert (span["response"], span["auto"], span["class"]) == ("confirmed", False, "3B")
    assert span["at"] == "2026-03-02T12:00:00.000000Z"
    assert span["memory"] == ["classes/3B/MEMORY.md", "classes/3B/lessons.md", "MEMORY.md"]
    assert {"kind": "memory", "text": "Likes bullet points", "source": "MEMORY.md"} in span[
        "surfaced"
    ]
    assert {(row.event_type, row.path) for row in read} == {
        ("read", path) for path in span["memory"]
    }
    [decision] = session.decisions
    assert decision["gate"] == "hook/pre_loop/feedforward/1"
    assert decision["reply"]["picked"][""]["option"] == "confirm"


async def test_what_the_teacher_changes_comes_first(tmp_path: Path) -> None:
    with planning(tmp_path, ["Done"], hooks=ONLY) as plan:
        state = await plan.start()
        state = await plan.answer(state, picked("modify", "They know loops now.\nNo computers."))
        span = plan.spans(state)["feedforward"]

    said = first_words(plan)
    assert "with changes" in said
    assert "> They know loops now.\n> No computers." in said
    assert said.index("> They know") < said.index("What is known:")
    assert (span["response"], span["said"]) == ("modified", "They know loops now.\nNo computers.")


async def test_what_is_set_aside_does_not_reach_the_model(tmp_path: Path) -> None:
    with planning(tmp_path, ["Done"], hooks=ONLY, memory=MEMORY) as plan:
        state = await plan.start()
        state = await plan.answer(state, picked("dismiss"))
        span = plan.spans(state)["feedforward"]

    assert "Plan from the request alone" in first_words(plan)
    assert "flowcharts" not in first_words(plan)
    assert span["response"] == "dismissed"


async def test_without_memory_nothing_of_it_is_surfaced(tmp_path: Path) -> None:
    with planning(tmp_path, ["Done"], hooks=ONLY) as plan:
        state = await plan.start()
        shown = state.gates[0].interaction.text
        state = await plan.answer(state, picked("confirm"))
        span = plan.spans(state)["feedforward"]

    assert "From earlier sessions" not in shown
    assert span["memory"] == []


async def test_an_answer_nobody_gave_is_marked(tmp_path: Path) -> None:
    with planning(tmp_path, ["Done"], hooks=ONLY) as plan:
        state = await plan.start()
        state = await plan.answer(state, automatic_reply(state.gates[0].interaction))
        span = plan.spans(state)["feedforward"]

    assert (span["response"], span["auto"]) == ("confirmed", True)


@pytest.mark.parametrize(("prompt", "given"), [("loops for 9Z", None), ("loops", "9Z")])
async def test_a_class_without_a_profile_is_asked_about(
    tmp_path: Path, prompt: str, given: str | None
) -> None:
    with planning(tmp_path, ["Done"], hooks=ONLY, memory=MEMORY) as plan:
        state = await plan.start(prompt, class_id=given)
        which = state.gates[0].interaction
        assert isinstance(which, Choices)
        state = await plan.answer(state, picked("3B"))
        known = state.gates[0].interaction
        state = await plan.answer(state, picked("confirm"))
        session, span = plan.session(state), plan.spans(state)["feedforward"]

    assert which.text == "There is no profile of `9Z`. For which class is it?"
    assert [option.id for option in which.options] == ["none", "1B", "3B"]
    assert which.options[2].label == "3B (S3 Computing Science)"
    assert known.title == "What I know about 3B"
    assert "Starters of five minutes work" in known.text
    assert "Class: 3B" in first_words(plan)
    assert session.class_id == "3B"
    assert (span["class"], span["class_asked"]) == ("3B", True)


async def test_who_says_yes_to_everything_gets_no_other_class(tmp_path: Path) -> None:
    with planning(tmp_path, ["Done"], hooks=ONLY) as plan:
        state = await plan.start("loops for 9Z", class_id=None)
        while state.waiting:
            state = await plan.answer(state, automatic_reply(state.gates[0].interaction))
        span = plan.spans(state)["feedforward"]

    assert span["class"] is None
    assert "Class:" not in first_words(plan)


async def test_several_classes_are_asked_about_and_none_is_not(tmp_path: Path) -> None:
    with planning(tmp_path, [], hooks=ONLY) as plan:
        several = await plan.start("loops for 3B and 1B", class_id=None)
        none = await plan.start("loops", class_id=None)

    assert several.gates[0].interaction.title == "Which class is it for?"
    assert "Several classes could be meant: 3B, 1B" in several.gates[0].interaction.text
    assert none.gates[0].interaction.title == "What I know"
    assert "names no class that I know" in none.gates[0].interaction.text


async def test_a_class_that_the_teacher_names_in_the_answer_counts(tmp_path: Path) -> None:
    with planning(tmp_path, ["Done"], hooks=ONLY) as plan:
        state = await plan.start("loops", class_id=None)
        state = await plan.answer(state, picked("modify", "It is for my 3B."))
        span = plan.spans(state)["feedforward"]

    assert span["class"] == "3B"
    assert "EAL (2 pupils, Ukrainian): flowcharts before code" in first_words(plan)


async def test_what_was_shown_stays_though_the_files_change_while_it_waits(
    tmp_path: Path,
) -> None:
    with planning(tmp_path, ["Done"], hooks=ONLY) as plan:
        state = await plan.start()
        before = state.gates[0].interaction
        write_files(tmp_path / "workspace", {"classes/3B.md": "---\nyear: S1\n---\n# Other\n"})
        state = await plan.answer(state, picked("confirm"))

    assert "S3 Computing Science" in before.text
    assert "S3 Computing Science" in first_words(plan)


async def test_in_one_session_it_asks_once(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text(), "Shorter"], hooks=ONLY) as plan:
        state = await plan.start()
        state = await plan.answer(state, picked("confirm"))
        more = await plan.start("a shorter starter", session=state.run.session_id)
        other = await plan.start("now for 1B", class_id="1B", session=state.run.session_id)

    assert more.run.status == "success"
    assert other.waiting


def test_a_briefing_is_read_back_as_it_was_written() -> None:
    briefing = Briefing("modified", "3B", ("EAL: flowcharts", "Earlier: short"), "No\ncomputers")
    block = f"<context from='feedforward'>\n{render_briefing(briefing)}\n</context>"

    assert read_briefing([user_message(f"{block}\nloops")]) == briefing
    assert read_briefing([user_message("loops")]) is None
