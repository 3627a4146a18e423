"""The settings of this server: seen, changed, checked, and what is kept on this machine."""

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from anyio.to_thread import run_sync
from pydantic import Field, SecretStr
from pydantic.json_schema import SkipJsonSchema

from paige.app.accounts.passcode import Passcode, WrongPasscode, cookie_key, hash_passcode
from paige.app.application import App
from paige.base.errors import Conflict, Refused
from paige.base.settings import Settings
from paige.base.wire import wire
from paige.doors.frame.operations import Subject
from paige.doors.settings.check import SettingsCheck, SettingsChecked, check_model
from paige.doors.settings.data_facts import SettingsData, data_facts
from paige.doors.settings.page import MAX_TEXT, SECRETS, ProviderName, SettingsDoor, SettingsFiles
from paige.doors.settings.sample import (
    SettingsSample,
    add_sample,
    look_at_sample,
    project_place,
    remove_sample,
)
from paige.store.queries import latest_event

MAX_PASSCODE = 1024
MIN_PASSCODE = 8
Project = Literal["keep", "sample", "own"]
Version = Annotated[str, Field(max_length=200)]


@wire(kw_only=True)
class SettingsRequest:
    """Who asks for the settings."""

    here: SkipJsonSchema[bool] = False
    """Whether the request comes from this machine; the request itself says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsSeen(SettingsFiles):
    """The settings that a page may change, where they come from, and what waits for a restart."""

    running: ProviderName
    """Who answers now."""
    may_change: bool
    """Whoever asks now may also write."""
    can_restart: bool
    boot: str
    """Another one after every start."""
    first_run: bool


@wire
class SettingsRestart:
    """The server ends, and starts again at the same address; `boot` is the one that ends."""

    boot: str


@wire(kw_only=True)
class SettingsChange:
    """Settings to be written into the person's own file; null removes one."""

    version: Version
    values: Annotated[
        dict[str, Annotated[SecretStr, Field(max_length=MAX_TEXT)] | None],
        Field(min_length=1, max_length=20),
    ]


@wire(kw_only=True)
class PasscodeChange:
    """A new passcode; where there is one already, with the old one."""

    version: Version
    old: Annotated[SecretStr | None, Field(max_length=MAX_PASSCODE)] = None
    new: Annotated[SecretStr, Field(min_length=MIN_PASSCODE, max_length=MAX_PASSCODE)]


@wire(kw_only=True)
class PasscodeRemoval:
    """The passcode, to be no longer asked for."""

    version: Version
    old: Annotated[SecretStr, Field(max_length=MAX_PASSCODE)]


@wire(kw_only=True)
class RestartRequest:
    """A restart: with the project it has, with the sample project, or with one's own again."""

    project: Project = "keep"


SETTINGS = Subject("settings", needs="settings", machine=True, installation=True)


@SETTINGS.read
async def seen(app: App, given: SettingsRequest) -> SettingsSeen:
    """Show the settings, where each comes from, and what waits for a restart."""
    signed_in = bool(app.settings.passcode) or app.settings.many
    files = await run_sync(_door(app).seen)
    return await _seen(app, files, may_change=signed_in or given.here)


@SETTINGS.change()
async def change(app: App, given: SettingsChange) -> SettingsSeen:
    """Write settings into the person's own file."""
    values = {key: each.get_secret_value() if each else None for key, each in given.values.items()}
    return await _seen(app, await run_sync(_changed, app, values, given.version))


@SETTINGS.change()
async def check(app: App, given: SettingsCheck) -> SettingsChecked:
    """Ask a model one tiny question and say what happened."""
    return await check_model(app, await run_sync(_door(app).now), given)


@SETTINGS.change()
async def change_passcode(app: App, given: PasscodeChange) -> SettingsSeen:
    """Set or change the passcode; it counts after a restart."""
    old = given.old.get_secret_value() if given.old else ""
    new = given.new.get_secret_value()
    return await _seen(app, await run_sync(_keep_passcode, app, old, new, given.version))


@SETTINGS.change()
async def remove_passcode(app: App, given: PasscodeRemoval) -> SettingsSeen:
    """Remove the passcode; it is asked for until a restart."""
    old = given.old.get_secret_value()
    return await _seen(app, await run_sync(_keep_passcode, app, old, None, given.version))


