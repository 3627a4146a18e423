"""Real coding CLIs with Paige installed by its own command, each in a home of its own."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tests import nursery
from tests.fakes.agent_models import AGENT, SUBTASK, Turn
from tests.hooks.alone import SECONDS, URL, order_of
from tests.mcp.clients import NODE, NOWHERE, javascript, native

ROOT = Path(__file__).parents[2]
PROMPT = "Tidy up."
BIN = Path(sys.executable).parent


@dataclass(frozen=True, slots=True)
class Host:
    """A coding CLI: how it is set up and started, and the names of its tools."""

    name: str
    prepare: Callable[[Path], tuple[list[str], dict[str, str], list[Path]]]
    shell: Callable[[str], Turn]
    write: Callable[[str, str], Turn] | None
    delegate: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run."""

    code: int
    stdout: str
    stderr: str
    asked: list[dict[str, Any]]
    interfaces: list[str]
    reachable: bool

    @property
    def last(self) -> str:
        """Everything the model could read when it was asked last."""
        return json.dumps(self.asked[-1]["body"], ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Desk:
    """A person's home and project."""

    home: Path
    project: Path

    def install(self, cli: str, *options: str) -> None:
        """Type `paige install`."""
        language = {name: os.environ[name] for name in ("LANG",) if name in os.environ}
        done = nursery.run(
            [str(BIN / "paige"), "install", cli, *options],
            cwd=self.project,
            env={"HOME": str(self.home), "PATH": f"{BIN}:/usr/bin:/bin", **language},
            text=True,
        )
        assert done.returncode == 0, done.stderr

    def run(
        self, host: Host, main: Sequence[Turn], sub: Sequence[Turn] = (), **variables: str
    ) -> Outcome:
        """Let the host work through a script, with no network but loopback where that can be."""
        command, env, files = host.prepare(self.home)
        self.install(host.name, "--without", "mcp", "--without", "coach")
        proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), NOWHERE)
        order = {
            "cli": host.name,
            "namespace": bool(namespace()),
            "main": order_of(list(main)),
            "sub": order_of(list(sub)),
            "files": [str(each) for each in files],
            "command": command,
            "cwd": str(self.project),
            "env": {
                "PATH": f"{NODE.parent}:{BIN}:/usr/bin:/bin",
                "HOME": str(self.home),
                "SHELL": "/bin/bash",
                "TERM": "dumb",
                "NO_PROXY": "127.0.0.1,localhost",
                "no_proxy": "127.0.0.1,localhost",
                **proxies,
                **env,
                **variables,
            },
        }
        asked, told = self.home.parent / "order.json", self.home.parent / "outcome.json"
        asked.write_text(json.dumps(order))
        done = subprocess.run(
            [*namespace(), sys.executable, "-m", "tests.hooks.alone", str(asked), str(told)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=SECONDS + 30,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return Outcome(**json.loads(told.read_text()))

    def noted(self) -> list[dict[str, Any]]:
        """What the hooks have written down, in order of time; what was taken in is kept too."""
        data = self.home / ".paige"
        lines = [
            json.loads(line)
            for path in (*data.glob("spool/*.jsonl*"), *data.glob("guard/decisions*.jsonl"))
            for line in path.read_text().splitlines()
            if line.startswith("{")
        ]
        kept = {line["id"]: line for line in lines if "at" in line}
        return sorted(kept.values(), key=lambda line: str(line["at"]))


@cache
def namespace() -> tuple[str, ...]:
    """How a program is started in a network of its own; empty where the system forbids it."""
    unshare = shutil.which("unshare")
    for options in (["-n"], ["-rn"]) if unshare else ():
        tried = subprocess.run([str(unshare), *options, "true"], capture_output=True, check=False)
        if tried.returncode == 0:
            return (str(unshare), *options)
    return ()


def _claude(home: Path, mode: str = "default") -> tuple[list[str], dict[str, str], list[Path]]:
    command = [
        *native("@anthropic-ai/claude-code-*/claude*"),
        *("-p", PROMPT, "--output-format", "stream-json", "--verbose", "--max-turns", "12"),
        *("--model", "claude-sonnet-4-5", "--allowedTools", "Bash,Write,Agent"),
        *("--permission-mode", mode),
    ]
    return (
        command,
        {
            "ANTHROPIC_BASE_URL": URL,
            "ANTHROPIC_API_KEY": "sk-ant-dummy",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1",
            "ENABLE_TOOL_SEARCH": "false",
            "IS_SANDBOX": "1",  # nobody is asked in a container, not even when it runs as root
        },
        [],
    )


def _codex(home: Path, model: str = "gpt-5") -> tuple[list[str], dict[str, str], list[Path]]:
    config = home / ".codex" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text(
        f"""
model = "{model}"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.fake]
name = "fake"
base_url = "{URL}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
supports_websockets = false
"""
    )
    program = native("@openai/codex-*/vendor/*/bin/codex")
    command = [*program, "exec", "--json", "--skip-git-repo-check", PROMPT]
    return command, {"FAKE_KEY": "dummy"}, [config]


def _gemini(home: Path) -> tuple[list[str], dict[str, str], list[Path]]:
    settings = home / ".gemini" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    chosen = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
    }
    settings.write_text(json.dumps(chosen))
    program = javascript("@google", "gemini-cli", "bundle", "gemini.js")
    options = ["--approval-mode", "yolo", "--skip-trust", "--output-format", "json"]
    command = [*program, "-p", PROMPT, *options, "-m", "gemini-2.5-flash"]
    return command, {"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": URL}, []


def _code_mode(home: Path) -> tuple[list[str], dict[str, str], list[Path]]:
    """Models that the program knows get one tool, which runs a script that calls the others."""
    return _codex(home, "gpt-5.6-sol")


def _script(tool: str, given: object) -> Turn:
    code = f"const r = await tools.{tool}({json.dumps(given)}); text(JSON.stringify(r));"
    return Turn("exec", {"input": code})


def _patch(path: str, content: str) -> Turn:
    lines = ["*** Begin Patch", f"*** Add File: {path}", f"+{content}", "*** End Patch", ""]
    return _script("apply_patch", "\n".join(lines))


CLAUDE = Host(
    "claude-code",
    _claude,
    lambda command: Turn("Bash", {"command": command, "description": "run"}),
    lambda path, content: Turn("Write", {"file_path": path, "content": content}),
    (
        Turn(
            "Agent",
            {
                "description": "errand",
                "prompt": SUBTASK,
                "subagent_type": "general-purpose",
                "run_in_background": False,
            },
        ),
    ),
)
CODEX = Host(
    "codex",
    _codex,
    lambda command: Turn("exec_command", {"cmd": command}),
    None,
    (
        Turn("multi_agent_v1/spawn_agent", {"message": SUBTASK}),
        Turn("multi_agent_v1/wait_agent", {"targets": [AGENT], "timeout_ms": 60_000}),
    ),
)
GEMINI = Host(
    "gemini",
    _gemini,
    lambda command: Turn("run_shell_command", {"command": command}),
    lambda path, content: Turn("write_file", {"file_path": path, "content": content}),
    (Turn("invoke_agent", {"agent_name": "generalist", "prompt": SUBTASK}),),
)
CODE_MODE = Host(
    "codex", _code_mode, lambda command: _script("exec_command", {"cmd": command}), _patch, ()
)
HOSTS = (CLAUDE, CODEX, GEMINI)
# Claude Code asks before anything is written below `.claude`, and here nobody can answer.
UNASKED = replace(CLAUDE, prepare=lambda home: _claude(home, "bypassPermissions"))
WRITERS = (UNASKED, CODE_MODE, GEMINI)
