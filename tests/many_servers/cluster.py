"""A PostgreSQL that a test may restart, and servers of Paige that share it."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import psycopg

from paige.base.settings import Settings
from paige.store.engine import Database, open_database
from paige.store.migrate import migrate
from tests.live import Live, live_paige
from tests.postgres import database_url, execute, program, temp_postgres

NAME = "paige"


class Cluster:
    """A running PostgreSQL with a migrated database."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.url = database_url(server, NAME)
        with psycopg.connect(server) as connection:
            [self.data] = connection.execute("SHOW data_directory").fetchone() or ("",)

    def restart(self, mode: str = "fast") -> None:
        """Stop and start it with the options it had; `immediate` is a crash."""
        self.control("stop", "-m", mode)
        self.control("start")

    def control(self, action: str, *options: str) -> None:
        """Tell this cluster, and only this one, to stop or start."""
        command = [program("pg_ctl"), "-D", self.data, "-w", *options]
        if action == "start":
            lines = (Path(self.data) / "postmaster.opts").read_text().strip()
            command += ["-l", f"{self.data}/../log", "-o", lines.partition(" ")[2]]
        subprocess.run(
            [*_as_owner_of(self.data), *map(str, command), action],
            check=True,
            cwd="/",
            timeout=60,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def settings(self, folder: Path) -> Settings:
        """Settings of a process with this database."""
        return Settings(
            cwd=folder,
            given_data_dir=folder / "data",
            database_url=self.url,
            environ={"HOME": str(folder)},
        )

    @contextmanager
    def opened(self, folder: Path) -> Iterator[Database]:
        """The database, in this process."""
        with closing(open_database(self.settings(folder))) as database:
            yield database


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL of its own, for a test that restarts it."""
    with temp_postgres() as server:
        execute(server, f"CREATE DATABASE {NAME}")
        own = Cluster(server)
        with own.opened(Path("/")) as database:
            migrate(database)
        yield own


@contextmanager
def servers(url: str, folder: Path, number: int = 2, **extra: str) -> Iterator[list[Live]]:
    """Real servers, each with a home of its own, with one database."""
    with ExitStack() as stack:
        started: list[Live] = []
        for place in range(number):
            home = folder / f"server{place}"
            home.mkdir(exist_ok=True)
            started.append(stack.enter_context(live_paige(home, DATABASE_URL=url, **extra)))
        yield started


def _as_owner_of(path: str) -> list[str]:
    found = os.stat(path)
    if os.geteuid() == found.st_uid:
        return []
    assert shutil.which("setpriv"), "root needs `setpriv` to act as the owner of PostgreSQL"
    return ["setpriv", f"--reuid={found.st_uid}", f"--regid={found.st_gid}", "--clear-groups"]
