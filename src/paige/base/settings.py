"""One frozen value with every setting, read once by a door.

Strongest first: the environment, `.env` in the working directory, `paige.toml` in the working
directory, `paige.toml` in the shared configuration folder, the default. A bad value or an unknown
key is an error that names its place.
"""

import difflib
import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from paige.base.errors import BadInput
from paige.base.paths import SHIPPED, config_dir, home_dir
from paige.base.setting_values import PARSERS, ModelPrice, read_dotenv

Kind = Literal[
    "text", "secret", "path", "port", "address", "origins", "flag", "words", "choice", "amount",
    "prices",
]  # fmt: skip
Source = Literal["environment", "dotenv", "project", "person"]
RUN_SECONDS = 10.0
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class Setting(NamedTuple):
    """One setting: its variable, its key in `paige.toml` and `Settings`, and what it means."""

    variable: str
    key: str
    kind: Kind
    meaning: str
    default: str = ""
    choices: tuple[str, ...] = ()


# The table is JSON, which is read in no time: every command reads it.
SETTINGS = tuple(
    Setting(**{**row, "choices": tuple(row.get("choices", ()))})
    for row in json.loads((SHIPPED / "settings.json").read_bytes())
)
_BY_VARIABLE = {setting.variable: setting for setting in SETTINGS}
_BY_KEY = {setting.key: setting for setting in SETTINGS}
PROVIDERS = _BY_KEY["provider"].choices


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting, already checked. Paths whose default needs a home are asked for when used."""

    environ: Mapping[str, str] = field(repr=False, default_factory=dict)
    cwd: Path
    port: int = 3000
    host: str = "127.0.0.1"
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    project_dir: Path | None = None
    given_data_dir: Path | None = None
    database_url: str = field(repr=False, default="")
    database_owner_url: str = field(repr=False, default="")
    chromadb_url: str = field(repr=False, default="")  # an address may hold a password
    anthropic_api_key: str = field(repr=False, default="")
    openai_api_key: str = field(repr=False, default="")
    provider: str = ""
    fallback: str = ""
    base_url: str = field(repr=False, default="")
    model_haiku: str = ""
    model_sonnet: str = ""
    given_memory_path: Path | None = None
    embedder: str = "static"
    embedder_url: str = field(repr=False, default="")
    embedder_model: str = ""
    embedder_key: str = field(repr=False, default="")
    given_teaching_dir: Path | None = None
    transcription_url: str = field(repr=False, default="")
    transcription_model: str = "whisper-1"
    given_workspace: Path | None = None
    passcode: str = field(repr=False, default="")
    accounts: str = "off"
    oidc_issuer: str = field(repr=False, default="")
    oidc_client_id: str = ""
    oidc_client_secret: str = field(repr=False, default="")
    oidc_roles_claim: str = "roles"
    oidc_allowed_domains: tuple[str, ...] = ()
    spend_limit_day: float | None = None
    model_prices: tuple[ModelPrice, ...] = ()
    sandbox: str = ""
    run_seconds: float | None = RUN_SECONDS
    log_format: str = "text"
    metrics_token: str = field(repr=False, default="")
    otlp_endpoint: str = field(repr=False, default="")
    otlp_headers: str = field(repr=False, default="")
    trace_hooks: bool = False
    guard_judge: str = ""
    agent_role: str = ""

    @property
    def data_dir(self) -> Path:
        """Where Paige keeps its data."""
        return self.given_data_dir or home_dir(self.environ, instead="DATA_DIR") / ".paige"

    @property
    def memory_path(self) -> Path:
        """The memory log."""
        if self.given_memory_path:
            return self.given_memory_path
        return config_dir(self.environ, instead="AI_MEMORY_PATH") / "memory" / "events.jsonl"

    @property
    def teaching_dir(self) -> Path:
        """The learner's files."""
        if self.given_teaching_dir:
            return self.given_teaching_dir
        return home_dir(self.environ, instead="PAIGE_TEACHING_DIR") / ".claude" / "teaching"

    @property
    def workspace(self) -> Path:
        """The teacher's workspace."""
        return self.given_workspace or self.data_dir / "workspace"

    @property
    def many(self) -> bool:
        """Whether many people come in, each with an account."""
        return self.accounts == "on"

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in LOOPBACK

    def in_tables(self, given: Path | None) -> bool:
        """Whether what could be at a place that somebody gave is kept in the database instead.

        Several servers share PostgreSQL, so what Paige chose the place of is in its tables. A place
        below the data folder was not chosen by a person, even if a setting names it.
        """
        return bool(self.database_url) and (given is None or given.is_relative_to(self.data_dir))


@dataclass(frozen=True, slots=True)
class GivenValue:
    """A value as someone wrote it, where, and in which source."""

    text: str = field(repr=False)
    place: str
    source: Source


def read_settings(environ: Mapping[str, str], cwd: Path) -> Settings:
    """Read the settings. Raises: BadInput naming the variable or file and line."""
    given = given_settings(environ, cwd)
    values = {key: _parse(_BY_KEY[key], value, environ, cwd) for key, value in given.items()}
    return _settings(values, environ, cwd)


