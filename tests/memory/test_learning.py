import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paige.memory.lifecycle.outcomes import Outcome, Tally, dump_tally, tally
from paige.memory.lifecycle.policies import (
    Change,
    Key,
    MemoryPolicyNow,
    PolicyBook,
    RetrievalPolicy,
    default_policy,
    fold_policies,
    lawful,
)
from paige.memory.lifecycle.staged import Step, begin, move, propose
from paige.memory.lifecycle.trials import (
    TrialEvidence,
    judge_production,
    leanings,
    next_proposal,
    policy_steps,
)
from tests.depth import examples
from tests.memory.life import DAY, LIFE, NOON, SmallMemory

DEFAULT = default_policy(LIFE.policy)
World = Callable[[RetrievalPolicy, int], float]  # the chance of success, by policy and task


def learning(now: datetime = NOON) -> TrialEvidence:
    return TrialEvidence(policy=LIFE.policy, stages=LIFE.stages, now=now)


@dataclass
class Simulation:
    """Sessions that use the policy they are given, in a world that prefers some policies."""

    world: World
    seed: int = 1
    only: tuple[str, ...] = ("recency",)  # the dimension whose memories good tasks have more of
    memory: SmallMemory = field(default_factory=SmallMemory)
    outcomes: list[Outcome] = field(default_factory=list)
    versions: list[int] = field(default_factory=list)
    features: dict[str, dict[str, float]] = field(default_factory=dict)

    def book(self) -> PolicyBook:
        return fold_policies(self.memory.events, DEFAULT, LIFE.stages)

    def run(self, tasks: int) -> None:
        dice = random.Random(self.seed + len(self.outcomes))
        for _ in range(tasks):
            number = len(self.outcomes)
            now = NOON + timedelta(minutes=10 * number)
            used = self.book().current("coder", None, f"session-{number}")
            self.outcomes.append(self._task(number, now, used, dice))
            self.versions.append(used.ref.version)
            if number % 5 == 4:
                self._maintain(now)

    def _task(
        self, number: int, now: datetime, used: MemoryPolicyNow, dice: random.Random
    ) -> Outcome:
        success = dice.random() < self.world(used.policy, number)
        for name in self.only:
            liked = dice.gauss(0.6 if success else 0.4, 0.2)
            self.features.setdefault(f"o{number}", {})[name] = liked
        return Outcome(
            id=f"o{number}",
            at=now,
            success=success,
            retries=dice.randrange(2) + (not success),
            corrections=int(not success and dice.random() < 0.5),
            tool_calls=5 + dice.randrange(10),
            session=f"session-{number}",
            role="coder",
            policy=used.ref,
        )

    def _maintain(self, now: datetime) -> None:
        self.memory.now = now
        drafts = policy_steps(self.book(), self.outcomes, self.features, learning(now))
        self.memory.write(drafts)

    def stages(self) -> list[tuple[int, str]]:
        return [
            (each.payload["version"], each.payload["stage"])
            for each in self.memory.of_type("policy")
        ]

    def success_rate(self, last: int) -> float:
        return tally(self.outcomes[-last:]).success_rate


def likes_recency(policy: RetrievalPolicy, number: int) -> float:
    """More recency is truly better, up to twice as much or so."""
    return min(0.95, 0.45 + 40 * (min(policy.weights.recency, 0.0225) - 0.01))


def test_a_better_direction_reaches_production_and_outcomes_improve() -> None:
    simulation = Simulation(likes_recency)
    simulation.run(1500)
    weights = simulation.book().current("coder", None, None).policy.weights
    assert (1, "production") in simulation.stages()
    assert weights.recency > DEFAULT.weights.recency
    before, after = tally(simulation.outcomes[:100]).success_rate, simulation.success_rate(300)
    assert after - before > 0.15, f"success {before:.2f} to {after:.2f}"
    reasons = [each.payload["reason"] for each in simulation.memory.of_type("policy")]
    assert reasons[0].startswith("memories in tasks that ended well had more recency")


def test_a_worse_direction_never_reaches_production() -> None:
    simulation = Simulation(lambda policy, _: 0.8 - 50 * max(0.0, policy.weights.recency - 0.01))
    simulation.run(600)
    tried = simulation.book().lineages[Key("coder", "*")].versions[1]
    assert tried.value.weights.recency > DEFAULT.weights.recency
    assert tried.stage == "retired"
    assert tried.reason.startswith(("it lost", "no clear gain"))
    assert simulation.book().current("coder", None, None).policy.weights.recency == pytest.approx(
        DEFAULT.weights.recency
    )


def test_a_version_that_worsens_in_production_is_rolled_back() -> None:
    """It is better until it is live for a while; then the world changes."""
    turned: list[int] = []

    def world(policy: RetrievalPolicy, number: int) -> float:
        if turned and number > turned[0]:
            return 0.25 if policy.weights.recency > 0.01 else 0.6
        return likes_recency(policy, number)

    simulation = Simulation(world)
    while (1, "production") not in simulation.stages():
        simulation.run(5)
        assert len(simulation.outcomes) < 2000
    turned.append(len(simulation.outcomes))
    while (1, "rolled_back") not in simulation.stages():
        simulation.run(5)
        assert len(simulation.outcomes) < turned[0] + 500
    book = simulation.book()
    assert book.current("coder", None, None).policy == DEFAULT
    rolled = book.lineages[Key("coder", "*")].versions[1]
    assert rolled.reason.startswith("worse than before: success")
    lost = simulation.success_rate(30)
    simulation.run(150)
    assert simulation.success_rate(100) > lost + 0.15