@SETTINGS.change()
async def restart(app: App, given: RestartRequest) -> SettingsRestart:
    """Start again at the same address with the settings as they are now."""
    app.server.restart.ask(await run_sync(_next, app, given))
    return SettingsRestart(app.server.restart.boot)


@SETTINGS.read
def data(app: App) -> SettingsData:
    """Say what is kept on this machine, and where."""
    return data_facts(app)


@SETTINGS.read
def sample(app: App) -> SettingsSample:
    """Say what there is of the sample."""
    return look_at_sample(app.settings)


@SETTINGS.change()
def put_sample(app: App) -> SettingsSample:
    """Put the sample there: what is missing of it, and its project."""
    return add_sample(app.settings)


@SETTINGS.change()
def take_sample(app: App) -> SettingsSample:
    """Remove the sample's files that nobody changed, and its project."""
    if app.settings.project_dir == project_place(app.settings.data_dir):
        raise Conflict(
            "Paige runs with the sample project now",
            hint="Start again with your own project first.",
        )
    return remove_sample(app.settings)


def _door(app: App) -> SettingsDoor:
    return SettingsDoor(app.settings, strict=app.strict)


def _changed(app: App, values: dict[str, str | None], base: str) -> SettingsFiles:
    return _door(app).change(values, base=base)


async def _seen(app: App, files: SettingsFiles, *, may_change: bool = True) -> SettingsSeen:
    known: dict[str, Any] = {each.name: getattr(files, each.name) for each in fields(files)}
    told = {each.key for each in files.entries if each.is_set}
    newest = await app.database.system.read(latest_event)
    return SettingsSeen(
        **known,
        running=app.provider,  # type: ignore[arg-type] - one of the choices
        may_change=may_change,
        can_restart=app.server.restart.possible,
        boot=app.server.restart.boot,
        # Nobody has said yet who is to answer.
        first_run=newest == 0 and not told & {"provider", *SECRETS},
    )


def _keep_passcode(app: App, old: str, new: str | None, base: str) -> SettingsFiles:
    door = _door(app)
    door.check_passcode_editable()
    known = _to_be_given(app, door)
    if known is not None:
        try:
            known.check(old, now=app.now())
        except WrongPasscode as error:
            # Not the answer of somebody who has to sign in: they are, and stay so.
            raise Refused("The old passcode is wrong", hint="Nothing was changed.") from error
    return door.keep_passcode(hash_passcode(new) if new else None, base=base)


def _to_be_given(app: App, door: SettingsDoor) -> Passcode | None:
    """The passcode that waits in the file, else the one that counts now."""
    given, server = door.given().get("passcode"), app.server
    if given is None or given.text.strip() == app.settings.passcode:
        return server.passcode
    # One object for as long as it is this text, so that guessing is slowed down here too.
    if server.waiting is None or server.waiting[0] != given.text:
        made = Passcode(given.text.strip(), key=cookie_key(app.settings.data_dir))
        server.waiting = given.text, made
    return server.waiting[1]


def _next(app: App, asked: RestartRequest) -> Settings:
    running, now = app.settings, _door(app).now()
    place = project_place(running.data_dir)
    project = project_for(asked.project, running, now, place, strict=app.strict)
    if project is not None and not project.is_dir():
        raise Refused(f"`{project}` does not exist", hint="Add the sample first.")
    return settings_again(running, now, project)


def settings_again(running: Settings, now: Settings, project: Path | None) -> Settings:
    """The settings of the next start: as the files say, at the address of this one.

    Raises: Refused when other machines could reach it without a passcode.
    """
    if not running.loopback and not now.passcode:
        raise Refused(
            f"`{running.host}` can be reached from other machines and there is no passcode",
            hint="Set a passcode first.",
        )
    return replace(
        now,
        host=running.host,
        port=running.port,
        allowed_hosts=running.allowed_hosts,
        allowed_origins=running.allowed_origins,
        log_format=running.log_format,
        given_data_dir=running.given_data_dir,
        database_url=running.database_url,
        project_dir=project,
    )


def project_for(
    asked: Project, running: Settings, now: Settings, sample: Path, *, strict: bool
) -> Path | None:
    """The project of the next start; one that was chosen at the start stays."""
    if asked == "sample":
        return sample
    if asked == "own" and running.project_dir == sample:
        return now.project_dir or (None if strict else running.cwd)
    if running.project_dir == sample:
        return sample
    return now.project_dir or running.project_dir
