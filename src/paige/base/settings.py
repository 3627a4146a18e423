"""One frozen value with every setting, read once by a door.

Strongest first: the environment, `.env` in the working directory, `paige.toml` in the working
directory, `paige.toml` in the shared configuration folder, the default. A bad value or an unknown
key is an error that names its place.
"""

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from paige.base.dotenv import read_dotenv
from paige.base.errors import BadInput
from paige.base.model_price import ModelPrice
from paige.base.paths import config_dir, home_dir
from paige.base.setting_values import PARSERS

Kind = Literal[
    "text", "secret", "path", "port", "address", "origins", "flag", "words", "choice", "amount",
    "prices",
]  # fmt: skip
Source = Literal["environment", "dotenv", "project", "person"]
PROVIDERS = ("anthropic", "openai", "openai-compatible", "local")
FALLBACKS = ("none", "local")
ROLES = ("conductor", "section_leader", "musician", "tester")
LOG_FORMATS = ("text", "json")
ACCOUNTS = ("off", "on")
EMBEDDERS = ("static", "minilm", "openai-compatible", "ollama", "none")
SANDBOXES = ("bubblewrap", "namespaces", "limits")
RUN_SECONDS = 10.0
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class Setting(NamedTuple):
    """One setting: its variable, its key in `paige.toml` and `Settings`, and what it means."""

    variable: str
    key: str
    kind: Kind
    default: str
    meaning: str
    choices: tuple[str, ...] = ()


