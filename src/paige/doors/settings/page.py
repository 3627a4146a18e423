"""Settings as people see and change them: what each is, where it comes from, what waits.

Only a few settings are changed from a page, and always in the person's own file. What a stronger
source says (the environment, `.env`, the project's file) is shown and cannot be changed here.
A kept key is never sent to a new address: whoever changes the address gives the key again.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, cast

from paige.app.settings_file import ABSENT, change_file, file_version, others_can_read
from paige.base.errors import BadInput, Refused
from paige.base.secrets import redact
from paige.base.settings import (
    SETTINGS,
    GivenValue,
    Kind,
    Setting,
    Settings,
    Source,
    given_settings,
    own_file,
    parse_setting,
    read_settings,
)
from paige.base.wire import wire
from paige.models.prices import Prices, shipped_prices
from paige.models.requests import Tier
from paige.models.setup import choose

Origin = Source | Literal["default"]
ProviderName = Literal["anthropic", "openai", "openai-compatible", "local"]
SECRETS = ("anthropic_api_key", "openai_api_key")
EDITABLE = ("provider", *SECRETS, "base_url", "model_haiku", "model_sonnet", "fallback")
"""What a page may change. Everything else is for an editor: a mistake there locks people out."""
LONG_ENOUGH = 20
"""Of a secret that is shorter, not even the end is shown."""
SHOWN_END = 4
MAX_TEXT = 4096
_FAMILIES = {"anthropic": ("claude-",), "openai": ("gpt-", "o1", "o3", "o4")}


@wire
class SettingEntry:
    """A setting as the files have it; of a secret, `value` is only its end.

    `waiting`: the running server still has another value.
    """

    key: str
    variable: str
    kind: Kind
    meaning: str
    choices: tuple[str, ...]
    value: str
    is_set: bool
    origin: Origin
    place: str
    editable: bool
    waiting: bool


@wire
class SettingsPasscode:
    """Whether a passcode is set in the files, and whether this server asks for one now."""

    is_set: bool
    in_force: bool
    waiting: bool
    origin: Origin
    place: str
    editable: bool
    removable: bool


@wire
class SettingsFiles:
    """Everything that the settings page shows of the files."""

    entries: tuple[SettingEntry, ...]
    passcode: SettingsPasscode
    file: str
    version: str
    exposed: bool
    """Other people of this machine may read the file."""
    provider: ProviderName
    """Who answers once the files count."""
    defaults: Mapping[str, Mapping[Tier, str]]
    """A provider's models by tier."""
    known: Mapping[str, tuple[str, ...]]
    """A provider's models with a known price."""


