"""A real server of the coach in a thread, with a model that answers what a test wants to see.

Without such a model it thinks for itself, as Paige does at somebody's home.

What a coding CLI would do through MCP (highlight lines, say something, make a plan) a test does by
calling the live coach itself, on the server's own event loop.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
from anyio.from_thread import BlockingPortal

from paige.app.application import open_app
from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.base.settings import Settings
from paige.coach.live import LiveCoach
from paige.coach.model import PlanText
from paige.doors.site.factory import Site
from paige.doors.site.run import bind
from tests.coach.observing import Hands
from tests.coach.scripted_model import ScriptedModel
from tests.web.served_site import served_site

HOST = "127.0.0.1"


@dataclass(slots=True)
class CoachSite:
    """A running server, its project, and the coach inside it."""

    url: str
    project: Path
    site: Site
    portal: BlockingPortal

    @property
    def coach(self) -> LiveCoach:
        """The live coach; its methods are called through `do`."""
        return self.site.coach

    @property
    def actor(self) -> Actor:
        """The person at the browser."""
        return self.site.app.actor

    def do(self, method: Callable[..., Any], *arguments: object, **named: object) -> Any:
        """Call a method of the coach for the person, on the server's loop."""

        async def call() -> Any:
            return await method(self.actor, *arguments, **named)

        return self.portal.call(call)

    def plan(self) -> None:
        """Hand a plan to the coach, as a coding CLI does."""

        async def quiet(done: int, total: int, message: str) -> None: ...

        self.do(
            self.coach.run_pipeline, PlanText("1. Look\n2. Change", "The total is wrong"), quiet
        )

    def write(self, path: str, text: str) -> None:
        """Change a file of the project, as another program does."""
        place = self.project / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def read(self, path: str) -> str:
        """What is on the disk."""
        return (self.project / path).read_text(encoding="utf-8")


@contextmanager
def coach_site(
    folder: Path, model: ScriptedModel | None, *, clock: Hands | None = None, **settings: Any
) -> Iterator[CoachSite]:
    """Serve a project in `folder` until the block is left; a `clock` goes by hand."""
    project = folder / "project"
    project.mkdir(exist_ok=True)
    listener = bind(HOST, 0)
    url = f"http://{HOST}:{listener.getsockname()[1]}"
    chosen = Settings(
        cwd=folder,
        given_data_dir=folder / "data",
        **{"project_dir": project, "port": listener.getsockname()[1], **settings},
    )
    now, sleep = (clock.now, clock.sleep) if clock else (system_clock, anyio.sleep)
    with (
        open_app(chosen, strict=False, now=now) as app,
        served_site(site := Site(app, model=model, sleep=sleep), listener) as portal,
    ):
        yield CoachSite(url, project, site, portal)
