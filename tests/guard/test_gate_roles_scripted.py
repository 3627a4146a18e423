"""Two stories through the real process: an ordinary person is free, an agent with a role is not."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.guard.gate_project import PASSED, Project, new_project, with_features


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project of an ordinary person."""
    return new_project(tmp_path)


def test_an_ordinary_person_edits_runs_tests_and_stops_freely(project: Project) -> None:
    source = project.path("src/a.py")
    edit = {"file_path": source, "old_string": "x = 1", "new_string": "x = 2"}

    assert project.fire("SessionStart", source="startup").body == {}
    for _ in range(20):  # far more than any count of an agent with a role
        assert project.before("Edit", **edit).body == {}
    assert project.before("Write", file_path=project.path("SUMMARY.md"), content="x").body == {}
    assert project.before("Bash", command="pytest -q").denied == ""
    assert project.ran("pytest -q", PASSED).body == {}
    assert project.fire("SubagentStop", stop_hook_active=False, agent_type="tester").body == {}
    assert project.fire("Stop", stop_hook_active=False).body == {}
    assert not (project.root / ".claude").exists()


def test_a_conductor_may_not_edit_by_any_tool_but_may_delegate(project: Project) -> None:
    conductor = replace(project, role="conductor")
    source = project.path("src/a.py")
    patch = "*** Begin Patch\n*** Update File: src/a.py\n-x = 1\n+x = 2\n*** End Patch"

    refusals = [
        conductor.before("Edit", file_path=source, old_string="1", new_string="2"),
        conductor.before("Write", file_path=source, content="x = 2"),
        conductor.before("apply_patch", command=patch),
        conductor.before("Bash", command="sed -i s/1/2/ src/a.py"),
        conductor.before("Bash", command="echo 'x = 2' > src/a.py"),
        conductor.before("mcp__files__write_file", path=source, content="x = 2"),
    ]

    assert all("does not edit the project" in said.denied for said in refusals)
    own = conductor.before("Write", file_path=project.path(".claude/plan.md"), content="x")
    assert own.denied == ""
    assert conductor.before("Agent", subagent_type="coding-agent", prompt="do it").denied == ""


def test_the_agent_a_conductor_starts_may_edit(project: Project) -> None:
    coder = replace(project, role="conductor", agent="a1", agent_type="coding-agent")

    said = coder.before("Write", file_path=project.path("src/a.py"), content="x = 2")

    assert said.body == {}


def test_a_tester_may_not_stop_before_tests_ran(project: Project) -> None:
    with_features(project, {"id": "F1"})
    tester = replace(project, agent="t1", agent_type="tester-agent")

    refused = tester.fire("SubagentStop", stop_hook_active=False)
    typed = tester.ran('echo "5 passed in 0.1s"', "5 passed in 0.1s\n")
    still = tester.fire("SubagentStop", stop_hook_active=True)
    tester.ran("pytest -q", PASSED)
    done = tester.fire("SubagentStop", stop_hook_active=True)

    assert "No test of yours has run" in refused.blocked
    assert typed.body == {}
    assert still.blocked
    assert done.body == {}


def test_a_tester_that_the_host_lets_go_leaves_the_next_step_blocked(project: Project) -> None:
    with_features(project, {"id": "F1"})
    tester = replace(project, agent="t1", agent_type="tester-agent")

    blocked = [tester.fire("SubagentStop", stop_hook_active=True).blocked for _ in range(8)]
    gone = tester.fire("SubagentStop", stop_hook_active=True)
    source = project.path("src/a.py")
    write = project.before("Write", file_path=source, content="x = 2")

    assert all(blocked)
    assert "stopped without running a test" in gone.body["systemMessage"]
    assert not gone.blocked
    assert "A tester stopped without running a test" in write.denied
    assert project.before("Bash", command="git commit -m done").denied
    assert project.before("Read", file_path=source).denied == ""
    assert project.before("Agent", subagent_type="tester-agent", prompt="again").denied == ""
    assert project.before("Agent", subagent_type="coding-agent", prompt="go on").denied
    assert "A tester stopped" not in project.before("Bash", command="pytest -q").denied

    project.ran("pytest -q", PASSED)

    assert project.before("Write", file_path=source, content="x = 2").denied == ""


def test_tested_is_believed_only_after_a_run_with_these_files(project: Project) -> None:
    listed = with_features(project, {"id": "F1", "tested": False})
    claim = {
        "file_path": str(listed),
        "old_string": '"tested": false',
        "new_string": '"tested":\ttrue',
    }

    nothing = project.before("Edit", **claim).denied
    project.ran("pytest -q", PASSED)
    good = project.before("Edit", **claim)
    (project.root / "src" / "a.py").write_text("x = 3\n", encoding="utf-8")
    stale = project.before("Edit", **claim).denied

    assert "no run of tests has been seen" in nothing
    assert good.denied == ""
    assert "files have changed since" in stale


def test_a_feature_marked_behind_the_gate_blocks_the_next_step(project: Project) -> None:
    listed = with_features(project, {"id": "F1", "tested": False})
    script = "python3 tools/mark.py"

    project.before("Bash", command=script)
    listed.write_text('{"features": [{"id": "F1", "tested": true}]}', encoding="utf-8")
    told = project.ran(script, "")
    blocked = project.before("Bash", command="git commit -m done").denied
    back = '{"features": [{"id": "F1", "tested": false}]}'
    repair = project.before("Write", file_path=str(listed), content=back)
    listed.write_text(back, encoding="utf-8")

    assert "marked `F1` as tested" in told.context
    assert "was called tested without evidence" in blocked
    assert repair.denied == ""
    assert "tested" not in project.before("Bash", command="git status").denied


@pytest.mark.parametrize(
    "name", [".claude/progress/evidence/x.json", ".claude/.delegation-state/s1.json"]
)
def test_no_agent_writes_evidence_or_the_state_of_a_session(project: Project, name: str) -> None:
    with_features(project, {"id": "F1"})

    written = project.before("Write", file_path=project.path(name), content="{}")
    shell = project.before("Bash", command=f"echo '{{}}' > {name}")

    assert written.denied
    assert shell.denied
