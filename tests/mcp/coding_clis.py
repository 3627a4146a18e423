"""The coding agents that people use with Paige, each set up as its own documentation says."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.fakes.coding_models import CLAUDE, CODEX, GEMINI, Dialect
from tests.mcp.clients import javascript, native

ASK = "Look at what is open and say something."


@dataclass(frozen=True, slots=True)
class Start:
    """Where things are for one run."""

    home: Path
    mcp: str
    model: str


@dataclass(frozen=True, slots=True)
class CodingCli:
    """A program, its model's dialect, and how it is told where Paige is.

    Some speak the protocol with sessions, some without; some tell the ids of their tool calls.
    """

    name: str
    dialect: Dialect
    sessions: bool
    tool_use_ids: tuple[str | None, str | None]
    prepare: Callable[[Start], tuple[list[str], dict[str, str]]]


def _claude(start: Start) -> tuple[list[str], dict[str, str]]:
    server = {"type": "http", "url": start.mcp}
    (start.home / ".mcp.json").write_text(json.dumps({"mcpServers": {"paige": server}}))
    command = [
        *native("@anthropic-ai/claude-code-*/claude*"),
        *("-p", ASK, "--output-format", "stream-json", "--verbose", "--max-turns", "6"),
        *("--model", "claude-sonnet-4-5", "--allowedTools", "mcp__paige"),
        *("--mcp-config", str(start.home / ".mcp.json"), "--strict-mcp-config"),
    ]
    return command, {
        "ANTHROPIC_BASE_URL": start.model,
        "ANTHROPIC_API_KEY": "sk-ant-dummy",
        "CLAUDE_CONFIG_DIR": str(start.home / ".claude"),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_AUTOUPDATER": "1",
        "ENABLE_TOOL_SEARCH": "false",
    }


def _codex(start: Start) -> tuple[list[str], dict[str, str]]:
    folder = start.home / ".codex"
    folder.mkdir()
    (folder / "config.toml").write_text(
        f"""
model = "gpt-5"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.fake]
name = "fake"
base_url = "{start.model}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
supports_websockets = false

[mcp_servers.paige]
url = "{start.mcp}"
"""
    )
    program = native("@openai/codex-*/vendor/*/bin/codex")
    command = [*program, "exec", "--json", "--skip-git-repo-check", ASK]
    return command, {"CODEX_HOME": str(folder), "FAKE_KEY": "dummy"}


def _gemini(start: Start) -> tuple[list[str], dict[str, str]]:
    folder = start.home / ".gemini"
    folder.mkdir()
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "mcpServers": {"paige": {"httpUrl": start.mcp, "trust": True}},
    }
    (folder / "settings.json").write_text(json.dumps(settings))
    program = javascript("@google", "gemini-cli", "bundle", "gemini.js")
    options = ["--approval-mode", "yolo", "--skip-trust", "--output-format", "json"]
    command = [*program, "-p", ASK, *options, "-m", "gemini-2.5-flash"]
    return command, {"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": start.model}


CLIS = (
    CodingCli("claude-code", CLAUDE, False, ("toolu_01", "toolu_02"), _claude),
    CodingCli("codex", CODEX, True, ("call_01", "call_02"), _codex),
    CodingCli("gemini", GEMINI, True, (None, None), _gemini),
)
