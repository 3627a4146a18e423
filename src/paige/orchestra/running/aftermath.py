"""What follows an answer: the list is written, failures are thought about, worktrees are cleared.

Everything here is done before the new state is kept. After a kill it is done again for the same
answer, so each part is one that can be: the list is written as the state has it, a reflection is
kept under its name, a trace has an id made from the key.

Each round of an attempt (observe, orient, decide, act) is told as well: what was seen, what was
known, what was chosen and what was done.
"""

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

from anyio import to_thread
from pydantic import TypeAdapter

from paige.base.clock import to_iso
from paige.base.errors import PaigeError
from paige.base.secrets import redact
from paige.guard.graph.values import NewTrace
from paige.guard.state.evidence_files import read_evidence
from paige.guard.state.features import read_features, write_features
from paige.orchestra.compaction import render
from paige.orchestra.machine import Transition
from paige.orchestra.reflection import (
    UNEXPLAINED,
    Attempt,
    Reflection,
    episode_of,
    reflect,
    trace_of,
)
from paige.orchestra.running import worktrees
from paige.orchestra.running.actions import ActionRunner, ground_of
from paige.orchestra.running.parts import Notice
from paige.orchestra.running.project_files import features_from
from paige.orchestra.values import (
    CODER,
    TESTER,
    Action,
    AgentReturned,
    Blocked,
    Closed,
    Event,
    Ignore,
    Item,
    Judge,
    Merge,
    Missing,
    Open,
    Proof,
    Reflect,
    RunAgent,
    State,
    TellPerson,
    Verify,
    WriteFeatures,
)

MOST_LINES = 12
MOST_SIGNS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFacts:
    """What is known before a round: what was missing, what failed, what was learnt earlier."""

    missing: tuple[Missing, ...] = ()
    failures: Sequence[str] = ()
    files: Sequence[str] = ()
    reflections: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round about a feature."""

    key: str
    feature: str
    attempt: int
    observe: tuple[str, ...]
    orient: tuple[str, ...]
    decide: str
    act: str


def attempt_trace(
    attempt: Attempt, project: str = "", *, claimed: bool, verified: bool
) -> NewTrace:
    """An attempt as a decision: what was claimed beside what was verified."""
    said = "said it was done" if claimed else "did not say it was done"
    found = "it was" if verified else "it was not"
    return NewTrace(
        type="decision",
        project=project,
        agent=CODER,
        feature=attempt.feature,
        what_happened=f"Attempt {attempt.attempt}: the agent {said}, and {found}.",
        why=", ".join(attempt.missing),
        action="attempt",
        reason=attempt.missing[0] if attempt.missing else "",
        files=attempt.files[-5:],
        meta={
            "attempt": attempt.attempt,
            "approach": ", ".join(sorted({_shape(each) for each in attempt.files})[:8]),
            "claimed": claimed,
            "verified": verified,
        },
    )


def closing_trace(proof: Proof, project: str = "") -> NewTrace:
    """A closed feature as a decision, with the run of tests it rests on."""
    return NewTrace(
        type="decision",
        project=project,
        agent=TESTER,
        feature=proof.feature,
        what_happened=f"{proof.tests} tests passed and the feature was merged.",
        action="close-feature",
        meta={"tree": proof.tree, "tests": proof.tests, "at": proof.at, "evidence": proof.path},
    )


def _shape(path: str) -> str:
    """A path without its name: where, and which kind of file."""
    folder, _, name = path.replace("\\", "/").rpartition("/")
    ending = name.rpartition(".")[2] if "." in name else ""
    return f"{folder or '.'}/*{'.' + ending if ending else ''}"


logger = logging.getLogger(__name__)
_REFLECTION = TypeAdapter(Reflection)
_MOST_SEEN = 12


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the machine: the action, its answer, the state before, and what came of it."""

    key: str
    before: State
    event: Event
    stepped: Transition

    @property
    def after(self) -> State:
        """The state after it."""
        return self.stepped.state


async def settle(acting: ActionRunner, step: Step) -> None:
    """Do what follows an answer. Raises: PaigeError when the project's files cannot be written."""
    for action in step.stepped.actions:
        await _do(acting, step, action)
    await to_thread.run_sync(_finish_features, acting, step)
    await to_thread.run_sync(_clear_ground, acting, step.after)


def write_list(acting: ActionRunner, state: State) -> None:
    """Write the list of features as the state has it. Raises: PaigeError."""
    if not state.items:
        return
    root = acting.orchestra.root
    before = read_features(root)
    wanted = features_from(state, before or ())
    acting.orchestra.mark(f"before the list {state.turn}")
    if wanted != before:
        write_features(root, wanted)
    acting.orchestra.mark(f"after the list {state.turn}")


