"""A running Paige with a project, a model on loopback, a window and a coding agent.

The model answers by what it is asked for, told by the fields of the answer it must give.
"""

import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fakes.model_server import Recorded, Reply
from tests.fakes.served_model import ServedModel, served_model
from tests.fakes.wire_bodies import ANTHROPIC
from tests.live import Live, live_paige
from tests.mcp.at_work import Desk, at_work

HAIKU_COST, SONNET_COST = 0.000476, 0.001785  # of one answer of the fake
PLAN_TEXT = (
    "# Plan\n\n1. Reproduce it: run `python shop.py`.\n2. Change `total` in `shop.py`.\n"
    "3. Run the tests.\n"
)
SHOP = (
    "def add(item, basket=[]):\n"
    '    """Put an item into a basket."""\n'
    "    basket.append(item)\n"
    "    return basket\n\n\n"
    "def total(basket):\n"
    '    """What has to be paid."""\n'
    "    return sum(basket)\n"
)


def phase(number: int, title: str, level: str = "line", *, hints: int = 1) -> dict[str, Any]:
    """One phase as a model gives it."""
    return {
        "number": number,
        "title": title,
        "description": f"{title}: look before you change anything.",
        "expected_files": ["shop.py"],
        "hint_level": level,
        "hints": {
            "file_hints": [{"path": "shop.py", "style": "important"}],
            "line_hints": [
                {
                    "path": "shop.py",
                    "start": n,
                    "end": n + 1,
                    "style": "focus",
                    "hover_text": "Here",
                }
                for n in range(1, hints + 1)
            ],
        },
        "knowledge_gap_opportunities": ["mutable default arguments"],
    }


ANSWERS: Mapping[str, dict[str, Any]] = {
    "filter": {
        "relevant_memories": [
            {
                "content": "Shared one list between calls.",
                "relevance": "direct",
                "connection": "The same default again",
                "use_in_coaching": "Ask what helped then",
            }
        ],
        "discarded": [],
    },
    "coach": {
        "phases": [phase(1, "See it fail"), phase(2, "Change it", "region"), phase(3, "Check it")],
        "memory_connection": "Like the shared list of last week",
        "estimated_difficulty": "beginner",
    },
    "gaps": {
        "knowledge_gaps": [
            {
                "topic": "mutable default arguments",
                "evidence": "Edited `add` eight times.",
                "severity": "high",
                "related_concepts": ["functions"],
            },
            {
                "topic": "reading tracebacks",
                "evidence": "Asked what the last line means.",
                "severity": "low",
                "related_concepts": [],
            },
        ],
        "kata_specs": [
            {
                "title": "A diary for everyone",
                "description": "Give everybody a fresh diary.",
                "scaffolding_code": "def write(line, diary=[]):\n    return diary\n",
                "test_cases": ["assert write('a') == ['a']", "assert write('b') == ['b']"],
                "constraints": ["No if statement", "Use a sentinel"],
                "follow_up_constraint": "None is a line too",
            }
        ],
        "session_summary": {
            "phases_completed": 1,
            "total_time_minutes": 12,
            "hints_used": 1,
            "independent_completions": 0,
        },
    },
    # What Study asks about code that was handed in there.
    "code": {"uses_concept": True, "comments": [], "question": "Why is it shared?"},
    "stages": {
        "assessments": [
            {
                "skill_area": "Python functions",
                "stage": "advanced_beginner",
                "previous_stage": "novice",
                "confidence": 0.4,
                "evidence": "Finished two phases alone.",
                "recommendation": "Point at regions.",
            }
        ]
    },
    "memories": {
        "memories": [
            {
                "content": "Mixed up a default list and a fresh one until it was printed.",
                "tags": ["defaults", "lists"],
                "importance": "high",
            },
            {"content": "Likes to write the test first.", "tags": ["tests"], "importance": "low"},
        ]
    },
    "triage": {
        "should_nudge": False,
        "confidence": 0.9,
        "signal": "no_nudge",
        "reasoning": "In flow.",
        "suggested_context": {
            "current_file": None,
            "expected_file": None,
            "time_in_file": None,
            "phase_description": None,
        },
    },
    "review": {
        "correct": True,
        "feedback": "It works, and you know why.",
        "level": 6,
        "passed": True,
        "follow_up": None,
        "dreyfus_signal": "advancing",
    },
}
_TOLD_BY = {
    "relevant_memories": "filter",
    "phases": "coach",
    "knowledge_gaps": "gaps",
    "assessments": "stages",
    "memories": "memories",
    "should_nudge": "triage",
    "dreyfus_signal": "review",
    "uses_concept": "code",
}


