"""Shapes of the settings in the REST API. What holds a secret comes in and never goes out."""

from typing import Annotated, Literal

from pydantic import Field, SecretStr

from paige.base.settings import Kind
from paige.server.wire import Asked, Wire

MOST_TEXT = 4096
MOST_PASSCODE = 1024
SHORTEST_PASSCODE = 8
Origin = Literal["environment", "dotenv", "project", "person", "default"]
Provider = Literal["anthropic", "openai", "openai-compatible", "local"]
Tier = Literal["haiku", "sonnet"]
What = Literal[
    "data", "database", "workspace", "memory", "teaching", "settings", "project", "sample"
]
Outcome = Literal[
    "works",
    "local",
    "no_key",
    "wrong_key",
    "no_network",
    "timeout",
    "rate_limit",
    "no_credit",
    "model_unknown",
    "not_a_model",
    "failed",
]


class SettingEntry(Wire):
    """A setting as the files have it; of a secret, `value` is only its end.

    `waiting`: the running server still has another value.
    """

    key: str
    variable: str
    kind: Kind
    meaning: str
    choices: list[str]
    value: str
    is_set: bool
    origin: Origin
    place: str
    editable: bool
    waiting: bool


class SettingsPasscode(Wire):
    """Whether a passcode is set in the files, and whether this server asks for one now."""

    is_set: bool
    in_force: bool
    waiting: bool
    origin: Origin
    place: str
    editable: bool
    removable: bool


class SettingsSeen(Wire):
    """The settings that a page may change, where they come from, and what waits for a restart."""

    entries: list[SettingEntry]
    passcode: SettingsPasscode
    file: str
    version: str
    exposed: bool  # other people of this machine may read the file
    provider: Provider  # who answers once the files count
    running: Provider  # who answers now
    defaults: dict[str, dict[Tier, str]]  # a provider's models
    known: dict[str, list[str]]  # models with a known price
    may_change: bool  # whoever asks now may also write
    can_restart: bool
    boot: str  # another one after every start
    first_run: bool


class SettingsChecked(Wire):
    """What happened when a model was asked one tiny question."""

    outcome: Outcome
    message: str
    hint: str | None
    provider: str
    model: str
    latency_ms: int | None
    cost_usd: float | None


class SettingsRestart(Wire):
    """The server ends, and starts again at the same address; `boot` is the one that ends."""

    boot: str


class KeptFile(Wire):
    """A file or folder that Paige keeps; not `counted`: there is more than this."""

    what: What
    path: str
    there: bool
    files: int
    size: int
    counted: bool


class SettingsData(Wire):
    """What is kept on this machine, and how many bytes the disk has left."""

    kept: list[KeptFile]
    free: int


class SampleCourse(Wire):
    """A course that comes with Paige."""

    name: str
    title: str


class SettingsSample(Wire):
    """What there is of the sample; `mixed`: the workspace never was the sample's."""

    files: list[str]
    all_files: int
    changed: list[str]
    mixed: bool
    courses: list[SampleCourse]
    project: str
    project_there: bool
    project_changed: list[str]
    project_in_use: bool


class SettingsChange(Asked):
    """Settings to be written into the person's own file; null removes one."""

    version: str = Field(max_length=200)
    values: dict[str, Annotated[SecretStr, Field(max_length=MOST_TEXT)] | None] = Field(
        min_length=1, max_length=20
    )


class SettingsCheck(Asked):
    """What to ask a model with; what is left out is as it is set."""

    provider: Provider | None = None
    key: SecretStr | None = Field(default=None, max_length=MOST_TEXT)
    base_url: str | None = Field(default=None, max_length=MOST_TEXT)
    model: str | None = Field(default=None, max_length=200)
    tier: Tier = "haiku"


class PasscodeChange(Asked):
    """A new passcode; where there is one already, with the old one."""

    version: str = Field(max_length=200)
    old: SecretStr | None = Field(default=None, max_length=MOST_PASSCODE)
    new: SecretStr = Field(min_length=SHORTEST_PASSCODE, max_length=MOST_PASSCODE)


class PasscodeRemoval(Asked):
    """The passcode, to be no longer asked for."""

    version: str = Field(max_length=200)
    old: SecretStr = Field(max_length=MOST_PASSCODE)


class RestartAsked(Asked):
    """A restart: with the project it has, with the sample project, or with one's own again."""

    project: Literal["keep", "sample", "own"] = "keep"


OUT = (SettingsSeen, SettingsChecked, SettingsRestart, SettingsData, SettingsSample)
IN = (SettingsChange, SettingsCheck, PasscodeChange, PasscodeRemoval, RestartAsked)
