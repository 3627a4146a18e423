"""Reads a table of settings from its layers: shipped, a person's, a project's.

A layer changes single values, and a value keeps its kind. What only a person may decide is taken
from a project's file no notice of: whoever can write into a project must not choose what a check
may do to the machine, or how much it may cost. A file that the person trusts counts in full.
"""

import tomllib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from paige.base.errors import BadInput
from paige.base.paths import SHIPPED
from paige.guard.fast.place import Place
from paige.guard.trust import find_config, is_trusted

FOLDER = "guard"
MOST_BYTES = 200_000


Tables = Mapping[str, Any]


def read_layered(
    name: str,
    place: Place,
    *,
    open_tables: Collection[str] = (),
    personal: Collection[str] = (),
    adding: Callable[[Tables, Tables], Tables] | None = None,
) -> dict[str, Any]:
    """The table `guard/<name>`; `open_tables` may get new entries, `personal` ones no project sets.

    `adding` says of the tables below and a project's what of these only adds.
    Raises: BadInput naming the file and the value.
    """
    tables = parse_table(SHIPPED / FOLDER / name)
    shared = find_config(place)
    if shared is not None:
        tables = _over(
            tables, parse_table(shared / FOLDER / name), str(shared / FOLDER / name), open_tables
        )
    if place.own:
        path = Path(place.root) / ".ai" / FOLDER / name
        own: Tables = parse_table(path)
        whole = _over(tables, own, str(path), open_tables)  # a wrong value is named all the same
        if own and not is_trusted(path):
            own = _without(own, personal)
            own = adding(tables, own) if adding else own
            whole = _over(tables, own, str(path), open_tables)
        tables = whole
    return tables


def parse_table(path: Path) -> dict[str, Any]:
    """A file of TOML; empty when there is none. Raises: BadInput."""
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise BadInput(f"`{path}` cannot be read: {error.strerror}") from None
    if len(raw) > MOST_BYTES:
        raise BadInput(f"`{path}` is larger than {MOST_BYTES} bytes")
    try:
        return tomllib.loads(raw.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"`{path}` is not TOML: {error}") from None


def _without(tables: Mapping[str, Any], personal: Collection[str]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, value in tables.items():
        if name in personal:
            continue
        if isinstance(value, dict):
            inner = {key: each for key, each in value.items() if f"{name}.{key}" not in personal}
            kept[name] = inner
        else:
            kept[name] = value
    return kept


def _over(
    below: Mapping[str, Any], above: Mapping[str, Any], where: str, open_tables: Collection[str]
) -> dict[str, Any]:
    merged = dict(below)
    for name, value in above.items():
        if name not in below:
            known = ", ".join(sorted(below))
            raise BadInput(f"`{where}`: `{name}` is not known", hint=f"Known are: {known}.")
        merged[name] = _value(below[name], value, f"{where}: {name}", name in open_tables)
    return merged


def _value(below: object, above: object, where: str, is_open: bool) -> object:
    if isinstance(below, dict):
        if not isinstance(above, dict):
            raise BadInput(f"`{where}` is a table, not a value")
        if is_open:
            return {**below, **{key: _words(each, f"{where}.{key}") for key, each in above.items()}}
        return _over(below, above, where, ())
    if isinstance(below, list):
        return _words(above, where)
    if isinstance(below, bool) or isinstance(above, bool):
        fits = isinstance(below, bool) and isinstance(above, bool)
    elif isinstance(below, float):
        fits = isinstance(above, int | float) and 0 <= above < float("inf")
    elif isinstance(below, int):
        fits = isinstance(above, int) and above >= 0
    else:
        fits = isinstance(above, str)
    if not fits:
        raise BadInput(f"`{where}` is `{above!r}`, which is not of the kind of `{below!r}`")
    return float(above) if isinstance(below, float) else above  # type: ignore[arg-type]


def _words(given: object, where: str) -> list[str]:
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise BadInput(f"`{where}` is a list of texts")
    return [str(each) for each in given]
