"""Other processes for the tests: a script that speaks line by line, and can be killed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from paige.base.settings import Settings
from tests import nursery

OPEN_DATABASE = """
import sys
from pathlib import Path
from paige.base.actor import Actor
from paige.base.settings import Settings
from tests import nursery
from paige.store.engine import open_database
folder, url = sys.argv[1:3]
settings = Settings(cwd=Path(folder), given_data_dir=Path(folder), database_url=url)
database = open_database(settings)
"""
"""The beginning of a script that opens the database that `database_arguments` names."""


def database_arguments(settings: Settings) -> tuple[str, str]:
    """What a script with `OPEN_DATABASE` needs to know."""
    return str(settings.data_dir), settings.database_url


@contextmanager
def python(
    script: str, *arguments: object, prefix: tuple[str, ...] = ()
) -> Iterator[subprocess.Popen[str]]:
    """Start a script; it is killed at the end of the block if it still runs."""
    process = nursery.start(
        [*prefix, sys.executable, "-c", script, *map(str, arguments)],
        fresh=bool(prefix),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent.parent,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def run_python(script: str, *arguments: object, prefix: tuple[str, ...] = ()) -> str:
    """Run a script to its end and return what it printed; a failing script fails the test."""
    with python(script, *arguments, prefix=prefix) as process:
        printed, complaint = process.communicate(timeout=30)
    assert process.returncode == 0, complaint
    return printed.strip()


def line(process: subprocess.Popen[str]) -> str:
    """Wait for the next line that a script prints; its complaint is shown when it ended instead."""
    assert process.stdout is not None
    text = process.stdout.readline().strip()
    if not text:
        _, complaint = process.communicate(timeout=30)
        raise AssertionError(f"The script ended without a word: {complaint}")
    return text


def tell(process: subprocess.Popen[str], text: str = "go") -> None:
    """Send a line to a script that waits on `input()`."""
    assert process.stdin is not None
    process.stdin.write(f"{text}\n")
    process.stdin.flush()


def obeying_permissions() -> tuple[str, ...]:
    """The beginning of a command that file permissions hold for, even when root runs the tests."""
    if os.geteuid() != 0:
        return ()
    return ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--")
