"""Issues that lie in the project itself, in `issues.json`: a list of number, title, body, labels.

The file is written by hand or by a script, so whatever cannot be used is left out with a word in
the log; a session never fails because of it.
"""

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paige.base.errors import PaigeError
from paige.coach.message_parts import IssueContext
from paige.coach.project_context import open_project

logger = logging.getLogger(__name__)
ISSUES_FILE = "issues.json"


def read_issues(project: Path) -> list[IssueContext]:
    """The issues of a project, in the order of the file; none when it has no such file."""
    if not (project / ISSUES_FILE).exists():
        return []
    try:
        found = json.loads(open_project(project).read(ISSUES_FILE).content)
    except (PaigeError, ValueError, RecursionError) as error:
        logger.warning("`%s` cannot be used: %s", ISSUES_FILE, error)
        return []
    if not isinstance(found, list):
        logger.warning("`%s` is not a list of issues", ISSUES_FILE)
        return []
    return [issue for each in found if (issue := parse_issue(each)) is not None]


def find_issue(project: Path, number: int) -> IssueContext | None:
    """The issue with this number."""
    return next((issue for issue in read_issues(project) if issue.number == number), None)


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
