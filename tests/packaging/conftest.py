"""One wheel and one installation of it for all tests of this folder."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.packaging.building import Built, bare, install, make_wheel, once


class Installed(NamedTuple):
    """A virtual environment with nothing but the wheel and what it needs."""

    venv: Path

    @property
    def paige(self) -> str:
        """The command."""
        return str(self.venv / "bin" / "paige")

    def environ(self, home: Path) -> dict[str, str]:
        """A home and a path on which only the installation is."""
        return bare(str(self.venv / "bin"), home)


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all workers of a run have."""
    base = tmp_path_factory.getbasetemp()
    return (base if worker_id == "master" else base.parent) / "packaging"


@pytest.fixture(scope="session")
def built(shared: Path) -> Built:
    """The wheel and its source archive."""
    folder = once(shared / "dist", make_wheel)
    [wheel], [sdist] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return Built(wheel, sdist)


@pytest.fixture(scope="session")
def installed(shared: Path, built: Built) -> Installed:
    """The wheel in an empty virtual environment."""
    folder = once(shared / "installed", lambda folder: install(folder, built.wheel))
    return Installed(folder / "venv")


@pytest.fixture
def run(installed: Installed, tmp_path: Path) -> Run:
    """Runs the installed `paige` with an empty home, as a person would type it."""

    def type_it(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [installed.paige, *arguments],
            env={**installed.environ(tmp_path), "PORT": "0"},
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return type_it
