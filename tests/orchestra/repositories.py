"""Real repositories for the tests of the orchestra."""

import os
import subprocess
from pathlib import Path

_WHO = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
}


def run_git(folder: Path, *words: str) -> str:
    """Run Git as a person would; a failing command fails the test."""
    done = subprocess.run(
        ["git", *words],
        cwd=folder,
        env={**os.environ, **_WHO},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def new_repository(folder: Path, **files: str) -> Path:
    """A repository with a branch `main` and one commit."""
    folder.mkdir(parents=True, exist_ok=True)
    run_git(folder, "init", "--quiet", "--initial-branch", "main")
    given = {"calc.py": "def add(a, b):\n    return a + b\n"} | files
    for name, text in given.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "--quiet", "-m", "start")
    return folder


def merges(folder: Path) -> list[str]:
    """The subjects of the merge commits of a branch, oldest first."""
    listed = run_git(folder, "log", "--merges", "--reverse", "--format=%s", "main")
    return listed.splitlines() if listed else []
