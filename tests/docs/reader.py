"""Where a reader sits: an empty home, a project, a checkout of Paige, and nobody else's network."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from paige.base.paths import shipped
from tests.docs.pages import ROOT
from tests.nursery import doorway
from tests.postgres import free_port

PROGRAMS = Path(__file__).with_name("programs")
BIN = Path(sys.executable).parent
# What a checkout has besides what was installed into it.
LINKED = (
    "CHANGELOG.md", "Makefile", "bench", "docs", "pyproject.toml", "requirements", "src", "tests",
    "tools", "web/package-lock.json",
)  # fmt: skip
INSTALLED = ("lib", "pyvenv.cfg")
WEB_APP, HELP = "zz-web-app", "zzz-help"
# Each counts as made from those before it, also after `git clone`, which writes them in order.
STAMPS = (
    ".tools/bin/.ready",
    ".venv/.run",
    ".venv/.test",
    "web/node_modules/.ready",
    WEB_APP,
    HELP,
)
NOBODY = "http://127.0.0.1:9"
"""A port that nobody listens on: what asks the network for something fails at once."""
GIT = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_NOSYSTEM": "1",
}


@dataclass(frozen=True, slots=True)
class Reader:
    """The folders of one reader, and the ports that stand for those of the page."""

    home: Path
    ports: dict[str, str]

    @property
    def project(self) -> Path:
        """Their own repository."""
        return self.home / "project"

    @property
    def checkout(self) -> Path:
        """Where they have Paige."""
        return self.home / "paige"

    @property
    def scratch(self) -> Path:
        """For what the test itself keeps."""
        return self.home / ".reading"

    def place(self, name: str) -> Path:
        """A folder by its name in a recipe."""
        if name == "checkout":
            make_checkout(self.checkout)
        return {"home": self.home, "project": self.project, "checkout": self.checkout}[name]

    def variables(self, programs: tuple[str, ...]) -> dict[str, str]:
        """An environment without settings and without a network."""
        stand_ins = self.scratch / "bin"
        for name in ("paige", "pick", *programs):
            (stand_ins / name).symlink_to(PROGRAMS / name)
        kept = {name: os.environ[name] for name in ("LANG",) if name in os.environ}
        return {
            **kept,
            **GIT,
            "HOME": str(self.home),
            "PATH": os.pathsep.join([str(stand_ins), str(BIN), os.environ["PATH"]]),
            "PORT": self.ports["3000"],
            "NURSERY_DOORWAY": doorway(),
            "PYTHONUNBUFFERED": "1",
            "PAIGE_SOURCE": str(ROOT),
            "http_proxy": NOBODY,
            "https_proxy": NOBODY,
            "no_proxy": "127.0.0.1,localhost",
            # Everything is installed: if `make` should think otherwise, nothing is changed here.
            "MAKEFLAGS": f"WEB_APP={WEB_APP} HELP={HELP}",
            "npm_config_offline": "true",
            "PIP_NO_INDEX": "1",
            "PIP_DRY_RUN": "1",
        }


def new_reader(home: Path) -> Reader:
    """Make the folders."""
    reader = Reader(home, {"3000": str(free_port()), "3001": str(free_port())})
    (reader.scratch / "bin").mkdir(parents=True)
    _make_project(reader.project)
    return reader


def make_checkout(folder: Path) -> None:
    """A checkout in which `make install` has been done: links to what is here."""
    folder.mkdir()
    (folder / "web").mkdir()
    (folder / ".venv").mkdir()
    for name in LINKED:
        (folder / name).symlink_to(ROOT / name)
    for name in INSTALLED:
        (folder / ".venv" / name).symlink_to(Path(sys.prefix) / name)
    (folder / ".venv" / "bin").mkdir()
    for program in BIN.iterdir():
        own = PROGRAMS / program.name if program.name == "paige" else program
        (folder / ".venv" / "bin" / program.name).symlink_to(own)
    shutil.copytree(ROOT / "deploy", folder / "deploy")
    for name in STAMPS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def make_repository(folder: Path, home: Path) -> None:
    """The same as something to clone: a clone of it needs no download."""
    make_checkout(folder)
    _git(folder, home, "init", "-q", "-b", "main")
    _git(folder, home, "add", "-A", "--force")
    _git(folder, home, "commit", "-q", "-m", "Begin")


def _make_project(folder: Path) -> None:
    shutil.copytree(shipped("sample/project"), folder)
    _git(folder, folder.parent, "init", "-q", "-b", "main")
    _git(folder, folder.parent, "add", "-A")
    _git(folder, folder.parent, "commit", "-q", "-m", "Begin")


def _git(folder: Path, home: Path, *arguments: str) -> None:
    variables = {**GIT, "HOME": str(home), "PATH": os.environ["PATH"]}
    subprocess.run(["git", *arguments], cwd=folder, env=variables, check=True, timeout=30)
