"""The settings' part of the REST API: seeing and changing them, checking a key, starting again."""

from functools import cached_property
from typing import TYPE_CHECKING

from fastapi import Depends, Request, Response

from paige.app.application import App
from paige.server import settings_wire as wire
from paige.server.desks import needs_machine
from paige.server.own_page import OwnPage, is_this_machine
from paige.server.passcode import Passcode
from paige.server.restarting import Restart
from paige.server.routes import Routes

if TYPE_CHECKING:
    from paige.server.settings_views import SettingsViews


PREFIX = "/settings"


class _Opened:
    """The settings, opened when somebody first asks for them."""

    def __init__(self, app: App, passcode: Passcode | None, restart: Restart) -> None:
        self._parts = app, passcode, restart

    @cached_property
    def views(self) -> "SettingsViews":
        """What answers."""
        from paige.server.settings_views import SettingsViews  # noqa: PLC0415 - starts without

        return SettingsViews(*self._parts)


async def _unkept(response: Response) -> None:
    """Nothing about settings is kept by a browser or a proxy."""
    response.headers["cache-control"] = "no-store"


def settings_routes(app: App, passcode: Passcode | None, restart: Restart) -> Routes:
    """The addresses under `/settings`; whatever changes something asks for an own page."""
    door = _Opened(app, passcode, restart)
    signed_in = passcode is not None or app.settings.many
    looking = Routes(prefix=PREFIX, tags=["settings"])
    _add_looking(looking, door, signed_in=signed_in)
    own_page = Depends(OwnPage(signed_in=signed_in))
    changing = Routes(prefix=PREFIX, tags=["settings"], dependencies=[own_page])
    _add_changing(changing, door)
    _add_passcode(changing, door)
    _add_sample(changing, door)
    routes = Routes(dependencies=[Depends(_unkept), Depends(needs_machine("settings"))])
    routes.include(looking)
    routes.include(changing)
    return routes


def _add_looking(routes: Routes, door: _Opened, *, signed_in: bool) -> None:
    @routes.get("")
    async def seen(request: Request) -> wire.SettingsSeen:
        """Show the settings, where each comes from, and what waits for a restart."""
        client = request.client.host if request.client else ""
        may_change = signed_in or is_this_machine(request.headers, client)
        return await door.views.seen(may_change=may_change)

    @routes.get("/data")
    async def data() -> wire.SettingsData:
        """Say what is kept on this machine, and where."""
        return await door.views.data()

    @routes.get("/sample")
    async def sample() -> wire.SettingsSample:
        """Say what there is of the sample."""
        return await door.views.sample()


def _add_changing(routes: Routes, door: _Opened) -> None:
    @routes.patch("")
    async def change(asked: wire.SettingsChange) -> wire.SettingsSeen:
        """Write settings into the person's own file."""
        return await door.views.change(asked)

    @routes.post("/check")
    async def check(asked: wire.SettingsCheck) -> wire.SettingsChecked:
        """Ask a model one tiny question and say what happened."""
        return await door.views.check(asked)

    @routes.post("/restart")
    async def restart(asked: wire.RestartAsked) -> wire.SettingsRestart:
        """Start again at the same address with the settings as they are now."""
        return await door.views.restart(asked)


def _add_passcode(routes: Routes, door: _Opened) -> None:
    @routes.put("/passcode")
    async def change(asked: wire.PasscodeChange) -> wire.SettingsSeen:
        """Set or change the passcode; it counts after a restart."""
        return await door.views.change_passcode(asked)

    @routes.delete("/passcode")
    async def remove(asked: wire.PasscodeRemoval) -> wire.SettingsSeen:
        """Remove the passcode; it is asked for until a restart."""
        return await door.views.remove_passcode(asked)


def _add_sample(routes: Routes, door: _Opened) -> None:
    @routes.post("/sample")
    async def add() -> wire.SettingsSample:
        """Put the sample there: what is missing of it, and its project."""
        return await door.views.add_sample()

    @routes.delete("/sample")
    async def remove() -> wire.SettingsSample:
        """Remove the sample's files that nobody changed, and its project."""
        return await door.views.remove_sample()
