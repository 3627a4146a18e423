"""The conductor with agents that play a part: features are built, tested, merged and closed."""

import json
import os
from pathlib import Path
from typing import Any

import anyio
import pytest

from paige.base.clock import system_clock
from paige.base.errors import BadInput, Conflict, Unavailable
from paige.base.platform import process_start
from paige.guard.graph.values import NewTrace
from paige.memory.event import Draft
from paige.models.calls import Models
from paige.models.requests import Request
from paige.models.scripted import Scripted
from paige.orchestra.judge import PURPOSE
from paige.orchestra.running.conductor import Report, Wishes, conduct
from paige.orchestra.running.parts import project_checks
from paige.orchestra.running.project_files import conducting
from paige.orchestra.running.runners import RunResult, Task
from paige.store.engine import Database
from tests.conftest import NOON
from tests.orchestra.players import (
    FAILED,
    PARTS,
    Part,
    Player,
    code,
    collected,
    listed,
    local_models,
    orchestra_of,
    run_tests,
    validate,
    write_list,
)
from tests.orchestra.repositories import merges, new_repository, run_git


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return new_repository(tmp_path / "app")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def play(
    project: Path, data: Path, wishes: Wishes | None = None, **parts: Part
) -> tuple[Report, Player]:
    """Conduct a project with some parts played in another way."""
    named = {name.replace("_", "-"): part for name, part in parts.items()}
    player = Player(data, {**PARTS, **named})
    return anyio.run(conduct, orchestra_of(project, player), wishes), player


def prompts(player: Player, agent: str) -> list[str]:
    return [task.prompt for task in player.of(agent)]


def test_a_goal_becomes_features_that_are_built_tested_and_merged(
    project: Path, data: Path
) -> None:
    report, player = play(project, data, Wishes(goal="Two parts"))

    assert report.complete
    assert report.closed == ("F1", "F2")
    agents = [task.agent for task in player.tasks]
    assert agents == ["initializer-agent"] + ["coding-agent", "tester-agent"] * 2
    assert merges(project) == ["F1: Part 1", "F2: Part 2"]
    assert (project / "f1.py").exists()
    assert (project / "f2.py").exists()
    features = listed(project)
    for id in ("F1", "F2"):
        assert (features[id]["status"], features[id]["tested"]) == ("completed", True)
        (path,) = features[id]["evidence"]
        record = json.loads((project / path).read_text())
        assert (record["feature"], record["exit_code"]) == (id, 0)
    state = json.loads((project / ".claude/progress/session-state.json").read_text())
    assert state["state"] == "all_complete"
    assert not list((project / ".claude" / "worktrees").iterdir())
    assert run_git(project, "branch", "--list", "paige/*") == ""
    assert run_git(project, "status", "--porcelain") == ""
    # A second run has nothing to do.
    again, player = play(project, data)
    assert (again.complete, player.tasks) == (True, [])


def test_agents_work_in_worktrees_with_their_role_and_see_only_their_task(
    project: Path, data: Path
) -> None:
    _, player = play(project, data, Wishes(goal="Two parts"))
    coder, tester = player.of("coding-agent")[0], player.of("tester-agent")[0]
    assert coder.folder == project / ".claude" / "worktrees" / "F1"
    assert (coder.role, tester.role) == ("musician", "tester")
    assert coder.instructions == "You are coding-agent."
    assert '"agent": "coding-agent"' in coder.prompt
    assert '"idempotency_key"' in coder.prompt
    assert "Write f1.py" in coder.prompt
    assert "f1.py" in tester.prompt
    handed = (project / ".claude/progress/handoffs.jsonl").read_text().splitlines()
    events = [json.loads(line)["event"] for line in handed]
    assert events == ["sent", "received", "returned"] * 5


def test_tests_that_fail_send_the_feature_back_with_a_reflection(project: Path, data: Path) -> None:
    write_list(project, {"id": "F1", "title": "Part 1"})

    def fails_once(player: Player, task: Task) -> str:
        if len(player.of("tester-agent")) == 1:
            run_tests(task, player.data, FAILED)
            return "Issues:\n- f1.py: AssertionError: expected 2 got 1\n\nFAILED F1"
        return validate(player, task)

    report, player = play(project, data, tester_agent=fails_once)

    assert report.complete
    assert listed(project)["F1"]["retries"] == 1
    first, second = prompts(player, "coding-agent")
    assert "LAST_ATTEMPT_AND_REFLEXION" not in first
    assert "LAST_ATTEMPT_AND_REFLEXION" in second
    assert "No model looked for the cause" in second
    assert "f1.py" in second
    assert "Tests of the project do not pass." in second


