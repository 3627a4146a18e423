"""The open issues of a project: from its own `issues.json`, or as GitHub's `gh` lists them.

Where there is such a file, nobody asks GitHub. Here, unlike in a session, a file that cannot be
read is an error: somebody wants to see what is in it.
"""

import json
import logging
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
from anyio.to_thread import run_sync

from paige.base.environment import GITHUB_CLI, passed_on
from paige.base.errors import BadInput, PaigeError, Unavailable
from paige.base.secrets import redact
from paige.coach.message_parts import IssueContext
from paige.coach.project_context import open_project

ISSUES_FILE = "issues.json"


def find_issue(project: Path, number: int) -> IssueContext | None:
    """The issue with this number; none where there is no such file, or none that can be used."""
    if not (project / ISSUES_FILE).exists():
        return None
    try:
        issues = map(parse_issue, _listed_here(project))
    except BadInput as error:
        logger.warning(error.message)
        return None
    return next((issue for issue in issues if issue and issue.number == number), None)


def issue_context(project: Path, number: int | None, title: str | None) -> IssueContext | None:
    """What is known of an issue that a session is about; a title that is given is the one."""
    found = find_issue(project, number) if number is not None else None
    if found is not None:
        return found.model_copy(update={"title": title}) if title else found
    if number is None and not title:
        return None
    return IssueContext(number=number, title=title or f"Issue {number}")


def parse_issue(value: object) -> IssueContext | None:
    """One issue; `None` for something without a number and a title."""
    if not isinstance(value, Mapping):
        return None
    number, title = value.get("number"), value.get("title")
    if not isinstance(number, int) or isinstance(number, bool) or not isinstance(title, str):
        logger.warning("An issue in `%s` has no number or no title", ISSUES_FILE)
        return None
    summary = value.get("summary") or value.get("body")
    return IssueContext(
        number=number,
        title=title,
        summary=summary if isinstance(summary, str) else "",
        labels=names_in(value.get("labels"), "name"),
        url=value["url"] if isinstance(value.get("url"), str) else None,
    )


def names_in(value: Any, key: str) -> list[str]:  # noqa: ANN401 - JSON
    """Names of labels or people, written plainly or as objects."""
    items = value if isinstance(value, list) else ()
    named = [each.get(key) if isinstance(each, Mapping) else each for each in items]
    return [name for name in named if isinstance(name, str)]


logger = logging.getLogger(__name__)
MOST_ISSUES = 50
GH_SECONDS = 30.0
WHO_SECONDS = 5.0
LIST = (
    *("gh", "issue", "list", "--state", "open"),
    *("--json", "number,title,body,labels,assignees,comments", "--limit", str(MOST_ISSUES)),
)
WHO = ("gh", "api", "user", "--jq", ".login")
_INSTEAD = "Or write the issues into `issues.json` in the project."
_NO_REMOTE = ("no git remote", "none of the git remotes", "not a git repository", "no remotes")
_NOT_SIGNED_IN = ("gh auth login", "authentication", "bad credentials", "not logged in", "401")


@dataclass(frozen=True, slots=True)
class OpenIssue:
    """An issue as its tracker has it."""

    number: int
    title: str
    body: str = ""
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    comments: int = 0


@dataclass(frozen=True, slots=True)
class FoundIssues:
    """Open issues, and the names by which whoever asks is known there."""

    issues: tuple[OpenIssue, ...]
    me: tuple[str, ...] = ()


async def fetch_issues(project: Path | None, environ: Mapping[str, str]) -> FoundIssues:
    """The open issues of a project. Raises: BadInput, Unavailable, saying what is missing."""
    if project is None:
        raise BadInput(
            "Paige was started without a project, so there are no issues",
            hint="Set `PROJECT_DIR`, or start Paige in the project's folder.",
        )
    if (project / ISSUES_FILE).exists():
        found = _open_ones(await run_sync(_listed_here, project))
        names = (environ.get("GITHUB_USER"), environ.get("USER"))
        return FoundIssues(found, tuple(name for name in names if name))
    return await _ask_gh(project, environ)


