"""Copilot CLI: a hooks file of its own, `mcp-config.json`, the shared folder of skills, and a mark.

It also reads the hooks of Claude Code in a repository. The mark tells our hook there that Copilot
has its own, so that an event is not answered twice.
"""

from pathlib import Path

from paige.guard.install.commands import for_powershell, for_shell
from paige.guard.install.plans import JsonPlan, Step, Target, WholePlan
from paige.guard.install.skills import skill_plans

MARK = "guard/installed-copilot"


def steps(target: Target) -> list[Step]:
    """The files of an installation, in order."""
    made: list[Step] = []
    if "hooks" in target.parts:
        hooks = tuple((event, _handler(target, event)) for event in target.events)
        opening = ((("version",), 1),)
        made.append(lambda _: JsonPlan(hooks_file(target), hooks=hooks, opening=opening))
        if target.project is None:
            made.append(lambda _: WholePlan(target.data / MARK, ""))
    if "mcp" in target.parts:
        server = {"type": "http", "url": target.mcp_url, "tools": ["*"]}
        keys = ((("mcpServers", "paige"), server),)
        made.append(lambda _: JsonPlan(_tools_file(target), keys=keys))
    if "skills" in target.parts:
        folder = (target.project or target.home) / ".agents" / "skills"
        made += [lambda _, plan=plan: plan for plan in skill_plans(folder)]
    return made


def hooks_file(target: Target) -> Path:
    """Where the hooks stand."""
    if target.project:
        return target.project / ".github" / "hooks" / "paige.json"
    return _folder(target) / "hooks" / "paige.json"


def _folder(target: Target) -> Path:
    return Path(target.environ.get("COPILOT_HOME") or target.home / ".copilot")


def _tools_file(target: Target) -> Path:
    if target.project:
        return target.project / ".github" / "mcp.json"
    return _folder(target) / "mcp-config.json"


def _handler(target: Target, name: str) -> dict[str, object]:
    argv = target.command.argv(target.cli, name)
    return {
        "type": "command",
        "bash": for_shell(argv, windows=False),
        "powershell": for_powershell(argv),
        "timeoutSec": target.events[name].timeout,
    }
