"""What the lines of a spool are worth remembering: prompts, failures, and what mended them.

An episode is a tool with its task, a hash of its inputs, how it ended and what fixed it. Most calls
are routine and make none: a failure always counts, a success when the program is one whose success
says something, or when the same had failed before. What was done in between is the fix.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from paige.guard.tools import changes_of, command_of, kind_of
from paige.memory.event import AgentRef, Draft, Provenance
from paige.memory.intake.drafts import read_moment
from paige.memory.lifecycle.episodes import (
    FAILURE,
    SUCCESS,
    Episode,
    episode_draft,
    inputs_hash,
    task_shape,
)
from paige.memory.lifecycle.outcomes import Outcome, outcome_draft
from paige.memory.lifecycle.questions import qa_draft

ProjectOf = Callable[[str], str | None]
Failures = dict[tuple[str, str, str], list[str]]
"""What nothing has mended yet (session, tool, shape of the task), with what was done since."""
CHECKED = "checked"  # how the checks of a project ended, after a stop
TOOLS = ("post_tool", "post_tool_failure")
ASKING = ("askuserquestion", "askuser", "askquestion")
BY_A_PERSON = 0.95
MOST_QUESTIONS, MOST_QUESTION, MOST_ANSWER = 5, 400, 1000
MOST_TASK = 200
MOST_ERROR = 300
MOST_STEPS = 3  # of what was done between a failure and the success after it
MOST_FAILURES = 50
_PREFIXES = ("sudo", "env", "time", "nice", "npx", "uv", "run", "poetry", "python", "python3", "-m")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=\S*")


def drafts_of_lines(
    lines: Sequence[Mapping[str, Any]], record: Mapping[str, Any], project_of: ProjectOf
) -> list[Draft]:
    """What the lines are worth, in order."""
    failures: Failures = {}
    drafts: list[Draft] = []
    for line in lines:
        if line.get("event") == "prompt_submit":
            drafts += _prompt(line, record, project_of)
        elif line.get("event") == CHECKED:
            drafts += _checked(line, project_of)
        elif line.get("event") in TOOLS:
            drafts += _tool(line, record, project_of, failures)
    return drafts


def outcome_of(line: Mapping[str, Any]) -> str:
    """How a call ended, in whatever way the host says so."""
    if line.get("event") == "post_tool_failure":
        return FAILURE
    result = line.get("result")
    if not isinstance(result, dict):
        return SUCCESS
    if result.get("is_error") is True or result.get("interrupted") is True or result.get("error"):
        return FAILURE
    code = next((result[key] for key in ("exit_code", "exitCode", "code") if key in result), 0)
    kind = result.get("resultType", result.get("result_type"))
    failed = (isinstance(code, int) and code != 0) or kind in ("failure", "denied", "error")
    return FAILURE if failed else SUCCESS


def task_of(tool: str, given: Mapping[str, Any], cwd: str) -> str:
    """What a call was for, in a few words."""
    command = command_of(tool, dict(given))
    if command:
        return " ".join(command.split())[:MOST_TASK]
    paths = [_short(change.path, cwd) for change in changes_of(tool, dict(given))]
    if paths:
        return f"change {', '.join(paths[:3])}"[:MOST_TASK]
    for key in ("description", "file_path", "path", "pattern", "query", "url"):
        value = given.get(key)
        if isinstance(value, str) and value:
            return f"{kind_of(tool)} {_short(value, cwd)}"[:MOST_TASK]
    return tool[:MOST_TASK]


def program_of(command: str) -> str:
    """The program a plain command runs; wrappers and assignments before it are passed over."""
    for word in command.split()[:8]:
        name = word.rpartition("/")[2]
        if name not in _PREFIXES and not _ASSIGNED.fullmatch(word):
            return name
    return ""


def _tool(
    line: Mapping[str, Any],
    record: Mapping[str, Any],
    project_of: ProjectOf,
    failures: Failures,
) -> list[Draft]:
    tool, given = line.get("tool"), line.get("input")
    if not isinstance(tool, str) or not tool or not isinstance(given, dict):
        return []
    if tool.casefold().replace("_", "") in ASKING:
        return _answered(line, given, project_of)
    session = str(line.get("session") or "")
    task = task_of(tool, given, str(line.get("cwd") or ""))
    key = (session, tool.casefold(), task_shape(task))
    if outcome_of(line) == FAILURE:
        if len(failures) < MOST_FAILURES:
            failures[key] = []
        episode = Episode(task, tool, inputs_hash(given), FAILURE, None, 0.6)
        return [_draft(line, episode, _error(line), project_of)]
    mended = failures.pop(key, None)
    if kind_of(tool) not in ("read", "search"):
        for (at, _, _), steps in failures.items():
            if at == session and len(steps) < MOST_STEPS:
                steps.append(task[:80])
    fix = "; ".join(mended or ()) or None
    worth = program_of(command_of(tool, given) or "") in record["worth"]
    if mended is None and not worth:
        return []
    confidence = 0.6 if mended is None else 0.7 if fix else 0.4
    episode = Episode(task, tool, inputs_hash(given), SUCCESS, fix, confidence)
    return [_draft(line, episode, "", project_of)]


def _draft(line: Mapping[str, Any], episode: Episode, error: str, project_of: ProjectOf) -> Draft:
    session = _text(line, "session")
    made = episode_draft(
        episode,
        scope="session" if session else "global",
        project=_project(line, project_of),
        session=session,
    )
    return replace(
        made,
        id=_identity(line),
        at=_moment(line),
        text=f"{made.text}: {error}" if error else made.text,
        agent=AgentRef(_text(line, "agent"), _text(line, "agent_type"), _text(line, "cli")),
        payload={**made.payload, "source": "hook", "event": line["event"]},
    )


def _answered(
    line: Mapping[str, Any], given: Mapping[str, Any], project_of: ProjectOf
) -> list[Draft]:
    """What a person answered when the agent asked: they need not be asked again."""
    result = line.get("result")
    answers = result.get("answers") if isinstance(result, dict) else None
    found = answers if isinstance(answers, dict) else given.get("answers")
    if outcome_of(line) == FAILURE or not isinstance(found, dict):
        return []
    project = _project(line, project_of)
    return [
        replace(
            qa_draft(
                question[:MOST_QUESTION],
                answer[:MOST_ANSWER],
                confidence=BY_A_PERSON,
                scope="project" if project else "global",
                provenance=Provenance(_text(line, "session")),
            ),
            id=f"{_identity(line)}-{number}",
            at=_moment(line),
            project=project,
            agent=AgentRef(_text(line, "agent"), None, _text(line, "cli")),
        )
        for number, (question, answer) in enumerate(list(found.items())[:MOST_QUESTIONS])
        if isinstance(answer, str) and answer.strip() and question.strip()
    ]


def _checked(line: Mapping[str, Any], project_of: ProjectOf) -> list[Draft]:
    at, session, success = _moment(line), _text(line, "session"), line.get("success")
    if at is None or session is None or not isinstance(success, bool):
        return []
    retries = line.get("retries")
    outcome = Outcome(
        at=at,
        success=success,
        retries=retries if isinstance(retries, int) else 0,
        session=session,
        project=_project(line, project_of),
    )
    return [replace(outcome_draft(outcome, task="the checks of the project"), id=_identity(line))]


def _prompt(
    line: Mapping[str, Any], record: Mapping[str, Any], project_of: ProjectOf
) -> list[Draft]:
    prompt, session = _text(line, "prompt"), _text(line, "session")
    if prompt is None or session is None or not prompt.strip() or prompt.startswith("/"):
        return []
    return [
        Draft(
            id=_identity(line),
            at=_moment(line),
            type="turn",
            text=prompt[: int(record["most_signs"])],
            scope="session",
            project=_project(line, project_of),
            session=session,
            agent=AgentRef(None, None, _text(line, "cli")),
            payload={"source": "hook", "event": line["event"], "speaker": "user"},
            provenance=Provenance(session),
        )
    ]


def _project(line: Mapping[str, Any], project_of: ProjectOf) -> str | None:
    cwd = _text(line, "cwd")
    return project_of(cwd) if cwd else None


def _identity(line: Mapping[str, Any]) -> str:
    """Its own id; one without gets its hash, so that a second delivery is still noticed."""
    return _text(line, "id") or f"spool-{inputs_hash(line)}"


def _moment(line: Mapping[str, Any]) -> datetime | None:
    try:
        return read_moment(line["at"])
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError):
        return None


def _error(line: Mapping[str, Any]) -> str:
    said = line.get("error")
    if not isinstance(said, str) or not said.strip():
        result = line.get("result")
        found = result if isinstance(result, dict) else {}
        keys = ("error", "stderr", "output", "stdout", "textResultForLlm")
        said = next((each for key in keys if isinstance(each := found.get(key), str) and each), "")
    lines = [each.strip() for each in said.splitlines() if each.strip()]
    return lines[-1][:MOST_ERROR] if lines else ""


def _short(path: str, cwd: str) -> str:
    return path.removeprefix(f"{cwd}/") if cwd else path


def _text(line: Mapping[str, Any], key: str) -> str | None:
    value = line.get(key)
    return value if isinstance(value, str) and value else None
