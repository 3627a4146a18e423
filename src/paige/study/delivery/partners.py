"""A partner to talk with: an agent of its own that knows its part and not the answers.

It runs as a session of the agent, with no tools and no memory, so that it can be looked at like any
other run. Without a model nobody plays the part, and the partner says nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from paige.agent.library.definitions import AgentDefinition, SkillDefinition, read_agent
from paige.agent.limits import Limits
from paige.agent.memories import NO_REQUEST, Request
from paige.agent.runs import NewRun, start_run
from paige.agent.segment import PreparedAgent, Runtime
from paige.models.errors import ModelError
from paige.models.local import LOCAL
from paige.models.prompts import render
from paige.models.wrappers import AliasProvider
from paige.study.exercise_tools import ExerciseTools
from paige.study.values import Exercise, Question

DOOR = "study"
PURPOSE = "study_partner"
_SOURCE = """---
description: Plays a part in an exercise.
model: haiku
provider: anthropic
memory: false
maxTurns: 2
---
Plays a part in an exercise.
"""


@dataclass(frozen=True, slots=True)
class PartnerSaid:
    """What the partner says, and the session it said it in."""

    text: str
    session: str
    by: str


@dataclass(frozen=True, slots=True)
class _Parts:
    """The one agent that plays a part."""

    agent: AgentDefinition
    system: str

    def prepare(self, agent: str, request: Request = NO_REQUEST) -> PreparedAgent:
        """The agent with its part."""
        return PreparedAgent(self.agent, _SOURCE, self.system)

    def describe(self, agent: str) -> str:
        """What it is for."""
        return self.agent.description

    def skills(self, agent: AgentDefinition) -> Mapping[str, SkillDefinition]:
        """It has none."""
        return {}


async def ask_partner(
    tools: ExerciseTools, exercise: Exercise, question: Question, said: str, *, session: str
) -> PartnerSaid | None:
    """What the partner answers to the learner, if there is a model and it answers.

    Raises: ProviderFailed where the exercise may not go on without one.
    """
    models = tools.models
    if models is None or not tools.asks_a_model:
        return None
    runtime = Runtime(
        models.db,
        AliasProvider(models.provider),
        _Parts(read_agent(_SOURCE, f"{_part(exercise)}.md"), _system(exercise)),
        tools.documents,
        {},
        now=models.now,
        local=models.local if models.fallback == LOCAL else None,
        randomness=models.randomness,
        sleep=models.sleep,
        spend_limit_day=models.spend_limit_day,
        prices=models.prices,
    )
    new = NewRun(
        agent=_part(exercise),
        prompt=_prompt(question, said, first=not session),
        purpose=PURPOSE,
        door=DOOR,
        limits=Limits(max_turns=2),
        session=session or None,
    )
    try:
        state = await start_run(runtime, tools.actor, new)
    except ModelError:
        if models.fallback != LOCAL:
            raise
        return None
    text = (state.run.output or "").strip()
    if state.run.status != "success" or not text:
        return None
    return PartnerSaid(text, state.run.session_id, models.provider.name)


def _part(exercise: Exercise) -> str:
    return exercise.partner or "pupil"


def _system(exercise: Exercise) -> str:
    if exercise.partner == "pair":
        return render("study/partner-pair", task=exercise.prompt)
    return render("study/partner-pupil", concept=exercise.concept_title)


def _prompt(question: Question, said: str, *, first: bool) -> str:
    begun = "You said" if first else "Then you said"
    return f"{begun}: {question.prompt}\n\nThe learner answers: {said}"
