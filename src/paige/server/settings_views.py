"""From the settings' inside values to what the REST API sends, and the passcode's old and new."""

from functools import partial

from anyio.to_thread import run_sync

from paige.app.application import App
from paige.app.data_facts import data_facts
from paige.app.sample import add_sample, look_at_sample, project_place, remove_sample
from paige.app.settings_check import Wanted, check_model
from paige.app.settings_door import SECRETS, Entry, Seen, SettingsDoor
from paige.base.errors import Conflict, Refused
from paige.base.settings import Settings
from paige.server import settings_wire as wire
from paige.server.passcode import Passcode, WrongPasscode, cookie_key, hash_passcode
from paige.server.restarting import Restart, project_for, settings_again
from paige.store.queries import latest_event


class SettingsViews:
    """The settings of this server; what reads files happens in threads."""

    def __init__(self, app: App, passcode: Passcode | None, restart: Restart) -> None:
        self._app = app
        self._door = SettingsDoor(app.settings, strict=app.strict)
        self._passcode = passcode
        self._restart = restart
        self._written: tuple[str, Passcode] | None = None

    async def seen(self, *, may_change: bool) -> wire.SettingsSeen:
        """The settings as the files have them."""
        return await self._shown(await run_sync(self._door.seen), may_change=may_change)

    async def change(self, asked: wire.SettingsChange) -> wire.SettingsSeen:
        """Settings into the person's own file. Raises: BadInput, Refused, Conflict."""
        values = {
            key: value.get_secret_value() if value else None for key, value in asked.values.items()
        }
        work = partial(self._door.change, values, base=asked.version)
        return await self._shown(await run_sync(work), may_change=True)

    async def check(self, asked: wire.SettingsCheck) -> wire.SettingsChecked:
        """One tiny question to a model. Raises: BadInput, Refused."""
        wanted = Wanted(
            provider=asked.provider,
            key=asked.key.get_secret_value() if asked.key else None,
            base_url=asked.base_url,
            model=asked.model,
            tier=asked.tier,
        )
        now = await run_sync(self._door.now)
        return wire.SettingsChecked.model_validate(await check_model(self._app, now, wanted))

    async def change_passcode(self, asked: wire.PasscodeChange) -> wire.SettingsSeen:
        """Another passcode, or the first one. Raises: WrongPasscode, TooManyTries, Refused."""
        old = asked.old.get_secret_value() if asked.old else ""
        new = asked.new.get_secret_value()
        seen = await run_sync(self._keep_passcode, old, new, asked.version)
        return await self._shown(seen, may_change=True)

    async def remove_passcode(self, asked: wire.PasscodeRemoval) -> wire.SettingsSeen:
        """No passcode any more. Raises: WrongPasscode, TooManyTries, Refused."""
        old = asked.old.get_secret_value()
        seen = await run_sync(self._keep_passcode, old, None, asked.version)
        return await self._shown(seen, may_change=True)

    async def restart(self, asked: wire.RestartAsked) -> wire.SettingsRestart:
        """End, and start again with the settings as they are now. Raises: Refused, Unavailable."""
        self._restart.ask(await run_sync(self._next, asked))
        return wire.SettingsRestart(boot=self._restart.boot)

    async def data(self) -> wire.SettingsData:
        """What is kept on this machine."""
        return wire.SettingsData.model_validate(await run_sync(data_facts, self._app))

    async def sample(self) -> wire.SettingsSample:
        """What there is of the sample."""
        return wire.SettingsSample.model_validate(
            await run_sync(look_at_sample, self._app.settings)
        )

    async def add_sample(self) -> wire.SettingsSample:
        """Put the sample there."""
        return wire.SettingsSample.model_validate(await run_sync(add_sample, self._app.settings))

    async def remove_sample(self) -> wire.SettingsSample:
        """Take the sample away. Raises: Conflict while its project is in use."""
        if self._app.settings.project_dir == project_place(self._app.settings.data_dir):
            raise Conflict(
                "Paige runs with the sample project now",
                hint="Start again with your own project first.",
            )
        return wire.SettingsSample.model_validate(await run_sync(remove_sample, self._app.settings))

    async def _shown(self, seen: Seen, *, may_change: bool) -> wire.SettingsSeen:
        newest = await self._app.database.system.read(latest_event)
        return wire.SettingsSeen(
            entries=[_entry(each) for each in seen.entries],
            passcode=wire.SettingsPasscode.model_validate(seen.passcode),
            file=seen.file,
            version=seen.version,
            exposed=seen.exposed,
            provider=seen.provider,  # type: ignore[arg-type]  # one of the choices
            running=self._app.provider,  # type: ignore[arg-type]
            defaults={name: dict(tiers) for name, tiers in seen.defaults.items()},
            known={name: list(models) for name, models in seen.known.items()},
            may_change=may_change,
            can_restart=self._restart.possible,
            boot=self._restart.boot,
            first_run=newest == 0 and is_untouched(seen),
        )

    def _keep_passcode(self, old: str, new: str | None, base: str) -> Seen:
        self._door.check_passcode_editable()
        known = self._to_be_given()
        if known is not None:
            try:
                known.check(old, now=self._app.now())
            except WrongPasscode as error:
                # Not the answer of somebody who has to sign in: they are, and stay so.
                raise Refused("The old passcode is wrong", hint="Nothing was changed.") from error
        return self._door.keep_passcode(hash_passcode(new) if new else None, base=base)

    def _to_be_given(self) -> Passcode | None:
        """The passcode that waits in the file, else the one that counts now."""
        given = self._door.given().get("passcode")
        if given is None or given.text.strip() == self._app.settings.passcode:
            return self._passcode
        # One object for as long as it is this text, so that guessing is slowed down here too.
        if self._written is None or self._written[0] != given.text:
            made = Passcode(given.text.strip(), key=cookie_key(self._app.settings.data_dir))
            self._written = given.text, made
        return self._written[1]

    def _next(self, asked: wire.RestartAsked) -> Settings:
        running, now = self._app.settings, self._door.now()
        place = project_place(running.data_dir)
        project = project_for(asked.project, running, now, place, strict=self._app.strict)
        if project is not None and not project.is_dir():
            raise Refused(f"`{project}` does not exist", hint="Add the sample first.")
        return settings_again(running, now, project)


def is_untouched(seen: Seen) -> bool:
    """Whether nobody has said yet who is to answer."""
    told = {each.setting.key for each in seen.entries if each.is_set}
    return not told & {"provider", *SECRETS}


def _entry(entry: Entry) -> wire.SettingEntry:
    setting = entry.setting
    return wire.SettingEntry(
        key=setting.key,
        variable=setting.variable,
        kind=setting.kind,
        meaning=setting.meaning,
        choices=list(setting.choices),
        value=entry.value,
        is_set=entry.is_set,
        origin=entry.origin,
        place=entry.place,
        editable=entry.editable,
        waiting=entry.waiting,
    )