def given_settings(environ: Mapping[str, str], cwd: Path) -> dict[str, GivenValue]:
    """Every setting that somebody gave, as the strongest source has it. Raises: BadInput."""
    given: dict[str, GivenValue] = {}
    own = own_file(environ)
    if own is not None:
        given |= _from_toml(own, "person")
    given |= _from_toml(cwd / "paige.toml", "project")
    given |= _from_dotenv(cwd / ".env")
    for variable, setting in _BY_VARIABLE.items():
        if environ.get(variable, "").strip():
            place = f"the variable `{variable}`"
            given[setting.key] = GivenValue(environ[variable], place, "environment")
    return given


def parse_setting(key: str, text: str, environ: Mapping[str, str], cwd: Path) -> object:
    """The value that a text means for a setting, as `Settings` has it. Raises: BadInput."""
    return _parse(_BY_KEY[key], GivenValue(text, f"`{key}`", "person"), environ, cwd)


def own_file(environ: Mapping[str, str]) -> Path | None:
    """The person's own settings file, which need not exist; nothing without a home."""
    try:
        return config_dir(environ, instead="XDG_CONFIG_HOME") / "paige.toml"
    except BadInput:
        return None


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """Variables named like ours that mean nothing; others may set them, so they are no error."""
    ours = [name for name in environ if name.startswith("PAIGE_")]
    return sorted(name for name in ours if name not in _BY_VARIABLE)


def provider_of(settings: Settings, *, strict: bool) -> str:
    """Who answers model requests; `strict` (that is `paige serve`) does without guessing."""
    if settings.provider:
        return settings.provider
    if strict or settings.anthropic_api_key:
        return "anthropic"
    if settings.openai_api_key:
        return "openai-compatible" if settings.base_url else "openai"
    return "local"


def _settings(values: dict[str, object], environ: Mapping[str, str], cwd: Path) -> Settings:
    renamed = {
        f"given_{key}"
        if key in ("data_dir", "memory_path", "teaching_dir", "workspace")
        else key: value
        for key, value in values.items()
    }
    return Settings(environ=dict(environ), cwd=cwd, **renamed)  # type: ignore[arg-type]  # parsed by kind


def _from_dotenv(path: Path) -> dict[str, GivenValue]:
    given: dict[str, GivenValue] = {}
    for entry in read_dotenv(path):
        setting = _BY_VARIABLE.get(entry.name)
        place = f"{path}:{entry.line}"
        if setting is None and entry.name.startswith("PAIGE_"):
            raise _unknown(entry.name, place, _BY_VARIABLE)
        # Variables of other programs may stand in the same file; an empty one counts as not set.
        if setting is not None and entry.value.strip():
            given[setting.key] = GivenValue(entry.value, place, "dotenv")
    return given


def _from_toml(path: Path, source: Source) -> dict[str, GivenValue]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"`{path}` cannot be read: {error}") from error
    try:
        table = tomllib.loads(text)
    except ValueError as error:  # also a number with more digits than Python reads
        raise BadInput(f"`{path}` is not TOML: {error}") from error
    given: dict[str, GivenValue] = {}
    for key, value in table.items():
        place = f"{path}:{_line_of(key, text)}"
        if key not in _BY_KEY:
            raise _unknown(key, place, _BY_KEY)
        text_of_it = _toml_text(_BY_KEY[key], value, place)
        if text_of_it.strip():  # as in the environment, an empty one counts as not set
            given[key] = GivenValue(text_of_it, place, source)
    return given


def _toml_text(setting: Setting, value: object, place: str) -> str:
    match value, setting.kind:
        case bool(), "flag":
            return "1" if value else "0"
        case bool(), _:
            pass  # Python counts it as a number, people do not
        case str() | int(), _:
            return str(value)
        case float(), "amount":
            return str(value)
        case list(), "words" | "origins" | "prices" if all(isinstance(i, str) for i in value):
            return ",".join(value)
    raise BadInput(
        f"{place}: `{setting.key}` cannot be a {type(value).__name__}",
        hint=f'Write it as a text: `{setting.key} = "…"`.',
    )


def _line_of(key: str, text: str) -> int:
    for number, line in enumerate(text.splitlines(), 1):
        name = line.partition("=")[0].strip().strip("\"'[]")
        if name == key or name.startswith(f"{key}."):
            return number
    return 1


def _unknown(name: str, place: str, known: Mapping[str, object]) -> BadInput:
    close = difflib.get_close_matches(name, known, n=1)
    hint = (
        f"Did you mean `{close[0]}`?"
        if close
        else "`docs/reference/settings.md` lists every setting."
    )
    return BadInput(f"{place}: there is no setting `{name}`", hint=hint)


def _parse(setting: Setting, given: GivenValue, environ: Mapping[str, str], cwd: Path) -> object:
    text = given.text.strip()
    if setting.kind == "path":
        return _path(text, setting, given, environ, cwd)
    if setting.kind == "choice":
        return _choice(text, setting, given)
    return PARSERS[setting.kind](text, given.place)


def _choice(text: str, setting: Setting, given: GivenValue) -> str:
    if text not in setting.choices:
        choices = ", ".join(f"`{choice}`" for choice in setting.choices)
        raise BadInput(f"{given.place}: `{text}` is not one of {choices}")
    return text


def _path(
    text: str, setting: Setting, given: GivenValue, environ: Mapping[str, str], cwd: Path
) -> Path:
    if "\0" in text:
        raise BadInput(f"{given.place}: a path cannot hold the character 0")
    if text == "~" or text.startswith("~/"):
        return home_dir(environ, instead=setting.variable) / text[2:]
    return Path(os.path.normpath(cwd / text))
