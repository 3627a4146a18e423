"""Claude Code: `settings.json` for hooks, `.claude.json` or `.mcp.json` for tools, skills, agents.

A plugin that lies in the folder of skills is loaded like one that was installed, so the coach goes
there.
"""

from pathlib import Path

from paige.guard.install.commands import for_shell
from paige.guard.install.plans import JsonPlan, Step, Target
from paige.guard.install.skills import agent_plans, coach_plans, skill_plans


def steps(target: Target) -> list[Step]:
    """The files of an installation, in order."""
    made: list[Step] = []
    folder = _folder(target)
    if "hooks" in target.parts:
        name = "settings.local.json" if target.project else "settings.json"
        hooks = tuple((event, _group(target, event)) for event in target.events)
        made.append(lambda _: JsonPlan(folder / name, hooks=hooks))
    if "mcp" in target.parts:
        server = {"type": "http", "url": target.mcp_url}
        keys = ((("mcpServers", "paige"), server),)
        made.append(lambda _: JsonPlan(_tools_file(target), keys=keys))
    plans = skill_plans(folder / "skills") if "skills" in target.parts else []
    if "agents" in target.parts:
        plans += agent_plans(folder / "agents")
    if "coach" in target.parts:
        program = Path(target.command.python).with_name("paige")
        plans += coach_plans(folder / "skills", str(program))
    made += [lambda _, plan=plan: plan for plan in plans]
    return made


def hooks_file(target: Target) -> Path:
    """Where the hooks stand."""
    return _folder(target) / ("settings.local.json" if target.project else "settings.json")


def _folder(target: Target) -> Path:
    if target.project:
        return target.project / ".claude"
    return Path(target.environ.get("CLAUDE_CONFIG_DIR") or target.home / ".claude")


def _tools_file(target: Target) -> Path:
    if target.project:
        return target.project / ".mcp.json"
    return Path(target.environ.get("CLAUDE_CONFIG_DIR") or target.home) / ".claude.json"


def _group(target: Target, name: str) -> dict[str, object]:
    event = target.events[name]
    argv = target.command.argv(target.cli, name)
    handler: dict[str, object] = {"type": "command"}
    if target.profile.form == "arguments":
        handler |= {"command": argv[0], "args": argv[1:]}
    else:
        handler["command"] = for_shell(argv, windows=target.windows)
    handler["timeout"] = event.timeout
    if event.gate and target.profile.on_failure:
        handler["onFailure"] = "block"
    matcher = {"matcher": event.matcher} if event.matcher else {}
    return {**matcher, "hooks": [handler]}
