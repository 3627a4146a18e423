"""Writes the page of all operations and the doors they are behind, from the doors' own tables.

Commands name their operations in code: which one reaches which is read from the source.
"""

import ast
import importlib
import inspect
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from types import ModuleType

import click

from docs.imports import SOURCE
from docs.schemas import cell
from paige.doors.frame.operations import Operation, load_operation
from paige.doors.site.main import paige
from paige.doors.table import SUBJECTS, all_routes, all_tools

DOORS = ("address", "tool", "message", "command")
Behind = Mapping[str, Mapping[str, list[str]]]
"""By operation (`module:name`): by door, what reaches it there."""


def operation_lines() -> list[str]:
    """A section for each subject, a row for each operation."""
    behind = behind_doors()
    lines: list[str] = []
    for subject in sorted(SUBJECTS):
        places = sorted(place for place in behind if place.split(".")[2] == subject)
        lines += ["", f"## {subject.capitalize()}", ""]
        lines += ["| operation | what it does | address | tool | message | command |"]
        lines += ["|---|---|---|---|---|---|"]
        lines += [_row(load_operation(place), behind[place]) for place in places]
    return lines[1:]


def behind_doors() -> Behind:
    """Every operation that some door reaches."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for route in all_routes():
        found[route.operation]["address"].append(f"{route.method} /api{route.path}")
    for tool in all_tools():
        found[tool.operation]["tool"].append(tool.name)
    for module in _door_modules("socket"):
        for topic in module.TOPICS:
            found[topic.operation]["message"].append(topic.topic)
    for path, command in _commands(paige, "paige"):
        for place in _operations_of(command):
            found[place]["command"].append(path)
    return found


def _row(operation: Operation[object], behind: Mapping[str, list[str]]) -> str:
    cells = [", ".join(f"`{each}`" for each in behind.get(door, ())) for door in DOORS]
    sentence = cell(operation.description.split("\n\n")[0])
    return f"| `{operation.name}` | {sentence} | {' | '.join(cells)} |"


def _door_modules(door: str) -> Iterator[ModuleType]:
    for subject in SUBJECTS:
        if (SOURCE / "doors" / subject / f"{door}.py").exists():
            yield importlib.import_module(f"paige.doors.{subject}.{door}")


def _commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from _commands(below, f"{path} {name}")


def _operations_of(command: click.Command) -> set[str]:
    """What a command reaches through the functions of its module and those it takes from others."""
    callback = inspect.unwrap(command.callback) if command.callback else None
    if callback is None or not callback.__module__.startswith("paige.doors."):
        return set()
    seen: set[tuple[str, str]] = set()
    ahead, found = [(callback.__module__, callback.__name__)], set[str]()
    while ahead:
        here = ahead.pop()
        if here not in seen:
            seen.add(here)
            uses, places = _told_in(here[0]).get(here[1], ((), ()))
            ahead += uses
            found.update(places)
    return found


@cache
def _told_in(module: str) -> dict[str, tuple[list[tuple[str, str]], list[str]]]:
    """By name at the top of a module of commands: what it uses, and the operations it names."""
    tree = ast.parse((SOURCE.parent / f"{module.replace('.', '/')}.py").read_text("utf-8"))
    tops = {top.name: top for top in tree.body if isinstance(top, ast.FunctionDef | ast.ClassDef)}
    names = {name: (module, name) for name in tops}
    for top in tree.body:
        if isinstance(top, ast.ImportFrom) and ".cli" in (top.module or ""):
            names |= {each.asname or each.name: (top.module or "", each.name) for each in top.names}
    return {
        name: (
            [names[node.id] for node in ast.walk(top)
             if isinstance(node, ast.Name) and node.id in names],
            [place for node in ast.walk(top) if isinstance(node, ast.Call)
             for place in _place(node, module)],
        )
        for name, top in tops.items()
    }  # fmt: skip


def _place(call: ast.Call, module: str) -> Iterator[str]:
    """The operation that the first argument of a call names, whole or in the module's own."""
    if not isinstance(call.func, ast.Name) and getattr(call.func, "attr", "") not in (
        "call",
        "run",
    ):
        return
    told = vars(importlib.import_module(module))
    match call.args:
        case [ast.Constant(value=str() as name), *_]:
            pass
        case [ast.JoinedStr(values=[ast.FormattedValue(value=ast.Name(id=begins)), ends]), *_]:
            name = f"{told.get(begins, '')}{ast.literal_eval(ends)}"
        case _:
            return
    place, _, name = name.rpartition(":")
    place = place or told.get("OPERATIONS", "")
    if place.startswith("paige.") and isinstance(
        vars(importlib.import_module(place)).get(name), Operation
    ):
        yield f"{place}:{name}"
