"""The folders that Paige gives a host: its skills, its agents, and the coach's plugin."""

from pathlib import Path

from paige.base.paths import shipped
from paige.guard.install.plans import WholePlan

_SKILLS = "integrations/skills"
_AGENTS = "integrations/agents"
_COACH = "integrations/coach"
COACH_FOLDER = "paige-coach"


def skill_plans(folder: Path) -> list[WholePlan]:
    """The files of all skills, below a host's folder of skills."""
    return _copied(shipped(_SKILLS), folder)


def agent_plans(folder: Path) -> list[WholePlan]:
    """The files of all agents, below a host's folder of agents."""
    return _copied(shipped(_AGENTS), folder)


def coach_plans(folder: Path, program: str) -> list[WholePlan]:
    """The files of the coach's plugin; away from the package it must be told where Paige is."""
    plans = _copied(shipped(_COACH), folder / COACH_FOLDER)
    return [_told(each, program) if each.path.name == "paige.sh" else each for each in plans]


def _told(plan: WholePlan, program: str) -> WholePlan:
    named = "'" + program.replace("'", "'\\''") + "'"
    content = plan.content.replace('"${PAIGE_BIN:-}"', f'"${{PAIGE_BIN:-}}" {named}', 1)
    return WholePlan(plan.path, content, shared=True)


def _copied(source: Path, target: Path) -> list[WholePlan]:
    files = sorted(each for each in source.rglob("*") if each.is_file())
    return [
        WholePlan(target / each.relative_to(source), each.read_text(encoding="utf-8"), shared=True)
        for each in files
        if "__pycache__" not in each.parts
    ]
