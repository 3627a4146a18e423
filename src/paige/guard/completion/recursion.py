"""Keeps a hook from starting itself: a flag, a depth and a run id, handed to whatever it starts.

A hook may start checks, a background job or a judge that is itself a coding CLI with hooks. What
runs inside one of these finds the flag in its environment, and starts nothing further. The gates
before tools hold all the same: only what starts processes or speaks to the model is left out.
"""

import os
from collections.abc import Mapping

from paige.base.environment import CODING_CLIS, passed_on

FLAG = "PAIGE_IN_HOOK"
DEPTH = "PAIGE_HOOK_DEPTH"
RUN = "PAIGE_HOOK_RUN"
MOST_DEPTH = 1


def depth_of(environ: Mapping[str, str]) -> int:
    """How many hooks are above this process; a flag without a number counts as one."""
    given = environ.get(DEPTH, "")
    depth = int(given) if given.isascii() and given.isdigit() and len(given) < 4 else 0
    return max(depth, 1) if environ.get(FLAG) else depth


def inside_hook(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether this process was started by a hook, so that it must not start more."""
    return depth_of(environ) >= MOST_DEPTH


def run_of(environ: Mapping[str, str] = os.environ) -> str:
    """The id of the run that started this process; empty at the top."""
    return environ.get(RUN, "")


def for_judge(environ: Mapping[str, str], run: str) -> dict[str, str]:
    """The environment for a coding CLI that judges: what it signs in with, and the marks."""
    own = (name for names in CODING_CLIS.values() for name in names)
    return marked(passed_on(environ, own=(*own, FLAG, DEPTH, RUN)), run)


def marked(environ: Mapping[str, str], run: str) -> dict[str, str]:
    """The environment for a process that a hook starts."""
    return {**environ, FLAG: "1", DEPTH: str(depth_of(environ) + 1), RUN: run_of(environ) or run}
