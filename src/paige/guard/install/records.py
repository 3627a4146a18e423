"""What was installed where: `{DATA_DIR}/guard/installed-<cli>.json`, one file per host.

It holds every change sign for sign, so that a file nobody touched since comes back as it was. Of
files with words of others it holds our own words only.
"""

import hashlib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from paige.base.errors import BadInput
from paige.base.files import write_atomic
from paige.guard.install.edits import Span
from paige.guard.install.manifests import CLIS

SCHEMA = 1


class Piece(BaseModel):
    """What was done to one file. `had` are the containers in it that were there before us."""

    model_config = ConfigDict(frozen=True)
    path: Path
    kind: Literal["json", "toml", "whole"]
    created: bool
    spans: tuple[Span, ...]
    after: str  # hash of the whole file as we left it
    had: tuple[tuple[str, ...], ...] = ()
    folders: tuple[Path, ...] = ()  # made by us, the deepest last


class Installation(BaseModel):
    """One host at one level: `project` is empty for all projects of the person."""

    model_config = ConfigDict(frozen=True)
    project: Path | None
    parts: tuple[str, ...]
    pieces: tuple[Piece, ...]


class Record(BaseModel):
    """Everything installed for one host."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)
    schema_version: int = Field(default=SCHEMA, alias="schema")
    installations: tuple[Installation, ...] = ()

    def of(self, project: Path | None) -> Installation | None:
        """The installation at a level, if there is one."""
        return next((each for each in self.installations if each.project == project), None)

    def replaced(self, project: Path | None, made: Installation | None) -> "Record":
        """The record with another installation at a level, or none."""
        others = tuple(each for each in self.installations if each.project != project)
        return Record(installations=(*others, made) if made else others)


def record_path(data: Path, cli: str) -> Path:
    """Where the record of a host lies."""
    return data / "guard" / f"installed-{cli}.json"


def read_record(data: Path, cli: str) -> Record:
    """What is installed for a host. Raises: BadInput."""
    path = record_path(data, cli)
    try:
        return Record.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return Record()
    except (ValidationError, OSError) as error:
        raise BadInput(
            f"`{path}` cannot be read: {error}",
            hint="Move it away; `paige uninstall` then takes out what it recognises as Paige's.",
        ) from error


def write_record(data: Path, cli: str, record: Record) -> None:
    """Keep what is installed; nothing installed means no file."""
    path = record_path(data, cli)
    if record.installations:
        write_atomic(path, record.model_dump_json(by_alias=True, indent=1) + "\n", mode=0o600)
    else:
        path.unlink(missing_ok=True)


def pieces_elsewhere(data: Path, path: Path, cli: str, project: Path | None) -> list[Piece]:
    """What other installations did to the same file."""
    return [
        piece
        for other in CLIS
        for each in read_record(data, other).installations
        if (other, each.project) != (cli, project)
        for piece in each.pieces
        if piece.path == path
    ]


def digest(text: str) -> str:
    """The hash of a text."""
    return hashlib.sha256(text.encode()).hexdigest()