async def _ask_gh(project: Path, environ: Mapping[str, str]) -> FoundIssues:
    quiet = {"GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "NO_COLOR": "1"}
    around = {**passed_on(environ, own=GITHUB_CLI), **quiet}
    listed = parse_listed(await _run(LIST, project, around, GH_SECONDS))
    if not listed:
        return FoundIssues(())
    try:
        name = (await _run(WHO, project, around, WHO_SECONDS)).strip()
    except Unavailable as error:  # whose issues these are is good to know, no more
        logger.info("GitHub does not say who asks: %s", error.message)
        name = ""
    return FoundIssues(listed, (name,) if name else ())


async def _run(
    command: tuple[str, ...], project: Path, environ: Mapping[str, str], seconds: float
) -> str:
    try:
        with anyio.fail_after(seconds):
            done = await anyio.run_process(
                command, cwd=project, env=environ, check=False, stdin=subprocess.DEVNULL
            )
    except FileNotFoundError:
        raise Unavailable("GitHub CLI not found", hint=f"Install `gh`. {_INSTEAD}") from None
    except PermissionError:
        raise Unavailable("GitHub CLI cannot be started", hint=_INSTEAD) from None
    except TimeoutError:
        raise Unavailable(
            f"GitHub CLI did not answer within {seconds:g} seconds", hint="Ask again in a moment."
        ) from None
    if done.returncode:
        raise gh_failure(done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode("utf-8", "replace")


def gh_failure(said: str) -> Unavailable:
    """What went wrong, from what `gh` printed."""
    plain = said.casefold()
    if any(words in plain for words in _NO_REMOTE):
        return Unavailable("No GitHub remote found", hint=_INSTEAD)
    if any(words in plain for words in _NOT_SIGNED_IN):
        return Unavailable("GitHub CLI is not signed in", hint=f"Run `gh auth login`. {_INSTEAD}")
    line = next((line.strip() for line in said.splitlines() if line.strip()), "it says no more")
    return Unavailable(f"GitHub CLI failed: {redact(line)[:300]}", hint=_INSTEAD)


def parse_listed(text: str) -> tuple[OpenIssue, ...]:
    """The issues that `gh` printed. Raises: Unavailable when that is no list."""
    try:
        found = json.loads(text or "[]")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise Unavailable("GitHub CLI printed something else than a list of issues")
    return _open_ones(found)


def open_issue(value: object) -> OpenIssue | None:
    """An open issue; `None` for one that is closed, or without a number and a title."""
    issue = parse_issue(value)
    if issue is None or issue.number is None or issue.number < 1:
        return None
    assert isinstance(value, Mapping)
    if str(value.get("state", "open")).casefold() != "open":
        return None
    comments = value.get("comments")
    return OpenIssue(
        number=issue.number,
        title=issue.title,
        body=issue.summary,
        labels=tuple(issue.labels),
        assignees=tuple(names_in(value.get("assignees"), "login")),
        comments=len(comments) if isinstance(comments, list) else 0,
    )


def _listed_here(project: Path) -> list[Any]:
    """What the project's own file lists. Raises: BadInput."""
    try:
        found = json.loads(open_project(project).read(ISSUES_FILE).content)
    except PaigeError as error:
        raise BadInput(f"`{ISSUES_FILE}` cannot be read: {error.message}") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"`{ISSUES_FILE}` is no JSON: {error}") from None
    if not isinstance(found, list):
        raise BadInput(f"`{ISSUES_FILE}` is not a list of issues")
    return found


def _open_ones(listed: list[Any]) -> tuple[OpenIssue, ...]:
    return tuple(each for each in map(open_issue, listed) if each is not None)[:MOST_ISSUES]
