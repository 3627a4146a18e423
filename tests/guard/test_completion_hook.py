"""Completion through the hook's real process: strict where a project asks, silent elsewhere."""

import json
import sys
from pathlib import Path

import pytest

from paige.guard.completion.records import Record, changing, read_record, record_path
from paige.guard.completion.stop import MOST_WAITS
from paige.guard.fast.place import Place
from tests.guard.completion_hooks import fire_inside, until
from tests.guard.gate_project import Project, Said, new_project

PYTHON = json.dumps(sys.executable)
DONE = "The task is complete."


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return new_project(tmp_path)


def ask(project: Project, text: str) -> None:
    folder = project.root / ".ai" / "guard"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "completion.toml").write_text(text)


def asking(code: str, *, strict: str = '["tests"]', more: str = "") -> str:
    command = f"[{PYTHON}, '-c', {json.dumps(code)}]"
    return f"[ask]\nstrict={strict}\nprofile='standard'\n{more}\n[checks]\ntests={command}\n"


def stop(project: Project, text: str = DONE, **more: object) -> Said:
    return project.fire("Stop", stop_hook_active=False, last_assistant_message=text, **more)


def settled(project: Project, text: str = DONE) -> Said:
    """The answer to a stop once the checks have ended."""

    def look() -> Said | None:
        said = stop(project, text)
        return None if "are running" in said.blocked else said

    found = until(look)
    assert found is not None
    return found


def record_at(project: Project) -> Path:
    root = str(project.root)
    return record_path(Place(root, root, "", str(project.data), True))


def record_of(project: Project) -> Record:
    return read_record(record_at(project))


def test_an_ordinary_person_stops_freely_whatever_they_say(project: Project) -> None:
    for text in (DONE, "TASK COMPLETE", "実装が完了しました。"):
        assert stop(project, text).body == {}
    assert not (project.data / "guard" / "checks").exists()


def test_a_stop_is_refused_while_tests_fail_and_allowed_when_they_pass(project: Project) -> None:
    ask(project, asking("import a_check", more="refusals=8"))
    refused = settled(project)
    (project.root / "a_check.py").write_text("")
    allowed = settled(project)

    assert "No module named 'a_check'" in refused.blocked
    assert "data, not orders" in refused.blocked
    assert allowed.blocked == ""


def test_an_agent_that_does_not_say_it_is_done_may_stop(project: Project) -> None:
    ask(project, asking("raise SystemExit(1)"))

    assert stop(project, "Which of the two do you want?").body == {}
    assert stop(project, DONE, background_tasks=[{"id": "b", "status": "running"}]).body == {}


def test_after_some_refusals_it_may_stop_and_the_person_is_told(project: Project) -> None:
    ask(project, asking("raise SystemExit(1)", more="refusals=2"))
    until(lambda: stop(project) and record_of(project).result)
    said = [stop(project) for _ in range(6)]

    assert any(each.blocked for each in said)
    [told] = {each.body["systemMessage"] for each in said if not each.blocked}
    assert "stops although" in told


def test_open_tasks_and_criteria_refuse_a_stop_without_any_command(project: Project) -> None:
    (project.root / "TODO.md").write_text("- [x] one\n- [ ] write the docs\n")
    ask(project, "[ask]\nstrict=['tasks', 'acceptance']\ntasks=['TODO.md']\nacceptance=['AC.md']")
    refused = stop(project)
    (project.root / "TODO.md").write_text("- [x] one\n- [x] write the docs\n")
    (project.root / "AC.md").write_text("- [x] it works\n")

    assert "write the docs" in refused.blocked
    assert "`AC.md` is not there" in refused.blocked
    assert settled(project).blocked == ""


def test_a_subagent_is_held_to_the_same(project: Project) -> None:
    (project.root / "TODO.md").write_text("- [ ] open\n")
    ask(project, "[ask]\nstrict=['tasks']\ntasks=['TODO.md']")
    said = project.fire(
        "SubagentStop", stop_hook_active=False, agent_type="x", last_assistant_message=DONE
    )

    assert "open" in said.blocked


def test_without_strict_gates_a_result_is_told_with_the_next_prompt_and_refuses_nothing(
    project: Project,
) -> None:
    ask(project, asking("raise SystemExit(1)", strict="[]", more="verify=['stop']"))
    assert stop(project).blocked == ""
    assert until(lambda: record_of(project).result)
    told = project.fire("UserPromptSubmit", prompt="Go on.")
    again = project.fire("UserPromptSubmit", prompt="Go on.")

    assert "<paige-checks>" in told.context
    assert "tests failed" in told.context
    assert again.body == {}


def test_a_notification_tells_the_person_and_decides_nothing(project: Project) -> None:
    ask(project, asking("", strict="[]", more="verify=['stop']"))
    stop(project)
    assert until(lambda: record_of(project).result)
    said = project.fire("Notification", message="waiting for you")

    assert list(said.body) == ["systemMessage"]
    assert "passed" in said.body["systemMessage"]


def test_a_tool_that_failed_begins_checks_whose_result_the_next_failure_brings(
    project: Project,
) -> None:
    more = "verify=['post_tool_failure']"
    ask(project, asking("raise SystemExit(1)", strict="[]", more=more))

    def fail() -> Said:
        return project.fire(
            "PostToolUseFailure", tool_name="Bash", tool_input={"command": "make"}, error="no"
        )

    assert fail().body == {}
    assert until(lambda: record_of(project).result)
    assert "tests failed" in fail().context


def test_inside_of_what_a_hook_started_nothing_is_checked(project: Project) -> None:
    ask(project, asking("raise SystemExit(1)"))

    assert fire_inside(project, "Stop", last_assistant_message=DONE) == b""
    assert record_of(project).running is None


def test_settings_that_cannot_be_read_stop_nobody_and_are_recorded(project: Project) -> None:
    ask(project, "[ask]\nstrict=['everything']")
    said = stop(project)
    spooled = (project.data / "spool" / "claude-code-s1.jsonl").read_text()

    assert said.blocked == ""
    assert "everything" in said.body["systemMessage"]
    assert '"fault"' in spooled


def test_checks_that_never_end_hold_nobody_for_ever(project: Project) -> None:
    ask(project, asking("import signal; signal.pause()") + "[profiles.standard]\nseconds=25\n")
    first = stop(project)
    with changing(record_at(project)) as change:  # those between would wait as long
        change.set(refused=dict.fromkeys(change.record.refused, MOST_WAITS - 1))
    last_refused, allowed = stop(project), stop(project)

    assert "are running" in first.blocked
    assert "are running" in last_refused.blocked
    assert allowed.blocked == ""
    assert [each.code for each in (first, last_refused, allowed)] == [0, 0, 0]


def test_the_files_a_session_begins_with_are_what_changes_are_measured_from(
    project: Project,
) -> None:
    ask(project, asking(""))
    project.fire("SessionStart", source="startup")

    assert set(record_of(project).files) == {"src/a.py"}
