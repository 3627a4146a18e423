"""Lines as hooks write them, and graphs to put them into."""

from datetime import timedelta
from itertools import count
from typing import Any

from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.values import Trace, TraceQuery
from paige.store.engine import Database
from tests.conftest import NOON

LATE = NOON + timedelta(days=1)


def graph_of(db: Database, project: str = "shop") -> ContextGraph:
    """The graph of a database, at a fixed moment after all lines."""
    return ContextGraph(db, Actor(), lambda: LATE, project=project)


def every(graph: ContextGraph, **wanted: Any) -> list[Trace]:
    """All traces that are wanted, the oldest first."""
    found = graph.query(TraceQuery(limit=500, **wanted), "metadata", budget=False)
    return [graph.trace(item["id"]) for item in reversed(found.items)]


class Told:
    """Writes the lines of one session, a second apart."""

    def __init__(
        self, session: str = "s1", agent: str = "coding-agent", cwd: str = "/shop"
    ) -> None:
        self.lines: list[dict[str, Any]] = []
        self._session, self._agent, self._cwd = session, agent, cwd
        self._seconds = count()

    def line(self, event: str, **more: Any) -> dict[str, Any]:
        """Any line."""
        number = next(self._seconds)
        made = {
            "id": f"{self._session}-{number:04}",
            "at": to_iso(NOON + timedelta(seconds=number)),
            "cli": "claude-code",
            "session": self._session,
            "event": event,
            "cwd": self._cwd,
            "mode": "default",
            "agent_type": self._agent,
            **more,
        }
        self.lines.append(made)
        return made

    def shell(self, command: str, **more: Any) -> dict[str, Any]:
        """What was asked before a command ran."""
        given = {"tool": "Bash", "input": {"command": command}, "decision": "none"}
        return self.line("pre_tool", **{**given, **more})

    def refused(self, command: str, rule: str = "git.force-push", **more: Any) -> dict[str, Any]:
        """A command that was refused."""
        reason = "This rewrites what others have. Push without --force."
        return self.shell(command, decision="deny", rule=rule, reason=reason, **more)

    def ran(self, command: str, **more: Any) -> dict[str, Any]:
        """A command that has run."""
        given = {"tool": "Bash", "input": {"command": command}, "result": {"stdout": ""}}
        return self.line("post_tool", **{**given, **more})

    def wrote(self, path: str, text: str = "x = 1", **more: Any) -> dict[str, Any]:
        """A file that was written."""
        given = {"file_path": f"{self._cwd}/{path}", "content": text}
        return self.line("post_tool", tool="Write", input=given, result={}, **more)

    def said(self, prompt: str) -> dict[str, Any]:
        """What a person said."""
        return self.line("prompt_submit", prompt=prompt)

    def answered(self, text: str) -> dict[str, Any]:
        """What the agent said at the end of a turn."""
        return self.line("response", text=text)
