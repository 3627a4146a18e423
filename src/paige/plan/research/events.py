"""Research data: what happened in lesson runs, a row for each event, about nobody in person.

`shipped/plan/research.toml` says which events there are and what each tells; files and the codebook
are made from it. People, sessions and runs have pseudonyms that cannot be turned back without a
salt, which stays in the data folder. Texts that people wrote lose every name that the anonymisation
gate finds.

The files are one table of all events, one for each kind, and a codebook. CSV needs nothing but
Python. Parquet is written by DuckDB from the CSV files, so both say the same; it is an extra,
because it is larger than all the rest of what an export needs.
"""

import csv
import hashlib
import hmac
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, TextIO

from pydantic import TypeAdapter

from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.base.errors import Conflict, Unavailable
from paige.base.files import hand_over, make_folder, make_private, write_error, write_export
from paige.base.paths import shipped
from paige.language.names.gate import NameGate

Type = Literal["text", "words", "number", "real", "flag", "json", "id"]
"""What a column holds; `words` are texts that people or models wrote."""
SALT_FILE = "research-salt"
SALT_BYTES = 32
PSEUDONYM = 12
_ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
BEFORE: Mapping[str, Type] = {"teacher": "id", "session": "id", "run": "id", "number": "number"}
"""The columns that every row begins with; then come `time` and `kind`."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of event: what it is, and its columns with what each tells."""

    about: str
    columns: Mapping[str, tuple[Type, str]]


KINDS: Mapping[str, Kind] = TypeAdapter(dict[str, Kind]).validate_python(
    tomllib.loads(shipped("plan/research.toml").read_text("utf-8"))
)
"""Every kind of event."""


@dataclass(frozen=True, slots=True)
class Event:
    """One row: whose it is, when it happened and what it tells, already without names."""

    teacher: str
    session: str
    run: str
    time: datetime
    kind: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Masking:
    """Makes pseudonyms, and texts without names; without `texts` only their length is kept."""

    salt: bytes = field(repr=False)
    texts: bool = True
    gate: NameGate = field(default_factory=NameGate)

    def pseudonym(self, identity: str) -> str:
        """The same for the same id, and nothing that leads back to it."""
        return hmac.new(self.salt, identity.encode(), hashlib.sha256).hexdigest()[:PSEUDONYM]

    def teacher(self, actor: Actor) -> str:
        """The pseudonym of a person."""
        return self.pseudonym(f"{actor.tenant}\0{actor.person}")

    def words(self, text: str) -> str:
        """A text without names, addresses, numbers of persons and ids."""
        if not self.texts:
            return ""
        for span in reversed(self.gate.find(text)):
            text = f"{text[: span.start]}[{span.kind}]{text[span.end :]}"
        return _ID.sub(lambda found: self.pseudonym(found[0]), text)

    def fields(self, kind: str, values: Mapping[str, Any]) -> dict[str, Any]:
        """The columns of a kind in their order; what is missing is left empty."""
        return {
            name: self._value(type_, values.get(name))
            for name, (type_, _) in KINDS[kind].columns.items()
        }

    def _value(self, type_: Type, value: Any) -> Any:  # noqa: ANN401 - JSON
        if value is None:
            return None
        if type_ == "words":
            told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            return self.words(told)
        return value


def ids_in(text: str) -> list[str]:
    """The ids that a text names, each once."""
    return list(dict.fromkeys(_ID.findall(text)))


def read_salt(folder: Path, randomness: Callable[[int], bytes] = os.urandom) -> bytes:
    """The salt of this installation; the first who asks makes it. Raises: Unavailable."""
    make_private(folder)
    place = folder / SALT_FILE
    try:
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _existing(place)
    except OSError as error:
        raise write_error(place, error) from error
    with os.fdopen(handle, "wb") as file:
        file.write(randomness(SALT_BYTES).hex().encode())
    return _existing(place)


