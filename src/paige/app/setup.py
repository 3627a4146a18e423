"""What is set up: one value that the Home page, the MCP tool and doctor all show."""

from dataclasses import dataclass

import anyio.to_thread

from paige import __version__
from paige.app.application import App
from paige.app.doctor import run_checks
from paige.app.doors import Door, read_doors
from paige.base.checks import Check
from paige.base.secrets import redact
from paige.base.settings import Settings
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
    """Describe the installation a running app belongs to."""
    settings = app.settings
    database = DatabaseInfo(app.database.kind, app.database.location, head_revision())
    return Setup(
        version=__version__,
        provider=provider_info(settings, app.provider),
        database=database,
        project=str(settings.project_dir) if settings.project_dir else None,
        data_dir=str(settings.data_dir),
        passcode=bool(settings.passcode),
        doors=read_doors(),
        checks=await anyio.to_thread.run_sync(run_checks, settings),
    )


def provider_info(settings: Settings, provider: str) -> ProviderInfo:
    """Whether a provider can be asked, and the sentence that says so."""
    match provider:
        case "local":
            message = "No model is set up; local rules answer, and say so."
            return ProviderInfo(provider, True, message)
        case "anthropic" if settings.anthropic_api_key:
            return ProviderInfo(provider, True, "Anthropic answers; its key is set.")
        case "openai" if settings.openai_api_key:
            return ProviderInfo(provider, True, "OpenAI answers; its key is set.")
        case "openai-compatible" if settings.base_url:
            return ProviderInfo(provider, True, redact(f"`{settings.base_url}` answers."))
        case "openai-compatible":
            return ProviderInfo(provider, False, "`PAIGE_BASE_URL` is not set: nobody to ask.")
    variable = "ANTHROPIC_API_KEY" if provider == "anthropic" else "OPENAI_API_KEY"
    return ProviderInfo(provider, False, f"`{variable}` is not set, so it cannot be asked.")
