"""Makes fixtures from live traffic: what a host sent and what it was told, without private words.

A fixture is a folder `<cli>/<event>` with `stdin.json`, `expected.json` and `case.md`. Names of
people, folders and sessions are replaced by stand-ins; the same event twice is kept once.
"""

import json
import logging
import re
from pathlib import Path

from paige.base.secrets import redact
from paige.guard.hook_event import Answer

logger = logging.getLogger(__name__)
_IDS = {
    "session_id": "s-1", "sessionId": "s-1", "prompt_id": "p-1", "turn_id": "t-1",
    "tool_use_id": "call-1", "agent_id": "agent-1", "agentId": "agent-1",
}  # fmt: skip
_PATHS = {
    "cwd": "/w/app", "transcript_path": "/t.jsonl", "transcriptPath": "/t.jsonl",
    "agent_transcript_path": "/t/agent.jsonl",
}  # fmt: skip
_WORDS = {
    "permissionDecisionReason": "<reason>", "reason": "<reason>", "message": "<reason>",
    "stopReason": "<reason>", "additionalContext": "<context>", "systemMessage": "<notice>",
}  # fmt: skip
_MOST_CASES = 50


def keep_case(folder: str, cli: str, event: str, raw: bytes, answer: Answer) -> Path | None:
    """Keep one exchange; where that fails it is said, and the host gets its answer all the same."""
    try:
        return record(Path(folder), cli, event, raw, answer)
    except (OSError, ValueError, RecursionError) as error:
        logger.warning("This event could not be kept as a fixture: %s", error)
        return None


def record(folder: Path, cli: str, event: str, raw: bytes, answer: Answer) -> Path | None:
    """Keep one exchange as a fixture; nothing for a body that is none or that is there already."""
    try:
        body = json.loads(raw)
    except ValueError:
        return None
    if not isinstance(body, dict):
        return None
    event = str(body.get("hook_event_name") or event or "unknown")
    stdin = json.dumps(anonymous(body), indent=1, ensure_ascii=False) + "\n"
    for number in range(1, _MOST_CASES):
        case = folder / cli / (event if number == 1 else f"{event}.{number}")
        if not case.exists():
            _write(case, cli, event, stdin, answer)
            return case
        if (case / "stdin.json").read_text(encoding="utf-8") == stdin:
            return None
    return None


def anonymous(body: dict[str, object]) -> dict[str, object]:
    """A body with stand-ins for what belongs to a person or a machine."""
    cwd = body.get("cwd")
    made = {**body}
    made |= {key: value for key, value in (_IDS | _PATHS).items() if body.get(key)}
    if "timestamp" in body:
        made["timestamp"] = 0 if isinstance(body["timestamp"], int) else "2026-01-01T00:00:00.000Z"
    text = redact(json.dumps(made, ensure_ascii=False))
    if isinstance(cwd, str) and len(cwd) > 1:
        text = text.replace(json.dumps(cwd)[1:-1], "/w/app")
    return json.loads(re.sub(r"/(?:home|Users)/[^/\"\s\\]+|/root(?=/)", "/home/u", text))


def expected(answer: Answer) -> dict[str, object]:
    """An answer as fixtures compare it: what is decided counts, not the words for it."""
    said = json.loads(answer.stdout) if answer.stdout.strip() else None
    return {"stdout": _worded(said), "stderr": bool(answer.stderr.strip()), "code": answer.code}


def _worded(value: object) -> object:
    if isinstance(value, dict):
        return {key: _WORDS.get(key, _worded(each)) for key, each in value.items()}
    return value


def _write(case: Path, cli: str, event: str, stdin: str, answer: Answer) -> None:
    case.mkdir(parents=True)
    (case / "stdin.json").write_text(stdin, encoding="utf-8")
    said = json.dumps(expected(answer), indent=1, ensure_ascii=False) + "\n"
    (case / "expected.json").write_text(said, encoding="utf-8")
    (case / "case.md").write_text(f"{event} of {cli}, recorded.\n", encoding="utf-8")
