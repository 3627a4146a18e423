"""What a coding agent is told about the coaching: who it is, where the person stands, what changed.

Texts of people and files are fenced, so that none of them is taken for an instruction.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from paige.base.paths import shipped
from paige.coach.records import CoachSession, PhaseRow
from paige.coach.snapshot import Overview
from paige.models.prompts import untrusted

MOST_TRANSCRIPT = 20_000
MOST_TEXT = 1_500
MOST_FILE = 50_000_000  # bytes: a longer transcript is read from its end
CUT = " …"
LEFT_OUT = "… (the middle is left out)"


def condense(lines: Iterator[str] | list[str], most: int = MOST_TRANSCRIPT) -> str:
    """What people and the agent said, and which tools were used, at most so many characters."""
    said = [text for line in lines if (text := _said(line))]
    whole = "\n".join(said)
    if len(whole) <= most:
        return whole
    # The beginning says what it was about, the end how it came out.
    first, last = most // 4, most - most // 4 - len(LEFT_OUT) - 2
    return f"{whole[:first]}\n{LEFT_OUT}\n{whole[-last:]}"


def read_transcript(path: Path) -> str:
    """The condensed transcript of a file; nothing when it cannot be read."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - MOST_FILE))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    return condense(text.splitlines())


def _said(line: str) -> str:
    try:
        entry = json.loads(line)
    except ValueError:
        return ""
    if not isinstance(entry, dict) or entry.get("isMeta") or entry.get("isSidechain"):
        return ""
    message = entry.get("message")
    given = message if isinstance(message, dict) else entry
    role = given.get("role", entry.get("type"))
    if role not in ("user", "assistant"):
        return ""
    words = " ".join(_words(given.get("content", given.get("text"))).split())
    if not words:
        return ""
    cut = words if len(words) <= MOST_TEXT else words[:MOST_TEXT] + CUT
    return f"{'Person' if role == 'user' else 'Coach'}: {cut}"


def _words(content: Any) -> str:  # noqa: ANN401 - JSON of another program
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts: list[str] = []
    for block in content:
        if not isinstance(block, dict):
            continue
        if block.get("type") == "text":
            parts.append(str(block.get("text", "")))
        elif block.get("type") == "tool_use":
            parts.append(f"[used {block.get('name')}]")
    return " ".join(parts)


PERSONA = "integrations/coach/persona.md"
MOST_DIFF = 12_000
ASLEEP = (
    "Paige can coach here, but no coaching session is active. When the person wants to be "
    "coached on an issue, ask them to start a session in Paige, or with `paige coach start`."
)


def welcome(found: Overview) -> str:
    """What an agent is told when it starts."""
    if found.session is None:
        return ASLEEP
    persona = shipped(PERSONA).read_text(encoding="utf-8").strip()
    return f"{persona}\n\n{whereabouts(found.session, found.phases)}"


def is_done(phases: Sequence[PhaseRow]) -> bool:
    """Whether there is a plan and all of it is done."""
    return bool(phases) and all(phase.status == "complete" for phase in phases)


def whereabouts(session: CoachSession, phases: Sequence[PhaseRow]) -> str:
    """Where the person stands, in a few lines."""
    lines = [f"Coaching session `{session.id}`.", untrusted("issue", session.about)]
    # The active one, else the first that is not done.
    waiting = [phase for phase in phases if phase.status != "complete"]
    current = next((phase for phase in waiting if phase.status == "active"), None)
    if not phases:
        lines.append(
            "There is no plan yet. Make one with the person, then hand it over with "
            "`paige_run_coaching_pipeline`."
        )
    elif not waiting:
        lines.append(f"All {len(phases)} phases are complete.")
    else:
        lines.append(_phase(current or waiting[0], len(phases)))
    return "\n".join(lines)


def with_prompt(text: str, diffs: Sequence[str]) -> str:
    """What an agent is told with every prompt: where the person is, and what is not saved yet."""
    if not diffs:
        return f"{text}\nNothing is unsaved in the editor."
    shown = "\n".join(diffs)
    if len(shown) > MOST_DIFF:
        shown = f"{shown[:MOST_DIFF]}\n… (cut; `paige_get_diff` shows one file at a time)"
    return f"{text}\nUnsaved changes in the person's editor:\n{untrusted('diff', shown)}"


def _phase(phase: PhaseRow, count: int) -> str:
    files = ", ".join(f"`{path}`" for path in phase.expected_files) or "not named"
    about = untrusted("phase", f"{phase.title}\n{phase.description}".strip())
    return (
        f"Phase {phase.number} of {count} is {phase.status}; hints: {phase.hint_level}; "
        f"expected files: {files}.\n{about}"
    )
