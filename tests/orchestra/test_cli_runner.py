"""Coding CLIs as runners: with Paige's hooks alone, their role, an end, and their output kept."""

import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from paige.base.errors import BadInput, NotFound
from paige.base.platform import process_start
from paige.base.settings import Settings
from paige.guard.state.evidence_files import fresh, read_evidence
from paige.guard.state.features import SessionState
from paige.guard.state.tree import tree_hash
from paige.orchestra.running.cli_runner import CliRunner, answer_of, get_spec, read_specs
from paige.orchestra.running.processes import PROCESS, end_leftover
from paige.orchestra.running.runners import RunResult, Task, keep_done, next_number, read_done
from tests.conftest import NOON
from tests.fakes.agent_models import DONE, HOSTS, Play, Turn
from tests.fakes.served_model import served_model
from tests.guard.completion_hooks import until
from tests.guard.session_state import write_session
from tests.hooks.coding_hosts import BIN
from tests.mcp.clients import NODE, NOWHERE, javascript, native
from tests.orchestra.repositories import new_repository

SESSION = "6f0c1c1e-0000-4000-8000-000000000001"
HOST = """#!{python}
import json, os, sys, subprocess, time
seen = {{"argv": sys.argv[1:], "stdin": sys.stdin.read(), "cwd": os.getcwd(),
        "env": dict(os.environ)}}
if "--version" in sys.argv:
    print("2.1.325 (Claude Code)")
    sys.exit(0)
open({seen!r}, "w").write(json.dumps(seen))
{body}
"""


def task_in(project: Path, **changes: object) -> Task:
    """A task of the tester in a project."""
    values: dict[str, object] = {
        "key": "r/0001/testing/F1",
        "number": 1,
        "agent": "tester-agent",
        "role": "tester",
        "feature": "F1",
        "prompt": "Test F1.",
        "instructions": "You are the tester.",
        "folder": project,
        "out": project / ".claude" / "progress" / "runs" / "1",
        "session": SESSION,
        "timeout_s": 100.0,
    }
    return Task(**{**values, **changes})  # pyright: ignore[reportArgumentType]


