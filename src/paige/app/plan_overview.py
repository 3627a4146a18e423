"""The Plan door at a glance: commands, classes, what is wrong, how much waits."""

from dataclasses import dataclass
from pathlib import PurePath

from anyio.to_thread import run_sync

from paige.agent import queries
from paige.agent.plugins import FoundCommand, Loaded
from paige.app.application import App
from paige.app.places import workspace_documents
from paige.app.plan_workspace import Trouble, all_troubles
from paige.app.registries import local_engines
from paige.app.running import find_plugins, purpose_of
from paige.models.local import LOCAL, Registry
from paige.plan.classes import ClassProfile
from paige.plan.services import PlanServices
from paige.plan.workspace import read_classes


@dataclass(frozen=True, slots=True)
class Offered:
    """A command, and whether it is answered without a model too."""

    found: FoundCommand
    local: bool


@dataclass(frozen=True, slots=True)
class Overview:
    """What somebody who opens the door needs first."""

    commands: tuple[Offered, ...]
    classes: tuple[ClassProfile, ...]
    troubles: tuple[Trouble, ...]
    provider: str
    waiting: int

    @property
    def local(self) -> bool:
        """Whether runs are answered without a model."""
        return self.provider == LOCAL


class Overlooking:
    """Makes overviews; what local rules answer is found out once."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._engines: Registry | None = None

    async def look(self) -> Overview:
        """The door as it is now."""
        gates = await self._app.database.read(queries.waiting_gates, self._app.actor)
        return await run_sync(self._look, len(gates))

    def _look(self, waiting: int) -> Overview:
        app = self._app
        documents = workspace_documents(app)
        loaded = find_plugins(app.settings)
        if self._engines is None:
            services = PlanServices(
                documents=documents, actor=app.actor, now=app.now, db=app.database
            )
            self._engines = local_engines(services)
        commands = [
            Offered(found, self._engines.answers(purpose_of(found)))
            for plugin in loaded.plugins.values()
            for command in plugin.commands.values()
            for found in [FoundCommand(plugin, command)]
        ]
        return Overview(
            tuple(commands),
            read_classes(documents).profiles,
            (*_plugin_troubles(loaded), *all_troubles(documents)),
            app.provider,
            waiting,
        )


def _plugin_troubles(loaded: Loaded) -> list[Trouble]:
    return [
        Trouble(PurePath(each.folder).name, None, f"{each.message}. {each.hint or ''}".rstrip())
        for each in loaded.problems
    ]
