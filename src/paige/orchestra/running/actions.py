"""Carries out what the machine asks for: agents, checks, the judge, merges.

Each action is answered by one event. Everything here may be cut off at any moment and asked for
again under the same key: what was begun is known from the journal, what an agent gave back from the
folder of its run, and Git is asked what it has already.
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anyio import to_thread
from pydantic import TypeAdapter

from paige.base.clock import from_iso, to_iso
from paige.base.errors import Conflict, Unavailable
from paige.base.files import write_error
from paige.base.ids import new_id
from paige.guard.state.evidence_files import evidence_folder, read_evidence
from paige.guard.state.features import Feature, read_features
from paige.guard.state.tree import tree_hash
from paige.orchestra.compaction import compact, render
from paige.orchestra.handoffs import (
    MOST_PATHS,
    Handoff,
    HandoffLog,
    HandoffMaterial,
    HandoffProblem,
    handoff_for,
    validate_as_receiver,
    validate_as_sender,
)
from paige.orchestra.judge import Change, judge
from paige.orchestra.machine import CHECKS
from paige.orchestra.reflection import Reflection, block
from paige.orchestra.running import worktrees
from paige.orchestra.running.journal import Journal
from paige.orchestra.running.parts import Notice, Orchestra
from paige.orchestra.running.processes import end_leftovers
from paige.orchestra.running.project_files import (
    features_from,
    fingerprint_of_state,
    write_worktree_state,
)
from paige.orchestra.running.prompts import ROLES, Brief, feature_text, prompt_for
from paige.orchestra.running.runners import (
    RunResult,
    Task,
    keep_done,
    keep_task,
    next_number,
    read_done,
    run_folder,
)
from paige.orchestra.running.worktrees import Repository, Worktree
from paige.orchestra.values import (
    CODER,
    LEADER,
    TESTER,
    AgentFailed,
    AgentReturned,
    AgentTimedOut,
    BaseMoved,
    Event,
    Facts,
    Judge,
    Merge,
    MergeConflict,
    Merged,
    NotVetoed,
    Return,
    RunAgent,
    State,
    TestsPassed,
    Verify,
    Vetoed,
)
from paige.orchestra.verification import EvidenceQuery, Observation, event_after, is_test, told

_AGENT_OF = {after: before for before, after in CHECKS.items()}
_REFLECTION = TypeAdapter(Reflection)
_TRIES = 2  # how often an agent that could not work at all is started, before the person is told


@dataclass(frozen=True, slots=True)
class BegunTask:
    """A task that has begun: its worktree, the number of its run, since when, from which commit."""

    worktree: Worktree
    number: int
    at: str
    tip: str
    state: str
    again: bool


@dataclass(frozen=True, slots=True)
class ActionRunner:
    """The hands of the conductor."""

    orchestra: Orchestra
    repository: Repository
    journal: Journal
    handoffs: HandoffLog

    async def do(self, action: RunAgent | Verify | Judge | Merge, state: State) -> Event:
        """Carry out an action; the event that answers it. Raises: PaigeError."""
        match action:
            case RunAgent():
                return await self._run_agent(action, state)
            case Verify():
                return await to_thread.run_sync(self._verify, action, state)
            case Judge():
                return await self._judge(action, state)
            case Merge():
                return await to_thread.run_sync(self._merge, action, state)

    # --- agents -----------------------------------------------------------------------------------

    async def _run_agent(self, action: RunAgent, state: State) -> Event:
        begun = await to_thread.run_sync(self._begin, action, state)
        out = run_folder(self.orchestra.root, begun.number)
        done = await to_thread.run_sync(read_done, out)
        if done is None:
            if begun.again:  # whoever ran it, in whichever process, must not go on beside us
                await to_thread.run_sync(end_leftovers, out)
            task = await to_thread.run_sync(self._task, action, state, begun, out)
            self._tell("started", f"{action.agent} begins", action)
            done = await self._run(task)
            self.orchestra.mark(f"ran {action.key}")
            await to_thread.run_sync(keep_done, out, done)
        return await to_thread.run_sync(self._end, action, begun, done)

    async def _run(self, task: Task) -> RunResult:
        done = RunResult(status="failed")
        before = await to_thread.run_sync(tree_hash, task.folder)
        for _ in range(_TRIES):
            done = await self.orchestra.runner.run(task)
            if done.status != "failed" or done.text:
                return done
            if await to_thread.run_sync(tree_hash, task.folder) != before:
                return done
        raise Unavailable(
            f"The runner `{self.orchestra.runner.name}` cannot work: {done.problem or 'no reason'}",
            hint="Mend that, then `paige orchestra run` goes on where it stands.",
        )

    def _begin(self, action: RunAgent, state: State) -> BegunTask:
        """Make the worktree ready and note that the task begins; again after a kill."""
        orchestra, name = self.orchestra, f"begun:{action.key}"
        again = self.journal.known(name) is not None
        worktree = self._worktree(action, state)
        self._bring_base(action, worktree, again=again)
        if not again:
            given = {
                "number": next_number(orchestra.root),
                "at": to_iso(orchestra.now()),
                "tip": worktrees.tip(worktree),
            }
            self.journal.keep(name, given)
        begun = self.journal.known(name)
        features = self._features(state)
        # The same words each time, so that a change by anybody else is seen.
        write_worktree_state(worktree.folder, state, features, from_iso(begun["at"]))
        before = f"state:{action.key}"
        if self.journal.known(before) is None:
            self.journal.keep(before, self._state_of(worktree))
        return BegunTask(
            worktree,
            int(begun["number"]),
            str(begun["at"]),
            str(begun["tip"]),
            str(self.journal.known(before)),
            again,
        )

    def _worktree(self, action: RunAgent, state: State) -> Worktree:
        self.orchestra.mark(f"worktree {action.key}")
        ground = worktrees.worktree_of(self.repository, ground_of(state.run))
        if action.feature is None:
            return worktrees.add(self.repository, ground.feature)
        start = ground.branch if worktrees.has_branch(self.repository, ground.branch) else ""
        return worktrees.add(self.repository, action.feature, start=start)

    def _bring_base(self, action: RunAgent, worktree: Worktree, *, again: bool) -> None:
        """Let a feature begin on what the base branch is now."""
        if action.agent == CODER and "merge" in action.missing:
            worktrees.begin_merge(self.repository, worktree)
        elif not again:
            taken = worktrees.take_base(self.repository, worktree)
            if taken.status == "conflict" and action.agent == CODER:
                worktrees.begin_merge(self.repository, worktree)

    def _task(self, action: RunAgent, state: State, begun: BegunTask, out: Path) -> Task:
        orchestra = self.orchestra
        handoff = self._hand_over(action, state, begun)
        brief = self._brief(action, state, begun, handoff.dump())
        task = Task(
            key=action.key,
            number=begun.number,
            agent=action.agent,
            role=ROLES[action.agent],
            feature=action.feature or "",
            prompt=prompt_for(brief),
            instructions=orchestra.instructions(action.agent),
            folder=begun.worktree.folder,
            out=out,
            session=new_id(orchestra.now(), orchestra.randomness(10)),
            timeout_s=float(handoff.command.timeout_s),
            again=begun.again,
        )
        keep_task(task)
        return task

    def _hand_over(self, action: RunAgent, state: State, begun: BegunTask) -> Handoff:
        """Make the handoff, let both ends look at it, and log it. Raises: Conflict."""
        worktree = begun.worktree
        changed = worktrees.changed_files(self.repository, worktree) if action.feature else ()
        passed = HandoffMaterial(
            files_changed=changed[:MOST_PATHS],
            tree="" if begun.again else tree_hash(worktree.folder),
            timeout_s=self._timeout(action.agent),
        )
        handoff = handoff_for(action, passed)
        facts = self._facts(state, worktree, changed)
        now = self.orchestra.now()
        if self.handoffs.has(action.key, "sent"):
            return handoff  # it was sent and looked at before the kill
        problems = validate_as_sender(handoff, facts)
        self._insist(handoff, problems, "sender")
        about: dict[str, Any] = {
            "runner": self.orchestra.runner.name,
            "attempt": action.attempt,
            "run": begun.number,
        }
        self.handoffs.note("sent", action.key, now, handoff, about)
        problems = validate_as_receiver(handoff, facts, action.agent)
        self._insist(handoff, problems, "receiver")
        self.handoffs.note("received", action.key, now, about=about)
        return handoff

    def _insist(self, handoff: Handoff, problems: tuple[HandoffProblem, ...], who: str) -> None:
        if not problems:
            return
        said = "; ".join(f"{each.field}: {each.message}" for each in problems)
        now = self.orchestra.now()
        self.handoffs.note("refused", handoff.key, now, handoff, {"by": who, "why": said})
        raise Conflict(
            f"The handoff to `{handoff.command.agent}` was refused by its {who}: {said}",
            hint="Look at the list of features and the worktree, then run the command again.",
        )

    def _facts(self, state: State, worktree: Worktree, changed: tuple[str, ...]) -> Facts:
        features = self._features(state)
        there = frozenset(each for each in changed if (worktree.folder / each).is_file())
        return Facts(
            tree=tree_hash(worktree.folder),
            files=there,
            states={each.id: each.status for each in features},
            tested=frozenset(each.id for each in features if each.tested),
            phase=state.phase,
        )

    def _timeout(self, agent: str) -> int | None:
        given = self.orchestra.timeouts.get(agent)
        return None if given is None else max(1, int(given))

    def _brief(
        self, action: RunAgent, state: State, begun: BegunTask, handoff: Mapping[str, Any]
    ) -> Brief:
        features = self._features(state)
        feature = next((each for each in features if each.id == action.feature), None)
        section = () if feature else tuple(
            each for each in features if each.extra.get("group", "") == (action.group or "")
        )  # fmt: skip
        about = feature_text(feature) if feature else state.goal
        return Brief(
            agent=action.agent,
            goal=state.goal,
            handoff=handoff,
            feature=feature,
            section=section if action.group is not None else (),
            lead=str(self.journal.known(f"lead:{state.run}:{action.group or ''}") or ""),
            before=self._before(action),
            missing=told(action.missing),
            last_attempt=self._last_attempt(action),
            precedents=self.orchestra.precedents(action.agent, action.feature or "", about),
            conflict=worktrees.conflicted_files(begun.worktree),
            again=begun.again,
        )

    def _before(self, action: RunAgent) -> str:
        """What the other agent of the feature gave back last."""
        other = {CODER: TESTER, TESTER: CODER}.get(action.agent)
        found = self.last_return(action.feature or "", other) if other else None
        return render(found) if found is not None else ""

    def _last_attempt(self, action: RunAgent) -> str:
        """The part of a prompt about the last attempt and what came of thinking about it."""
        if action.agent != CODER:
            return ""
        names = self.journal.names(f"reflect:{action.feature}:")
        return block([_REFLECTION.validate_python(self.journal.known(name)) for name in names])

    def last_return(self, feature: str, agent: str) -> Return | None:
        """What an agent gave back last about a feature."""
        for name in reversed(self.journal.names("answer:")):
            event = self.journal.answer(name.removeprefix("answer:"))
            if isinstance(event, AgentReturned):
                given = event.returned
                if given.agent == agent and given.feature == feature:
                    return given
        return None

    def _end(self, action: RunAgent, begun: BegunTask, done: RunResult) -> Event:
        """Keep what the agent made, and turn what it said into an event."""
        orchestra, worktree = self.orchestra, begun.worktree
        after = f"after:{action.key}"
        if self.journal.known(after) is None:
            found = self._state_of(worktree)
            try:
                self._commit(action, worktree)
            except Conflict as error:
                return AgentFailed(action.key, error.message)
            changed = self._changed(action, begun)
            self.journal.keep(after, {"state": found, "changed": list(changed)})
        kept = self.journal.known(after)
        if _oversteps(action.agent, kept["changed"]):
            worktrees.discard(worktree, begun.tip)
        returned = compact(
            action.agent, done.text, feature=action.feature or "", files=kept["changed"]
        )
        about = {
            "outcome": done.status,
            "run": begun.number,
            "seconds": done.seconds,
            "returned": render(returned),
            "why": done.problem,
        }
        good = done.status == "ended"
        note = "returned" if good else "failed"
        self.handoffs.note(note, action.key, orchestra.now(), about=about)
        if good:
            self._tell(note, returned.summary or f"{action.agent} returned", action)
            return AgentReturned(action.key, returned)
        self._tell(note, done.problem or f"{action.agent} failed", action)
        if done.status == "timeout":
            return AgentTimedOut(action.key, done.seconds)
        return AgentFailed(action.key, done.problem)

    def _commit(self, action: RunAgent, worktree: Worktree) -> None:
        about = action.feature or "plan"
        message = f"{about}: {action.agent}, attempt {action.attempt}"
        merging = action.agent == CODER
        worktrees.commit(worktree, message, key=action.key, author=action.agent, merging=merging)

    def _changed(self, action: RunAgent, begun: BegunTask) -> tuple[str, ...]:
        if action.agent == CODER:
            return worktrees.changed_files(self.repository, begun.worktree)
        return worktrees.changed_since(begun.worktree, begun.tip)

    def _state_of(self, worktree: Worktree) -> str:
        root = fingerprint_of_state(self.orchestra.root, sessions=False)
        return f"{root}:{fingerprint_of_state(worktree.folder)}"

    def _features(self, state: State) -> tuple[Feature, ...]:
        return features_from(state, read_features(self.orchestra.root) or ())

    # --- checks -----------------------------------------------------------------------------------

    def _verify(self, action: Verify, state: State) -> Event:
        key = self._agent_key(state)
        answered = self.journal.answer(key)
        returned = answered.returned if isinstance(answered, AgentReturned) else Return(agent="")
        after = self.journal.known(f"after:{key}") or {"state": "?", "changed": []}
        observed = Observation(
            returned=returned,
            changed=tuple(after["changed"]),
            state_before=str(self.journal.known(f"state:{key}")),
            state_after=str(after["state"]),
            **self._looked(action, key),
        )
        event = event_after(action.phase, action.key, observed)
        if isinstance(event, TestsPassed):
            self._take_evidence(action, event)
        if action.phase == "checking_lead":
            self.journal.keep(f"lead:{state.run}:{state.group or ''}", render(returned))
        about = self._about(event, observed)
        self.journal.keep(f"seen:{action.key}", about["issues"])
        self._tell("checked", type(event).__name__, action, data=about)
        return event

    def _agent_key(self, state: State) -> str:
        """The key of the agent whose work the checks are about: the action before."""
        phase = _AGENT_OF[state.phase]
        about = state.feature or state.group or "all"
        return f"{state.run}/{state.turn - 1:04d}/{phase}/{about}"

    def _looked(self, action: Verify, key: str) -> dict[str, Any]:
        if action.feature is None:
            return {}
        folder = worktrees.worktree_of(self.repository, action.feature).folder
        if action.phase == "verifying":
            return {"result": self.orchestra.checks(folder)}
        begun = self.journal.known(f"begun:{key}") or {}
        wanted = EvidenceQuery(
            feature=action.feature, tree=tree_hash(folder), since=str(begun.get("at", "~"))
        )
        return {"wanted": wanted, "records": read_evidence(folder, self.orchestra.data).records}

    def _take_evidence(self, action: Verify, event: TestsPassed) -> None:
        """Keep the evidence with the project, since the worktree goes."""
        folder = worktrees.worktree_of(self.repository, action.feature or "").folder
        name = Path(event.proof.path).name
        target = evidence_folder(self.orchestra.root) / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                shutil.copyfile(evidence_folder(folder) / name, target)
        except OSError as error:
            raise write_error(target, error) from error

    def _about(self, event: Event, observed: Observation) -> dict[str, Any]:
        missing = getattr(event, "missing", ())
        issues = observed.result.issues if observed.result is not None else ()
        return {"missing": list(missing), "issues": list(issues)}

    # --- the judge and the merge ------------------------------------------------------------------

    async def _judge(self, action: Judge, state: State) -> Event:
        worktree = worktrees.worktree_of(self.repository, action.feature)
        features = self._features(state)
        feature = next(each for each in features if each.id == action.feature)
        difference = await to_thread.run_sync(worktrees.difference, self.repository, worktree)
        change = Change(feature=action.feature, prompt=feature_text(feature), diff=difference)
        verdict = await judge(self.orchestra.models, self.orchestra.actor, change)
        said = {"outcome": verdict.outcome, "reasons": list(verdict.reasons)}
        self.journal.keep(f"verdict:{action.key}", {**said, "model": verdict.model})
        self._tell("judged", verdict.outcome, action, data=said)
        if verdict.outcome == "veto":
            return Vetoed(action.key, verdict.missing or ("agreement",))
        return NotVetoed(action.key)

    def _merge(self, action: Merge, state: State) -> Event:
        repository, proof = self.repository, action.proof
        worktree = worktrees.worktree_of(repository, action.feature)
        title = next((each.title for each in state.items if each.id == action.feature), "")
        if not worktrees.is_merged(repository, worktree):
            held = tree_hash(worktree.folder) == proof.tree and worktrees.is_clean(worktree)
            taken = worktrees.take_base(repository, worktree)
            if taken.status == "conflict":
                return MergeConflict(action.key, taken.files)
            if taken.status == "merged" or not held:
                return BaseMoved(action.key)
        self.orchestra.mark(f"merge {action.key}")
        message = f"{action.feature}: {title}".rstrip(": ")
        merged = worktrees.merge(repository, worktree, message, key=action.key)
        if merged.status == "conflict":
            return MergeConflict(action.key, merged.files)
        if merged.status == "moved":
            return BaseMoved(action.key)
        self._tell("merged", f"{action.feature} is in {repository.base}", action)
        return Merged(action.key, self._merged_tree(worktree, proof.tree))

    def _merged_tree(self, worktree: Worktree, proved: str) -> str:
        """The fingerprint of the project now; files that Git ignores make no difference."""
        found = tree_hash(self.orchestra.root)
        if found != proved and worktrees.same_files(self.repository, worktree):
            return proved
        return found

    # --- words ------------------------------------------------------------------------------------

    def _tell(
        self,
        kind: str,
        text: str,
        action: RunAgent | Verify | Judge | Merge,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        self.orchestra.tell(
            Notice(
                at=to_iso(self.orchestra.now()),
                kind=kind,
                text=text,
                feature=action.feature or "",
                agent=action.agent if isinstance(action, RunAgent) else "",
                key=action.key,
                data=dict(data or {}),
            )
        )


def _oversteps(agent: str, changed: Sequence[str]) -> bool:
    """Whether an agent changed what is not its to change: then none of it is kept."""
    if agent == TESTER:
        return not all(map(is_test, changed))
    return agent == LEADER and bool(changed)


def ground_of(run: str) -> str:
    """The name of the worktree in which a run is planned; features begin on what it holds."""
    return f"plan-{run}"
