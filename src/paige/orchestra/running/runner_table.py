"""The coding CLIs the orchestra can start, as data: shipped, and what a person changed."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from paige.base.errors import BadInput, NotFound
from paige.base.paths import SHIPPED

FILE = "orchestra/runners.toml"
LOOP = "loop"
_ANSWERS = ("stdout", "file")


@dataclass(frozen=True, slots=True, kw_only=True)
class CliSpec:
    """How one coding CLI is started headless; the fields are those of `runners.toml`."""

    name: str
    cli: str
    program: str
    argv: tuple[str, ...]
    more: tuple[str, ...] = ()
    answer: str = "stdout"
    agents: bool = False
    links: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    env: Mapping[str, str]


def read_specs(config: Path | None) -> dict[str, CliSpec]:
    """Every runner by name; `config` is the person's folder. Raises: BadInput with file and key."""
    specs = _read(SHIPPED / FILE, {})
    return _read(config / FILE, specs) if config is not None else specs


def get_spec(specs: Mapping[str, CliSpec], name: str) -> CliSpec:
    """The runner of a name. Raises: NotFound."""
    if name not in specs:
        known = ", ".join(f"`{each}`" for each in (LOOP, *specs))
        raise NotFound(f"There is no runner `{name}`", hint=f"There are: {known}.")
    return specs[name]


def _read(path: Path, below: Mapping[str, CliSpec]) -> dict[str, CliSpec]:
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return dict(below)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise BadInput(f"`{path}` cannot be used: {error}", hint="Correct or remove it.") from error
    found = dict(below)
    for name, table in tables.items():
        if not isinstance(table, dict) or name == LOOP:
            raise BadInput(f"`{path}`: `{name}` is no table of a runner")
        found[name] = _spec(name, table, below.get(name), path)
    return found


def _spec(name: str, table: Mapping[str, Any], below: CliSpec | None, path: Path) -> CliSpec:
    known = {each.name for each in fields(CliSpec)} - {"name"}
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in known:
            raise BadInput(
                f"`{path}`: `{name}.{key}` is not known", hint=f"Known: {', '.join(sorted(known))}."
            )
        values[key] = _value(key, value, f"`{path}`: `{name}.{key}`")
    if below is None:
        missing = {"cli", "program", "argv"} - set(values)
        if missing:
            raise BadInput(f"`{path}`: the runner `{name}` has no `{min(missing)}`")
        return CliSpec(name=name, **{"env": {}, **values})
    if "env" in values:
        values["env"] = {**below.env, **values["env"]}
    return replace(below, **values)


def _value(key: str, value: object, where: str) -> object:
    if key in ("argv", "more", "links", "keep", "without"):
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise BadInput(f"{where} is a list of texts")
        return tuple(value)
    if key == "env":
        if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
            raise BadInput(f"{where} is a table of texts")
        return dict(value)
    if key == "agents":
        if not isinstance(value, bool):
            raise BadInput(f"{where} is `true` or `false`")
        return value
    if not isinstance(value, str) or not value:
        raise BadInput(f"{where} is a text")
    if key == "answer" and value.partition(":")[0] not in _ANSWERS:
        raise BadInput(f"{where} is `stdout`, `stdout:<key>` or `file`")
    return value