async def _do(acting: ActionRunner, step: Step, action: Action) -> None:
    match action:
        case WriteFeatures():
            await to_thread.run_sync(write_list, acting, step.after)
        case Reflect():
            await _reflect(acting, step, action)
        case TellPerson():
            _say(acting, "person", action.text)
        case Ignore():
            _say(acting, "ignored", f"{action.event}: {action.why}")
        case _:
            round = round_of(action, _seen(acting, step))
            if round is not None:
                _say(acting, "ooda", round.decide, data=asdict(round))


def _seen(acting: ActionRunner, step: Step) -> RoundFacts:
    state = step.after
    names = acting.journal.names(f"reflect:{state.feature}:")
    kept = [_REFLECTION.validate_python(acting.journal.known(name)) for name in names]
    last = kept[-1].attempt if kept else None
    return RoundFacts(
        missing=state.missing,
        failures=last.failures if last else (),
        files=last.files if last else (),
        reflections=tuple(each.assumption for each in kept if each.assumption),
    )


async def _reflect(acting: ActionRunner, step: Step, action: Reflect) -> None:
    """Think about a failed attempt, once; keep it in memory and in the graph."""
    name = f"reflect:{action.feature}:{step.key}"
    orchestra = acting.orchestra
    if acting.journal.known(name) is None:
        attempt = await to_thread.run_sync(_attempt, acting, step, action)
        found = await reflect(orchestra.models, orchestra.actor, attempt)
        acting.journal.keep(name, _REFLECTION.dump_python(found, mode="json"))
    kept = _REFLECTION.validate_python(acting.journal.known(name))
    trace = replace(trace_of(kept, orchestra.project), id=trace_id(name))
    await to_thread.run_sync(_keep_thought, acting, name, trace, kept)
    claimed, project = _claimed(acting, action.feature), orchestra.project
    made = attempt_trace(kept.attempt, project, claimed=claimed, verified=False)
    await to_thread.run_sync(_store, acting, f"attempt:{step.key}", made)
    _say(
        acting,
        "reflected",
        kept.assumption or UNEXPLAINED,
        feature=action.feature,
        agent=kept.attempt.agent,
    )


def _keep_thought(acting: ActionRunner, name: str, trace: NewTrace, kept: Reflection) -> None:
    """Keep a reflection beyond this run; what cannot be kept is still told to the next attempt."""
    done = f"kept:{name}"
    if acting.journal.known(done) is not None:
        return
    orchestra = acting.orchestra
    for place, keep in (
        ("the context graph", partial(orchestra.store, trace)),
        ("memory", partial(orchestra.remember, episode_of(kept, orchestra.project))),
    ):
        try:
            keep()
        except (PaigeError, OSError):
            logger.exception("A reflection on `%s` is not in %s", kept.attempt.feature, place)
    acting.journal.keep(done, True)


def _attempt(acting: ActionRunner, step: Step, action: Reflect) -> Attempt:
    item = step.before.item(action.feature)
    coder = acting.last_return(action.feature, CODER)
    answered = _agent_answer(acting, step)
    agent = answered.returned.agent if answered is not None else CODER
    said = render(answered.returned) if answered is not None else ""
    return Attempt(
        feature=action.feature,
        title=item.title if item is not None else "",
        attempt=action.attempt,
        agent=agent,
        missing=action.missing,
        failures=_failures(acting, step, answered),
        files=coder.files if coder is not None else (),
        said=said,
    )


def _agent_answer(acting: ActionRunner, step: Step) -> AgentReturned | None:
    """What the agent of this attempt gave back last, in this run of the machine."""
    if isinstance(step.event, AgentReturned):
        return step.event
    names = acting.journal.names(f"answer:{step.before.run}/")
    for name in reversed(names):
        event = acting.journal.answer(name.removeprefix("answer:"))
        if isinstance(event, AgentReturned) and event.returned.feature == step.before.feature:
            return event
    return None


def _failures(acting: ActionRunner, step: Step, answered: AgentReturned | None) -> tuple[str, ...]:
    """What was seen to fail: the checks, the test runs, and what the tester reports."""
    known = acting.journal.known(f"seen:{step.key}") or []
    seen = [str(each) for each in known]
    if answered is not None:
        seen += answered.returned.bugs
    why = getattr(step.event, "why", "")
    seen += [why] if why else []
    if step.before.phase == "checking_tests" and step.before.feature:
        seen += _bad_runs(acting, step.before.feature)
    seen += [f"a conflict in {each}" for each in getattr(step.event, "files", ())]
    return tuple(dict.fromkeys(seen))[:_MOST_SEEN]


def _bad_runs(acting: ActionRunner, feature: str) -> list[str]:
    folder = worktrees.worktree_of(acting.repository, feature).folder
    records = read_evidence(folder, acting.orchestra.data).records
    return [
        f"`{' '.join(each.argv)}` ended with {each.exit_code} after {each.tests} tests"
        for each in records[-3:]
        if not each.good
    ]


def _claimed(acting: ActionRunner, feature: str) -> bool:
    last = acting.last_return(feature, CODER)
    return last is not None and last.claims in ("complete", "passed")


