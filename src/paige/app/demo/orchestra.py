"""The orchestra of the term: features that agents built, closed by sealed runs of tests."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from paige.app.demo.term import Json, Term, TermEvent, content
from paige.app.memory_use import open_graph
from paige.app.orchestra_files import plan_by_rules, project_root
from paige.base.clock import to_iso
from paige.guard.graph.values import NewTrace
from paige.guard.state.evidence_files import (
    Evidence,
    machine_key,
    read_evidence,
    write_evidence,
)
from paige.guard.state.features import read_features, write_features
from paige.orchestra.handoffs import HandoffLog, HandoffMaterial, handoff_for
from paige.orchestra.running.journal import Journal
from paige.orchestra.running.project_files import features_from, read_state, write_state
from paige.orchestra.running.runners import RunResult, Task, keep_done, keep_task, run_folder
from paige.orchestra.values import (
    CODER,
    TESTER,
    AgentName,
    AgentReturned,
    Closed,
    Item,
    Open,
    Return,
    RunAgent,
)
from paige.orchestra.verification import EvidenceQuery, prove

TESTED = ("python", "-m", "pytest", "-q")


def orchestra_happenings(term: Term) -> list[TermEvent]:
    """The plan, and the work on its features."""
    told = content("orchestra")
    work = [
        term.happening("orchestra", each, partial(_work, term, number))
        for number, each in enumerate(told["work"], 1)
    ]
    return [term.happening("orchestra", told["plan"], partial(_plan, term, told["goal"])), *work]


async def _plan(term: Term, goal: str, _: Json) -> None:
    plan_by_rules(term.app.settings, goal, term.clock)


async def _work(term: Term, number: int, told: Json) -> None:
    """A coder builds, a judge looks, a tester runs the tests; then the state is written."""
    root = project_root(term.app.settings)
    key = machine_key(term.app.settings.data_dir)
    kept = read_state(root, key)
    state = kept.state
    assert state is not None, kept.problem
    feature = state.items[told["feature"] - 1].id
    state = replace(state, turn=state.turn + 1)
    _run(term, root, 2 * number - 1, CODER, feature, told)
    item: Item = Open(
        id=feature,
        title=state.items[told["feature"] - 1].title,
        begun=True,
        retries=int("veto" in told),
    )
    if "tests" in told:
        _run(term, root, 2 * number, TESTER, feature, told)
        item = _closed(term, root, feature, item, told)
    items = tuple(item if each.id == feature else each for each in state.items)
    state = replace(state, items=items, phase="session_start", feature=None)
    if isinstance(item, Open):
        state = replace(state, phase="coding", feature=feature)
    write_features(root, features_from(state, read_features(root) or ()))
    write_state(root, state, term.clock(), key)
    _trace(term, feature, told)


def _closed(term: Term, root: Path, feature: str, item: Item, told: Json) -> Closed:
    """The feature with the proof that its tests ran."""
    data = term.app.settings.data_dir
    at = to_iso(term.clock())
    evidence = Evidence(
        argv=TESTED,
        cwd=str(root),
        exit_code=0,
        tests=told["tests"],
        tree_hash=f"{told['tests']:040x}",
        at=at,
        tool_use_id=None,
        session=f"tester-{feature}",
        agent=TESTER,
        feature=feature,
    )
    write_evidence(root, data, evidence)
    wanted = EvidenceQuery(feature=feature, tree=evidence.tree_hash)
    proof = prove(read_evidence(root, data).records, wanted)
    assert proof is not None, "tests ran and passed"
    return Closed(id=feature, title=item.title, proof=proof)


def _run(term: Term, root: Path, number: int, agent: AgentName, feature: str, told: Json) -> None:
    """One agent's turn: handed over, worked, returned."""
    key = f"demo/{number}"
    order = RunAgent(key=key, agent=agent, feature=feature)
    log = HandoffLog(root)
    log.note(
        "sent", key, term.clock(), handoff_for(order, HandoffMaterial(files_changed=_files(told)))
    )
    log.note("received", key, term.clock())
    out = run_folder(root, number)
    out.mkdir(parents=True)
    task = Task(
        key=key,
        number=number,
        agent=agent,
        role="musician" if agent == CODER else "tester",
        feature=feature,
        prompt=f"Work on {feature}.",
        folder=root,
        out=out,
        session=f"{agent}-{number}",
    )
    keep_task(task)
    term.clock.wait(minutes=6)
    keep_done(out, RunResult(status="ended", text=told["said"], source="loop"))
    about = {"status": "ended", "run": number, "seconds": 360.0}
    log.note("returned", key, term.clock(), about=about)
    journal = Journal(root, machine_key(term.app.settings.data_dir))
    returned = Return(agent=agent, feature=feature, summary=told["said"])
    journal.answered(key, AgentReturned(key, returned))
    if agent == CODER:
        veto = told.get("veto", "")
        verdict = {"outcome": "veto" if veto else "pass", "reasons": [veto] if veto else []}
        journal.keep(f"verdict:{key}-j", {**verdict, "model": "rules"})


def _files(told: Json) -> tuple[str, ...]:
    return tuple(told["files"])


def _trace(term: Term, feature: str, told: Json) -> None:
    """What the orchestra tells the graph of an attempt."""
    attempt = NewTrace(
        type="decision",
        at=term.clock(),
        agent=CODER,
        feature=feature,
        session=f"orchestra-{feature}",
        action="attempt",
        what_happened=told["said"],
        files=_files(told),
        meta={"claimed": True, "verified": "tests" in told, "approach": told["files"][0]},
    )
    open_graph(term.app).store(attempt)
