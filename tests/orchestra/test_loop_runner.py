"""Paige's own loop as a runner: in the worktree, past the gates, with evidence of its own runs."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from paige.app.application import App, open_app
from paige.app.memory_use import open_graph
from paige.app.orchestra import run_orchestra
from paige.app.orchestra_files import plan_by_rules
from paige.app.orchestra_runner import LoopRunner
from paige.base.errors import Unavailable
from paige.base.settings import Settings
from paige.guard.graph.values import TraceQuery
from paige.guard.state.evidence_files import fresh, read_evidence
from paige.guard.state.features import SessionState
from paige.guard.state.tree import tree_hash
from paige.orchestra.running import worktrees
from paige.orchestra.running.parts import Wishes
from paige.orchestra.running.runners import RunResult, Task
from tests.conftest import NOON
from tests.fakes.model_server import Recorded, Reply
from tests.fakes.served_model import KEY, ServedModel, served_model
from tests.fakes.wire_bodies import ANTHROPIC
from tests.guard.session_state import write_session
from tests.orchestra.repositories import merges, new_repository, run_git

TEST = "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"
PYTEST = f"{sys.executable} -m pytest -q -p no:cacheprovider"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return new_repository(tmp_path / "app", **{"test_calc.py": TEST})


@pytest.fixture
def model() -> Iterator[ServedModel]:
    with served_model() as served:
        yield served


@pytest.fixture
def app(tmp_path: Path, project: Path, model: ServedModel) -> Iterator[App]:
    settings = Settings(
        cwd=project,
        given_data_dir=tmp_path / "data",
        anthropic_api_key=KEY,
        base_url=model.url,
        fallback="none",
        environ={"HOME": str(tmp_path)},
    )
    with open_app(settings, strict=False) as opened:
        yield opened


def plays(model: ServedModel, *turns: tuple[str, dict[str, Any]] | str) -> None:
    """Let the model call these tools one after the other, or say something."""

    def answer(request: Recorded) -> Reply:
        spoken = sum(message["role"] == "assistant" for message in request.body["messages"])
        turn = turns[min(spoken, len(turns) - 1)]
        if isinstance(turn, str):
            return ANTHROPIC.answer(turn)
        return ANTHROPIC.tool_call(f"toolu_{spoken}", turn[0], turn[1])

    model.answers_with(answer)


def task_for(project: Path, role: str = "musician", agent: str = "coding-agent") -> Task:
    """A task in the worktree of the feature F1."""
    made = worktrees.add(worktrees.find_repository(project), "F1")
    write_session(made.folder, SessionState("coding", "F1", 1), NOON)
    return Task(
        key=f"r/0001/{agent}/F1",
        number=1,
        agent=agent,
        role=role,
        feature="F1",
        prompt="Build F1.",
        instructions="You build one feature.",
        folder=made.folder,
        out=project / ".claude" / "progress" / "runs" / "1",
        session="5e551011-0000-4000-8000-000000000000",
        timeout_s=100.0,
    )


def run(app: App, task: Task) -> RunResult:
    """Let the runner work on a task."""
    return anyio.run(LoopRunner(app).run, task)


def results(model: ServedModel) -> list[str]:
    """What the tools answered, in order."""
    last = model.requests[-1].body["messages"]
    return [
        json.dumps(block["content"], ensure_ascii=False)
        for message in last
        for block in (message["content"] if isinstance(message["content"], list) else ())
        if block.get("type") == "tool_result"
    ]


def test_an_agent_writes_and_tests_in_its_worktree_and_leaves_sealed_evidence(
    app: App, project: Path, model: ServedModel
) -> None:
    plays(
        model,
        ("write_file", {"path": "sub.py", "content": "def sub(a, b):\n    return a - b\n"}),
        ("bash", {"command": PYTEST}),
        "IMPLEMENTATION COMPLETE - Feature F1 ready for testing",
    )
    task = task_for(project)
    done = run(app, task)

    assert (done.status, done.source) == ("ended", "anthropic"), done
    assert done.text.startswith("IMPLEMENTATION COMPLETE")
    assert (task.folder / "sub.py").is_file()
    assert not (project / "sub.py").exists()
    assert "You build one feature." in json.dumps(model.requests[0].body["system"])
    found = read_evidence(task.folder, app.settings.data_dir)
    held = fresh(found.records, "F1", tree_hash(task.folder))
    assert held is not None, (found, results(model))
    assert (held.tests, held.feature) == (1, "F1")
    changed = run_git(task.folder, "status", "--porcelain", "--untracked-files=all")
    left = [line for line in changed.splitlines() if "__pycache__" not in line]
    assert left == ["?? sub.py"]


def test_what_is_refused_to_coding_clis_is_refused_and_what_would_be_asked_too(
    app: App, project: Path, model: ServedModel, tmp_path: Path
) -> None:
    (tmp_path / "precious").write_text("here")
    plays(
        model,
        ("bash", {"command": f"rm -rf {tmp_path}"}),
        ("bash", {"command": "sed -i s/add/sum/ calc.py"}),
        ("write_file", {"path": ".claude/progress/feature-list.json", "content": "{}"}),
        "I could not.",
    )
    task = task_for(project)
    done = run(app, task)

    assert done.text == "I could not."
    first, second, third = results(model)
    assert "Refused" in first
    assert "Nobody can be asked here" in second
    assert "hidden" in third or "Refused" in third
    assert (tmp_path / "precious").exists()
    assert "def add" in (task.folder / "calc.py").read_text()
    noted = "".join(path.read_text() for path in (tmp_path / "data" / "spool").iterdir())
    assert '"deny"' in noted.replace(" ", "")


def test_a_tester_that_ran_no_test_is_sent_back_to_work(
    app: App, project: Path, model: ServedModel
) -> None:
    plays(model, "PASSED F1", ("bash", {"command": PYTEST}), "PASSED F1")
    done = run(app, task_for(project, "tester", "tester-agent"))
    assert done.text == "PASSED F1"
    assert len(model.requests) == 3
    told = json.dumps(model.requests[1].body["messages"])
    assert "No test of yours has run" in told


def test_a_failing_run_is_evidence_of_failure(app: App, project: Path, model: ServedModel) -> None:
    task = task_for(project, "tester", "tester-agent")
    (task.folder / "calc.py").write_text("def add(a, b):\n    return 0\n")
    plays(model, ("bash", {"command": PYTEST}), "FAILED F1")
    assert run(app, task).text == "FAILED F1"
    (record,) = read_evidence(task.folder, app.settings.data_dir).records
    assert (record.exit_code, record.good) == (1, False)
    assert "Exit code 1" in results(model)[0]


def test_keys_of_the_process_do_not_reach_the_shell(
    app: App, project: Path, model: ServedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-precious")
    plays(model, ("bash", {"command": "printenv"}), "RunResult")
    run(app, task_for(project))
    assert "sk-ant-precious" not in results(model)[0]
    assert "AGENT_ROLE=musician" in results(model)[0]


def test_a_run_that_was_cut_off_goes_on_where_it_was(
    app: App, project: Path, model: ServedModel
) -> None:
    plays(model, ("write_file", {"path": "sub.py", "content": "sub = 1\n"}), "RunResult")
    task = task_for(project)
    first = run(app, task)
    asked = len(model.requests)
    again = run(app, task)
    assert again.text == first.text == "RunResult"
    assert again.meta["run"] == first.meta["run"]
    assert len(model.requests) == asked  # nothing was asked twice


def test_a_model_that_does_not_answer_in_time_is_a_timeout(
    app: App, project: Path, model: ServedModel
) -> None:
    model.keeps_silent()
    done = run(app, replace(task_for(project), timeout_s=1.0))
    assert done.status == "timeout"
    assert "1 s" in done.problem


def test_without_a_model_it_says_what_is_needed(tmp_path: Path, project: Path) -> None:
    settings = Settings(cwd=project, given_data_dir=tmp_path / "data")
    with open_app(settings, strict=False) as app, pytest.raises(Unavailable) as refused:
        run(app, task_for(project))
    assert "needs a model" in refused.value.message
    assert "--runner claude-code" in (refused.value.hint or "")


def test_a_whole_feature_is_built_judged_tested_and_merged_by_the_loop(
    app: App, project: Path, model: ServedModel
) -> None:
    settings, goal = app.settings, "- Subtract two numbers\n- Double a number"
    assert plan_by_rules(settings, goal, app.now).source == "list"
    asked: list[str] = []

    def answer(request: Recorded) -> Reply:
        system = json.dumps(request.body["system"])
        messages = request.body["messages"]
        spoken = sum(message["role"] == "assistant" for message in messages)
        if "verdict" in system:
            asked.append("judge")
            return ANTHROPIC.answer('{"verdict": "pass", "missing": [], "reasons": []}')
        told = json.dumps(messages[0])
        feature = "F1" if "F1: Subtract" in told else "F2"
        if "PASSED" in told:
            asked.append("tester")
            if spoken == 0:
                return ANTHROPIC.tool_call("t0", "bash", {"command": PYTEST})
            return ANTHROPIC.answer(f"Checks: ran\n\nPASSED {feature}")
        asked.append("coder")
        if spoken == 0:
            given = {"path": f"{feature.lower()}.py", "content": "x = 1\n"}
            return ANTHROPIC.tool_call("t0", "write_file", given)
        return ANTHROPIC.answer(f"IMPLEMENTATION COMPLETE - Feature {feature} ready for testing")

    model.answers_with(answer)
    report = anyio.run(partial(run_orchestra, app, Wishes(), "loop"))

    assert report.complete, (report, asked)
    assert (report.closed, report.judged, report.vetoes) == (("F1", "F2"), 2, 0)
    assert merges(project) == ["F1: Subtract two numbers", "F2: Double a number"]
    assert asked == (["coder"] * 2 + ["judge"] + ["tester"] * 2) * 2
    stored = open_graph(app).query(TraceQuery(feature="F1"), "summary")
    assert stored.total >= 2