SETTINGS = (
    Setting("PORT", "port", "port", "3000", "Port of the server; 0 takes a free one."),
    Setting(
        "PAIGE_HOST",
        "host",
        "text",
        "127.0.0.1",
        "Address to bind; anything but loopback needs a passcode.",
    ),
    Setting(
        "PAIGE_ALLOWED_HOSTS",
        "allowed_hosts",
        "words",
        "",
        "Names the server answers to besides loopback, separated by commas.",
    ),
    Setting(
        "PAIGE_ALLOWED_ORIGINS",
        "allowed_origins",
        "origins",
        "",
        "Other sites whose pages may use the server, but never its terminal; such as "
        "`http://localhost:5173`.",
    ),
    Setting(
        "PROJECT_DIR",
        "project_dir",
        "path",
        "",
        "The project being coached on; `paige serve` needs it.",
    ),
    Setting(
        "DATA_DIR",
        "data_dir",
        "path",
        "~/.paige",
        "Where Paige keeps its data; the database is `paige.db` in it.",
    ),
    Setting(
        "DATABASE_URL",
        "database_url",
        "secret",
        "",
        "`postgresql://…` moves everything shared to PostgreSQL.",
    ),
    Setting(
        "DATABASE_OWNER_URL",
        "database_owner_url",
        "secret",
        "",
        "The same database as its owner, who migrates; `DATABASE_URL` then needs no such rights.",
    ),
    Setting(
        "CHROMADB_URL",
        "chromadb_url",
        "address",
        "",
        "A Chroma server for vectors; unset means the embedded index.",
    ),
    Setting(
        "ANTHROPIC_API_KEY",
        "anthropic_api_key",
        "secret",
        "",
        "Key for Anthropic; `paige serve` needs it unless another provider is named.",
    ),
    Setting(
        "OPENAI_API_KEY", "openai_api_key", "secret", "", "Key for OpenAI or a compatible server."
    ),
    Setting(
        "PAIGE_PROVIDER",
        "provider",
        "choice",
        "",
        "Who answers model requests; unset means the first one with a key, else `local`.",
        PROVIDERS,
    ),
    Setting(
        "PAIGE_FALLBACK",
        "fallback",
        "choice",
        "",
        "What happens when a provider fails past its retries; `none` for `serve`, else `local`.",
        FALLBACKS,
    ),
    Setting("PAIGE_BASE_URL", "base_url", "address", "", "Another endpoint for the provider."),
    Setting("PAIGE_MODEL_HAIKU", "model_haiku", "text", "", "Model name of the fast tier."),
    Setting("PAIGE_MODEL_SONNET", "model_sonnet", "text", "", "Model name of the strong tier."),
    Setting(
        "AI_MEMORY_PATH",
        "memory_path",
        "path",
        "<XDG config>/ai/memory/events.jsonl",
        "The memory log.",
    ),
    Setting(
        "PAIGE_EMBEDDER",
        "embedder",
        "choice",
        "static",
        "What makes vectors of memories; `static` and `minilm` work here, without a service.",
        EMBEDDERS,
    ),
    Setting(
        "PAIGE_EMBEDDER_URL",
        "embedder_url",
        "address",
        "",
        "Where the embedder answers; `ollama` is looked for on this machine when unset.",
    ),
    Setting("PAIGE_EMBEDDER_MODEL", "embedder_model", "text", "", "Model name of the embedder."),
    Setting("PAIGE_EMBEDDER_KEY", "embedder_key", "secret", "", "Key for the embedder's address."),
    Setting(
        "PAIGE_TEACHING_DIR",
        "teaching_dir",
        "path",
        "~/.claude/teaching",
        "Learner files; courses in `courses/<name>/`.",
    ),
    Setting(
        "PAIGE_TRANSCRIPTION_URL",
        "transcription_url",
        "address",
        "",
        "Who writes down recordings: an address of OpenAI's form; unset means you judge yourself.",
    ),
    Setting(
        "PAIGE_TRANSCRIPTION_MODEL",
        "transcription_model",
        "text",
        "whisper-1",
        "Model name for recordings.",
    ),
    Setting(
        "PAIGE_WORKSPACE", "workspace", "path", "{DATA_DIR}/workspace", "The teacher's workspace."
    ),
    Setting(
        "PAIGE_PASSCODE",
        "passcode",
        "secret",
        "",
        "Passcode of the server, or its argon2 hash from `paige passcode`.",
    ),
    Setting(
        "PAIGE_ACCOUNTS",
        "accounts",
        "choice",
        "off",
        "`on` lets many people in, each with an account from `paige people add`.",
        ACCOUNTS,
    ),
    Setting(
        "PAIGE_OIDC_ISSUER",
        "oidc_issuer",
        "address",
        "",
        "Who else vouches for people: the address of an OpenID Connect provider.",
    ),
    Setting("PAIGE_OIDC_CLIENT_ID", "oidc_client_id", "text", "", "Paige's name at the provider."),
    Setting(
        "PAIGE_OIDC_CLIENT_SECRET",
        "oidc_client_secret",
        "secret",
        "",
        "Paige's secret at the provider; unset for a provider that asks for none.",
    ),
    Setting(
        "PAIGE_OIDC_ROLES_CLAIM",
        "oidc_roles_claim",
        "text",
        "roles",
        "The claim in which the provider says the roles of a person.",
    ),
    Setting(
        "PAIGE_OIDC_ALLOWED_DOMAINS",
        "oidc_allowed_domains",
        "words",
        "",
        "Whose e-mail addresses may come in as learners without a role, such as `school.org`.",
    ),
    Setting(
        "PAIGE_SPEND_LIMIT_DAY",
        "spend_limit_day",
        "amount",
        "",
        "The most US dollars that one person may spend on models in a day. A model without a "
        "known price is refused under a limit.",
    ),
    Setting(
        "PAIGE_MODEL_PRICES",
        "model_prices",
        "prices",
        "",
        "US dollars per million tokens, input/output, separated by commas: `my-model=0.5/2`; `*=0` "
        "says that every model without a known price is free, as on a server of your own.",
    ),
    Setting(
        "PAIGE_SANDBOX",
        "sandbox",
        "choice",
        "",
        "The weakest isolation that learners' code may run in; with accounts `bubblewrap`, "
        "else whatever this machine has.",
        SANDBOXES,
    ),
    Setting(
        "PAIGE_RUN_SECONDS",
        "run_seconds",
        "amount",
        "10",
        "How many seconds a learner's code may run before it is stopped.",
    ),
    Setting(
        "PAIGE_LOG_FORMAT",
        "log_format",
        "choice",
        "text",
        "How the server writes its log.",
        LOG_FORMATS,
    ),
    Setting(
        "PAIGE_METRICS_TOKEN",
        "metrics_token",
        "secret",
        "",
        "Who sends it as bearer may read `/metrics` from another machine; at least 16 characters.",
    ),
    Setting(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "otlp_endpoint",
        "text",
        "",
        "A collector that the server sends the spans of ended runs to: OTLP over HTTP.",
    ),
    Setting(
        "OTEL_EXPORTER_OTLP_HEADERS",
        "otlp_headers",
        "secret",
        "",
        "Headers for the collector: `name=value`, separated by commas.",
    ),
    Setting(
        "PAIGE_TRACE_HOOKS",
        "trace_hooks",
        "flag",
        "0",
        "`1` prints every hook call and its answer.",
    ),
    Setting(
        "PAIGE_GUARD_JUDGE",
        "guard_judge",
        "text",
        "",
        "Who looks at commands you would be asked about: a judge of `completion.toml`, such as "
        "`claude-code`. A project cannot set it.",
    ),
    Setting(
        "AGENT_ROLE", "agent_role", "choice", "", "Role of the coding agent in an orchestra.", ROLES
    ),
)
_BY_VARIABLE = {setting.variable: setting for setting in SETTINGS}
FOR_TESTS = ("PAIGE_MCP_TEST_FIXTURES",)
"""Variables that only tests set; nobody needs to read about them."""
_BY_KEY = {setting.key: setting for setting in SETTINGS}


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


