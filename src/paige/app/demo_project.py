"""The project of a demo: a small shop with open issues, and a history where Git is there."""

import json
import os
import shutil
import subprocess
from datetime import datetime
from pathlib import Path

from paige.app.demo_term import Term
from paige.base.clock import to_iso
from paige.base.files import write_error
from paige.base.modes import shut_tree
from paige.base.paths import shipped

WHO = "Demo"
ADDRESS = "demo@localhost"
SECONDS = 30


def begin_project(term: Term) -> None:
    """Put the shop into the project's folder, as it is before the term. Raises: Unavailable."""
    root = project_of(term)
    try:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(shipped("demo/project"), root, dirs_exist_ok=True, ignore=ignored)
        shut_tree(root)  # the copy has the rights of what was installed
        (root / ".gitignore").write_text("__pycache__/\n.claude/\n", encoding="utf-8")
    except OSError as error:
        raise write_error(root, error) from error
    _git(root, term.clock(), "init", "--quiet", "--initial-branch=main")
    commit(term, "Begin the till")


def project_of(term: Term) -> Path:
    """The folder of the demo's project."""
    folder = term.app.settings.project_dir
    assert folder is not None, "a demo has a project"
    return folder


def commit(term: Term, message: str) -> None:
    """Add everything that changed to the history; nothing happens without Git."""
    root, now = project_of(term), term.clock()
    _git(root, now, "add", "--all")
    _git(root, now, "commit", "--quiet", "--message", message)


def close_issue(term: Term, number: int) -> None:
    """Take an issue off the list: it is done."""
    path = project_of(term) / "issues.json"
    left = [each for each in json.loads(path.read_text("utf-8")) if each["number"] != number]
    path.write_text(f"{json.dumps(left, indent=2)}\n", encoding="utf-8")


def _git(root: Path, now: datetime, *words: str) -> None:
    """Run Git in the project, with nobody's settings and at the time of the term."""
    program = shutil.which("git")
    if program is None:
        return
    stamp = to_iso(now)
    environ = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": os.environ.get("HOME", ""),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": WHO,
        "GIT_AUTHOR_EMAIL": ADDRESS,
        "GIT_AUTHOR_DATE": stamp,
        "GIT_COMMITTER_NAME": WHO,
        "GIT_COMMITTER_EMAIL": ADDRESS,
        "GIT_COMMITTER_DATE": stamp,
    }
    subprocess.run(
        [program, *words],
        cwd=root,
        env=environ,
        check=False,
        capture_output=True,
        timeout=SECONDS,
    )
