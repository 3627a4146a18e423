"""A folder with a plugin in it, and a model that answers programs."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from paige.agent.queries import recent_runs
from paige.agent.tables import RunRow
from paige.app.application import open_app
from paige.base.settings import Settings
from tests import nursery
from tests.docs.pages import ROOT
from tests.fakes.served_model import ServedModel, served_model
from tests.live import PAIGE, environment

NOTES = ROOT / "tests" / "docs" / "plugins" / "notes"


@pytest.fixture
def model() -> Iterator[ServedModel]:
    """A model on loopback."""
    with served_model() as served:
        yield served


@pytest.fixture
def project(tmp_path: Path, sqlite_template: Path) -> Path:
    """The project of the how-to page: the plugin `notes`, and one note in the workspace."""
    return make_project(tmp_path, sqlite_template)


@pytest.fixture
def asking(project: Path, asked_once: Path) -> str:
    """A run of the project that asks: twice the model was asked and its answer lost."""
    shutil.rmtree(project / ".paige")
    shutil.copytree(asked_once / ".paige", project / ".paige")
    return runs(project)[0].id


@pytest.fixture(scope="session")
def asked_once(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Path:
    """A project whose run was killed twice; it is made once, because that takes long."""
    folder = make_project(tmp_path_factory.mktemp("asking"), sqlite_template)
    with served_model() as model:
        kill_while_the_model_thinks(folder, model, "plan", "summarise", "plan.md")
        kill_while_the_model_thinks(folder, model, "plan", "resume", runs(folder)[0].id)
    return folder


def make_project(folder: Path, database: Path) -> Path:
    """Put the plugin, the note and an empty database into a folder."""
    shutil.copytree(NOTES, folder / ".ai" / "plugins" / "notes")
    workspace = folder / ".paige" / "workspace"
    workspace.mkdir(parents=True)
    (workspace / "plan.md").write_text("Bring the bread.\n")
    shutil.copy(database, folder / ".paige" / "paige.db")
    return folder


def runs(folder: Path) -> list[RunRow]:
    """The runs that are stored there, newest first."""
    settings = Settings(cwd=folder, given_data_dir=folder / ".paige")
    with open_app(settings, strict=False) as app:
        return anyio.run(app.database.read, recent_runs, app.actor)


def result(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The one JSON object that a command printed."""
    assert done.stdout.count("\n") == 1, done.stderr
    return json.loads(done.stdout)


def kill_while_the_model_thinks(folder: Path, model: ServedModel, *arguments: str) -> None:
    """Start a command and kill it when it has asked the model."""
    model.keeps_silent()
    with nursery.start(
        [PAIGE, *arguments],
        env=environment(folder, **model.variables),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            assert model.asked.wait(30)
        finally:
            process.kill()
