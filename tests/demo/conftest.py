"""A demo that is filled once for everyone who looks at it."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from paige.app.demo.installation import demo_folder
from tests.demo.dumped import dumped
from tests.live import PAIGE, environment

DAY = "2026-11-14"
LEFT = "left-here-by-mistake.txt"


@dataclass(frozen=True, slots=True)
class Filled:
    """A home with data of its own, and a demo beside it; `before` is what the demo began with."""

    home: Path
    before: Mapping[str, str] = field(default_factory=dict)
    own_before: Mapping[str, bytes] = field(default_factory=dict)
    own_after: Mapping[str, bytes] = field(default_factory=dict)
    """The person's own files before and after the demo was filled."""

    @property
    def data(self) -> Path:
        """The person's data folder."""
        return self.home / ".paige"

    @property
    def demo(self) -> Path:
        """The demo's folder."""
        return demo_folder(self.data)


def reset(home: Path) -> None:
    """Fill the demo of a home as a person does; how long that takes is pytest's business."""
    command = [PAIGE, "demo", "reset", "--yes", "--date", DAY]
    environ = environment(home)
    done = subprocess.run(
        command, env=environ, cwd=home, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def own_files(home: Path, demo: Path) -> dict[str, bytes]:
    """Everything in a home that is not the demo's."""
    paths = (path for path in home.rglob("*") if path.is_file())
    return {
        str(path): path.read_bytes()
        for path in paths
        if not path.is_relative_to(demo) and path.name != "demo.lock"
    }


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    """The demo of a home in which somebody has a workspace, a course and half an old demo."""
    home = tmp_path_factory.mktemp("demo")
    made = Filled(home)
    own = {
        made.data / "workspace" / "classes" / "6B.md": "---\nclass: 6B\n---\n# 6B\n",
        home / ".claude" / "teaching" / "learner" / "profile.json": "{}\n",
        home / ".config" / "ai" / "paige.toml": 'log_format = "text"\n',
    }
    for path, text in own.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    made.demo.mkdir()
    (made.demo / LEFT).touch()
    before = own_files(home, made.demo)
    reset(home)
    after = own_files(home, made.demo)
    return replace(made, before=dumped(made.demo), own_before=before, own_after=after)
