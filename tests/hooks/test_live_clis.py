"""Real coding CLIs, installed by `paige install`, against scripted models, with loopback alone.

Copilot CLI is not run here: it has its fixtures.
"""

import json
from pathlib import Path

import pytest

from tests.fakes.agent_models import DONE, Turn
from tests.hooks.coding_hosts import BIN, HOSTS, WRITERS, Desk, Host, namespace

pytestmark = pytest.mark.clients
POLICY = "Rivers are named Lethe in this house."
TEST = "def test_it() -> None:\n    assert 1 + 1 == 2\n"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    (project / ".git").mkdir(parents=True)
    (home / "keep.txt").write_text("precious")
    # Some hosts start a login shell, which makes a search path of its own.
    (home / ".profile").write_text(f"PATH={BIN}:$PATH\n")
    policies = home / ".config" / "ai" / "policies"
    policies.mkdir(parents=True)
    (policies / "rivers.md").write_text(f"# Rivers\n\n{POLICY}\n")
    (project / "test_sum.py").write_text(TEST)
    return Desk(home, project)


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host.name)
def test_a_session_is_told_and_a_dangerous_call_is_denied_to_the_agent_and_its_subagents(
    host: Host, desk: Desk
) -> None:
    deadly = host.shell("rm -rf ~")
    again = host.shell(f"rm -rf {desk.home}/")
    told = desk.run(host, [deadly, host.shell("pwd"), *host.delegate], [again])

    assert told.code == 0, told.stderr
    assert DONE in told.stdout
    assert POLICY in json.dumps(told.asked[-1]["body"], ensure_ascii=False)  # said at the start
    assert (desk.home / "keep.txt").read_text() == "precious"
    assert str(desk.project) in told.last  # what nobody minds has run
    noted = desk.noted()
    denied = [line for line in noted if line.get("decision") == "deny"]
    assert len(denied) == 2
    assert all(line["event"] == "pre_tool" for line in denied)
    assert denied[0]["reason"] in "".join(json.dumps(each["body"]) for each in told.asked)
    if host.name != "gemini":  # which does not say who acts
        assert denied[0]["agent"] is None
        assert denied[1]["agent"]
    # An ordinary person stops freely, and every event came once.
    assert [line["decision"] for line in noted if line["event"] == "stop"] == ["none"]
    assert len([line for line in noted if line["event"] == "session_start"]) == 1
    if namespace():  # not every system gives one
        assert told.interfaces == ["lo"]
        assert not told.reachable


@pytest.mark.parametrize("host", WRITERS, ids=lambda host: host.name)
def test_the_file_of_an_agent_with_a_role_is_moved_and_it_may_not_stop_before_tests_ran(
    host: Host, desk: Desk
) -> None:
    features = desk.project / ".claude" / "progress" / "feature-list.json"
    features.parent.mkdir(parents=True)
    feature = {"id": "F1", "title": "Sum", "description": "", "status": "in_progress"}
    listed = {**feature, "tested": False, "retries": 0, "evidence": []}
    features.write_text(json.dumps({"features": [listed]}))
    assert host.write is not None
    summary = host.write(str(desk.project / "summary.md"), "What I did.")

    told = desk.run(
        host,
        [host.shell("rm -rf ~"), summary, Turn(), host.shell("pytest -q test_sum.py")],
        AGENT_ROLE="tester",
    )

    assert told.code == 0, told.stderr
    moved = desk.project / ".claude" / "progress" / "summaries" / "summary.md"
    assert "What I did." in moved.read_text()
    assert not (desk.project / "summary.md").exists()
    refused = [line for line in desk.noted() if line.get("decision") == "keep_working"]
    assert len(refused) == 1
    assert "No test of yours has run" in told.last
    assert "1 passed" in told.last
    # A script of Codex, too, cannot do what its tools may not.
    assert (desk.home / "keep.txt").exists()
    (denied,) = [line for line in desk.noted() if line.get("decision") == "deny"]
    assert denied["reason"] in told.last
