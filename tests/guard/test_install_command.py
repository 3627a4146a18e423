"""`paige install` and `paige uninstall` as a person types them, manifests, and what doctor says."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from paige.base.errors import BadInput, Refused
from paige.base.events import DECISIONS, Modify
from paige.base.paths import shipped
from paige.base.settings import Settings
from paige.doors.guard.cli_install import install, uninstall
from paige.guard.adapters import claude_code, codex, copilot, gemini
from paige.guard.checks import checks
from paige.guard.hook_event import Outcome
from paige.guard.install.commands import argv_of, for_powershell
from paige.guard.install.hosts import hook_hash
from paige.guard.install.manifests import CLIS, manifest, read_manifest
from paige.guard.install.plans import our_hooks
from tests.guard.installs import HOOK_FILES

ADAPTERS: dict[str, ModuleType] = {
    "claude-code": claude_code,
    "codex": codex,
    "gemini": gemini,
    "copilot": copilot,
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "COPILOT_HOME", "DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)
    return home


def run(command: Any, *arguments: str) -> Any:
    done = CliRunner().invoke(command, [*arguments], standalone_mode=False)
    if done.exception:
        raise done.exception
    return done.output


def settings_of(home: Path) -> Settings:
    return Settings(environ=dict(os.environ), cwd=home)


@pytest.mark.parametrize("cli", CLIS)
def test_what_is_installed_starts_and_guards_and_doctor_says_so(cli: str, home: Path) -> None:
    run(install, cli)

    found = {check.name: check for check in checks(settings_of(home))}
    assert [check.status for check in found.values()] == ["ok"], found
    assert "`rm -rf /` is refused" in next(iter(found.values())).message


def test_a_dry_run_shows_the_lines_and_writes_nothing(home: Path) -> None:
    shown = run(install, "gemini", "--dry-run")

    assert '+    "BeforeTool": [' in shown
    assert "Nothing was written." in shown
    assert list(home.iterdir()) == []


def test_the_answer_as_json_names_every_file(home: Path) -> None:
    made = json.loads(run(install, "codex", "--json", "--without", "skills"))
    again = json.loads(run(install, "codex", "--json", "--without", "skills"))

    files = {Path(each["path"]).name: each["action"] for each in made["files"]}
    assert files == {"hooks.json": "created", "config.toml": "created"}
    assert (made["cli"], made["project"], made["dry_run"]) == ("codex", None, False)
    assert {each["action"] for each in again["files"]} == {"unchanged"}
    gone = json.loads(run(uninstall, "codex", "--json"))
    assert {each["action"] for each in gone["files"]} == {"removed"}


def test_a_part_that_is_left_out_later_goes_away(home: Path) -> None:
    run(install, "claude-code")
    run(install, "claude-code", "--without", "coach", "--without", "skills", "--without", "mcp")

    assert not (home / ".claude/skills").exists()
    assert not (home / ".claude.json").exists()
    assert our_hooks((home / ".claude/settings.json").read_text())


def test_the_command_is_absolute_and_names_another_data_folder(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data of mine"))
    run(install, "claude-code")
    run(install, "codex")

    for cli, name in (("claude-code", "settings.json"), ("codex", "hooks.json")):
        text = (home / HOOK_FILES[cli]).with_name(name).read_text()
        event, handler = our_hooks(text)[0]
        argv = argv_of(handler)
        assert argv[0] == sys.executable
        assert argv[1:3] == ["-I", "-S"]
        assert Path(argv[3]).is_file()
        assert argv[4:] == [cli, event, "--data", str(tmp_path / "data of mine")]
    assert {check.status for check in checks(settings_with(tmp_path))} == {"ok"}


def settings_with(folder: Path) -> Settings:
    return Settings(environ=dict(os.environ), cwd=folder, given_data_dir=folder / "data of mine")


def test_old_versions_get_the_form_they_know_and_too_old_ones_are_refused(home: Path) -> None:
    run(install, "claude-code", "--cli-version", "2.1.200 (Claude Code)")
    event, handler = our_hooks((home / ".claude/settings.json").read_text())[0]

    assert isinstance(handler, dict)
    assert "args" not in handler
    assert "onFailure" not in handler
    assert event == "PreToolUse"
    with pytest.raises(Refused, match="too old"):
        run(install, "codex", "--cli-version", "0.9.1")


def test_gates_of_claude_code_stay_shut_when_the_hook_fails(home: Path) -> None:
    run(install, "claude-code")
    hooks = dict(our_hooks((home / ".claude/settings.json").read_text()))

    blocking = {event for event, each in hooks.items() if each.get("onFailure") == "block"}  # type: ignore[union-attr]
    assert blocking == {"PreToolUse", "PermissionRequest"}
    assert all(each["timeout"] == 10 for each in hooks.values())  # type: ignore[index]


# --- two hosts in one repository ------------------------------------------------------------------


def under_copilot(home: Path, project: Path, command: str) -> str:
    """What the hook of Claude Code in a project says when Copilot starts it."""
    text = (project / ".claude/settings.local.json").read_text()
    handler = dict(our_hooks(text))["PreToolUse"]
    body = {
        "hook_event_name": "PreToolUse",
        "session_id": "c-1",
        "cwd": str(project),
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }
    done = subprocess.run(
        argv_of(handler),
        input=json.dumps(body),
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "COPILOT_CLI": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout


def test_copilot_is_answered_once_where_it_also_reads_the_hooks_of_claude_code(home: Path) -> None:
    project = home / "project"
    project.mkdir()
    run(install, "claude-code", "--project", str(project))
    alone = json.loads(under_copilot(home, project, "rm -rf /"))
    assert alone["permissionDecision"] == "deny"  # nobody else would answer, and in its own form

    run(install, "copilot")
    assert under_copilot(home, project, "rm -rf /") == ""
    run(uninstall, "copilot")
    assert json.loads(under_copilot(home, project, "rm -rf /")) == alone


# --- doctor ---------------------------------------------------------------------------------------


def problem(home: Path) -> str:
    (check,) = [each for each in checks(settings_of(home)) if each.status != "ok"]
    assert check.fix
    return check.message


def test_doctor_finds_an_interpreter_that_is_gone(home: Path) -> None:
    run(install, "gemini")
    path = home / ".gemini/settings.json"
    path.write_text(path.read_text().replace(sys.executable, "/gone/bin/python"))

    assert "`/gone/bin/python` is gone" in problem(home)


def test_doctor_finds_a_folder_that_moved(home: Path) -> None:
    run(install, "copilot")
    path = home / ".copilot/hooks/paige.json"
    path.write_text(
        path.read_text().replace("/paige/hooks/entry.py", "/moved/paige/hooks/entry.py")
    )

    assert "entry.py` is gone" in problem(home)


def test_doctor_finds_a_hook_that_codex_does_not_trust(home: Path) -> None:
    run(install, "codex")
    path = home / ".codex/hooks.json"
    path.write_text(path.read_text().replace('"timeout": 10', '"timeout": 11'))

    assert "does not trust" in problem(home)
    run(install, "codex")
    assert {check.status for check in checks(settings_of(home))} == {"ok"}


def test_doctor_finds_a_double_installation(home: Path) -> None:
    run(install, "claude-code")
    path = home / ".claude/settings.json"
    value = json.loads(path.read_text())
    value["hooks"]["PreToolUse"] *= 2
    path.write_text(json.dumps(value))

    assert "more than once" in problem(home)


def test_doctor_finds_hooks_that_somebody_removed(home: Path) -> None:
    run(install, "claude-code")
    (home / ".claude/settings.json").write_text("{}")

    assert "no hooks of Paige" in problem(home)


def test_doctor_finds_a_mark_of_copilot_that_lies(home: Path) -> None:
    run(install, "copilot")
    (home / ".paige/guard/installed-copilot").unlink()
    assert "is missing" in problem(home)
    run(uninstall, "copilot")
    assert checks(settings_of(home)) == []


# --- manifests ------------------------------------------------------------------------------------


@pytest.mark.parametrize("cli", CLIS)
def test_a_manifest_says_what_the_adapter_does(cli: str) -> None:
    adapter = ADAPTERS[cli]
    known = manifest(cli)
    for name, event in known.events.items():
        assert adapter.EVENTS[name] == event.means
        body = {
            "session_id": "s",
            "tool_name": "Bash",
            "tool_input": {"command": "ls"},
            "cwd": "/w",
        }
        heard = adapter.hear({**body, "hook_event_name": name}, name)
        assert heard.event.gate == event.gate
        for said, kind in DECISIONS.items():
            words = ["why"] * len(kind.__slots__)
            decision = Modify({"command": "ls -l"}) if kind is Modify else kind(*words)
            told = adapter.answer(heard, Outcome(decision)) != adapter.answer(heard, Outcome())
            if said in event.say:
                assert told, (name, said)


@pytest.mark.parametrize("cli", CLIS)
def test_every_event_an_adapter_hears_is_in_its_manifest(cli: str) -> None:
    names = set(ADAPTERS[cli].EVENTS)
    if cli == "copilot":  # the other spelling is for hooks of Claude Code that it reads
        names = {name for name in names if name[0].islower()}
    assert names == set(manifest(cli).events)


def test_a_manifest_for_a_newer_paige_or_with_unknown_keys_is_an_error(tmp_path: Path) -> None:
    text = shipped("guard/manifests/gemini.toml").read_text()
    newer, odd = tmp_path / "newer.toml", tmp_path / "odd.toml"
    newer.write_text(text.replace("schema = 1", "schema = 2"))
    odd.write_text(text.replace("schema = 1", "schema = 1\nwonder = 1"))

    with pytest.raises(BadInput, match="newer than this Paige"):
        read_manifest(newer)
    with pytest.raises(BadInput, match="wonder"):
        read_manifest(odd)


@pytest.mark.parametrize(
    ("version", "form"),
    [("", "arguments"), ("no idea", "arguments"), ("9.9.9", "arguments"), ("2.1.316", "shell")],
)
def test_a_version_nobody_knows_gets_the_newest_profile(version: str, form: str) -> None:
    assert manifest("claude-code").profile(version).form == form


def test_the_hash_of_a_hook_is_the_one_codex_computes() -> None:
    command = "'/Applications/GWT.app/Contents/MacOS/gwtd' hook event PostToolUse"
    known = "sha256:9c3ce103f03f0b27a28bc4a30883f7e98a80b5df566b4572fcbb2955ebf5ba62"
    handler = {"type": "command", "command": command}

    assert hook_hash("PostToolUse", "*", handler) == known
    assert hook_hash("PostToolUse", "*", {**handler, "timeout": 600}) == known
    assert hook_hash("PostToolUse", "*", {**handler, "timeout": 10}) != known


def test_powershell_gets_every_word_in_quotes() -> None:
    assert (
        for_powershell(["C:\\Program Files\\p.exe", "it's"])
        == "& 'C:\\Program Files\\p.exe' 'it''s'"
    )
