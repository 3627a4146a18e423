"""Finding and loading plugins: folders of markdown, shipped, the person's own, the project's.

Markdown is data: loading reads text and runs nothing. A plugin is taken whole or not at all, and a
broken one does not take the others down: what is wrong comes back as problems beside the plugins.
"""

import difflib
import itertools
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeVar

from paige.agent.library.definitions import (
    AgentDefinition,
    CommandDefinition,
    Plugin,
    SkillDefinition,
    read_agent,
    read_command,
    read_plugin_file,
    read_skill_file,
)
from paige.base.errors import BadInput, NotFound, PaigeError, Refused, Unavailable
from paige.store.documents import DirectoryDocuments

MAX_BYTES = 256 * 1024
"""A definition or a reference file is at most this long: it is made to be read by a model."""


def entries(folder: Path, suffix: str = "") -> list[str]:
    """The names in a folder, sorted, without hidden ones; a folder that is not there has none."""
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise Unavailable(f"{folder}: the folder cannot be read: {error.strerror}") from error
    return sorted(name for name in names if name.endswith(suffix) and not name.startswith("."))


def files_below(folder: Path, *, but: str) -> tuple[str, ...]:
    """The files of a folder and of its folders, except the one called `but`."""
    found: list[str] = []
    for name in entries(folder):
        if _is_folder(folder / name):
            inner = (f"{name}/{file}" for file in entries(folder / name))
            found += [path for path in inner if (folder / path).is_file()]
        elif name != but and (folder / name).is_file():
            found.append(name)
    return tuple(found)


def read_inside(folder: Path, path: str) -> str:
    """The text of a file below `folder`.

    Raises: NotFound, Refused when the path leads out, BadInput when it is too long or not text.
    """
    place = folder / path
    try:
        inside = place.resolve().is_relative_to(folder.resolve())
        found = place.stat() if inside else None
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFound(f"{place}: there is no such file") from error
    except (OSError, RuntimeError, ValueError) as error:  # a circle of links, a name that is none
        raise Refused(f"{place}: this cannot be read: {error}") from error
    if found is None:
        raise Refused(f"{place}: this leads out of `{folder.name}`", hint="Copy the file into it.")
    if not stat.S_ISREG(found.st_mode):  # a pipe would make the reader wait for ever
        raise BadInput(f"{place}: this is not a file")
    if found.st_size > MAX_BYTES:
        raise BadInput(
            f"{place}: the file has {found.st_size} bytes, and {MAX_BYTES} are allowed",
            hint="Divide it into several files.",
        )
    return _text(folder, path)


def _text(folder: Path, path: str) -> str:
    try:
        return DirectoryDocuments(folder).read(path).text
    except BadInput as error:
        raise BadInput(f"{folder}/{error.message}", hint=error.hint) from error


def _is_folder(path: Path) -> bool:
    """Whether this is a folder of its own: a link to one may lead anywhere."""
    return path.is_dir() and not path.is_symlink()


T = TypeVar("T")
D = TypeVar("D", AgentDefinition, CommandDefinition, SkillDefinition)


class PluginProblem(NamedTuple):
    """Why a plugin was not loaded; `message` begins with the place."""

    folder: Path
    message: str
    hint: str | None = None


class LoadedPlugins(NamedTuple):
    """The plugins that can be used, by name, and what is wrong with the others."""

    plugins: Mapping[str, Plugin]
    problems: tuple[PluginProblem, ...]


class FoundCommand(NamedTuple):
    """A command and the plugin it belongs to."""

    plugin: Plugin
    command: CommandDefinition

    @property
    def full_name(self) -> str:
        """`plugin:command`."""
        return f"{self.plugin.name}:{self.command.name}"


def load_plugins(layers: Iterable[Path]) -> LoadedPlugins:
    """Load the folder `plugins` of every layer, as `paige.base.paths.layers` lists them.

    A name belongs to the weakest layer that has it: a project cannot put its own text in the place
    of a plugin that a person knows, nor take that plugin away.
    """
    plugins: dict[str, Plugin] = {}
    problems: list[PluginProblem] = []
    for layer in reversed(tuple(layers)):
        for folder in _plugin_folders(layer / "plugins", problems):
            plugin, faults = _load(folder)
            problems += [PluginProblem(folder, fault.message, fault.hint) for fault in faults]
            if plugin is None:
                continue
            first = plugins.setdefault(plugin.name, plugin)
            if first is not plugin:
                problems.append(_shadowing(plugin, first))
    return LoadedPlugins(plugins, tuple(problems))


