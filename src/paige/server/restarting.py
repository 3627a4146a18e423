"""Starting again in the same process, at the same address, with settings that were just changed.

The listening socket stays open, so that nobody finds the door closed: what arrives meanwhile waits.
What belongs to the address or to where the data is does not change until the program is started
again by hand.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from paige.base.errors import Refused, Unavailable
from paige.base.settings import Settings

Project = Literal["keep", "sample", "own"]


@dataclass(slots=True)
class Restart:
    """What a request can ask of the process it runs in; `stop` is there when it can be done."""

    boot: str
    stop: Callable[[], None] | None = None
    wanted: Settings | None = None

    @property
    def possible(self) -> bool:
        """Whether whoever runs this server starts it again."""
        return self.stop is not None

    def ask(self, settings: Settings) -> None:
        """End the server and start it with these settings. Raises: Unavailable."""
        if self.stop is None:
            raise Unavailable(
                "This server cannot start itself again", hint="Stop it and start it by hand."
            )
        self.wanted = settings
        self.stop()


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
