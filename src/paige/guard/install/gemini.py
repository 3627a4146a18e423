"""Gemini CLI: one `settings.json` for hooks and tools, and the shared folder of skills."""

from pathlib import Path

from paige.guard.install.commands import for_shell
from paige.guard.install.plans import JsonPlan, Keys, Step, Target
from paige.guard.install.skills import skill_plans


def steps(target: Target) -> list[Step]:
    """The files of an installation, in order."""
    made: list[Step] = []
    hooks: tuple[tuple[str, object], ...] = ()
    keys: tuple[tuple[Keys, object], ...] = ()
    if "hooks" in target.parts:
        hooks = tuple((event, _group(target, event)) for event in target.events)
    if "mcp" in target.parts:
        keys = ((("mcpServers", "paige"), {"httpUrl": target.mcp_url}),)
    if hooks or keys:
        made.append(lambda _: JsonPlan(hooks_file(target), hooks=hooks, keys=keys))
    if "skills" in target.parts:
        folder = (target.project or target.home) / ".agents" / "skills"
        made += [lambda _, plan=plan: plan for plan in skill_plans(folder)]
    return made


def hooks_file(target: Target) -> Path:
    """Where the hooks stand."""
    home = Path(target.environ.get("GEMINI_CLI_HOME") or target.home)
    return (target.project or home) / ".gemini" / "settings.json"


def _group(target: Target, name: str) -> dict[str, object]:
    event = target.events[name]
    handler = {
        "type": "command",
        "name": "paige",
        "command": for_shell(target.command.argv(target.cli, name), windows=target.windows),
        "timeout": event.timeout * 1000,  # this host counts in milliseconds
    }
    matcher = {"matcher": event.matcher} if event.matcher else {}
    return {**matcher, "hooks": [handler]}