def scripted_host(folder: Path, name: str, body: str) -> dict[str, str]:
    """A program of a host's name that notes how it was started; the environment it is found in."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    program = programs / name
    seen = str(folder / "seen.json")
    program.write_text(HOST.format(python=sys.executable, seen=seen, body=body))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    home = folder / "home"
    home.mkdir(exist_ok=True)
    return {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(home)}


def runner_for(name: str, environ: dict[str, str], cwd: Path) -> CliRunner:
    """A runner as the shipped table has it."""
    spec = get_spec(read_specs(None), name)
    return CliRunner(spec, Settings(environ=environ, cwd=cwd), environ)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return new_repository(tmp_path / "app")


def test_claude_code_is_started_with_its_agent_and_the_hooks_of_paige_alone(
    tmp_path: Path, project: Path
) -> None:
    said = json.dumps({"type": "result", "result": "PASSED F1"})
    environ = scripted_host(tmp_path, "claude", f"print({said!r})")
    environ |= {"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": "/elsewhere", "PAIGE_IN_HOOK": "1"}
    done = anyio.run(runner_for("claude-code", environ, project).run, task_in(project))

    assert (done.status, done.text, done.exit_code) == ("ended", "PASSED F1", 0)
    seen = json.loads((tmp_path / "seen.json").read_text())
    argv, env = seen["argv"], seen["env"]
    assert seen["stdin"] == "Test F1."
    assert seen["cwd"] == str(project)
    assert env["AGENT_ROLE"] == "tester"
    assert not {"CLAUDECODE", "CLAUDE_PROJECT_DIR", "PAIGE_IN_HOOK"} & set(env)
    assert argv[argv.index("--setting-sources") + 1] == ""
    assert argv[argv.index("--agent") + 1] == "tester-agent"
    agents = json.loads(argv[argv.index("--agents") + 1])
    assert agents["tester-agent"]["prompt"] == "You are the tester."
    assert argv[argv.index("--session-id") + 1] == SESSION
    settings = json.loads(Path(argv[argv.index("--settings") + 1]).read_text())
    assert set(settings) == {"hooks"}
    assert "PreToolUse" in settings["hooks"]
    assert not (tmp_path / "home" / ".paige").exists()  # nothing was installed for the person
    assert not list((tmp_path / "home").iterdir())


@pytest.mark.parametrize(
    ("name", "variable"), [("codex", "CODEX_HOME"), ("gemini", "GEMINI_CLI_HOME")]
)
def test_hosts_without_such_options_get_a_settings_folder_of_the_run(
    tmp_path: Path, project: Path, name: str, variable: str
) -> None:
    environ = scripted_host(tmp_path, name, 'print(\'{"response": "PASSED F1"}\')')
    folder = tmp_path / "home" / f".{name}"
    folder.mkdir()
    for secret in ("auth.json", "oauth_creds.json"):
        (folder / secret).write_text("{}")
    task = task_in(project)
    anyio.run(runner_for(name, environ, project).run, task)

    seen = json.loads((tmp_path / "seen.json").read_text())
    assert seen["stdin"] == "You are the tester.\n\n---\n\nTest F1."
    home = Path(seen["env"][variable])
    assert home.is_relative_to(task.out)
    inner = home / ".gemini" if name == "gemini" else home
    signed_in = "oauth_creds.json" if name == "gemini" else "auth.json"
    assert (inner / signed_in).resolve() == folder / signed_in
    hooks = inner / ("settings.json" if name == "gemini" else "hooks.json")
    assert "entry.py" in hooks.read_text()
    assert sorted(each.name for each in folder.iterdir()) == ["auth.json", "oauth_creds.json"]


def test_a_host_that_hangs_is_ended_with_all_it_started(tmp_path: Path, project: Path) -> None:
    child = tmp_path / "child"
    body = (
        "made = subprocess.Popen(['sleep', '600'])\n"
        f"open({str(child)!r}, 'w').write(str(made.pid))\n"
        "print('half', flush=True)\ntime.sleep(600)"
    )
    environ = scripted_host(tmp_path, "claude", body)
    runner = runner_for("claude-code", environ, project)
    done = anyio.run(runner.run, task_in(project, timeout_s=3.0))

    assert done.status == "timeout"
    assert "did not end within 3 s" in done.problem
    assert "half" in (task_in(project).out / "stdout.txt").read_text()
    assert until(lambda: process_start(int(child.read_text())) is None)


def test_a_host_that_fails_says_why(tmp_path: Path, project: Path) -> None:
    environ = scripted_host(tmp_path, "claude", "sys.exit('no credit left')")
    done = anyio.run(runner_for("claude-code", environ, project).run, task_in(project))
    assert done.status == "failed"
    assert "no credit left" in done.problem


def test_a_host_that_is_not_there_is_named(tmp_path: Path, project: Path) -> None:
    environ = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    done = anyio.run(runner_for("codex", environ, project).run, task_in(project))
    assert done.status == "failed"
    assert "`codex`" in done.problem


def test_what_a_killed_conductor_left_running_is_ended_first(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as left:
        noted = {"pid": left.pid, "start": process_start(left.pid)}
        (tmp_path / PROCESS).write_text(json.dumps(noted))
        assert end_leftover(tmp_path)
        assert left.wait(timeout=30) != 0
    assert not end_leftover(tmp_path)


def test_a_process_number_that_somebody_else_has_now_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / PROCESS).write_text(json.dumps({"pid": os.getpid(), "start": "1"}))
    assert not end_leftover(tmp_path)


def test_a_result_that_was_kept_is_found_and_a_torn_one_is_none(tmp_path: Path) -> None:
    done = RunResult(status="ended", text="Grüße", exit_code=0, seconds=1.5, meta={"a": 1})
    keep_done(tmp_path, done)
    assert read_done(tmp_path) == done
    (tmp_path / "done.json").write_text('{"status": "en')
    assert read_done(tmp_path) is None
    assert read_done(tmp_path / "nowhere") is None
    assert next_number(tmp_path) == 1


@pytest.mark.parametrize(
    ("how", "printed", "found"),
    [
        ("stdout:result", '{"result": "yes"}', "yes"),
        ("stdout:result", 'warning\n{"type": "x"}\n{"result": "yes"}\n', "yes"),
        ("stdout:response", '{\n  "response": "yes"\n}', "yes"),
        ("stdout:result", "no JSON at all", "no JSON at all"),
        ("stdout", " words \n", "words"),
        ("file", "printed", "printed"),
    ],
)
def test_the_last_words_are_read_where_a_host_puts_them(
    how: str, printed: str, found: str, tmp_path: Path
) -> None:
    assert answer_of(how, printed, tmp_path / "none") == found


def test_a_person_adds_options_and_a_broken_table_is_named(tmp_path: Path) -> None:
    path = tmp_path / "orchestra" / "runners.toml"
    path.parent.mkdir()
    path.write_text('[codex]\nmore = ["-m", "o3"]\n[codex.env]\nA = "1"\n')
    spec = read_specs(tmp_path)["codex"]
    assert spec.more == ("-m", "o3")
    assert spec.env == {"CODEX_HOME": "{home}", "A": "1"}
    path.write_text('[codex]\nmroe = ["-m"]\n')
    with pytest.raises(BadInput, match=r"runners\.toml`: `codex\.mroe` is not known"):
        read_specs(tmp_path)
    with pytest.raises(NotFound, match="no runner `cursor`"):
        get_spec(read_specs(None), "cursor")


# --- the real programs ----------------------------------------------------------------------------

TEST = "def test_it() -> None:\n    assert 1 + 1 == 2\n"


def _real(name: str, folder: Path, url: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """The environment in which a runner finds the real program, and what a person would add."""
    programs = folder / "bin"
    programs.mkdir()
    found = {
        "claude-code": ("claude", lambda: native("@anthropic-ai/claude-code-*/claude*")),
        "codex": ("codex", lambda: native("@openai/codex-*/vendor/*/bin/codex")),
        "gemini": ("gemini", lambda: javascript("@google", "gemini-cli", "bundle", "gemini.js")),
    }
    program, command = found[name]
    words = " ".join(command())
    (programs / program).write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    (programs / program).chmod(0o755)
    home = folder / "home"
    home.mkdir()
    (home / ".profile").write_text(f"PATH={BIN}:$PATH\n")
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), NOWHERE)
    environ = {
        "PATH": f"{programs}:{NODE.parent}:{BIN}:/usr/bin:/bin",
        "HOME": str(home),
        "SHELL": "/bin/bash",
        "TERM": "dumb",
        "NO_PROXY": "127.0.0.1,localhost",
        "no_proxy": "127.0.0.1,localhost",
        **proxies,
    }
    if name == "claude-code":
        quiet = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY",
                 "DISABLE_ERROR_REPORTING")  # fmt: skip
        environ |= {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "sk-ant-dummy"}
        return environ | dict.fromkeys(quiet, "1"), ("--model", "claude-sonnet-4-5")
    if name == "gemini":
        environ |= {"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": url}
        theirs = home / ".gemini" / "settings.json"
        theirs.parent.mkdir()
        theirs.write_text('{"security": {"auth": {"selectedType": "gemini-api-key"}}}')
        return environ, ("-m", "gemini-2.5-flash")
    fake = f'model_providers.fake={{name="fake",base_url="{url}/v1",env_key="FAKE_KEY",' \
           'wire_api="responses",supports_websockets=false}'  # fmt: skip
    more = ("-c", fake, "-c", 'model_provider="fake"', "-c", 'model="gpt-5"')
    return environ | {"FAKE_KEY": "dummy"}, (*more, "-c", 'sandbox_mode="danger-full-access"')


_SHELL = {
    "claude-code": lambda command: Turn("Bash", {"command": command, "description": "run"}),
    "codex": lambda command: Turn("exec_command", {"cmd": command}),
    "gemini": lambda command: Turn("run_shell_command", {"command": command}),
}


@pytest.mark.clients
@pytest.mark.parametrize("name", list(_SHELL))
def test_a_real_host_makes_sealed_evidence_in_the_worktree_and_is_held_by_the_gates(
    name: str, tmp_path: Path
) -> None:
    project = new_repository(tmp_path / "app", **{"test_sum.py": TEST})
    write_session(project, SessionState("testing", "F1", 1), NOON)
    (tmp_path / "precious").write_text("here")
    deadly = _SHELL[name](f"rm -rf {tmp_path}")
    asked_about = _SHELL[name]('touch asked && python -c \'open("asked", "w")\'')
    play = Play([deadly, asked_about, _SHELL[name]("python -m pytest -q")])
    with served_model() as model:
        model.answers_with(lambda request: HOSTS[name].reply(request, play))
        environ, more = _real(name, tmp_path, model.url)
        spec = get_spec(read_specs(None), name)
        runner = CliRunner(
            replace(spec, more=more), Settings(environ=environ, cwd=project), environ
        )
        done = anyio.run(runner.run, task_in(project))
        asked = [json.dumps(each.body, ensure_ascii=False) for each in model.requests]

    assert done.status == "ended", (done, (task_in(project).out / "stderr.txt").read_text())
    assert DONE in done.text
    assert (tmp_path / "precious").exists()
    assert not (project / "asked").exists()  # nobody can be asked here, so it is refused
    assert any("You are the tester." in each for each in asked)
    found = read_evidence(project, tmp_path / "home" / ".paige")
    held = fresh(found.records, "F1", tree_hash(project))
    assert held is not None, (found, asked[-1][-3000:])
    assert held.feature == "F1"
