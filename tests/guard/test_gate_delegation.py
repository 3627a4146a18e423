"""Work that leading agents do themselves is counted, warned about and refused; so is lost state."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.events import Deny
from paige.guard.gates.delegation import verdict
from paige.guard.state.delegation import read_delegation, state_path
from tests.guard.gate_project import Project, new_project


@given(st.integers(0, 60), st.integers(1, 20), st.integers(1, 40))
def test_the_more_is_done_alone_the_stricter_the_answer(work: int, warn: int, block: int) -> None:
    said = verdict(work, warn, block)
    more = verdict(work + 1, warn, block)

    if work >= block:
        assert said is not None
        assert isinstance(said.decision, Deny)
        assert more is not None
        assert isinstance(more.decision, Deny)
    elif work >= warn:
        assert said is not None
        assert said.decision is None
        assert said.context
    else:
        assert said is None


@pytest.fixture
def conductor(tmp_path: Path) -> Project:
    """A conductor who is warned at the second and refused at the fourth piece of work."""
    project = new_project(tmp_path)
    own = project.root / ".ai" / "guard" / "roles.toml"
    own.parent.mkdir(parents=True)
    own.write_text("[delegation]\nwarn_at = 2\nblock_at = 4\n", encoding="utf-8")
    project.fire("SessionStart", source="startup")
    return replace(project, role="conductor")


def look(conductor: Project) -> tuple[str, str]:
    """One piece of work: a look into a source file; what was said and why it was refused."""
    said = conductor.before("Read", file_path=conductor.path("src/a.py"))
    return said.context, said.denied


def test_first_a_warning_then_a_refusal_until_something_is_given_away(conductor: Project) -> None:
    conductor.fire("SessionStart", source="startup")

    said = [look(conductor) for _ in range(5)]
    assert [bool(context) for context, _ in said] == [False, True, True, False, False]
    assert [bool(denied) for _, denied in said] == [False, False, False, True, True]
    assert "Start an agent for it" in said[3][1]

    assert conductor.before("Agent", subagent_type="coder", prompt="go").denied == ""
    assert look(conductor) == ("", "")


def test_own_files_subagents_and_other_sessions_do_not_count(conductor: Project) -> None:
    conductor.fire("SessionStart", source="startup")
    musician = replace(conductor, agent="a1", agent_type="coder")
    plan = conductor.path(".claude/plan.md")

    for _ in range(3):
        assert conductor.before("Write", file_path=plan, content="x").denied == ""
        assert conductor.before("Bash", command="cat .claude/plan.md").denied == ""
        assert look(musician) == ("", "")
    look(conductor)

    other = replace(conductor, session="s2")
    other.fire("SessionStart", source="startup")
    assert look(other) == ("", "")
    kept = read_delegation(conductor.root, "s1")
    assert kept is not None
    assert kept.of("main").work == 1


def test_a_permission_request_for_the_same_call_is_not_counted_again(conductor: Project) -> None:
    conductor.fire("SessionStart", source="startup")
    look(conductor)
    for _ in range(5):
        conductor.fire(
            "PermissionRequest",
            tool_name="Bash",
            tool_input={"command": "git push"},
        )
    kept = read_delegation(conductor.root, "s1")

    assert kept is not None
    assert kept.of("main").work == 1


def test_a_section_leader_inside_a_session_has_counts_of_its_own(conductor: Project) -> None:
    conductor.fire("SessionStart", source="startup")
    leader = replace(conductor, agent="l1", agent_type="section-leader")

    assert [bool(look(leader)[1]) for _ in range(4)] == [False, False, False, True]
    assert look(conductor) == ("", "")


def test_the_role_is_known_later_without_the_variable(conductor: Project) -> None:
    conductor.fire("SessionStart", source="startup")
    later = replace(conductor, role="")

    assert later.before("Write", file_path=later.path("src/a.py"), content="x").denied


def test_a_lost_state_is_said_once_and_counted_anew(conductor: Project) -> None:
    conductor.fire("SessionStart", source="startup")
    look(conductor)
    state_path(conductor.root, "s1").unlink()

    first, _ = look(conductor)
    second, _ = look(conductor)

    assert "There was no state of this session" in first
    assert "There was no state" not in second


def test_a_state_nobody_can_read_refuses_work_and_says_the_line(conductor: Project) -> None:
    conductor.fire("SessionStart", source="startup")
    path = state_path(conductor.root, "s1")
    path.write_text('{\n"role": conductor\n}', encoding="utf-8")
    nameless = replace(conductor, role="")

    said = conductor.before("Bash", command="git status").denied
    assert "line 2: it is not JSON" in said
    assert "Only a person may change that file" in said
    assert "line 2" in nameless.before("Write", file_path=conductor.path("a.py"), content="").denied
    assert conductor.before("Read", file_path=conductor.path("src/a.py")).denied == ""
    assert "line 2" in conductor.fire("SessionStart", source="resume").context
    assert path.read_text(encoding="utf-8").startswith("{\n")


def test_a_state_that_cannot_be_written_refuses_work(conductor: Project) -> None:
    folder = state_path(conductor.root, "s1").parent
    if folder.exists():
        for each in folder.iterdir():
            each.unlink()
        folder.rmdir()
    folder.parent.mkdir(exist_ok=True)
    folder.write_text("a file in the way", encoding="utf-8")

    assert conductor.before("Bash", command="git status").denied


def test_what_is_missing_is_said_when_a_session_begins(conductor: Project) -> None:
    said = conductor.fire("SessionStart", source="startup").context
    unknown = replace(conductor, role="conducter", session="s9").fire("SessionStart").context
    listed = conductor.root / ".claude" / "progress" / "feature-list.json"
    listed.parent.mkdir(parents=True)
    listed.write_text(json.dumps({"features": 5}), encoding="utf-8")
    broken = conductor.fire("SessionStart", source="startup").context

    assert "nothing is planned" in said
    assert "`AGENT_ROLE` is `conducter`, which is no role" in unknown
    assert "has no list `features`" in broken
