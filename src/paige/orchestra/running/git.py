"""Git as the orchestra uses it: one command, its end, and nothing of the person's hooks or prompts.

Hooks of the repository do not run: what an agent has written there must not be started by the
conductor. A lock that another Git holds for a moment is waited for.
"""

import os
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from paige.base.environment import passed_on
from paige.base.errors import Unavailable
from paige.base.umask import persons_umask

SECONDS = 300
LOCK_SECONDS = 10.0
MOST_SHOWN = 600
_PAUSE = 0.1
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "merge.conflictStyle=merge",
    "advice.detachedHead=false",
    "gc.auto=0",
)


@dataclass(frozen=True, slots=True)
class GitResult:
    """How a command of Git ended, and what it printed."""

    code: int
    out: str
    err: str

    @property
    def good(self) -> bool:
        """Whether it ended well."""
        return self.code == 0

    @property
    def line(self) -> str:
        """The only line it printed."""
        return self.out.strip()

    def complaint(self) -> str:
        """Its last words, for a message."""
        return (self.err.strip() or self.out.strip())[-MOST_SHOWN:]


def git(folder: Path, *words: str, author: str = "Paige") -> GitResult:
    """Run Git in a folder. Raises: Unavailable when it is not there or does not end."""
    until = time.monotonic() + LOCK_SECONDS
    while True:
        said = _git(folder, words, author)
        held = not said.good and ".lock" in said.err and "File exists" in said.err
        if not held or time.monotonic() > until:
            return said
        time.sleep(_PAUSE)


def must(folder: Path, *words: str, author: str = "Paige") -> GitResult:
    """Run Git in a folder and insist. Raises: Unavailable with what it said."""
    said = git(folder, *words, author=author)
    if not said.good:
        raise Unavailable(
            f"`git {words[0]}` in `{folder}` ended with {said.code}: {said.complaint()}",
            hint="Look at the repository with `git status`, then run `paige orchestra run` again.",
        )
    return said


def _git(folder: Path, words: tuple[str, ...], author: str) -> GitResult:
    settings = [each for one in _SETTINGS for each in ("-c", one)]
    try:
        done = subprocess.run(
            ["git", *settings, *words],
            cwd=folder,
            env=_environ(os.environ, author),
            stdin=subprocess.DEVNULL,
            umask=persons_umask(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        if not folder.is_dir():
            raise Unavailable(f"There is no folder `{folder}`") from error
        raise Unavailable(
            "Git is not installed", hint="Install Git: every feature is built in a worktree."
        ) from error
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"`git {words[0]}` did not end within {SECONDS} s") from error
    return GitResult(done.returncode, _text(done.stdout), _text(done.stderr))


def _environ(given: Mapping[str, str], author: str) -> dict[str, str]:
    # Git runs the hooks and filters of a project, so it learns no more than other programs.
    kept = passed_on(given, own=("GIT_CONFIG",))
    named = {
        "GIT_AUTHOR_NAME": author,
        "GIT_AUTHOR_EMAIL": "paige@localhost",
        "GIT_COMMITTER_NAME": "Paige",
        "GIT_COMMITTER_EMAIL": "paige@localhost",
    }
    return {**kept, **named, "GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true", "LC_ALL": "C"}


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
