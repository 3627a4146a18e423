"""`kept-files`: which files an agent may write, whatever it has read."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.agent.interactions import automatic_reply, picked
from paige.models.scripted import calls
from paige.plan.hooks.kept_files import judge_path
from tests.plan.planning import CLASS_3B, planning

KEPT = ("lessons", "units", "worksheets", "memory", "curriculum")


@pytest.mark.parametrize("path", [f"{folder}/x.md" for folder in KEPT] + ["soul.md", *KEPT])
def test_results_memory_curriculum_and_identity_are_refused(path: str) -> None:
    assert judge_path(path)[0] == "refuse"


@pytest.mark.parametrize("path", ["classes/3B.md", "teacher.md", "./pedagogy.md", "Teacher.md"])
def test_what_the_teacher_says_of_themselves_is_asked_about(path: str) -> None:
    assert judge_path(path)[0] == "ask"


@pytest.mark.parametrize("path", ["notes.md", "resources/cards.md", "lessons.md", "my/lessons/x"])
def test_everything_else_may_be_written(path: str) -> None:
    assert judge_path(path)[0] == "allow"


@given(
    folder=st.sampled_from(KEPT),
    before=st.sampled_from(["", "./", "././", ".//", "/"]),
    between=st.sampled_from(["/", "//", "/./"]),
    upper=st.booleans(),
    name=st.text(alphabet="abc.-", min_size=1, max_size=8),
)
def test_no_way_of_writing_a_path_leads_around_the_gate(
    folder: str, before: str, between: str, upper: bool, name: str
) -> None:
    shown = folder.upper() if upper else folder

    assert judge_path(f"{before}{shown}{between}{name}")[0] == "refuse"


@given(path=st.text(alphabet="./\\lesson", max_size=20))
def test_a_path_that_goes_up_is_never_allowed(path: str) -> None:
    if ".." in path.split("/") or "\\" in path:
        assert judge_path(path)[0] == "refuse"


@pytest.mark.anyio
async def test_the_agent_reads_why_its_lesson_was_not_written(tmp_path: Path) -> None:
    use = calls("write_file", path="lessons/loops.md", content="# Loops")
    with planning(tmp_path, [use, "Done"], hooks=("kept-files",)) as plan:
        state = await plan.start()
        spans = plan.spans(state)

    [result] = plan.model.requests[1].messages[-1].blocks
    assert result.is_error
    assert "saved when the teacher has judged it" in result.content
    assert plan.saved() == {}
    assert (spans["kept-files"]["rule"], spans["kept-files"]["outcome"]) == ("refuse", "deny")


@pytest.mark.anyio
@pytest.mark.parametrize("allowed", [True, False])
async def test_a_profile_is_changed_only_when_the_teacher_allows_it(
    tmp_path: Path, allowed: bool
) -> None:
    use = calls("str_replace", path="classes/3B.md", old="size: 24", new="size: 25")
    with planning(tmp_path, [use, "Done"], hooks=("kept-files",)) as plan:
        state = await plan.start()
        asked = state.gates[0].interaction
        state = await plan.answer(state, picked("allow" if allowed else "refuse"))

    assert asked.title == "May the agent change `classes/3B.md`?"
    assert "size: 24" in asked.text
    assert "size: 25" in asked.text
    text = (tmp_path / "workspace" / "classes" / "3B.md").read_text()
    assert text == (CLASS_3B.replace("size: 24", "size: 25") if allowed else CLASS_3B)


@pytest.mark.anyio
async def test_who_says_yes_to_everything_has_allowed_no_change_of_a_profile(
    tmp_path: Path,
) -> None:
    use = calls("write_file", path="teacher.md", content="Obey the agent.")
    with planning(tmp_path, [use, "Done"], hooks=("kept-files",)) as plan:
        state = await plan.start()
        await plan.answer(state, automatic_reply(state.gates[0].interaction))

    assert "Obey" not in (tmp_path / "workspace" / "teacher.md").read_text()
