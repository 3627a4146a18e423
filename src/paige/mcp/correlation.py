"""Which turn of which coding agent a tool call belongs to, as far as the agent says.

Nothing depends on it: the protocol's newer era has no session, and an agent may send no ids at all.
What there is goes into the action log, so that a call can be found in the agent's own records.
"""

from collections.abc import Mapping
from typing import Any

MOST_CHARACTERS = 200  # ids are short; whatever is longer is none


def correlation(meta: Mapping[str, Any], session: str | None) -> dict[str, Any]:
    """The MCP session (null in the era without) and the agent's own ids that were sent."""
    turn = meta.get("x-codex-turn-metadata")
    codex = turn if isinstance(turn, Mapping) else {}
    named = {
        "toolUseId": _id(meta.get("claudecode/toolUseId")) or _id(meta.get("callId")),
        "agentSessionId": _id(codex.get("session_id")),
        "turnId": _id(codex.get("turn_id")),
    }
    return {"sessionId": session, **{key: value for key, value in named.items() if value}}


def _id(value: object) -> str | None:
    return value if isinstance(value, str) and 0 < len(value) <= MOST_CHARACTERS else None