def test_a_claim_without_evidence_is_a_failure_and_after_two_retries_the_next_one_begins(
    project: Path, data: Path
) -> None:
    write_list(project, {"id": "F1", "title": "Part 1"}, {"id": "F2", "title": "Part 2"})

    def lies(player: Player, task: Task) -> str:
        return f"PASSED {task.feature}" if task.feature == "F1" else validate(player, task)

    report, player = play(project, data, tester_agent=lies)

    assert (report.closed, report.blocked) == (("F2",), ("F1",))
    assert not report.complete
    assert listed(project)["F1"]["status"] == "blocked"
    assert listed(project)["F1"]["tested"] is False
    assert len([task for task in player.of("tester-agent") if task.feature == "F1"]) == 3
    assert merges(project) == ["F2: Part 2"]
    assert "paige/F1" in run_git(project, "branch", "--list", "paige/*")  # the work is kept


def test_forged_evidence_and_evidence_for_other_files_count_for_nothing(
    project: Path, data: Path
) -> None:
    write_list(project, {"id": "F1", "title": "Part 1"})

    def forges(player: Player, task: Task) -> str:
        folder = task.folder / ".claude" / "progress" / "evidence"
        folder.mkdir(parents=True, exist_ok=True)
        record: dict[str, Any] = {
            "argv": ["pytest"], "cwd": str(task.folder), "exit_code": 0, "tests": 9,
            "tree_hash": "0" * 64, "at": "2099-01-01T00:00:00.000000Z", "tool_use_id": "x",
            "session": task.session, "agent": None, "feature": "F1", "seal": "a" * 64,
        }  # fmt: skip
        (folder / "2099.json").write_text(json.dumps(record))
        return "PASSED F1"

    report, _ = play(project, data, tester_agent=forges)
    assert report.blocked == ("F1",)

    write_list(project, {"id": "F2", "title": "Part 2"})

    def tests_then_edits(player: Player, task: Task) -> str:
        said = validate(player, task)
        (task.folder / "test_more.py").write_text(f"late = {len(player.tasks)}\n")
        return said

    report, _ = play(project, data, tester_agent=tests_then_edits)
    assert "F2" in report.blocked


def test_a_tester_may_write_tests_but_not_source(project: Path, data: Path) -> None:
    write_list(project, {"id": "F1", "title": "Part 1"})

    def writes(name: str) -> Part:
        def part(player: Player, task: Task) -> str:
            (task.folder / name).write_text("x = 1\n")
            return validate(player, task)

        return part

    report, _ = play(project, data, tester_agent=writes("test_f1.py"))
    assert report.complete
    assert (project / "test_f1.py").exists()
    write_list(project, {"id": "F2", "title": "Part 2"})
    report, _ = play(project, data, tester_agent=writes("calc.py"))
    assert report.blocked == ("F2",)
    assert "def add" in run_git(project, "show", "paige/F2:calc.py")  # none of it is kept


def test_agents_that_write_the_state_of_the_work_fail(project: Path, data: Path) -> None:
    write_list(project, {"id": "F1", "title": "Part 1"}, {"id": "F2", "title": "Part 2"})

    def forges(player: Player, task: Task) -> str:
        said = code(player, task)
        if task.feature == "F1":
            write_list(project, {"id": "F1", "title": "Part 1", "tested": True})
        return said

    report, player = play(project, data, coding_agent=forges)
    assert report.blocked == ("F1",)
    assert report.closed == ("F2",)  # the list is as the orchestra has it
    assert listed(project)["F1"]["tested"] is False
    assert "they are not yours" in prompts(player, "coding-agent")[1]


def test_code_that_cannot_be_read_does_not_pass(project: Path, data: Path) -> None:
    write_list(project, {"id": "F1", "title": "Part 1"})

    def breaks_once(player: Player, task: Task) -> str:
        said = code(player, task)
        if len(player.of("coding-agent")) == 1:
            (task.folder / "f1.py").write_text("def broken(:\n")
        return said

    player = Player(data, {**PARTS, "coding-agent": breaks_once})
    checks = project_checks(project, data, system_clock)
    report = anyio.run(conduct, orchestra_of(project, player, checks=checks))
    assert report.complete
    assert len(player.of("tester-agent")) == 1
    assert "The project does not pass its own checks." in prompts(player, "coding-agent")[1]


def test_an_agent_that_changes_nothing_or_runs_out_of_time_has_failed(
    project: Path, data: Path
) -> None:
    write_list(project, {"id": "F1", "title": "Part 1"})

    def slow(player: Player, task: Task) -> str | RunResult:
        match len(player.of("coding-agent")):
            case 1:
                return RunResult(status="timeout", seconds=9.0, problem="too slow")
            case 2:
                return "IMPLEMENTATION COMPLETE - Feature F1 ready for testing"
            case _:
                return code(player, task)

    report, player = play(project, data, coding_agent=slow)
    assert report.complete
    _, second, third = prompts(player, "coding-agent")
    assert "You gave no answer in your time." in second
    assert "Nothing in the project has changed." in third


