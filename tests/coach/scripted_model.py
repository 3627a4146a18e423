"""A coach's model that answers what it was told to, for tests of what the coach makes of it."""

from dataclasses import dataclass, field

from paige.base.actor import Actor
from paige.base.errors import Unavailable
from paige.coach.answers import Explanation, TriageAnswer
from paige.coach.message_parts import (
    FileHint,
    LineHint,
    Passage,
    PriorityFactors,
    RankedIssue,
    Recommendation,
    Resource,
)
from paige.coach.model import (
    CoachedPlan,
    CoachModel,
    PlanText,
    Progress,
    Review,
    Work,
    WrapUp,
)
from paige.coach.observer.loop import Moment
from paige.coach.records import CoachSession
from tests.coach.coached_phases import coached_phase

PLAN = CoachedPlan(
    phases=(
        coached_phase(
            number=1,
            title="Look",
            description="Find the sum.",
            hint_level="line",
            expected_files=("a.py",),
            file_hints=(FileHint(path="a.py", style="suggested"),),
            line_hints=(LineHint(path="a.py", start=1, end=2, style="focus", hover_text="Here"),),
        ),
        coached_phase(number=2, title="Change", description="Count them.", hint_level="none"),
    ),
    memory_connection="Like the voucher of last week",
    estimated_difficulty="beginner",
)
ISSUE = RankedIssue(
    number=1,
    title="The total",
    summary="Sums",
    suitability="good_fit",
    suitability_reason="Small",
    estimated_difficulty="beginner",
    relevant_skills=["loops"],
    priority_score=0.9,
    priority_factors=PriorityFactors(
        user_tagged=False,
        similar_to_recent_work=True,
        addresses_knowledge_gap=True,
        team_urgency="low",
    ),
    learning_opportunities=["sums"],
)
MATERIAL = Recommendation(
    knowledge_gap="loops",
    resources=[
        Resource(
            type="article",
            title="Loops",
            url="https://example.org/loops",
            description="About loops",
            relevance="direct",
            estimated_time="5 min",
        )
    ],
    study_order="first",
)


@dataclass
class ScriptedModel(CoachModel):
    """Answers everything, unless it is told to fail; remembers what it was asked."""

    fails: bool = False
    review_level: int = 4
    asked: list[object] = field(default_factory=list)

    async def run_pipeline(
        self, actor: Actor, session: CoachSession, plan: PlanText, progress: Progress
    ) -> CoachedPlan:
        """Two phases."""
        self._ask(plan)
        await progress(1, 2, "Reading")
        await progress(2, 2, "Writing")
        return PLAN

    async def wrap_up(self, actor: Actor, session: CoachSession, transcript: str) -> WrapUp:
        """A little was learnt."""
        self._ask(transcript)
        return WrapUp(knowledge_gaps=1, kata_specs=2, dreyfus_updates=3, memories_stored=4)

    async def explain(
        self, actor: Actor, session: CoachSession | None, passage: Passage
    ) -> Explanation:
        """It adds."""
        self._ask(passage)
        return Explanation(
            explanation="It adds.",
            key_concepts=["sum"],
            analogy="Like a basket",
            related_files=["b.py"],
            phase_connection="This is phase 1",
        )

    async def review(self, actor: Actor, session: CoachSession | None, work: Work) -> Review:
        """Well done."""
        self._ask(work)
        return Review(
            correct=True,
            feedback="Well done",
            level=self.review_level,
            passed=True,
            dreyfus_signal="advancing",
        )

    async def rank_issues(self, actor: Actor) -> list[RankedIssue]:
        """One issue."""
        self._ask("issues")
        return [ISSUE]

    async def find_materials(self, actor: Actor) -> list[Recommendation]:
        """One article."""
        self._ask("materials")
        return [MATERIAL]

    async def triage(self, actor: Actor, session: CoachSession, moment: Moment) -> TriageAnswer:
        """Nothing to say."""
        return TriageAnswer(
            should_nudge=False,
            confidence=1.0,
            signal="no_nudge",
            reasoning="",
        )

    def _ask(self, asked: object) -> None:
        self.asked.append(asked)
        if self.fails:
            raise Unavailable("The model does not answer", hint="Wait.")
