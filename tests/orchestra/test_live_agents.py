"""The shipped agents in the real Claude Code: it loads them, and the guard knows their roles."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fakes.agent_models import SUBTASK, Turn
from tests.hooks.coding_hosts import BIN, CLAUDE, Desk, Host, Outcome

pytestmark = pytest.mark.clients
LIST = {"features": [{"id": "F1", "title": "Sum", "status": "pending", "tested": False}]}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    (project / ".git").mkdir(parents=True)
    (home / ".profile").write_text(f"PATH={BIN}:$PATH\n")
    return Desk(home, project)


def conductor(home: Path) -> tuple[list[str], dict[str, str], list[Path]]:
    command, env, files = CLAUDE.prepare(home)
    return [*command, "--agent", "conductor"], env, files


CONDUCTOR: Host = replace(CLAUDE, prepare=conductor)


def give_to(agent: str) -> Turn:
    given = {"description": "errand", "prompt": SUBTASK, "subagent_type": agent}
    return Turn("Agent", {**given, "run_in_background": False})


def systems(told: Outcome) -> list[str]:
    """What the model was given as instructions, with what was put before the task."""
    return [json.dumps(each["body"], ensure_ascii=False) for each in told.asked]


AGENTS = {
    "initializer-agent": ("You turn a goal into a project", "A good breakdown is what makes"),
    "coding-agent": ("You implement one feature", "Small steps that each end green"),
    "tester-agent": ("You find out whether a feature does", "The browser says that a person"),
}


def test_each_agent_works_with_its_instructions_and_its_skill(desk: Desk) -> None:
    told = desk.run(CLAUDE, [give_to(agent) for agent in AGENTS], [CLAUDE.shell("pwd")])

    assert told.code == 0, told.stderr
    for agent, (words, skill) in AGENTS.items():
        given = [each for each in systems(told) if words in each]
        assert given, agent
        assert skill in given[0], agent
    acted = [line["agent_type"] for line in desk.noted() if line.get("tool") == "Bash"]
    assert set(acted) == set(AGENTS)


def test_a_conductor_is_told_the_next_action_may_not_edit_and_gives_the_work_away(
    desk: Desk,
) -> None:
    path = desk.project / ".claude" / "progress" / "feature-list.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(LIST))
    edit = CLAUDE.shell("echo 'x = 1' > source.py")

    told = desk.run(
        CONDUCTOR, [edit, give_to("coding-agent")], [CLAUDE.shell("pwd")], AGENT_ROLE="conductor"
    )

    assert told.code == 0, told.stderr
    first = systems(told)[0]
    assert "You lead. Musicians implement and test" in first
    assert "Start `coding-agent` for feature `F1`" in first
    assert {tool["name"] for tool in told.asked[0]["body"]["tools"]} <= {"Agent", "Bash", "Read"}
    assert not (desk.project / "source.py").exists()
    (denied,) = [line for line in desk.noted() if line.get("decision") == "deny"]
    assert denied["rule"] == "block-direct-edit"
    assert any(line.get("agent_type") == "coding-agent" for line in desk.noted())
