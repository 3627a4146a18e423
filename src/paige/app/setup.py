"""What is set up: one value that the Home page, the MCP tool and doctor all show."""

from dataclasses import dataclass

import anyio.to_thread

from paige import __version__
from paige.app.application import App
from paige.app.doctor import run_checks
from paige.app.doors import Door, read_doors
from paige.app.person_apps import is_owner
from paige.base.checks import Check
from paige.store.migrate import head_revision


@dataclass(frozen=True, slots=True)
class ProviderInfo:
    """Who answers model requests, and whether they can be asked."""

    name: str
    ready: bool
    message: str


@dataclass(frozen=True, slots=True)
class DatabaseInfo:
    """Where the data is, without its password."""

    engine: str
    location: str
    schema: str


@dataclass(frozen=True, slots=True)
class Setup:
    """The state of this installation, without secrets."""

    version: str
    provider: ProviderInfo
    database: DatabaseInfo
    project: str | None
    data_dir: str
    passcode: bool
    doors: list[Door]
    checks: list[Check]


async def describe_setup(app: App) -> Setup:
    """Describe the installation a running app belongs to, as far as it is the person's business."""
    settings = app.settings
    checks = await anyio.to_thread.run_sync(run_checks, settings)
    if settings.many and not is_owner(app.actor):
        return _brief(app, checks)
    return Setup(
        version=__version__,
        provider=_provider(app.provider, checks),
        database=DatabaseInfo(app.database.kind, app.database.location, head_revision()),
        project=str(settings.project_dir) if settings.project_dir else None,
        data_dir=str(settings.data_dir),
        passcode=bool(settings.passcode),
        doors=read_doors(),
        checks=checks,
    )


def _brief(app: App, checks: list[Check]) -> Setup:
    """What somebody with an account needs: not where things lie on the machine."""
    return Setup(
        version=__version__,
        provider=_provider(app.provider, checks),
        database=DatabaseInfo(app.database.kind, "", head_revision()),
        project=None,
        data_dir="",
        passcode=bool(app.settings.passcode),
        doors=read_doors(),
        checks=[],
    )


def _provider(name: str, checks: list[Check]) -> ProviderInfo:
    """What doctor says about the provider, as a sentence of its own."""
    check = next(check for check in checks if check.name == "models")
    sentence = check.message[0].upper() + check.message[1:]
    return ProviderInfo(name, check.status != "fail", f"{sentence}.")