def kind_of(request: Recorded) -> str:
    """What a request asks for."""
    asked = request.body["output_config"]["format"]["schema"]["properties"]
    return next(kind for name, kind in _TOLD_BY.items() if name in asked)


def material_of(request: Recorded) -> dict[str, Any]:
    """What the model was given to read."""
    return json.loads(request.body["messages"][0]["content"])


def said(value: object) -> Reply:
    """An answer that holds a value."""
    return ANTHROPIC.answer(json.dumps(value))


@dataclass
class CoachingRoom:
    """A running server and everything around it."""

    live: Live
    home: Path
    project: Path
    model: ServedModel
    says: dict[str, Reply | Callable[[Recorded], Reply]] = field(default_factory=dict)

    def reset(self) -> None:
        """Let the model answer as usual, and forget what it was asked."""
        self.says.clear()
        self.model.requests.clear()
        self.model.answers_with(self._answer)

    def asked(self, kind: str) -> list[dict[str, Any]]:
        """The material of every question of a kind."""
        return [material_of(each) for each in self.model.requests if kind_of(each) == kind]

    def kinds(self) -> list[str]:
        """What was asked, in order, the observer's questions left out."""
        return [kind for each in self.model.requests if (kind := kind_of(each)) != "triage"]

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of the server's own database."""
        with closing(sqlite3.connect(self.home / ".paige" / "paige.db")) as database:
            return database.execute(statement, values).fetchall()

    def calls(self, session: str) -> list[tuple[Any, ...]]:
        """The model calls of a session: type, model, latency, cost, error; triage left out."""
        return self.rows(
            "SELECT call_type, model, latency_ms, cost_estimate, error FROM api_call_log "
            "WHERE session_id = ? AND call_type <> 'observer_triage' ORDER BY rowid",
            session,
        )

    @asynccontextmanager
    async def work(self) -> AsyncIterator[Desk]:
        """A window and an agent, without a session; the model is as usual afterwards."""
        self.reset()
        async with at_work(self.live, self.home) as desk:
            self.model.requests.clear()
            yield desk

    def _answer(self, request: Recorded) -> Reply:
        kind = kind_of(request)
        reply = self.says.get(kind) or said(ANSWERS[kind])
        return reply(request) if callable(reply) else reply


@contextmanager
def coaching_room(folder: Path, **settings: str) -> Iterator[CoachingRoom]:
    """A server that falls back on nobody, unless the settings say otherwise."""
    project = folder / "shop"
    project.mkdir(parents=True, exist_ok=True)
    (project / "shop.py").write_text(SHOP)
    with served_model() as model:
        variables = {
            **model.variables,
            "PAIGE_FALLBACK": "none",
            "PROJECT_DIR": str(project),
            **settings,
        }
        with live_paige(folder, **variables) as live:
            room = CoachingRoom(live, folder, project, model)
            room.reset()
            yield room


async def run_plan(desk: Desk, **more: object) -> dict[str, Any]:
    """Run the pipeline over MCP."""
    return await desk.call(
        "paige_run_coaching_pipeline",
        planText=PLAN_TEXT,
        issueSummary="Two baskets share their items",
        **more,
    )
