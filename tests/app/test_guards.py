"""Guards as doors see them: the whole way from lines of hooks to a guard that blocks, and back."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from paige.app import guards as door
from paige.app.application import App, open_app
from paige.base.clock import to_iso
from paige.base.errors import BadInput, Conflict, NotFound, Refused
from paige.base.settings import Settings
from paige.doors.guard.cli_learned import dump_guard_seen, dump_tried
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.values import TraceQuery
from paige.guard.guards.lookup import FOLDER
from paige.guard.guards.parser import dump_guard
from tests.conftest import NOON
from tests.guard.guard_values import force_push

ID = "no-force-push"
FORCE = "git push --force"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    root = tmp_path / "app"
    (root / ".git").mkdir(parents=True)
    return root


@pytest.fixture
def app(root: Path, tmp_path: Path) -> Iterator[App]:
    settings = Settings(cwd=root, given_data_dir=tmp_path / "data", environ={"HOME": str(tmp_path)})
    with open_app(settings, strict=False, now=lambda: NOON) as opened:
        yield opened


class Lines:
    """Writes lines as hooks do, one a minute."""

    def __init__(self, app: App, root: Path) -> None:
        self.path = app.settings.data_dir / "spool" / "claude-code-s.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.root, self.count = root, 0

    def add(self, command: str, decision: str = "none", *, times: int = 1, **more: Any) -> str:
        for _ in range(times):
            self.count += 1
            said = {
                "id": f"l{self.count}", "at": to_iso(NOON + timedelta(minutes=self.count)),
                "cli": "claude-code", "session": f"s{self.count % 3}", "event": "pre_tool",
                "cwd": str(self.root), "tool": "Bash", "input": {"command": command},
                "decision": decision, "rule": "git.force" if decision == "deny" else "", **more,
            }  # fmt: skip
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(said)}\n")
        return f"l{self.count}"


@pytest.fixture
def lines(app: App, root: Path) -> Lines:
    return Lines(app, root)


def propose(app: App, **more: Any) -> None:
    guard = dump_guard(force_push(**more))
    door.create_from(app, guard=guard, why="It happened three times.")


def shadowed(app: App, lines: Lines) -> None:
    """A guard in shadow that has seen enough."""
    lines.add(FORCE, "deny", times=3)
    propose(app)
    door.shadow(app, ID, why="Watch.", by="p")
    lines.add("git status", times=60)
    lines.add(FORCE, "deny", times=4, shadow=[ID])


def test_a_guard_goes_the_whole_way(app: App, lines: Lines) -> None:
    lines.add(FORCE, "deny", times=3)
    propose(app)
    assert door.try_out(app, ID).sound
    assert [each.standing for each in door.records(app)] == ["proposed"]
    door.shadow(app, ID, why="Watch.", by="p")
    with pytest.raises(Refused, match="in shadow"):
        door.promote(app, ID, why="Now.", by="p")
    lines.add("git status", times=60)
    lines.add(FORCE, "deny", times=4, shadow=[ID])
    seen = door.record(app, ID).shadowed
    assert (seen.events, seen.hits, seen.harmless) == (67, 4, 0)
    assert door.promote(app, ID, why="Right each time.", by="p").standing == "production"
    made = dump_guard_seen(door.record(app, ID))
    assert (made["standing"], made["blocks"]) == ("production", True)
    assert [each["stage"] for each in made["steps"]] == ["experiment", "validate", "production"]
    assert made["steps"][-1]["numbers"]["replayed"] == 67
    assert door.roll_back(app, ID, why="No.", by="p").standing == "rolled_back"


def test_one_action_that_was_fine_stops_it(app: App, lines: Lines) -> None:
    shadowed(app, lines)
    lines.add("git push --force-with-lease", shadow=[ID])
    with pytest.raises(Refused, match="force-with-lease"):
        door.promote(app, ID, why="Now.", by="p")
    found = dump_tried(door.try_out(app, ID))
    assert found["sound"] is False
    assert "force-with-lease" in found["harmless"][0]["action"]
    forced = door.promote(app, ID, why="That was wrong, too.", by="p", force=True)
    assert forced.current.metrics["forced"] is True


def test_what_is_refused_can_be_let_pass_once(app: App, lines: Lines) -> None:
    shadowed(app, lines)
    door.promote(app, ID, why="Right.", by="p")
    refused = lines.add(FORCE, "deny", rule=f"guard:{ID}", same="00ff00ff00ff00ff")

    passed = door.override(app, refused, why="The branch is mine.", by="p")

    assert (passed.guard, passed.rolled_back) == (ID, False)
    assert (app.settings.data_dir / FOLDER / f"{ID}.00ff00ff00ff00ff").exists()
    kept = door.records(app)[0].overrides
    assert [(each.decision, each.why) for each in kept] == [(refused, "The branch is mine.")]
    graph = ContextGraph(app.database, app.actor, app.now)
    found = graph.query(TraceQuery(type="approval", rule=f"guard:{ID}"), "full")
    assert found.total == 1


def test_a_shipped_rule_and_an_unknown_decision_cannot_be_let_pass(app: App, lines: Lines) -> None:
    refused = lines.add(FORCE, "deny", same="00ff")
    with pytest.raises(Refused, match=r"git\.force"):
        door.override(app, refused, why="Please.", by="p")
    with pytest.raises(NotFound):
        door.override(app, "nothing", why="Please.", by="p")
    with pytest.raises(NotFound):
        door.override(app, "trace-nothing", why="Please.", by="p")
    with pytest.raises(BadInput):
        door.override(app, refused, why=" ", by="p")
    assert not (app.settings.data_dir / FOLDER).exists()


def test_a_guard_that_is_let_pass_too_often_goes_by_itself(app: App, lines: Lines) -> None:
    shadowed(app, lines)
    door.promote(app, ID, why="Right.", by="p")
    rolled: list[bool] = []
    for number in range(3):
        same = f"{number:016x}"
        refused = lines.add(f"{FORCE} origin {number}", "deny", rule=f"guard:{ID}", same=same)
        rolled.append(door.override(app, refused, why="Fine here.", by="p").rolled_back)
    assert rolled == [False, False, True]
    found = door.records(app)[0]
    assert found.standing == "rolled_back"
    assert found.current.metrics["by"] == "policy"
    assert found.current.metrics["overridden"] == 3


def test_a_policy_promotes_only_where_a_person_wrote_one(
    app: App, lines: Lines, tmp_path: Path, root: Path
) -> None:
    shadowed(app, lines)
    project = root / ".ai" / "guard" / "learning.toml"
    project.parent.mkdir(parents=True)
    assert door.review(app) == ()
    path = tmp_path / "config" / "ai" / "guard" / "learning.toml"
    path.parent.mkdir(parents=True)
    path.write_text('[promotion]\npromote = "policy"\n', encoding="utf-8")
    done = door.review(app)
    assert [(each.guard, each.stage) for each in done] == [(ID, "production")]
    assert door.records(app)[0].current.metrics["by"] == "policy"


def test_a_guard_can_only_be_proposed_by_an_agent(app: App, lines: Lines) -> None:
    propose(app)
    assert door.records(app)[0].standing == "proposed"
    with pytest.raises(Conflict):
        propose(app)
    with pytest.raises(BadInput, match=r"guard\.matcher"):
        door.create_from(app, guard={**dump_guard(force_push()), "matcher": {}}, why="x")
    with pytest.raises(BadInput):
        door.create_from(app, why="x")
    with pytest.raises(NotFound):
        door.create_from(app, pattern="no-such-pattern", why="x")


def test_the_list_names_files_that_cannot_be_read(app: App, root: Path) -> None:
    folder = root / ".ai" / "guards"
    folder.mkdir(parents=True)
    (folder / "torn.json").write_text("{", encoding="utf-8")
    found = door.listed(app)
    assert found.guards == ()
    assert "torn.json" in found.problems[0]