def load_plugin(folder: Path) -> Plugin:
    """Load one plugin. Raises: BadInput with the first thing that is wrong with it."""
    plugin, faults = _load(folder)
    if plugin is None:
        raise faults[0]
    return plugin


def get_command(plugins: Mapping[str, Plugin], name: str) -> FoundCommand:
    """The command called `plugin:command` or, when only one plugin has it, `command`.

    Raises: NotFound with the closest name, BadInput when several plugins have it.
    """
    everything = [FoundCommand(p, c) for p in plugins.values() for c in p.commands.values()]
    found = [item for item in everything if name in (item.full_name, item.command.name)]
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(f"`{item.full_name}`" for item in found)
        raise BadInput(f"Several plugins have a command `{name}`", hint=f"Say which: {listed}.")
    names = [item.full_name for item in everything]
    short = {item.command.name: item.full_name for item in everything}
    close = difflib.get_close_matches(name, [*names, *short], n=1, cutoff=0.5)
    meant = short.get(close[0], close[0]) if close else None
    hint = f"Did you mean `{meant}`?" if meant else "`paige plan list` shows every command."
    raise NotFound(f"There is no command `{name}`", hint=hint)


def _plugin_folders(place: Path, problems: list[PluginProblem]) -> list[Path]:
    try:
        return [place / name for name in entries(place) if (place / name).is_dir()]
    except PaigeError as fault:
        problems.append(PluginProblem(place, fault.message, fault.hint))
        return []


def _load(folder: Path) -> tuple[Plugin | None, list[PaigeError]]:
    """The plugin, or everything that is wrong with it: an author mends all in one go."""
    faults: list[PaigeError] = []

    def agent(path: str) -> AgentDefinition:
        return read_agent(read_inside(folder, path), str(folder / path))

    def command(path: str) -> CommandDefinition:
        return read_command(read_inside(folder, path), str(folder / path))

    def skill(path: str) -> SkillDefinition:
        text = read_inside(folder, f"{path}/SKILL.md")
        return read_skill_file(text, folder / path, files_below(folder / path, but="SKILL.md"))

    head = _try(lambda: read_plugin_file(read_inside(folder, "PLUGIN.md"), folder), faults)
    agents = _each(folder, "agents", agent, faults)
    commands = _each(folder, "commands", command, faults)
    skills = _each(folder, "skills", skill, faults)
    if head is None or faults:
        return None, faults
    plugin = replace(head, agents=agents, commands=commands, skills=skills)
    faults += _dangling(plugin)
    return (None if faults else plugin), faults


def _each(
    folder: Path, kind: str, read: Callable[[str], D], faults: list[PaigeError]
) -> dict[str, D]:
    """What one folder of a plugin defines: markdown files, or for skills folders."""
    suffix = "" if kind == "skills" else ".md"
    names = _try(lambda: entries(folder / kind, suffix), faults) or []
    paths = [f"{kind}/{name}" for name in names if suffix or (folder / kind / name).is_dir()]
    found = [_try(lambda path=path: read(path), faults) for path in paths]
    return {definition.name: definition for definition in found if definition is not None}


def _try(read: Callable[[], T], faults: list[PaigeError]) -> T | None:
    try:
        return read()
    except PaigeError as fault:
        faults.append(fault)
        return None


def _dangling(plugin: Plugin) -> Iterator[BadInput]:
    """Names that lead nowhere inside the plugin."""
    for command in plugin.commands.values():
        if command.agent not in plugin.agents:
            yield _missing(command.place("agent"), "agent", command.agent, plugin.agents)
    for agent in plugin.agents.values():
        for skill in itertools.filterfalse(plugin.skills.__contains__, agent.skills):
            yield _missing(agent.place("skills"), "skill", skill, plugin.skills)
        for target in itertools.filterfalse(plugin.agents.__contains__, agent.handoffs):
            yield _missing(agent.place("handoffs"), "agent", target, plugin.agents)


def _missing(place: str, kind: str, name: str, known: Mapping[str, object]) -> BadInput:
    close = difflib.get_close_matches(name, known, n=1)
    there = ", ".join(f"`{item}`" for item in known) or "none"
    hint = f"Did you mean `{close[0]}`?" if close else f"There are: {there}."
    return BadInput(f"{place}: the plugin has no {kind} `{name}`", hint=hint)


def _shadowing(plugin: Plugin, first: Plugin) -> PluginProblem:
    return PluginProblem(
        plugin.folder,
        f"{plugin.folder / 'PLUGIN.md'}: there is already a plugin `{plugin.name}` "
        f"in {first.folder}, which stays",
        hint="Give it another name.",
    )
