"""A place for hooks: a home with a project in it, and the compiled rules of it."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from paige.guard.compiler import write_rules
from paige.guard.fast.place import place_of
from paige.guard.fast.snapshot import snapshot_path


@dataclass(frozen=True, slots=True)
class Home:
    """The folders of a person who has one project."""

    folder: Path
    project: Path
    data: Path

    @property
    def snapshot(self) -> Path:
        """The compiled rules."""
        return Path(snapshot_path(str(self.data), ""))

    def spooled(self) -> str:
        """Every line that hooks have left."""
        return "".join(path.read_text() for path in sorted(self.data.glob("spool/*.jsonl")))


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with compiled rules, made once."""
    data = tmp_path_factory.mktemp("compiled") / ".paige"
    write_rules(place_of("/", str(data)))
    return data


@pytest.fixture
def home(tmp_path: Path, compiled: Path) -> Home:
    """A person's folders, with compiled rules."""
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    shutil.copytree(compiled, tmp_path / ".paige")
    return Home(tmp_path, project, tmp_path / ".paige")
