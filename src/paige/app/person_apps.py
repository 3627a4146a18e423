"""A desk: the application as one person of one tenant uses it.

Without accounts there is one desk, that of the person this installation belongs to, with the places
of today. With accounts everyone else has a folder of their own below the data folder for whatever
is a file: workspace, courses, what hooks noted. A tenant has a memory of its own, whose scopes and
access lists say what its people share.

What belongs to the machine (the coached project, its terminal, the settings file, the coding CLIs
that are guarded, the orchestra) is for people of the installation's own tenant with the right.
"""

import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from os.path import normpath, realpath
from pathlib import Path

from paige.app.application import App
from paige.app.lazy_memory import LazyMemory
from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.errors import BadInput, Refused
from paige.base.rights import Right, allows, check_right
from paige.base.settings import Settings
from paige.guard.fast.place import Place, place_of

MAX_APPS = 512
PEOPLE, TENANTS = "people", "tenants"
IDLE_SECONDS = 1800.0
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}")


class PersonApps:
    """The desks of one server; to be used on its event loop."""

    def __init__(self, app: App, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.app = app
        self._monotonic = monotonic
        self._desks: OrderedDict[Actor, App] = OrderedDict()
        self._memories: dict[str, LazyMemory] = {}
        self._used: dict[str, float] = {}  # by tenant: when somebody of it last asked

    def of(self, actor: Actor | None) -> App:
        """The desk of whoever asks. Raises: Refused when that is nobody, BadInput."""
        if actor is None:
            if self.app.settings.many:
                raise Refused("Nobody is signed in", hint="Sign in first.")
            return self.app
        self._used[actor.tenant] = self._monotonic()
        if actor == self.app.actor:
            return self.app
        desk = self._desks.get(actor)
        if desk is None:
            desk = self._desks[actor] = self._made(actor)
            if len(self._desks) > MAX_APPS:
                self._desks.popitem(last=False)
        self._desks.move_to_end(actor)
        return desk

    def idle_memories(self) -> list[LazyMemory]:
        """Memories of tenants of whom nobody came for long, to be closed in a thread.

        They open by themselves when somebody comes back.
        """
        before = self._monotonic() - IDLE_SECONDS
        idle = [name for name in self._memories if self._used.get(name, before) <= before]
        return [self._memories[name] for name in idle]

    def close(self) -> None:
        """Close what was opened for tenants."""
        for memory in self._memories.values():
            memory.close()

    def _made(self, actor: Actor) -> App:
        settings = settings_for(self.app.settings, actor)
        return replace(
            self.app, settings=settings, actor=actor, memory=self._memory_of(actor.tenant)
        )

    def _memory_of(self, tenant: str) -> LazyMemory:
        if tenant == self.app.actor.tenant:
            return self.app.memory
        if tenant not in self._memories:
            app = self.app
            settings = settings_of_tenant(app.settings, tenant)
            self._memories[tenant] = LazyMemory(settings, app.database, app.now, tenant=tenant)
        return self._memories[tenant]


def is_owner(actor: Actor) -> bool:
    """Whether this is the person an installation without accounts belongs to."""
    return (actor.tenant, actor.person) == (LOCAL_TENANT, Actor().person)


def settings_for(settings: Settings, actor: Actor) -> Settings:
    """The settings of somebody's desk: their own places. Raises: BadInput."""
    if is_owner(actor):
        return settings
    folder = folder_of(settings, actor)
    machine = may_on_machine(settings, actor, "coach")
    return replace(
        settings,
        cwd=folder,
        given_data_dir=folder,
        given_workspace=folder / "workspace",
        given_teaching_dir=folder / "teaching",
        given_memory_path=settings_of_tenant(settings, actor.tenant).given_memory_path,
        project_dir=settings.project_dir if machine else None,
    )


def settings_of_tenant(settings: Settings, tenant: str) -> Settings:
    """The settings by which the memory of a tenant is opened. Raises: BadInput."""
    if tenant == LOCAL_TENANT:
        return settings
    folder = settings.data_dir / TENANTS / checked_name(tenant)
    return replace(
        settings,
        cwd=folder,
        given_data_dir=folder,
        given_workspace=folder / "workspace",
        given_memory_path=folder / "memory" / "events.jsonl",
        project_dir=None,
    )


def folder_of(settings: Settings, actor: Actor) -> Path:
    """Where the files of somebody lie. Raises: BadInput."""
    people = settings.data_dir / PEOPLE
    return people / checked_name(actor.tenant) / checked_name(actor.person)


def installation_dir(settings: Settings, actor: Actor) -> Path:
    """The data folder of the installation, whoever's desk this is: `folder_of` the other way."""
    own = settings.data_dir
    return own if is_owner(actor) else own.parents[2]


def checked_name(name: str) -> str:
    """A name that can be one folder and nothing else. Raises: BadInput."""
    if not _NAME.fullmatch(name) or ".." in name:
        raise BadInput(
            f"`{name[:80]}` cannot be the name of a tenant or a person",
            hint="Use at most 64 letters, digits, `-`, `_` and `.`; it does not begin with a dot.",
        )
    return name


def may_on_machine(settings: Settings, actor: Actor, right: Right) -> bool:
    """Whether somebody may use what belongs to this machine."""
    if not settings.many:
        return True
    return actor.tenant == LOCAL_TENANT and allows(actor.roles, right)


def place_for(settings: Settings, actor: Actor, *, cwd: str = "", project: str = "") -> Place:
    """Where the guard works for somebody: in a folder they name, else where they are.

    Without a right to the machine that is in their own folder, and nobody works in the folder of
    somebody else. Raises: Refused.
    """
    for named in (cwd, project) if settings.many else ():
        _check_folder(settings, actor, named)
    here, data = str(settings.project_dir or settings.cwd), str(settings.data_dir)
    if may_on_machine(settings, actor, "guard"):
        return place_of(cwd or here, data, project)
    return Place(cwd or here, data, "", data, own=False, apart=True)


def _check_folder(settings: Settings, actor: Actor, named: str) -> None:
    if "\0" in named:
        raise BadInput("A folder cannot have a zero in its name")
    if not named or Path(normpath(named)).is_relative_to(settings.data_dir):
        return
    if not may_on_machine(settings, actor, "guard"):
        raise Refused(
            f"`{named[:200]}` lies on the machine that Paige runs on, and not in your folder",
            hint=f"Developers of the tenant `{LOCAL_TENANT}` can use it. Everyone else runs the "
            "hook on a machine of their own.",
        )
    real, kept = Path(realpath(named)), Path(realpath(installation_dir(settings, actor)))
    others = any(real.is_relative_to(kept / each) for each in (PEOPLE, TENANTS))
    if others and not real.is_relative_to(realpath(settings.data_dir)):
        raise Refused(f"`{named[:200]}` is the folder of somebody else")


def need(desk: App, right: Right) -> None:
    """Let somebody through a door. Raises: Refused, when accounts say who may what."""
    if desk.settings.many:
        check_right(desk.actor, right)


def need_machine(desk: App, right: Right) -> None:
    """Let somebody use what belongs to this machine. Raises: Refused."""
    need(desk, right)
    if not may_on_machine(desk.settings, desk.actor, right):
        raise Refused(
            "This belongs to the machine that Paige runs on, and not to your tenant",
            hint=f"People of the tenant `{LOCAL_TENANT}` can use it.",
        )
