"""A running Paige with a project, a model on loopback and a `gh` of its own, for tests of thinking.

The model answers by what it is asked for, told by the fields of the answer it must give. `gh` is a
small script on the path that prints what a test wrote for it, and notes how it was called.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, select

from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.coach import queries
from paige.coach.log.queries import recent_actions
from paige.coach.records import PhaseRow, PlanRow
from paige.learner.gaps import Constraint, Gap
from paige.learner.queries import (
    Assessment,
    KataRow,
    NewKata,
    insert_kata,
    record_gap,
    upsert_assessment,
)
from paige.learner.tables import DREYFUS_ASSESSMENTS, KATA_SPECS, KNOWLEDGE_GAPS
from paige.models.log import ApiCall
from paige.models.tables import API_CALL_LOG
from paige.store.engine import open_sqlite
from tests.fakes.model_server import Json, Recorded, Reply
from tests.fakes.served_model import ServedModel, served_model
from tests.fakes.wire_bodies import ANTHROPIC
from tests.live import Live, live_paige

ME = Actor()
OTHER = "other"
SONNET = "claude-sonnet-4-5-20250929"
COST = 0.001785  # of one answer: 120 read, 30 written, 100 into the cache, 2,000 out of it
EXPLAINED: dict[str, Any] = {
    "explanation": "It adds the prices.",
    "key_concepts": ["loop", "sum"],
    "analogy": "Like a till",
    "related_files": ["src/cart.py"],
    "phase_connection": "This is what phase 1 is about.",
}
REVIEWED: dict[str, Any] = {
    "correct": True,
    "feedback": "Well thought out.",
    "level": 5,
    "passed": True,
    "follow_up": {"type": "constraint_escalation", "constraint": "No loops", "reason": "Next"},
    "dreyfus_signal": "advancing",
}
ISSUE: dict[str, Any] = {
    "number": 7,
    "title": "The total is wrong",
    "summary": "Sums go wrong.",
    "suitability": "good_fit",
    "suitability_reason": "Small.",
    "estimated_difficulty": "beginner",
    "relevant_skills": ["python"],
    "priority_score": 0.9,
    "priority_factors": {
        "user_tagged": True,
        "similar_to_recent_work": False,
        "addresses_knowledge_gap": True,
        "team_urgency": "low",
    },
    "learning_opportunities": ["sums"],
}
MATERIAL: dict[str, Any] = {
    "knowledge_gap": "loops",
    "resources": [
        {
            "type": "documentation",
            "title": "Loops",
            "url": "https://docs.python.org/3/tutorial/controlflow.html",
            "description": "About loops",
            "relevance": "direct",
            "estimated_time": "10 min",
        }
    ],
    "study_order": "First this.",
    "practice_connection": None,
}
ANSWERS: Mapping[str, dict[str, Any]] = {
    "explain": EXPLAINED,
    "review": REVIEWED,
    "issues": {"issues": [ISSUE]},
    "materials": {"recommendations": [MATERIAL]},
}
CALL_TYPES = ("explain_this", "practice_review", "issue_assessment", "learning_materials")
_TOLD_BY = {
    "explanation": "explain",
    "dreyfus_signal": "review",
    "issues": "issues",
    "recommendations": "materials",
}
_GH = """#!/bin/sh
echo "$(pwd) $*" >> "{folder}/calls"
if [ "$1" = api ]; then echo "anna"; exit 0; fi
if [ -f "{folder}/fails" ]; then cat "{folder}/fails" >&2; exit 1; fi
cat "{folder}/issues"
"""


def kind_of(request: Recorded) -> str:
    """What a request asks for."""
    asked = request.body["output_config"]["format"]["schema"]["properties"]
    return next((kind for name, kind in _TOLD_BY.items() if name in asked), OTHER)


def material_of(request: Recorded) -> dict[str, Any]:
    """What the model was given to read."""
    return json.loads(request.body["messages"][0]["content"])


@dataclass
class Room:
    """A running server and everything around it."""

    live: Live
    project: Path
    database: Path
    model: ServedModel
    gh: Path
    says: dict[str, Reply | Callable[[Recorded], Reply]] = field(default_factory=dict)

    def reset(self) -> None:
        """Let the model answer as usual, `gh` list one issue, and nothing be known of anyone."""
        self.says.clear()
        self.model.requests.clear()
        self.model.answers_with(self._answer)
        (self.gh / "fails").unlink(missing_ok=True)
        (self.gh / "calls").write_text("")
        self.lists([{"number": 7, "title": "The total is wrong", "body": "See `cart.py`"}])
        self.write(_forget)

    def lists(self, issues: list[dict[str, Any]]) -> None:
        """Let `gh` list issues."""
        (self.gh / "issues").write_text(json.dumps(issues))

    def asked(self, kind: str) -> list[Recorded]:
        """What the model was asked of one kind."""
        return [each for each in self.model.requests if kind_of(each) == kind]

    def answer(self, kind: str, **changes: Any) -> None:
        """Let the model answer a kind of question with some fields changed."""
        self.says[kind] = ANTHROPIC.answer(json.dumps({**ANSWERS[kind], **changes}))

    def read(self, query: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        """Ask the database."""
        return self._run(query, False, arguments, more)

    def write(self, query: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        """Change the database."""
        return self._run(query, True, arguments, more)

    def logged(self, session_id: str, kind: str) -> list[dict[str, Any]]:
        """What actions of a type say, in order."""
        found = self.read(recent_actions, session_id, limit=500, types=[kind])
        return [dict(each.data or {}) for each in reversed(found)]

    def calls(self) -> list[ApiCall]:
        """The log of model calls about explanations, reviews and the dashboard, in order."""
        return [call for call in self.read(_calls) if call.call_type in CALL_TYPES]

    def _answer(self, request: Recorded) -> Reply:
        kind = kind_of(request)
        if kind == OTHER:  # wrap-up and the observer are not what is tested here
            return ANTHROPIC.error(400, "invalid_request_error", "Not here")
        said = self.says.get(kind) or ANTHROPIC.answer(json.dumps(ANSWERS[kind]))
        return said(request) if callable(said) else said

    def _run(self, query: Callable[..., Any], write: bool, arguments: Any, more: Any) -> Any:
        with (
            closing(open_sqlite(self.database)) as database,
            database.transaction(write=write) as connection,
        ):
            return query(connection, ME, *arguments, **more)


@contextmanager
def thinking_room(folder: Path, **settings: str) -> Iterator[Room]:
    """A server that falls back on nobody, unless the settings say otherwise."""
    project, gh = folder / "project", folder / "gh"
    for place in (project / "src", gh):
        place.mkdir(parents=True)
    (project / "src" / "cart.py").write_text("def total(items):\n    return sum(items)\n")
    (project / "src" / "shop.py").write_text("from src.cart import total\nprint(total([1]))\n")
    (project / "src" / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    script = gh / "gh"
    script.write_text(_GH.format(folder=gh))
    script.chmod(0o755)
    data = folder / "data"
    with served_model() as model:
        variables = {
            **model.variables,
            "PAIGE_FALLBACK": "none",
            "PROJECT_DIR": str(project),
            "DATA_DIR": str(data),
            "PATH": f"{gh}:{os.environ['PATH']}",
            **settings,
        }
        with live_paige(folder, **variables) as live:
            yield Room(live, project, data / "paige.db", model, gh)


def error(status: int, kind: str = "api_error") -> Json:
    """A failure that passes quickly: the provider asks to come back after a millisecond."""
    return ANTHROPIC.error(status, kind, "It went wrong", retry_after_ms="1")


def add_gap(room: Room, topic: str = "loops", severity: str = "high", gap_id: str = "g1") -> None:
    """Let something be lacking."""
    gap = Gap(topic=topic, severity=severity, evidence="seen")  # type: ignore[arg-type]
    room.write(record_gap, gap, gap_id=gap_id, now=system_clock())


def add_kata(room: Room, *, kata_id: str = "k1", **given: Any) -> KataRow:
    """A kata for the gap `g1`, which is made when it is not there."""
    fields: dict[str, Any] = {"title": "Add", "description": "Add two numbers", **given}
    add_gap(room)
    return room.write(insert_kata, "g1", NewKata(**fields), kata_id=kata_id)


def levels(*numbers: int) -> tuple[Constraint, ...]:
    """Constraints at these levels."""
    return tuple(Constraint(f"c{number}", f"From {number}", number) for number in numbers)


def add_stage(room: Room, area: str, stage: str, confidence: float = 0.8) -> None:
    """Let a stage be known."""
    row = Assessment(f"a-{area}", "me", area, stage, confidence, "seen", system_clock())  # type: ignore[arg-type]
    room.write(upsert_assessment, row)


def add_plan(room: Room, session: str) -> None:
    """A plan of two phases whose first one is active."""

    def store(connection: Connection, actor: Actor) -> None:
        now = system_clock()
        queries.insert_plan(connection, actor, PlanRow(f"p-{session}", session, "text", now))
        first = PhaseRow(
            f"f1-{session}",
            f"p-{session}",
            1,
            "Find the sum",
            "See where the total comes from",
            "active",
            "line",
            ("src/cart.py",),
            now,
        )
        second = PhaseRow(f"f2-{session}", f"p-{session}", 2, "Change it", "Then fix it")
        queries.insert_phases(connection, actor, [first, second])

    room.write(store)


def _calls(connection: Connection, actor: Actor) -> list[ApiCall]:
    names = list(ApiCall.__dataclass_fields__)
    columns = [API_CALL_LOG.c[name] for name in names]
    rows = connection.execute(select(*columns).order_by(API_CALL_LOG.c.id))
    return [ApiCall(**dict(zip(names, row, strict=True))) for row in rows]


def _forget(connection: Connection, actor: Actor) -> None:
    for table in (KATA_SPECS, KNOWLEDGE_GAPS, DREYFUS_ASSESSMENTS, API_CALL_LOG):
        connection.execute(delete(table))