def test_a_runner_that_cannot_work_at_all_stops_the_conductor_and_costs_no_attempt(
    project: Path, data: Path
) -> None:
    write_list(project, {"id": "F1", "title": "Part 1"})

    def broken(player: Player, task: Task) -> RunResult:
        return RunResult(status="failed", problem="no credit left")

    with pytest.raises(Unavailable, match="no credit left"):
        play(project, data, coding_agent=broken)
    assert listed(project)["F1"]["retries"] == 0
    report, _ = play(project, data)
    assert report.complete
    assert listed(project)["F1"]["retries"] == 0


def test_a_base_that_moves_is_taken_in_and_tested_again(project: Path, data: Path) -> None:
    write_list(project, {"id": "F1", "title": "Part 1"})

    def moves(player: Player, task: Task) -> str:
        said = validate(player, task)
        if len(player.of("tester-agent")) == 1:
            (project / "other.py").write_text("other = 1\n")
            run_git(project, "add", "other.py")
            run_git(project, "commit", "--quiet", "-m", "meanwhile")
        return said

    report, player = play(project, data, tester_agent=moves)
    assert report.complete
    assert len(player.of("coding-agent")) == 1
    assert len(player.of("tester-agent")) == 2
    assert (project / "other.py").exists()
    assert (project / "f1.py").exists()


def test_a_conflict_goes_back_to_the_coder_with_the_marks_in_the_file(
    project: Path, data: Path
) -> None:
    write_list(project, {"id": "F1", "title": "Part 1"})
    seen: list[str] = []

    def changes_calc(player: Player, task: Task) -> str:
        path = task.folder / "calc.py"
        seen.append(path.read_text())
        path.write_text("def add(a, b):\n    return b + a\n")
        return code(player, task)

    def moves(player: Player, task: Task) -> str:
        said = validate(player, task)
        if len(player.of("tester-agent")) == 1:
            (project / "calc.py").write_text("def add(a, b):\n    return sum((a, b))\n")
            run_git(project, "commit", "--quiet", "-am", "meanwhile")
        return said

    report, player = play(project, data, coding_agent=changes_calc, tester_agent=moves)
    assert report.complete
    assert "<<<<<<<" not in seen[0]
    assert "<<<<<<<" in seen[1]
    assert "A merge to resolve" in prompts(player, "coding-agent")[1]
    assert (project / "calc.py").read_text().endswith("b + a\n")


def test_what_the_initializer_sets_up_is_where_features_begin(project: Path, data: Path) -> None:
    def sets_up(player: Player, task: Task) -> str:
        (task.folder / "README.md").write_text("ground\n")
        return PARTS["initializer-agent"](player, task)  # type: ignore[return-value]

    def sees(player: Player, task: Task) -> str:
        assert (task.folder / "README.md").exists()
        return code(player, task)

    report, _ = play(project, data, Wishes(goal="x"), initializer_agent=sets_up, coding_agent=sees)
    assert report.complete
    assert (project / "README.md").exists()
    assert run_git(project, "branch", "--list", "paige/*") == ""


def test_with_three_tiers_a_section_leader_speaks_before_its_features(
    project: Path, data: Path
) -> None:
    write_list(
        project,
        {"id": "A1", "title": "One", "group": "a"},
        {"id": "B1", "title": "Two", "group": "b"},
    )
    report, player = play(project, data, Wishes(tiers=3))
    assert report.complete
    agents = [task.agent for task in player.tasks]
    assert agents == ["section-leader", "coding-agent", "tester-agent"] * 2
    assert player.tasks[0].role == "section_leader"
    assert "keep it small" in prompts(player, "coding-agent")[0]


def test_at_most_so_many_features_are_finished_and_the_rest_waits(
    project: Path, data: Path
) -> None:
    write_list(project, {"id": "F1", "title": "1"}, {"id": "F2", "title": "2"})
    report, player = play(project, data, Wishes(most=1))
    assert (report.closed, report.open, report.finished) == (("F1",), ("F2",), ("F1",))
    assert len(player.tasks) == 2
    report, player = play(project, data)
    assert report.complete
    assert [task.feature for task in player.tasks] == ["F2", "F2"]


def test_a_project_without_goal_and_features_is_told_what_to_do(project: Path, data: Path) -> None:
    with pytest.raises(BadInput, match="no features and no goal"):
        play(project, data)


