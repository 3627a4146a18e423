"""The conductor: asks the machine what is next, has it done, and tells the machine what came of it.

The answer to every action is kept before the machine takes it in, and the state after. So a
conductor that is killed anywhere goes on from the last state with the last answer: nothing is done
twice, nothing is lost. Only this code writes the list of features and the state of the session.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from anyio import to_thread

from paige.base.clock import to_iso
from paige.base.errors import BadInput, Conflict
from paige.guard.state.evidence_files import Evidence, machine_key, read_evidence
from paige.guard.state.features import Feature
from paige.guard.state.files import Damaged
from paige.orchestra.handoffs import HandoffLog
from paige.orchestra.machine import Transition, actions_of, step
from paige.orchestra.running import worktrees
from paige.orchestra.running.actions import ActionRunner
from paige.orchestra.running.aftermath import Step, settle, write_list
from paige.orchestra.running.goal import new_run
from paige.orchestra.running.journal import Journal, append_line
from paige.orchestra.running.parts import Notice, Orchestra, Report, Wishes
from paige.orchestra.running.project_files import (
    LOG,
    conducting,
    items_from,
    progress,
    read_list,
    read_state,
    write_state,
)
from paige.orchestra.values import (
    Blocked,
    Closed,
    Ignore,
    Judge,
    Merge,
    Open,
    Proof,
    RunAgent,
    SessionStarted,
    State,
    Verify,
)
from paige.orchestra.verification import EvidenceQuery, prove

_PLANNING = ("session_start", "initializing", "checking_plan")
_MOST_STEPS = 100_000  # far more than the machine can take; a fault must not spin


async def conduct(orchestra: Orchestra, wishes: Wishes | None = None) -> Report:
    """Work until everything is done, enough is done, or a person is needed. Raises: PaigeError."""
    wanted = wishes or Wishes()
    logged = replace(orchestra, tell=_logged(orchestra))
    with conducting(orchestra.root, orchestra.now()):
        conductor = await to_thread.run_sync(_open, logged)
        return await conductor.work(wanted)


@dataclass(slots=True)
class _Conductor:
    acting: ActionRunner
    key: bytes
    finished: list[str] = field(default_factory=list[str])

    async def work(self, wishes: Wishes) -> Report:
        state = await to_thread.run_sync(self._started, wishes)
        for _ in range(_MOST_STEPS):
            action = _pending(state)
            if action is None or self._enough(state, wishes):
                break
            state = await self._step(state, action)
        return self._report(state)

    async def _step(self, state: State, action: RunAgent | Verify | Judge | Merge) -> State:
        event = self.acting.journal.answer(action.key)
        if event is None:
            event = await self.acting.do(action, state)
            await to_thread.run_sync(self.acting.journal.answered, action.key, event)
        stepped = step(state, event)
        if any(isinstance(each, Ignore) for each in stepped.actions):
            raise Conflict(
                f"The answer to `{action.key}` does not fit the state of the work",
                hint="Look at `.claude/progress/journal.jsonl`; `paige orchestra status` shows the "
                "state.",
            )
        await settle(self.acting, Step(action.key, state, event, stepped))
        self._count(state, stepped)
        await to_thread.run_sync(self._keep, stepped.state)
        return stepped.state

    def _keep(self, state: State) -> None:
        orchestra = self.acting.orchestra
        orchestra.mark(f"before the state {state.turn}")
        write_state(orchestra.root, state, orchestra.now(), self.key)
        orchestra.mark(f"after the state {state.turn}")

    def _count(self, before: State, stepped: Transition) -> None:
        known = {each.id for each in before.open}
        self.finished += [
            each.id
            for each in stepped.state.items
            if each.id in known and not isinstance(each, Open)
        ]

    def _enough(self, state: State, wishes: Wishes) -> bool:
        if wishes.plan and state.phase not in _PLANNING:
            return True
        return wishes.most is not None and len(self.finished) >= wishes.most

    def _started(self, wishes: Wishes) -> State:
        """The state to go on from, with the list as it is now."""
        orchestra = self.acting.orchestra
        kept = read_state(orchestra.root, self.key)
        if kept.problem:
            _tell(orchestra, "person", f"Starting from the list of features: {kept.problem}.")
        run = new_run(orchestra.now, orchestra.randomness)
        state = kept.state or State(run=run, goal=wishes.goal)
        listed = read_list(orchestra.root)
        if isinstance(listed, Damaged):
            raise listed
        _check_goal(state, listed, wishes)
        items = None if listed is None else items_from(listed, self._proofs(listed))
        event = SessionStarted(items=items, goal=wishes.goal, tiers=wishes.tiers)
        stepped = step(state, event)
        write_list(self.acting, stepped.state)
        self._keep(stepped.state)
        return stepped.state

    def _proofs(self, features: tuple[Feature, ...]) -> Mapping[str, Proof]:
        """The sealed runs of tests that stand behind features called tested."""
        orchestra = self.acting.orchestra
        records = read_evidence(orchestra.root, orchestra.data).records
        found = {each.id: _proof(records, each.id) for each in features if each.tested}
        return {id: proof for id, proof in found.items() if proof is not None}

    def _report(self, state: State) -> Report:
        journal = self.acting.journal
        verdicts = [journal.known(name)["outcome"] for name in journal.names("verdict:")]
        return Report(
            phase=state.phase,
            why=state.why,
            closed=tuple(each.id for each in state.items if isinstance(each, Closed)),
            blocked=tuple(each.id for each in state.items if isinstance(each, Blocked)),
            open=tuple(each.id for each in state.open),
            finished=tuple(self.finished),
            judged=sum(each != "none" for each in verdicts),
            vetoes=verdicts.count("veto"),
        )


def _open(orchestra: Orchestra) -> _Conductor:
    repository = worktrees.find_repository(orchestra.root)
    worktrees.end_cut_merge(repository)
    worktrees.require_clean(repository)
    key = machine_key(orchestra.data)
    journal = Journal(orchestra.root, key, mark=orchestra.mark)
    acting = ActionRunner(orchestra, repository, journal, HandoffLog(orchestra.root))
    return _Conductor(acting, key)


def _pending(state: State) -> RunAgent | Verify | Judge | Merge | None:
    """What is to be done next; nothing when the work has ended or waits for a person."""
    wanted = (RunAgent, Verify, Judge, Merge)
    return next((each for each in actions_of(state) if isinstance(each, wanted)), None)


def _check_goal(state: State, listed: tuple[Feature, ...] | None, wishes: Wishes) -> None:
    if not (listed or state.items or state.goal or wishes.goal):
        raise BadInput(
            "There is nothing to build: this project has no features and no goal",
            hint='Give it one: `paige orchestra init "what should be built"`.',
        )


def _proof(records: tuple[Evidence, ...], feature: str) -> Proof | None:
    own = [each for each in records if each.feature == feature and each.good]
    if not own:
        return None
    return prove(own, EvidenceQuery(feature=feature, tree=own[-1].tree_hash))


def _logged(orchestra: Orchestra) -> Any:  # noqa: ANN401 - a function of what is told
    path: Path = progress(orchestra.root) / LOG

    def tell(told: Notice) -> None:
        line = {
            "at": told.at, "kind": told.kind, "text": told.text, "feature": told.feature,
            "agent": told.agent, "key": told.key,
        }  # fmt: skip
        append_line(path, {**line, "data": dict(told.data)} if told.data else line)
        orchestra.tell(told)

    return tell


def _tell(orchestra: Orchestra, kind: str, text: str) -> None:
    orchestra.tell(Notice(at=to_iso(orchestra.now()), kind=kind, text=text))
