"""A real PostgreSQL for the tests: a cluster of its own in a temporary folder, on loopback."""

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

_NUMBERS = count(1)
MISSING = (
    "PostgreSQL is not installed, so what Paige promises about it cannot be checked. "
    "Run `make test`, which installs it."
)


@contextlib.contextmanager
def temp_postgres() -> Iterator[str]:
    """Start a server and give the address of its database `postgres`; stop it at the end."""
    initdb, pg_ctl = program("initdb"), program("pg_ctl")
    # The path of a Unix socket has at most about 100 bytes, so the folder's name is short.
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    data, log = folder / "data", folder / "log"
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, _owner())
        init = [initdb, "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"]
        _run(*init, "--locale=C.UTF-8", "--no-sync", "--no-instructions")
        port = free_port()
        options = {
            "port": port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": folder,
            "fsync": "off",
            "full_page_writes": "off",
            "timezone": "Europe/Amsterdam",  # not UTC: a moment must survive that
        }
        flags = " ".join(f"-c {name}={value}" for name, value in options.items())
        _run(pg_ctl, "-D", data, "-l", log, "-o", flags, "-w", "start", log=log)
        try:
            yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
        finally:
            # `pg_ctl` reads the process id from this cluster's own file and ends only that one.
            _run(pg_ctl, "-D", data, "-m", "immediate", "-w", "stop", log=log)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def temp_database(server: str, *, template: str) -> Iterator[str]:
    """A database of the server, made from `template`; its address."""
    name = f"paige_{next(_NUMBERS)}"
    execute(server, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
    try:
        yield database_url(server, name)
    finally:
        execute(server, f"DROP DATABASE {name} WITH (FORCE)")


def database_url(server: str, name: str) -> str:
    """The address of another database of the same server."""
    return f"{server.rpartition('/')[0]}/{name}"


def execute(address: str, statement: str) -> None:
    """Run one statement outside of any transaction."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statement)


def program(name: str) -> Path:
    """One of PostgreSQL's programs; a test without it fails, for a skipped one proves nothing."""
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = shutil.which(name) or next(iter(reversed(debian)), None)
    if found is None:
        pytest.fail(MISSING, pytrace=False)
    return Path(found)


def _run(*command: object, log: Path | None = None) -> None:
    done = subprocess.run(
        [*_as_owner(), *map(str, command)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,  # a pipe would be kept open by the server
        stderr=subprocess.PIPE if log is None else subprocess.DEVNULL,
        cwd="/",
        timeout=60,
    )
    if done.returncode:
        said = log.read_text() if log and log.exists() else (done.stderr or b"").decode()
        pytest.fail(f"PostgreSQL: `{command[0]}` failed.\n{said}", pytrace=False)


def _as_owner() -> list[str]:
    """PostgreSQL refuses to run as root, so root hands over to another user."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv"):
        account = pwd.getpwnam(_owner())
        ids = (f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}")
        return ["setpriv", *ids, "--clear-groups"]
    if shutil.which("runuser"):
        return ["runuser", "-u", _owner(), "--"]
    pytest.fail("Root needs `setpriv` or `runuser` to start PostgreSQL.", pytrace=False)


def _owner() -> str:
    """Packages make a user `postgres`; where there is none, nobody will do."""
    names = {account.pw_name for account in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