def test_a_damaged_list_is_named_and_left_as_it_is(project: Path, data: Path) -> None:
    write_list(project)
    path = project / ".claude" / "progress" / "feature-list.json"
    path.write_text('{"features": [{"id": "F1"},]}')
    with pytest.raises(BadInput, match=r"feature-list\.json`, line 1"):
        play(project, data)
    assert path.read_text() == '{"features": [{"id": "F1"},]}'


def test_a_dirty_tree_stops_the_conductor_before_anything_is_done(
    project: Path, data: Path
) -> None:
    (project / "calc.py").write_text("typed\n")
    with pytest.raises(Conflict, match="not committed"):
        play(project, data, Wishes(goal="x"))
    assert not (project / ".claude" / "progress" / "session-state.json").exists()


def test_a_state_that_somebody_else_wrote_is_not_gone_on_from(project: Path, data: Path) -> None:
    write_list(project, {"id": "F1", "title": "1"}, {"id": "F2", "title": "2"})
    play(project, data, Wishes(most=1))
    path = project / ".claude" / "progress" / "session-state.json"
    given = json.loads(path.read_text())
    given["machine"]["phase"] = "all_complete"
    path.write_text(json.dumps(given))
    told, tell = collected()
    player = Player(data)
    report = anyio.run(conduct, orchestra_of(project, player, tell=tell))
    assert report.closed == ("F1", "F2")  # what has sealed evidence is not built again
    assert [task.feature for task in player.tasks] == ["F2", "F2"]
    assert any("not written by Paige" in each.text for each in told)


def test_one_project_has_one_conductor(project: Path, data: Path) -> None:
    write_list(project, {"id": "F1", "title": "1"})
    other = {"pid": os.getppid(), "start": process_start(os.getppid())}
    (project / ".claude" / "progress" / "conductor.json").write_text(json.dumps(other))
    with pytest.raises(Conflict, match="conducts this project already"):
        play(project, data)
    (project / ".claude" / "progress" / "conductor.json").write_text('{"pid": 1, "start": "0"}')
    with conducting(project, NOON):
        pass
    assert play(project, data)[0].complete


def fails_once(player: Player, task: Task) -> str:
    """Tests that fail, and after the next attempt do not."""
    if len(player.of("tester-agent")) == 1:
        run_tests(task, player.data, FAILED)
        return "FAILED F1"
    return validate(player, task)


def test_attempts_reflections_and_closings_are_traced_for_learning(
    project: Path, data: Path
) -> None:
    write_list(project, {"id": "F1", "title": "Part 1"})
    stored: list[NewTrace] = []
    drafts: list[Draft] = []
    player = Player(data, {**PARTS, "tester-agent": fails_once})
    made = orchestra_of(project, player, store=stored.append, remember=drafts.append)
    anyio.run(conduct, made)
    actions = [each.action for each in stored]
    assert actions == ["reflect", "attempt", "attempt", "close-feature"]
    assert [each.meta["verified"] for each in stored if each.action == "attempt"] == [False, True]
    assert len({each.id for each in stored}) == 4
    (episode,) = drafts
    assert (episode.type, episode.outcome) == ("episode", "failure")


@pytest.mark.parametrize("away", ["store", "remember"])
def test_a_reflection_that_one_place_cannot_keep_is_in_the_other_and_in_the_next_prompt(
    away: str, project: Path, data: Path
) -> None:
    write_list(project, {"id": "F1", "title": "Part 1"})
    kept: list[object] = []

    def fails(value: object) -> None:
        raise Unavailable("it is away")

    places = {"store": kept.append, "remember": kept.append, away: fails}
    player = Player(data, {**PARTS, "tester-agent": fails_once})
    report = anyio.run(conduct, orchestra_of(project, player, **places))

    assert report.complete
    assert "LAST_ATTEMPT_AND_REFLEXION" in prompts(player, "coding-agent")[1]
    wanted = Draft if away == "store" else NewTrace
    assert any(isinstance(each, wanted) for each in kept)


def test_the_report_counts_verdicts_and_vetoes_and_leaves_out_a_silent_judge(
    project: Path, data: Path, sqlite_db: Database
) -> None:
    write_list(project, {"id": "F1", "title": "Part 1"}, {"id": "F2", "title": "Part 2"})
    verdicts = iter(['{"verdict": "veto"}', '{"verdict": "pass"}', "I cannot tell."])

    def says(request: Request) -> str:
        return next(verdicts) if request.purpose == PURPOSE else "nothing that can be used"

    async def at_once(seconds: float) -> None:
        return None

    rules = local_models().local
    models = Models(Scripted(says), rules, sqlite_db, now=lambda: NOON, sleep=at_once)
    report = anyio.run(conduct, orchestra_of(project, Player(data), models=models))

    assert report.closed == ("F1", "F2")
    assert (report.judged, report.vetoes) == (2, 1)