def test_where_nothing_matters_little_reaches_production() -> None:
    """Twenty worlds without any better direction: false winners stay rare."""
    winners = trials = 0
    for seed in range(20):
        simulation = Simulation(lambda _policy, _number: 0.6, seed=1000 * seed, only=())
        simulation.run(400)
        stages = [stage for _, stage in simulation.stages()]
        winners += stages.count("production")
        trials += stages.count("experiment")
    assert trials > 20
    assert winners / trials <= 0.1, f"{winners} of {trials}"


def test_too_few_outcomes_change_nothing() -> None:
    simulation = Simulation(likes_recency)
    simulation.run(LIFE.policy.least_outcomes - 1)
    assert simulation.stages() == []


def test_roles_with_few_outcomes_learn_together() -> None:
    outcomes = [
        Outcome(id=f"o{n}", at=NOON, success=n % 2 == 0, role=f"role-{n}", session=f"s{n}")
        for n in range(60)
    ]
    book = fold_policies([], DEFAULT, LIFE.stages)
    (draft,) = policy_steps(book, outcomes, {}, learning())
    assert (draft.payload["role"], draft.payload["scope"]) == ("*", "*")


def test_a_trial_without_tasks_ends() -> None:
    simulation = Simulation(likes_recency)
    simulation.run(45)
    assert simulation.stages() == [(1, "experiment")]
    late = NOON + 100 * DAY
    outcome = replace(simulation.outcomes[-1], at=late, id="late")
    (draft,) = policy_steps(simulation.book(), [outcome], {}, learning(late))
    assert (draft.payload["stage"], draft.payload["reason"]) == (
        "retired",
        "too few tasks in 90 days",
    )


def test_good_tasks_lean_towards_what_they_had_more_of() -> None:
    outcomes = [Outcome(id=f"o{n}", at=NOON, success=n % 2 == 0) for n in range(40)]
    features = {
        each.id: {"importance": 0.5, "recency": (0.3 if each.success else 0.7) + 0.01 * (n % 5)}
        for n, each in enumerate(outcomes)
    }
    ((change, strength),) = leanings(outcomes, features)
    assert change == Change("recency", -1)
    assert strength > 3


def test_what_lost_lately_is_not_proposed_again() -> None:
    lineage = begin(DEFAULT, at=NOON, reason="first")
    seen: list[Change] = []
    for _ in range(6):
        found = next_proposal(lineage, [], learning(NOON + DAY))
        assert found is not None
        proposal, _ = found
        assert proposal.change not in seen
        seen.append(proposal.change)
        lineage = propose(lineage, proposal.policy, at=NOON, reason="try")
        first = Step("experiment", NOON, "try", {"change": proposal.change._asdict()})
        newest = replace(lineage.versions[-1], history=(first,))
        lineage = replace(lineage, versions=(*lineage.versions[:-1], newest))
        lineage = move(lineage, newest.version, Step("retired", NOON, "lost"))
    later = next_proposal(lineage, [], learning(NOON + 40 * DAY))
    assert later is not None


def test_the_first_version_is_not_watched() -> None:
    lineage = begin(DEFAULT, at=NOON, reason="first")
    failing = [Outcome(at=NOON, success=False) for _ in range(200)]
    assert judge_production(lineage.production, failing, learning()) is None


def test_worsening_long_after_going_live_is_noticed() -> None:
    lineage = propose(begin(DEFAULT, at=NOON, reason="first"), DEFAULT, at=NOON, reason="try")
    control = {"control": dump_tally(Tally(tasks=60, successes=36))}
    for stage in ("validate", "production"):
        lineage = move(lineage, 1, Step(stage, NOON, "won", control))  # type: ignore[arg-type]
    good = [Outcome(at=NOON, success=n % 10 < 7) for n in range(480)]
    bad = [Outcome(at=NOON, success=n % 10 < 3) for n in range(60)]
    assert judge_production(lineage.production, good, learning()) is None
    step = judge_production(lineage.production, [*good, *bad], learning())
    assert step is not None
    assert step.stage == "rolled_back"


@settings(max_examples=examples(25))
@given(
    st.lists(st.tuples(st.floats(0.05, 0.95), st.integers(1, 150)), min_size=1, max_size=5),
    st.integers(0, 10**6),
    st.booleans(),
)
def test_whatever_happens_policies_stay_lawful(
    phases: list[tuple[float, int]], seed: int, informed: bool
) -> None:
    """Exactly one version is live, all are within bounds, a rollback restores what was before."""

    def world(policy: RetrievalPolicy, number: int) -> float:
        return phases[phase][0] + 10 * (policy.weights.recency - 0.01)

    simulation = Simulation(world, seed=seed, only=("recency", "access") if informed else ())
    live: list[RetrievalPolicy] = [DEFAULT]
    for phase, (_, tasks) in enumerate(phases):  # noqa: B007 - the world reads it
        for _ in range(tasks):
            before = len(simulation.memory.events)
            simulation.run(1)
            _follow(simulation, before, live)
            _check(simulation.book(), live)


def _follow(simulation: Simulation, before: int, live: list[RetrievalPolicy]) -> None:
    for event in simulation.memory.events[before:]:
        match event.payload["stage"]:
            case "production":
                versions = simulation.book().lineages[Key("coder", "*")].versions
                live.append(versions[event.payload["version"]].value)
            case "rolled_back":
                live.pop()


def _check(book: PolicyBook, live: list[RetrievalPolicy]) -> None:
    assert book.ignored == 0
    for lineage in book.lineages.values():
        assert [each.stage for each in lineage.versions].count("production") == 1
        assert lineage.production.value == live[-1]
        for version in lineage.versions:
            assert lawful(version.value, LIFE.policy)
            weights = version.value.weights
            assert weights.relevance > weights.importance > weights.recency > weights.access