@dataclass(frozen=True, slots=True)
class Given:
    """A value as someone wrote it, where, and in which source."""

    text: str = field(repr=False)
    place: str
    source: Source


def read_settings(environ: Mapping[str, str], cwd: Path) -> Settings:
    """Read the settings. Raises: BadInput naming the variable or file and line."""
    given = given_settings(environ, cwd)
    values = {key: _parse(_BY_KEY[key], value, environ, cwd) for key, value in given.items()}
    return _settings(values, environ, cwd)


def given_settings(environ: Mapping[str, str], cwd: Path) -> dict[str, Given]:
    """Every setting that somebody gave, as the strongest source has it. Raises: BadInput."""
    given: dict[str, Given] = {}
    own = own_file(environ)
    if own is not None:
        given |= _from_toml(own, "person")
    given |= _from_toml(cwd / "paige.toml", "project")
    given |= _from_dotenv(cwd / ".env")
    for variable, setting in _BY_VARIABLE.items():
        if environ.get(variable, "").strip():
            place = f"the variable `{variable}`"
            given[setting.key] = Given(environ[variable], place, "environment")
    return given


def parse_setting(key: str, text: str, environ: Mapping[str, str], cwd: Path) -> object:
    """The value that a text means for a setting, as `Settings` has it. Raises: BadInput."""
    return _parse(_BY_KEY[key], Given(text, f"`{key}`", "person"), environ, cwd)


def own_file(environ: Mapping[str, str]) -> Path | None:
    """The person's own settings file, which need not exist; nothing without a home."""
    try:
        return config_dir(environ, instead="XDG_CONFIG_HOME") / "paige.toml"
    except BadInput:
        return None


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """Variables named like ours that mean nothing; others may set them, so they are no error."""
    known = {*_BY_VARIABLE, *FOR_TESTS}
    return sorted(name for name in environ if name.startswith("PAIGE_") and name not in known)


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


def _from_dotenv(path: Path) -> dict[str, Given]:
    given: dict[str, Given] = {}
    for entry in read_dotenv(path):
        setting = _BY_VARIABLE.get(entry.name)
        place = f"{path}:{entry.line}"
        if setting is None and entry.name.startswith("PAIGE_"):
            raise _unknown(entry.name, place, _BY_VARIABLE)
        # Variables of other programs may stand in the same file; an empty one counts as not set.
        if setting is not None and entry.value.strip():
            given[setting.key] = Given(entry.value, place, "dotenv")
    return given


def _from_toml(path: Path, source: Source) -> dict[str, Given]:
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
    given: dict[str, Given] = {}
    for key, value in table.items():
        place = f"{path}:{_line_of(key, text)}"
        if key not in _BY_KEY:
            raise _unknown(key, place, _BY_KEY)
        text_of_it = _toml_text(_BY_KEY[key], value, place)
        if text_of_it.strip():  # as in the environment, an empty one counts as not set
            given[key] = Given(text_of_it, place, source)
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


def _parse(setting: Setting, given: Given, environ: Mapping[str, str], cwd: Path) -> object:
    text = given.text.strip()
    if setting.kind == "path":
        return _path(text, setting, given, environ, cwd)
    if setting.kind == "choice":
        return _choice(text, setting, given)
    return PARSERS[setting.kind](text, given.place)


def _choice(text: str, setting: Setting, given: Given) -> str:
    if text not in setting.choices:
        choices = ", ".join(f"`{choice}`" for choice in setting.choices)
        raise BadInput(f"{given.place}: `{text}` is not one of {choices}")
    return text


def _path(text: str, setting: Setting, given: Given, environ: Mapping[str, str], cwd: Path) -> Path:
    if "\0" in text:
        raise BadInput(f"{given.place}: a path cannot hold the character 0")
    if text == "~" or text.startswith("~/"):
        return home_dir(environ, instead=setting.variable) / text[2:]
    return Path(os.path.normpath(cwd / text))
