"""A whole memory in a folder, as the program opens it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from paige.base.clock import system_clock
from paige.base.settings import Settings, read_settings
from paige.memory.memory import Memory
from paige.store.engine import open_database
from paige.store.migrate import migrate


def settings_in(folder: Path, **environ: str) -> Settings:
    """The settings of someone whose home is `folder`, standing in a project below it."""
    project = folder / "project"
    project.mkdir(exist_ok=True)
    return read_settings({"HOME": str(folder), **environ}, project)


@contextmanager
def opened(
    folder: Path, *, now: Callable[[], datetime] = system_clock, **environ: str
) -> Iterator[Memory]:
    """Open the memory of a folder."""
    settings = settings_in(folder, **environ)
    database = open_database(settings)
    try:
        migrate(database)
        memory = Memory(settings=settings, database=database, now=now)
        try:
            yield memory
        finally:
            memory.close()
    finally:
        database.close()
