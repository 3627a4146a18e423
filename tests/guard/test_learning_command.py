"""`paige guard learn`, `report` and `prompts`, after real hooks refused the same lie."""

import json
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.guard.gate_project import Project, new_project, with_features
from tests.live import run_paige

AGENT = "---\nname: coding-agent\ndescription: Writes code.\n---\n# Coding agent\n\nWrite code.\n"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = replace(new_project(tmp_path), agent="a1", agent_type="coding-agent", role="musician")
    with_features(made, {"id": "F-1", "title": "a feature"})
    return made


def lie(project: Project, session: str, feature: str = "F-1") -> str:
    """Call a feature tested without a test; why that was refused."""
    listed = {"features": [{"id": feature, "status": "completed", "tested": True}]}
    said = replace(project, session=session).before(
        "Write",
        file_path=project.path(".claude/progress/feature-list.json"),
        content=json.dumps(listed, indent=2),
    )
    return said.denied


def guard(project: Project, *arguments: str, **extra: str) -> CompletedProcess[str]:
    return run_paige(
        project.root,
        "guard",
        *arguments,
        DATA_DIR=str(project.data),
        HOME=str(project.data.parent / "home"),
        **extra,
    )


def told(done: CompletedProcess[str]) -> dict:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_lie_told_three_times_is_proposed_tried_and_kept_as_a_guard(project: Project) -> None:
    for session, feature in (("s1", "F-1"), ("s2", "F-2"), ("s3", "F-3")):
        assert "needs evidence" in lie(project, session, feature)
    looked = told(guard(project, "learn", "--json"))
    (pattern,) = looked["patterns"]
    assert (pattern["action"], pattern["count"], pattern["sessions"]) == ("mark-tested", 3, 3)
    assert pattern["reason"] == "block-tested-true"
    assert not (project.root / ".ai").exists()
    done = told(guard(project, "learn", "--apply", "--json"))
    (name,) = done["applied"]["introduced"]
    matcher = done["proposals"][0]["guard"]["matcher"]
    assert matcher["contains"] == ['"tested": true']
    assert matcher["unless"] == ["evidence"]
    kept = (project.data / "guard" / "proposals").rglob("*.json")
    assert [path.stem for path in kept] == [name]
    assert not (project.root / ".ai").exists()
    again = told(guard(project, "learn", "--apply", "--json"))
    assert again["proposals"] == []
    assert again["skipped"][0]["known"] is True
    # A proposal decides nothing: the lie is still refused by the gate it was refused by before.
    assert "needs evidence" in lie(project, "s4")


def test_an_agent_may_look_but_not_write_proposals_down(project: Project) -> None:
    assert guard(project, "learn", AGENT_ROLE="musician").returncode == 0
    done = guard(project, "learn", "--apply", AGENT_ROLE="musician")
    assert done.returncode == 3
    assert "An agent may not do this" in done.stderr
    done = guard(project, "prompts", "coding-agent", "--apply", "--why", "x", CLAUDECODE="1")
    assert done.returncode == 3


def test_the_report_shows_every_row_with_its_number(project: Project) -> None:
    for session in ("s1", "s2"):
        lie(project, session)
    made = told(guard(project, "report", "--json"))
    assert [each["anti_pattern"] for each in made["rows"]] == [
        "Reflection without action",
        "Over-indexing recent failures",
        "Generic reflections",
        "Self-scoring without validation",
        "Overthinking",
    ]
    assert made["rows"][3]["numbers"] == {"claims": 2, "refuted": 2}
    assert [each["name"] for each in made["success"]["metrics"]] == [
        "Premature completion",
        "User prompts needed",
        "Agent prompt size",
        "Repeated mistakes",
        "Rule compliance",
    ]
    words = guard(project, "report").stdout
    assert "Self-scoring without validation" in words
    assert "Rule compliance" in words


def test_without_anything_to_learn_from_it_says_so(project: Project) -> None:
    done = guard(project, "learn")
    assert done.returncode == 0
    assert "0 patterns, 0 proposals" in done.stdout
    assert "No change of a prompt" in guard(project, "prompts").stderr
    done = guard(project, "prompts", "coding-agent")
    assert done.returncode == 1
    assert "There is no change" in done.stderr
    done = guard(project, "prompts", "coding-agent", "--apply")
    assert done.returncode == 2


def corrected(project: Project) -> Path:
    """A person corrects the same harmless command in three sessions; the file of the agent."""
    agents = project.root / ".claude" / "agents"
    agents.mkdir(parents=True)
    (agents / "coding-agent.md").write_text(AGENT, encoding="utf-8")
    for session in ("s1", "s2", "s3"):
        mine = replace(project, session=session)
        mine.before("Bash", command="git status --short")
        mine.ran("git status --short", "")
        mine.fire("UserPromptSubmit", prompt="No, that's wrong. I said use jj, not git status.")
    return agents / "coding-agent.md"


def test_a_policy_of_the_person_puts_a_change_into_the_prompt(project: Project) -> None:
    file = corrected(project)
    config = project.data.parent / "home" / ".config" / "ai" / "guard" / "learning.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[promotion]\npromote = "policy"\n', encoding="utf-8")
    extra = {"XDG_CONFIG_HOME": str(project.data.parent / "home" / ".config")}
    found = told(guard(project, "learn", "--apply", "--json", **extra))
    assert found["applied"]["prompts"] == ["coding-agent"]
    assert "use jj" in file.read_text()


def test_a_mistake_no_guard_can_tell_becomes_a_change_of_the_prompt(project: Project) -> None:
    file = corrected(project)
    found = told(guard(project, "learn", "--apply", "--json"))
    assert found["proposals"] == []
    assert found["applied"]["prompts"] == ["coding-agent"]
    assert file.read_text() == AGENT
    shown = guard(project, "prompts")
    assert "coding-agent  experiment" in shown.stdout
    assert "use jj" in shown.stdout
    assert guard(project, "prompts", "coding-agent", "--apply", "--why", "try").returncode == 0
    assert "use jj" in file.read_text()
    assert told(guard(project, "prompts", "--json"))["stage"] == "validate"
    assert guard(project, "prompts", "coding-agent", "--withdraw", "--why", "no").returncode == 0
    assert file.read_text() == AGENT