def _existing(place: Path) -> bytes:
    try:
        salt = bytes.fromhex(place.read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        salt = b""
    if len(salt) != SALT_BYTES:
        raise Unavailable(
            f"`{place}` holds no salt",
            hint="Put it back from a backup. With a new one, old exports cannot be joined.",
        )
    return salt


Form = Literal["csv", "parquet"]
EVENTS = "events"
CODEBOOK = "codebook.md"
_COLUMNS: Mapping[str, Type] = {**BEFORE, "time": "text", "kind": "text", "fields": "json"}
_DUCK: Mapping[Type, str] = {
    "text": "VARCHAR",
    "words": "VARCHAR",
    "json": "VARCHAR",
    "id": "VARCHAR",
    "number": "BIGINT",
    "real": "DOUBLE",
    "flag": "BOOLEAN",
}


@dataclass(frozen=True, slots=True)
class ResearchFiles:
    """What was written: the files, and how many events of each kind."""

    files: tuple[Path, ...]
    counts: Mapping[str, int]


def write_research(events: Sequence[Event], form: Form, folder: Path) -> ResearchFiles:
    """Write all files into a folder that has none of them. Raises: Conflict, Unavailable."""
    duck = find_duck() if form == "parquet" else None
    tables = tables_of(events)
    make_folder(folder)
    places = {name: folder / f"{name}.{form}" for name in tables}
    taken = [place for place in (*places.values(), folder / CODEBOOK) if place.exists()]
    if taken:
        raise Conflict(f"There is a file `{taken[0]}` already", hint="Say where to with `--out`.")
    for name, (columns, rows) in tables.items():
        if duck is None:
            _write_csv(places[name], columns, rows)
        else:
            _write_parquet(duck, places[name], columns, rows)
        hand_over(places[name])
    counts = {kind: sum(each.kind == kind for each in events) for kind in KINDS}
    write_export(folder / CODEBOOK, codebook(counts))
    return ResearchFiles((*places.values(), folder / CODEBOOK), counts)


Table = tuple[Mapping[str, Type], list[list[Any]]]


def tables_of(events: Sequence[Event]) -> dict[str, Table]:
    """Every table by name: all events with their fields as JSON, then one for each kind."""
    numbered = list(enumerate(events, 1))
    every = [
        [*_before(number, each), to_iso(each.time), each.kind, _json(each.fields)]
        for number, each in numbered
    ]
    tables: dict[str, Table] = {EVENTS: (_COLUMNS, every)}
    for kind, found in KINDS.items():
        own: dict[str, Type] = {name: type_ for name, (type_, _) in found.columns.items()}
        columns: dict[str, Type] = {**BEFORE, "time": "text", **own}
        rows = [
            [*_before(number, each), to_iso(each.time), *_cells(each.fields, own)]
            for number, each in numbered
            if each.kind == kind
        ]
        tables[kind] = (columns, rows)
    return tables


def codebook(counts: Mapping[str, int]) -> str:
    """What every table and column means, for whoever reads the files later."""
    parts = [
        "# Codebook",
        "One row for each event. `events` has them all, with the columns of the kind as JSON in "
        "`fields`; every kind has a table of its own as well. `teacher`, `session` and `run` are "
        "pseudonyms: the same id has the same one in every export of one installation. `number` "
        "counts the events of this export in order and joins the tables. Times are UTC. In texts, "
        "`[name]` and the like stand where somebody was named.",
    ]
    for kind, found in KINDS.items():
        rows = "\n".join(
            f"| {name} | {type_} | {about} |" for name, (type_, about) in found.columns.items()
        )
        head = f"## {kind} ({counts.get(kind, 0)} rows)\n\n{found.about}"
        parts.append(f"{head}\n\n| column | holds | what it tells |\n|---|---|---|\n{rows}")
    return "\n\n".join(parts) + "\n"


def find_duck() -> ModuleType:
    """DuckDB, which writes Parquet. Raises: Unavailable when it is not installed."""
    try:
        import duckdb  # noqa: PLC0415 - an extra, and large
    except ImportError as error:
        raise Unavailable(
            "Parquet needs DuckDB, which is not installed",
            hint='Install it: `pip install "paige[research]"`. `--to csv` needs nothing.',
        ) from error
    return duckdb


def _before(number: int, event: Event) -> list[Any]:
    return [event.teacher, event.session, event.run, number]


def _cells(fields: Mapping[str, Any], columns: Mapping[str, Type]) -> list[Any]:
    return [
        _json(fields.get(name))
        if type_ == "json" and fields.get(name) is not None
        else fields.get(name)
        for name, type_ in columns.items()
    ]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write_csv(place: Path, columns: Mapping[str, Type], rows: Iterable[Sequence[Any]]) -> None:
    def write(file: TextIO) -> None:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([_plain(cell) for cell in row] for row in rows)

    _write(place, write)


def _write(place: Path, write: Callable[[TextIO], None]) -> None:
    """Write a file whole or not at all: half an export looks like a small one."""
    part = place.with_suffix(f"{place.suffix}.part")
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            write(file)
        part.replace(place)
    except OSError as error:
        raise write_error(place, error) from error
    finally:
        part.unlink(missing_ok=True)


def _plain(cell: object) -> object:
    """A cell as every program reads it: true and false in small letters, no zero bytes."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return cell.replace("\0", "") if isinstance(cell, str) else cell


def _write_parquet(
    duck: ModuleType, place: Path, columns: Mapping[str, Type], rows: Iterable[Sequence[Any]]
) -> None:
    source = place.with_suffix(".csv.part")
    part = place.with_suffix(".parquet.part")
    shapes = {name: "TIMESTAMPTZ" if name == "time" else _DUCK[t] for name, t in columns.items()}
    try:
        _write_csv(source, columns, rows)
        with duck.connect() as connection:
            read = connection.read_csv(
                str(source),
                header=True,
                dtype=shapes,
                delimiter=",",
                quotechar='"',
                escapechar='"',
                auto_detect=False,
                columns=shapes,
                parallel=False,
            )
            read.write_parquet(str(part), compression="zstd")
        part.replace(place)
    except OSError as error:
        raise write_error(place, error) from error
    finally:
        source.unlink(missing_ok=True)
        part.unlink(missing_ok=True)
