"""Finding and reading earlier sessions of the same person."""

from datetime import UTC, date, datetime, time, timedelta

from pydantic import BaseModel, Field

from paige.agent import queries
from paige.agent.records import SessionRow, SessionSearch
from paige.agent.sessions import Transcript, read_session
from paige.agent.tools import Tool, ToolScope
from paige.models.messages import Message

SUMMARY = 300


class SearchSessions(BaseModel):
    """Words, a class, or days; at least one of them."""

    query: str = Field(default="", description="Words that must all be in the session.")
    class_id: str | None = Field(default=None, description="A class such as 3B.")
    since: date | None = Field(default=None, description="First day, as 2026-03-01.")
    until: date | None = Field(default=None, description="Last day, as 2026-03-07.")
    limit: int = Field(default=10, ge=1, le=50)


class ReadSession(BaseModel):
    """Which session."""

    session_id: str


async def search_sessions(scope: ToolScope, params: SearchSessions) -> str:
    """Summaries of matching sessions with their ids."""
    segment = scope.segment
    wanted = SessionSearch(
        params.query,
        params.class_id,
        _morning(params.since),
        _morning(params.until, days=1),
        params.limit + 1,  # this session may be among them
    )
    found = await segment.runtime.db.read(queries.search_sessions, segment.actor, wanted)
    others = [row for row in found if row.id != segment.session][: params.limit]
    if not others:
        return "No earlier session matches."
    return "\n\n".join(_summary(row) for row in others)


async def read_past_session(scope: ToolScope, params: ReadSession) -> str:
    """What was said in a session."""
    segment = scope.segment
    found = await segment.runtime.db.read(read_session, segment.actor, params.session_id)
    return render_transcript(found)


def render_transcript(transcript: Transcript) -> str:
    """A session as text: who said what, without the inside of tools."""
    row = transcript.session
    head = f"Session {row.id}, {row.updated_at:%Y-%m-%d}, {row.title or 'untitled'}"
    return "\n\n".join([head, *(text for m in transcript.messages if (text := _line(m)))])


def _line(message: Message) -> str:
    used = ", ".join(use.name for use in message.tool_uses)
    said = message.text.strip()
    if not said and not used:
        return ""
    who = "Person" if message.role == "user" else "Agent"
    return f"{who}: {said}" + (f" [used {used}]" if used else "")


def _summary(row: SessionRow) -> str:
    place = f", class {row.class_id}" if row.class_id else ""
    text = " ".join(row.messages_text.split())
    shown = text if len(text) <= SUMMARY else f"{text[:SUMMARY]}…"
    return f"{row.id} ({row.updated_at:%Y-%m-%d}{place}): {row.title or ''}\n{shown}"


def _morning(day: date | None, *, days: int = 0) -> datetime | None:
    return datetime.combine(day + timedelta(days=days), time(), UTC) if day else None


SESSION_TOOLS = (
    Tool(
        "search_sessions",
        "Search earlier sessions by words, class and days; gives summaries with session ids.",
        SearchSessions,
        "pure",
        search_sessions,
        attributes=lambda params: {"query": params.query, "class": params.class_id},
    ),
    Tool(
        "read_session",
        "Read what was said in an earlier session.",
        ReadSession,
        "pure",
        read_past_session,
        attributes=lambda params: {"session_id": params.session_id},
    ),
)
