"""A folder with a plugin in it, and a model that answers programs."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.fakes.served_model import ServedModel, served_model

NOTES = ROOT / "tests" / "docs" / "plugins" / "notes"


@pytest.fixture
def model() -> Iterator[ServedModel]:
    """A model on loopback."""
    with served_model() as served:
        yield served


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The project of the how-to page: the plugin `notes`, and one note in the workspace."""
    shutil.copytree(NOTES, tmp_path / ".ai" / "plugins" / "notes")
    workspace = tmp_path / ".paige" / "workspace"
    workspace.mkdir(parents=True)
    (workspace / "plan.md").write_text("Bring the bread.\n")
    return tmp_path
