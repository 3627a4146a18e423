"""What is set up, as every door tells it."""

import tomllib
from typing import Any, Literal, cast

from paige import __version__
from paige.app.application import App
from paige.app.person_apps import is_owner
from paige.base import checks
from paige.base.paths import shipped
from paige.base.wire import wire
from paige.doors.frame.operations import Subject
from paige.doors.setup.doctor import run_checks
from paige.store.migrate import head_revision

Engine = Literal["sqlite", "postgresql"]


@wire
class Provider:
    """Who answers model requests."""

    name: str
    ready: bool
    message: str


@wire
class DatabaseInfo:
    """Where the data is, without its password."""

    engine: Engine
    location: str
    schema: str


@wire
class DoorStatus:
    """One of the four ways into Paige, and how far it is."""

    id: Literal["plan", "study", "coach", "guard"]
    title: str
    audience: str
    summary: str
    works: tuple[str, ...]
    next: tuple[str, ...]


@wire
class SetupCheck:
    """One check of doctor."""

    name: str
    status: checks.Status
    message: str
    fix: str | None


@wire
class Setup:
    """What is set up, without secrets."""

    version: str
    provider: Provider
    database: DatabaseInfo
    project: str | None
    data_dir: str
    passcode: bool
    doors: tuple[DoorStatus, ...]
    checks: tuple[SetupCheck, ...]


def describe_setup(app: App) -> Setup:
    """Describe the installation a running app belongs to, as far as it is the person's business.

    Somebody with an account is not told where things lie on the machine.
    """
    settings, found = app.settings, run_checks(app.settings)
    told = not settings.many or is_owner(app.actor)
    project = settings.project_dir if told else None
    location = app.database.location if told else ""
    return Setup(
        version=__version__,
        provider=_provider(app.provider, found),
        database=DatabaseInfo(cast("Engine", app.database.kind), location, head_revision()),
        project=str(project) if project else None,
        data_dir=str(settings.data_dir) if told else "",
        passcode=bool(settings.passcode),
        doors=read_doors(),
        checks=tuple(_check(each) for each in found if told),
    )


def read_doors() -> tuple[DoorStatus, ...]:
    """What each door is for and how far it is, in the order people see them."""
    table = tomllib.loads(shipped("doors.toml").read_text(encoding="utf-8"))
    return tuple(_door(id, door) for id, door in table.items())


def _door(id: Any, door: dict[str, Any]) -> DoorStatus:  # noqa: ANN401 - as the file has it
    lists = {name: tuple(door[name]) for name in ("works", "next")}
    return DoorStatus(id=id, **{**door, **lists})


def _check(found: checks.Check) -> SetupCheck:
    return SetupCheck(found.name, found.status, found.message, found.fix)


def _provider(name: str, found: list[checks.Check]) -> Provider:
    """What doctor says about the provider, as a sentence of its own."""
    check = next(check for check in found if check.name == "models")
    sentence = check.message[0].upper() + check.message[1:]
    return Provider(name, check.status != "fail", f"{sentence}.")


SETUP = Subject("setup")


@SETUP.read
def setup(app: App) -> Setup:
    """Say what is set up."""
    return describe_setup(app)
