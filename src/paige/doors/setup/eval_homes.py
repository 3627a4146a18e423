"""A home for one configuration of an evaluation: its own data, workspace, memory and plugin.

Nothing of the person's own is read or written. What a configuration takes away is taken away in the
files, so that everything else works as it always does.
"""

import re
import shutil
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from paige.agent.library.plugins import FoundCommand, load_plugin
from paige.base.paths import shipped
from paige.base.settings import Settings
from paige.plan.evals.cases import Config

PLUGIN, COMMAND = "lesson-planning", "create-lesson"
OTHERS_TOOLS = ("spawn_subagent",)
SKILL_TOOLS = ("read_skill",)
_FRONT = re.compile(r"\A---\n(?P<front>.*?)\n---\n", re.DOTALL)


@dataclass(slots=True)
class SlowClock:
    """A clock that moves on when it is told to, so that weeks pass in seconds."""

    moment: datetime

    def __call__(self) -> datetime:
        """The time now; each look takes a millisecond, so that what happens has an order."""
        self.moment += timedelta(milliseconds=1)
        return self.moment

    def advance(self, days: int) -> None:
        """Let some days pass."""
        self.moment += timedelta(days=days)


@dataclass(frozen=True, slots=True)
class Home:
    """Where a configuration runs, and what it runs."""

    settings: Settings
    found: FoundCommand


def make_home(settings: Settings, config: Config, folder: Path) -> Home:
    """Make the home of a configuration in an empty folder."""
    _copy_workspace(config, folder / "workspace")
    _copy_plugin(config, folder / "plugin" / PLUGIN)
    plugin = load_plugin(folder / "plugin" / PLUGIN)
    own = replace(
        settings,
        environ={"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")},
        cwd=folder,
        project_dir=None,
        given_data_dir=folder / "data",
        given_workspace=folder / "workspace",
        given_memory_path=folder / "memory" / "events.jsonl",
        database_url="",
        chromadb_url="",
        provider=config.provider or settings.provider,
        fallback="none",  # a lesson of local rules is no lesson of the model
    )
    return Home(own, FoundCommand(plugin, plugin.commands[COMMAND]))


def without(text: str, *, skills: bool, single: bool) -> str:
    """The definition of an agent without its skills, or without the agents it could call."""
    front = _FRONT.match(text)
    if front is None:
        return text
    lines = front["front"].split("\n")
    drop = (*(SKILL_TOOLS if skills else ()), *(OTHERS_TOOLS if single else ()))
    changed = [_edited(line, drop, skills=skills, single=single) for line in lines]
    return "\n".join(["---", *changed, "---", text[front.end() :]])


def _edited(line: str, drop: tuple[str, ...], *, skills: bool, single: bool) -> str:
    key, colon, value = line.partition(":")
    if not colon or not value.strip().startswith("["):
        return line
    if (key == "skills" and skills) or (key == "handoffs" and single):
        return f"{key}: []"
    if key == "tools":
        names = [name.strip() for name in value.strip().strip("[]").split(",")]
        return f"{key}: [{', '.join(name for name in names if name not in drop)}]"
    return line


def _copy_workspace(config: Config, place: Path) -> None:
    source = shipped("workspace")

    def left_out(folder: str, names: list[str]) -> list[str]:
        """What stays behind of a folder: without a workspace all but the curriculum."""
        if config.workspace or Path(folder) != source:
            return []
        return [name for name in names if name != "curriculum"]

    shutil.copytree(source, place, ignore=left_out)


def _copy_plugin(config: Config, place: Path) -> None:
    shutil.copytree(shipped(f"plugins/{PLUGIN}"), place)
    if config.skills and not config.single:
        return
    for path in sorted((place / "agents").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        changed = without(text, skills=not config.skills, single=config.single)
        path.write_text(changed, encoding="utf-8")
