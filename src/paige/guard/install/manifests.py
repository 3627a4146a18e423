"""What Paige knows about each host's hooks: versions, events, what can be said; read from data."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from paige.base.errors import BadInput, NotFound, Refused
from paige.base.paths import shipped

SCHEMA = 1
CLIS = ("claude-code", "codex", "gemini", "copilot")
FOLDER = "guard/manifests"
Words = Literal["allow", "ask", "deny", "modify", "add_context", "keep_working", "abort"]
Places = tuple[str, str]
_VERSION = re.compile(r"\d+(?:\.\d+)*")
_BOUND = re.compile(r"(>=|<)(\d+(?:\.\d+)*)")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class HostEvent(_Strict):
    """One event of a host: what it means to Paige and what may be said to it."""

    means: str
    matcher: str = ""
    gate: bool = False
    timeout: int = 10  # seconds
    say: tuple[Words, ...]


class Profile(_Strict):
    """How a range of versions is configured; without `events` it has all of them."""

    range: str
    form: Literal["arguments", "shell"]
    on_failure: bool
    events: tuple[str, ...] = ()

    def fits(self, version: tuple[int, ...]) -> bool:
        """Whether a version is in the range."""
        return all(
            (version >= _numbers(bound)) if sign == ">=" else (version < _numbers(bound))
            for sign, bound in _BOUND.findall(self.range)
        )


class HostFiles(_Strict):
    """Where a host looks: paths for all projects of the person, and for one.

    `variable` names its folder in place of the usual `folder`. In a path, `{folder}` is either,
    `{base}` what the variable names, else the home; `copied` are the folders of files of ours.
    """

    variable: str
    folder: str
    hooks: Places
    tools: Places
    copied: Mapping[str, Places]


class HookForm(_Strict):
    """How a hook is written down where that is not the usual way."""

    name: str = ""
    milliseconds: bool = False
    flat: bool = False
    version: int = 0  # of the file itself


class Fallback(_Strict):
    """What is done about a version that no range has."""

    newer: Literal["the newest profile"]
    unknown: Literal["the newest profile"]
    older: Literal["refuse"]


class Manifest(_Strict):
    """All that is known about one host."""

    schema_version: int = Field(alias="schema")
    cli: str
    title: str
    program: str
    tested: str
    profiles: tuple[Profile, ...] = Field(min_length=1)
    fallback: Fallback
    files: HostFiles
    server: Mapping[str, str | list[str]]
    hook: HookForm = HookForm()
    events: Mapping[str, HostEvent]

    def profile(self, version: str = "") -> Profile:
        """The profile of a version; the newest for one nobody knows. Raises: Refused."""
        found = _VERSION.search(version)
        if found is None:
            return self.profiles[0]
        numbers = _numbers(found.group())
        for profile in self.profiles:
            if profile.fits(numbers):
                return profile
        raise Refused(
            f"{self.title} {found.group()} is too old: its hooks cannot guard anything",
            hint=f"Update it; Paige knows {self.profiles[-1].range.split(',')[0]} and newer.",
        )

    def server_at(self, url: str) -> dict[str, str | list[str]]:
        """How the tools at an address are named."""
        return {key: url if value == "{url}" else value for key, value in self.server.items()}

    def events_of(self, profile: Profile) -> dict[str, HostEvent]:
        """The events that hosts of a profile send."""
        names = profile.events or tuple(self.events)
        return {name: self.events[name] for name in names}


@cache
def manifest(cli: str) -> Manifest:
    """The manifest of a host. Raises: NotFound, BadInput."""
    if cli not in CLIS:
        raise NotFound(f"Paige knows no CLI `{cli}`", hint=f"It knows {', '.join(CLIS)}.")
    return read_manifest(shipped(f"{FOLDER}/{cli}.toml"))


def read_manifest(path: Path) -> Manifest:
    """A manifest file. Raises: BadInput."""
    try:
        body = tomllib.loads(path.read_text(encoding="utf-8"))
        made = Manifest.model_validate(body)
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise BadInput(f"`{path}` is no manifest: {error}") from error
    if made.schema_version > SCHEMA:
        raise BadInput(
            f"`{path}` has schema {made.schema_version}, which is newer than this Paige",
            hint="Install a newer Paige.",
        )
    return made


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(each) for each in version.split("."))
