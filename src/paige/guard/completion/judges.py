"""Asks another model for its verdict on a change, through a CLI that is shut off from everything.

A judge is a command line from the settings. It runs in an empty folder, with settings, hooks and
tools turned off, and with the mark of the hook in its environment, so that it cannot start hooks
again. It reads the change as data. Only an answer in the asked form counts; anything else says
nothing.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from paige.base.secrets import redact
from paige.guard.completion.recursion import for_judge
from paige.guard.completion.values import MOST_DETAIL, Check
from paige.models.prompts import render, untrusted

_MOST_ANSWER = 20_000


def review(
    root: str, changed: Sequence[str], tables: Mapping[str, Any], run: str, seconds: float
) -> Check:
    """The verdict of the judge the settings name, as a check."""
    named = tables["review"]["judge"]
    argv = tables["judges"].get(named, ())
    if not named or not argv:
        return Check("review", "skipped", "nobody is named who reviews")
    shown = shown_files(root, changed, tables["review"])
    if not shown:
        return Check("review", "skipped", "there is nothing to review")
    try:
        with tempfile.TemporaryDirectory(prefix="paige-judge-") as empty:
            done = subprocess.run(
                list(argv),
                input=f"{render('guard/review')}\n\n{shown}".encode(),
                capture_output=True,
                cwd=empty,
                env=for_judge(os.environ, run),
                timeout=min(seconds, float(tables["review"]["seconds"])),
                check=False,
            )
    except subprocess.TimeoutExpired:
        return Check("review", "skipped", f"`{argv[0]}` did not answer in time")
    except OSError as error:
        return Check("review", "skipped", f"`{argv[0]}` cannot be started: {error.strerror}")
    if done.returncode != 0:
        return Check("review", "skipped", f"`{argv[0]}` ended with {done.returncode}")
    return verdict(done.stdout[:_MOST_ANSWER].decode("utf-8", "replace"))


def verdict(answer: str) -> Check:
    """The check an answer stands for; one that is not in the asked form is none."""
    text = answer.strip().removeprefix("```json").removeprefix("```").removesuffix("```").strip()
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return Check("review", "skipped", "the answer was not in the asked form")
    issues = found.get("issues", []) if isinstance(found, dict) else None
    said = found.get("verdict") if isinstance(found, dict) else None
    right = isinstance(issues, list) and all(isinstance(each, str) for each in issues)
    if not right or said not in ("pass", "fail"):
        return Check("review", "skipped", "the answer was not in the asked form")
    detail = "\n".join(" ".join(each.split())[:300] for each in issues or () if each)
    return Check("review", "passed" if said == "pass" else "failed", detail[:MOST_DETAIL])


def shown_files(root: str, changed: Sequence[str], table: Mapping[str, Any]) -> str:
    """The changed files as a judge reads them, cut to what is allowed."""
    left = int(table["most_signs"])
    parts: list[str] = []
    for path in changed[: int(table["most_files"])]:
        try:
            with (Path(root) / path).open("rb") as file:
                raw = file.read(left + 1)
        except OSError:
            continue  # it is gone; there is nothing to read
        if b"\0" in raw:
            continue
        text = redact(raw.decode("utf-8", "replace")[:left])
        left -= len(text)
        parts.append(untrusted(path, text))
        if left <= 0:
            break
    return "\n".join(parts)