def _finish_features(acting: ActionRunner, step: Step) -> None:
    """Clear up after features that were closed or blocked by this answer."""
    before = {each.id: each for each in step.before.items}
    for item in step.after.items:
        if isinstance(item, Open) or not isinstance(before.get(item.id), Open):
            continue
        if isinstance(item, Closed):
            _close(acting, step, item)
        _say(acting, "closed" if isinstance(item, Closed) else "blocked", _words(item),
             feature=item.id)  # fmt: skip
        acting.orchestra.mark(f"clear {item.id}")
        worktrees.remove(acting.repository, worktrees.worktree_of(acting.repository, item.id))


def _close(acting: ActionRunner, step: Step, item: Closed) -> None:
    project = acting.orchestra.project
    last = acting.last_return(item.id, CODER)
    attempt = Attempt(
        feature=item.id,
        attempt=item.retries + 1,
        files=last.files if last is not None else (),
    )
    made = attempt_trace(attempt, project, claimed=_claimed(acting, item.id), verified=True)
    _store(acting, f"attempt:{step.key}", made)
    _store(acting, f"closed:{step.key}", closing_trace(item.proof, project))


def _store(acting: ActionRunner, name: str, trace: NewTrace) -> None:
    """Store a trace once; the graph is not what the work rests on."""
    if acting.journal.known(name) is not None:
        return
    try:
        acting.orchestra.store(replace(trace, id=trace_id(name)))
    except (PaigeError, OSError):
        logger.exception("A trace was not stored: %s", name)
    acting.journal.keep(name, True)


def trace_id(name: str) -> str:
    """The id of a trace about something with a name: the same each time."""
    return f"trace-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:32]}"


def _clear_ground(acting: ActionRunner, state: State) -> None:
    """Take the worktree of the plan away when nobody plans any more; its commits stay."""
    if state.phase in ("initializing", "checking_plan", "leading", "checking_lead"):
        return
    ground = worktrees.worktree_of(acting.repository, ground_of(state.run))
    if ground.checkout.exists() or worktrees.is_merged(acting.repository, ground):
        worktrees.remove(acting.repository, ground)


def _words(item: Item) -> str:
    if isinstance(item, Closed):
        return f"{item.proof.tests} tests passed, merged"
    why = ", ".join(item.why) if isinstance(item, Blocked) else ""
    return f"given up for now; missing: {why}" if why else "given up for now"


def _say(
    acting: ActionRunner,
    kind: str,
    text: str,
    *,
    feature: str = "",
    agent: str = "",
    data: dict[str, Any] | None = None,
) -> None:
    at = to_iso(acting.orchestra.now())
    acting.orchestra.tell(
        Notice(at=at, kind=kind, text=text, feature=feature, agent=agent, data=data or {})
    )


def round_of(action: Action, seen: RoundFacts) -> Round | None:
    """The round that ends in an action of the machine; nothing for one that starts no work."""
    if not isinstance(action, RunAgent | Verify | Judge | Merge):
        return None
    return Round(
        key=action.key,
        feature=action.feature or "",
        attempt=action.attempt if isinstance(action, RunAgent) else 1,
        observe=_lines(
            (
                *(f"missing: {each}" for each in seen.missing),
                *(f"failed: {each}" for each in seen.failures),
                *(f"changed: {each}" for each in seen.files),
            )
        )
        or ("nothing has been tried yet",),
        orient=_lines(seen.reflections) or ("nothing like it is known",),
        decide=_decided(action, seen),
        act=_acted(action),
    )


def _decided(action: RunAgent | Verify | Judge | Merge, seen: RoundFacts) -> str:
    match action:
        case RunAgent(agent=agent, attempt=attempt) if agent == CODER:
            if attempt == 1:
                return "build it"
            return "mend the cause of the failure first" if seen.failures else "try another way"
        case RunAgent(agent=agent) if agent == TESTER:
            return "see whether it does what was asked"
        case RunAgent():
            return "plan before anybody builds"
        case Verify():
            return "believe nothing that can be checked"
        case Judge():
            return "ask whether the change is what was asked for"
        case Merge():
            return "bring in what was tested, and nothing else"


def _acted(action: RunAgent | Verify | Judge | Merge) -> str:
    match action:
        case RunAgent():
            return f"start {action.agent}, attempt {action.attempt}"
        case Verify():
            return f"run the checks of {action.phase}"
        case Judge():
            return "ask the judge"
        case Merge():
            return f"merge the files {action.proof.tree[:12]}"


def _lines(texts: Sequence[str]) -> tuple[str, ...]:
    # Cut before anything is looked for in it, a little longer than what is shown.
    plain = (" ".join(redact(each[: 2 * MOST_SIGNS]).split())[:MOST_SIGNS] for each in texts)
    return tuple(islice((each for each in plain if each), MOST_LINES))
