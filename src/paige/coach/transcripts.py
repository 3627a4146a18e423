"""Condenses the transcript that a coding CLI keeps: who said what, short enough to be read.

The file is one JSON object a line, of another program: what is not understood is left out, and a
line that is broken costs only itself. What tools returned is left out, too; it is long, and the
action log knows better what happened.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