class SettingsDoor:
    """Settings of the person who runs this server; it reads files, so it is used in a thread."""

    def __init__(self, running: Settings, *, strict: bool) -> None:
        self._running = running
        self._strict = strict

    @property
    def file(self) -> Path:
        """The person's own settings file. Raises: BadInput without a home."""
        path = own_file(self._running.environ)
        if path is None:
            raise BadInput("There is no home folder to keep settings in", hint="Set `HOME`.")
        return path

    def now(self) -> Settings:
        """The settings as the files have them now. Raises: BadInput."""
        return read_settings(self._running.environ, self._running.cwd)

    def given(self) -> dict[str, GivenValue]:
        """What somebody gave, and where. Raises: BadInput."""
        return given_settings(self._running.environ, self._running.cwd)

    def seen(self) -> SettingsFiles:
        """Everything, without secrets. Raises: BadInput when a file cannot be read."""
        now, given = self.now(), self.given()
        path = own_file(self._running.environ)
        prices = shipped_prices()
        rows = [setting for setting in SETTINGS if setting.key in EDITABLE]
        return SettingsFiles(
            entries=tuple(self._entry(setting, given.get(setting.key), now) for setting in rows),
            passcode=self._passcode(given.get("passcode"), now),
            file=str(path.resolve()) if path else "",
            version=file_version(path) if path else ABSENT,
            exposed=path is not None and others_can_read(path),
            provider=cast("ProviderName", choose(now, strict=self._strict).provider),
            defaults={name: dict(tiers) for name, tiers in prices.tiers.items()},
            known={name: _known(prices, name) for name in _FAMILIES},
        )

    def change(self, changes: Mapping[str, str | None], *, base: str) -> SettingsFiles:
        """Change the person's own file. Raises: BadInput, Refused, Conflict."""
        wanted = {key: (value or "").strip() or None for key, value in changes.items()}
        for key, value in wanted.items():
            self._check(key, value)
        check_address(self.now(), wanted)
        change_file(self.file, wanted, base=base)
        return self.seen()

    def keep_passcode(self, hashed: str | None, *, base: str) -> SettingsFiles:
        """Keep the hash of a passcode, or with `None` no passcode. Raises: Refused, Conflict."""
        self.check_passcode_editable()
        if hashed is None and not self._running.loopback:
            raise Refused(
                f"`{self._running.host}` can be reached from other machines, so Paige needs a "
                "passcode",
                hint="Change it, or bind `127.0.0.1` first.",
            )
        change_file(self.file, {"passcode": hashed}, base=base)
        return self.seen()

    def check_passcode_editable(self) -> None:
        """Refuse what only a stronger source could change. Raises: Refused."""
        self._check_source("passcode", self.given().get("passcode"))

    def _check(self, key: str, value: str | None) -> None:
        if key not in EDITABLE:
            raise Refused(f"`{key}` cannot be changed from a page", hint=f"Edit `{self.file}`.")
        self._check_source(key, self.given().get(key))
        if value is None:
            return
        check_text(key, value)
        parse_setting(key, value, self._running.environ, self._running.cwd)

    def _check_source(self, key: str, given: GivenValue | None) -> None:
        if given is not None and given.source != "person":
            raise Refused(
                f"`{key}` is set by {given.place}, which is stronger than what is changed here",
                hint="Change it there, or remove it there first.",
            )

    def _entry(self, setting: Setting, given: GivenValue | None, now: Settings) -> SettingEntry:
        text = given.text.strip() if given else ""
        return SettingEntry(
            key=setting.key,
            variable=setting.variable,
            kind=setting.kind,
            meaning=setting.meaning,
            choices=setting.choices,
            value=masked(text) if setting.kind == "secret" else redact(text),
            is_set=given is not None,
            origin=given.source if given else "default",
            place=given.place if given else "",
            editable=self._editable(given),
            waiting=getattr(now, setting.key) != getattr(self._running, setting.key),
        )

    def _passcode(self, given: GivenValue | None, now: Settings) -> SettingsPasscode:
        editable = self._editable(given)
        return SettingsPasscode(
            is_set=given is not None,
            in_force=bool(self._running.passcode),
            waiting=now.passcode != self._running.passcode,
            origin=given.source if given else "default",
            place=given.place if given else "",
            editable=editable,
            removable=editable and self._running.loopback and now.loopback,
        )

    def _editable(self, given: GivenValue | None) -> bool:
        has_file = own_file(self._running.environ) is not None
        return has_file and (given is None or given.source == "person")


def check_text(key: str, value: str) -> None:
    """Refuse what cannot be a key or a name; the value itself is not repeated. Raises: BadInput."""
    secret = key in SECRETS
    if not value.isprintable() or (secret and not (value.isascii() and " " not in value)):
        raise BadInput(
            f"`{key}` holds spaces or signs that cannot be in it",
            hint="Copy it again, without what is around it.",
        )


def masked(secret: str) -> str:
    """What may be shown of a secret: the end of a long one, and dots."""
    if not secret:
        return ""
    end = secret[-SHOWN_END:] if len(secret) >= LONG_ENOUGH else ""
    return f"••••{end}"


def check_address(now: Settings, wanted: Mapping[str, str | None]) -> None:
    """Refuse to send a kept key to a new address. Raises: Refused."""
    if "base_url" not in wanted:
        return
    address = (wanted["base_url"] or "").rstrip("/")
    if not address or address == now.base_url:
        return
    kept = [key for key in SECRETS if key not in wanted and getattr(now, key)]
    if kept:
        names = " and ".join(f"`{key}`" for key in kept)
        raise Refused(
            f"A kept key is not sent to a new address: give {names} again, or remove it",
            hint="Write the key into its field together with the new address.",
        )


def _known(prices: Prices, provider: str) -> tuple[str, ...]:
    beginnings = _FAMILIES[provider]
    return tuple(sorted(name for name in prices.models if name.startswith(beginnings)))
