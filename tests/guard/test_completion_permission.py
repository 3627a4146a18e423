"""A judge's second look at permission requests: off by itself, and never more than a look."""

import json
import sys
from pathlib import Path

import pytest

from paige.base.clock import system_clock
from paige.base.events import Allow, Deny, PermissionRequest
from paige.guard.compiler import rules_for
from paige.guard.completion.permission import STATE, second_look
from paige.guard.fast.place import Place
from paige.guard.gate_runner import Situation
from paige.guard.hook_event import Heard, Outcome, Scene
from tests.guard.gate_project import Project

UNSURE = Outcome(None, "shell.unknown")
COMMAND = "frobnicate --all"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    for name in ("app", "home", "data"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    root = str(tmp_path / "app")
    return Place(root, root, str(tmp_path / "home"), str(tmp_path / "data"), False)


def situation(place: Place, command: str = COMMAND) -> Situation:
    event = PermissionRequest("s1", "Bash", {"command": command})
    scene = Scene("claude-code", "PermissionRequest", "s1", place.cwd, "default")
    return Situation(Heard(event, scene), place, "", rules_for(place), system_clock())


def judge(place: Place, script: str) -> None:
    folder = Path(place.home) / ".config" / "ai" / "guard"
    folder.mkdir(parents=True, exist_ok=True)
    argv = json.dumps([sys.executable, "-c", script])
    (folder / "completion.toml").write_text(f"[permission]\njudge='mine'\n[judges]\nmine={argv}\n")


def says(decision: str) -> str:
    answer = json.dumps({"decision": decision, "reason": "It only reads."})
    return (
        f"import os, sys; assert os.environ['PAIGE_IN_HOOK'] == '1'; assert not os.listdir('.'); "
        f"assert 'frobnicate' in sys.stdin.read(); print({answer!r})"
    )


def test_without_a_judge_the_question_stays_a_question(place: Place) -> None:
    assert second_look(situation(place), UNSURE) is UNSURE


@pytest.mark.parametrize(("said", "kind"), [("allow", Allow), ("deny", Deny), ("ask", type(None))])
def test_a_judge_may_answer_the_question(place: Place, said: str, kind: type) -> None:
    judge(place, says(said))

    assert isinstance(second_look(situation(place), UNSURE).decision, kind)


@pytest.mark.parametrize("decided", [Outcome(Deny("no"), "x"), Outcome(Allow(), "x")])
def test_only_a_question_may_change(place: Place, decided: Outcome) -> None:
    judge(place, says("allow"))

    assert second_look(situation(place), decided) is decided


@pytest.mark.parametrize("script", ["raise SystemExit(1)", "print('allow')", "print('{}')"])
def test_an_answer_that_is_none_leaves_the_question_and_failures_add_up(
    place: Place, script: str
) -> None:
    judge(place, script)
    for _ in range(3):
        assert second_look(situation(place), UNSURE) is UNSURE
    judge(place, says("allow"))

    assert second_look(situation(place), UNSURE) is UNSURE  # it is left alone for a while
    assert json.loads((Path(place.data) / STATE).read_text())["rests_until"] > 0


def test_inside_of_a_judge_there_is_no_further_one(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(place, says("allow"))
    monkeypatch.setenv("PAIGE_IN_HOOK", "1")

    assert second_look(situation(place), UNSURE) is UNSURE


def test_a_command_the_rules_deny_stays_denied_whatever_a_judge_says(place: Place) -> None:
    judge(place, says("allow").replace("frobnicate", "rm"))

    looked = second_look(situation(place, "rm -rf /"), UNSURE)

    assert not isinstance(looked.decision, Allow)


def test_a_setting_names_the_judge(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    judge(place, says("allow"))
    path = Path(place.home) / ".config" / "ai" / "guard" / "completion.toml"
    path.write_text(path.read_text().replace("[permission]\njudge='mine'\n", ""))
    assert second_look(situation(place), UNSURE) is UNSURE

    monkeypatch.setenv("PAIGE_GUARD_JUDGE", "mine")

    assert isinstance(second_look(situation(place), UNSURE).decision, Allow)


def test_a_project_cannot_switch_the_judge_on(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(place, says("allow"))
    path = Path(place.home) / ".config" / "ai" / "guard" / "completion.toml"
    path.write_text(path.read_text().replace("[permission]\njudge='mine'\n", ""))
    (Path(place.root) / "paige.toml").write_text("guard_judge = 'mine'\n")
    (Path(place.root) / ".env").write_text("PAIGE_GUARD_JUDGE=mine\n")
    monkeypatch.chdir(place.root)

    assert second_look(situation(place), UNSURE) is UNSURE


def test_the_hook_asks_the_judge_once_a_person_has_named_one(place: Place) -> None:
    project = Project(Path(place.root), Path(place.data))
    asked = {"tool_name": "Bash", "tool_input": {"command": COMMAND}}
    assert project.fire("PermissionRequest", **asked).own == {}  # the person is asked

    judge(place, says("allow"))

    assert project.fire("PermissionRequest", **asked).own["decision"] == {"behavior": "allow"}
    # Before a tool runs nobody else is asked, and what is denied stays denied.
    assert project.before("Bash", command=COMMAND).own == {}
    deadly = {"tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}
    assert project.fire("PermissionRequest", **deadly).own["decision"]["behavior"] == "deny"
