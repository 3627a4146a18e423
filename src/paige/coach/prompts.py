"""The coach's questions to a model: prompts of `shipped/coach/prompts`, and types of answers.

A prompt is markdown with front matter: its name, the tier of the model, how many tokens the answer
may have, and which holes (`$name`) it has; holes take short words of our own, such as a stage.
Everything that people, files or earlier answers wrote goes into the user message as one JSON
object, where no text can end its own quotation, and `material.md` (added to every prompt) says that
nothing in there is an instruction.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar, get_args

from pydantic import BaseModel

from paige.agent.library.definitions import Keys
from paige.base.paths import shipped
from paige.coach import answers
from paige.models.calls import Call
from paige.models.prompts import fill
from paige.models.requests import ServerTool, Tier

T = TypeVar("T", bound=BaseModel)
FOLDER = "coach/prompts"
MATERIAL = "material.md"
MOST_TOKENS = 100_000


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """Something the coach asks: its name in the log of calls, its prompt, the type it wants."""

    call_type: str
    prompt: str
    answer: type[T]


MEMORY_FILTER = Question(
    "memory_retrieval_filter", "memory-retrieval-filter", answers.MemoryFilterAnswer
)
COACH_AGENT = Question("coach_agent", "coach-agent", answers.CoachAgentAnswer)
GAP_EXTRACTION = Question(
    "knowledge_gap_extraction", "knowledge-gap-extraction", answers.GapExtractionAnswer
)
DREYFUS = Question("dreyfus_assessment", "dreyfus-assessment", answers.DreyfusAnswer)
MEMORY_SUMMARY = Question(
    "memory_summarisation", "memory-summarisation", answers.MemorySummaryAnswer
)
TRIAGE = Question("observer_triage", "observer-triage", answers.TriageAnswer)
EXPLAIN = Question("explain_this", "explain-this", answers.ExplainAnswer)
REVIEW = Question("practice_review", "practice-review", answers.ReviewAnswer)
ISSUES = Question("issue_assessment", "issue-assessment", answers.IssueAssessmentAnswer)
MATERIALS = Question("learning_materials", "learning-materials", answers.MaterialsAnswer)

QUESTIONS: tuple[Question[Any], ...] = (
    MEMORY_FILTER,
    COACH_AGENT,
    GAP_EXTRACTION,
    DREYFUS,
    MEMORY_SUMMARY,
    TRIAGE,
    EXPLAIN,
    REVIEW,
    ISSUES,
    MATERIALS,
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt as its file says it."""

    name: str
    tier: Tier
    max_tokens: int
    holes: tuple[str, ...]
    text: str


@lru_cache(maxsize=32)
def read_prompt(name: str) -> Prompt:
    """A prompt of the coach. Raises: BadInput naming file and key."""
    file = f"{FOLDER}/{name}.md"
    keys = Keys(shipped(file).read_text(encoding="utf-8"), file, ("model", "max_tokens", "holes"))
    found = Prompt(
        name=keys.name(name),
        tier=keys.choice("model", get_args(Tier)),
        max_tokens=keys.number("max_tokens", most=MOST_TOKENS),
        holes=keys.words("holes"),
        text=keys.body.strip(),
    )
    fill(found.text, dict.fromkeys(found.holes, ""), source=file)
    return found


def make_call(
    question: Question[T],
    material: Mapping[str, object],
    *,
    inputs: object = None,
    session_id: str | None = None,
    holes: Mapping[str, str] | None = None,
    tools: tuple[ServerTool, ...] = (),
) -> Call[T]:
    """The call that asks a question.

    `material` is what a model reads (as JSON), `inputs` what the local engine of the same question
    takes, `holes` the values of the prompt's own holes.
    """
    prompt = read_prompt(question.prompt)
    return Call(
        call_type=question.call_type,
        model=prompt.tier,
        system_prompt=system_prompt(prompt, holes or {}),
        user_message=user_message(material),
        response_schema=question.answer,
        session_id=session_id,
        max_tokens=prompt.max_tokens,
        tools=tools,
        inputs=inputs,
    )


def system_prompt(prompt: Prompt, holes: Mapping[str, str]) -> str:
    """What the model is told to do, with what it must know about the user message."""
    filled = fill(prompt.text, holes, source=f"{FOLDER}/{prompt.name}.md")
    return f"{filled}\n\n{_material_rule()}"


def user_message(material: Mapping[str, object]) -> str:
    """Everything others wrote, as one JSON object."""
    return json.dumps(material, ensure_ascii=False, default=str)


@lru_cache(maxsize=1)
def _material_rule() -> str:
    return shipped(f"{FOLDER}/{MATERIAL}").read_text(encoding="utf-8").strip()
