"""Finds out what an installation is for: the host's version, where Paige is, where things go."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import paige
from paige.base.environment import passed_on
from paige.base.errors import BadInput, NotFound
from paige.base.paths import home_dir
from paige.base.settings import Settings
from paige.guard.install.commands import HookCommand
from paige.guard.install.installer import PARTS
from paige.guard.install.manifests import manifest
from paige.guard.install.plans import Target

ENTRY = Path(paige.__file__).resolve().parent / "hooks" / "entry.py"
_VERSION = re.compile(r"(?<!\d)\d++\.\d+(?:\.\d+)*")
_SECONDS = 20
_CLAUDE_ALONE = {"agents", "coach"}  # the form of these files is that of Claude Code


def target_for(
    settings: Settings,
    cli: str,
    *,
    project: Path | None = None,
    without: Iterable[str] = (),
    version: str = "",
) -> Target:
    """What to install. Raises: NotFound, BadInput, Refused for a version too old to be guarded."""
    known = manifest(cli)
    profile = known.profile(version)
    home = home_dir(settings.environ, instead="HOME")
    usual = settings.data_dir == home / ".paige"
    left_out = set(without)
    if unknown := left_out - set(PARTS):
        raise BadInput(f"There is no part `{min(unknown)}`", hint=f"Parts: {', '.join(PARTS)}.")
    return Target(
        cli=cli,
        home=home,
        data=settings.data_dir,
        project=_folder(project),
        environ=settings.environ,
        # The name of the interpreter that leads to its packages, so no link is followed.
        command=HookCommand(
            os.path.abspath(sys.executable), str(ENTRY), "" if usual else str(settings.data_dir)
        ),
        mcp_url=f"http://127.0.0.1:{settings.port or 3000}/mcp",
        parts=frozenset(PARTS) - left_out - (set() if cli == "claude-code" else _CLAUDE_ALONE),
        profile=profile,
        events=known.events_of(profile),
        windows=os.name == "nt",
    )


def version_of(cli: str, environ: Mapping[str, str]) -> str:
    """The version of the host on this machine; empty when it is not found or does not say."""
    program = shutil.which(manifest(cli).program, path=environ.get("PATH"))
    if program is None:
        return ""
    try:
        done = subprocess.run(
            [program, "--version"],
            env=passed_on(environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    found = _VERSION.search(done.stdout)
    return found.group() if found else ""


def _folder(project: Path | None) -> Path | None:
    if project is None:
        return None
    folder = Path(os.path.abspath(project.expanduser()))
    if not folder.is_dir():
        raise NotFound(f"There is no folder `{folder}`")
    return folder
