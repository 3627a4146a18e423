"""A project whose agents were stopped, corrected and conducted: traces, guards, a board."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from paige.app import guards
from paige.app.application import App, open_app
from paige.app.memory_use import open_graph
from paige.base.clock import to_iso
from paige.base.settings import Settings
from paige.guard.graph.values import NewTrace
from paige.guard.state.evidence_files import machine_key
from paige.guard.state.features import write_features
from paige.orchestra.handoffs import HandoffLog, HandoffMaterial, handoff_for
from paige.orchestra.running.journal import Journal
from paige.orchestra.running.project_files import features_from, write_state
from paige.orchestra.running.runners import RunResult, Task, keep_done, keep_task, run_folder
from paige.orchestra.values import (
    CODER,
    TESTER,
    AgentName,
    AgentReturned,
    Blocked,
    Closed,
    Open,
    Proof,
    Return,
    RunAgent,
    State,
)

SKIPPED = "trace-0000000000000001"
MARKED = "trace-0000000000000002"
CORRECTED = "trace-0000000000000003"
CLAIMS = "tested-needs-evidence"
CLAIM = '{"features": [{"id": "BOOK-3", "tested": true}]}'
LIST = ".claude/progress/feature-list.json"
MESSAGE = "Let `tester-agent` run before a feature is called tested."
GOAL = "A small shop for second-hand books: search, basket, checkout and a mail to the seller"


@contextmanager
def opened(home: Path, now: datetime) -> Iterator[App]:
    """An application for a project in a home, as the server of that home opens it."""
    project = home / "my-project"
    (project / ".git").mkdir(parents=True, exist_ok=True)
    (project / ".claude" / "progress").mkdir(parents=True, exist_ok=True)
    settings = Settings(
        cwd=project,
        given_data_dir=home / ".paige",
        project_dir=project,
        environ={"HOME": str(home)},
    )
    with open_app(settings, strict=False, now=lambda: now) as app:
        yield app


# --- traces ---------------------------------------------------------------------------------------


def add_traces(app: App, now: datetime) -> None:
    """The story of one claim, and some weeks of smaller things around it."""
    story = [
        NewTrace(
            id=SKIPPED,
            type="decision",
            at=now - timedelta(minutes=50),
            agent=CODER,
            feature="BOOK-3",
            session="s-7",
            action="attempt",
            what_happened="Left the tests of the basket out to finish the feature sooner",
        ),
        _claim(now - timedelta(minutes=41), "s-7", id=MARKED, led_by=(SKIPPED,)),
        NewTrace(
            id=CORRECTED,
            type="correction",
            at=now - timedelta(minutes=40),
            agent=CODER,
            feature="BOOK-3",
            session="s-7",
            source="user_correction",
            confidence=0.8,
            action="mark-tested",
            target=LIST,
            what_happened="A person said: no, run the tests first",
            what_was_correct="Run `pytest tests/test_basket.py`, then hand over",
            why="Nobody has seen the basket work",
            corrects=(MARKED,),
        ),
        NewTrace(
            type="decision",
            at=now - timedelta(minutes=33),
            agent=TESTER,
            feature="BOOK-3",
            session="s-8",
            action="run:pytest",
            what_happened="Ran 14 tests of the basket; 2 of them failed",
            files=("tests/test_basket.py",),
            led_by=(CORRECTED,),
        ),
        NewTrace(
            type="approval",
            at=now - timedelta(minutes=12),
            agent=CODER,
            feature="BOOK-4",
            session="s-9",
            source="user_correction",
            action="run:git push",
            target="git push origin book-4",
            rule="git.push",
            what_happened="A person let a push to a branch of its own pass",
            why="It is nobody else's branch",
        ),
    ]
    open_graph(app).store_many([*_weeks(now), *story])


def add_neighbours(app: App, now: datetime, count: int) -> None:
    """Let one trace lead to many."""
    made = [
        NewTrace(
            type="decision",
            at=now - timedelta(minutes=30) + timedelta(seconds=number),
            agent=CODER,
            session=f"m-{number % 40}",
            action="edit",
            what_happened=f"Step {number} that followed from it",
            led_by=(SKIPPED,),
        )
        for number in range(count)
    ]
    open_graph(app).store_many(made)


def _claim(at: datetime, session: str, **more: Any) -> NewTrace:
    return NewTrace(
        type="violation",
        at=at,
        agent=CODER,
        feature="BOOK-3",
        session=session,
        cli="claude-code",
        event="pre_tool",
        tool="Write",
        source="enforcement_hook",
        action="mark-tested",
        reason="block-tested-true",
        rule="block-tested-true",
        target=LIST,
        shape=LIST,
        files=(LIST,),
        what_happened="Called a feature tested although no test had run",
        what_was_correct="Hand over to `tester-agent`; its evidence closes the feature",
        why="A feature without evidence may not work at all",
        meta={"input": {"file_path": LIST, "content": CLAIM}, "agent_type": CODER},
        **more,
    )


def _weeks(now: datetime) -> list[NewTrace]:
    claims = [
        _claim(now - timedelta(days=day, hours=2), f"s-{day}", id=f"trace-{day:016d}9")
        for day in (1, 2, 4, 6, 9)
    ]
    pushes = [
        NewTrace(
            type="violation",
            at=now - timedelta(days=day, hours=5),
            agent=CODER,
            feature="BOOK-1",
            session=f"s-{day}",
            source="enforcement_hook",
            event="pre_tool",
            tool="Bash",
            action="run:git push",
            reason="git.push-force",
            rule="git.push-force",
            target="git push --force origin main",
            shape="git push --force origin main",
            what_happened="Wanted to push by force to `main`",
            what_was_correct="`git push --force-with-lease` to a branch of its own",
            why="Commits of others would be lost",
            meta={"input": {"command": "git push --force origin main"}, "agent_type": CODER},
        )
        for day in (1, 3, 4, 12)
    ]
    attempts = [
        NewTrace(
            type="decision",
            at=now - timedelta(days=day, hours=1),
            agent=CODER,
            feature=f"BOOK-{day % 4 + 1}",
            session=f"s-{day}",
            action="attempt",
            what_happened=f"Attempt at BOOK-{day % 4 + 1} ended",
            meta={"claimed": True, "verified": day % 3 != 0, "approach": "src"},
        )
        for day in range(1, 13)
    ]
    corrections = [
        NewTrace(
            type="correction",
            at=now - timedelta(days=day, minutes=30),
            agent=CODER,
            session=f"s-{day}",
            source="user_correction",
            confidence=0.7,
            action="mark-tested",
            target=LIST,
            what_happened="A person said: that is not done yet",
        )
        for day in (8, 10, 12)
    ]
    return [*claims, *pushes, *attempts, *corrections]


# --- guards ---------------------------------------------------------------------------------------


def claim_guard(id: str = CLAIMS) -> dict[str, Any]:
    """A guard against calling a feature tested too soon."""
    write = {"tool": "Write", "agent": CODER, "input": {"file_path": LIST, "content": CLAIM}}
    return {
        "id": id,
        "event": "pre_tool",
        "matcher": {
            "tools": ["write"],
            "agents": [CODER],
            "paths": [LIST],
            "contains": ['"tested": true'],
            "unless": ["evidence"],
        },
        "message": MESSAGE,
        "must": [write],
        "must_not": [{"tool": "Read", "agent": CODER, "input": {"file_path": LIST}}],
        "pattern": "coding-agent-mark-tested",
        "evidence": [MARKED],
    }


def command_guard(id: str, message: str, *words: str) -> dict[str, Any]:
    """A guard against a command."""
    return {
        "id": id,
        "event": "pre_tool",
        "matcher": {"command": list(words)},
        "message": message,
        "must": [{"tool": "Bash", "input": {"command": " ".join(words)}}],
        "must_not": [{"tool": "Bash", "input": {"command": "git status"}}],
    }


def add_guards(app: App) -> None:
    """A guard in every stage."""
    why, by = "It happened five times in four sessions.", "anna"

    def make(guard: dict[str, Any]) -> str:
        return guards.create_from(app, guard=guard, why=why, by=by).id

    def watch(id: str) -> str:
        guards.shadow(app, id, why="It fits every case so far.", by=by)
        return id

    def block(id: str) -> str:
        guards.promote(app, id, why="A week in shadow, and right each time.", by=by, force=True)
        return id

    push = "Push a new commit instead: `git push --force` loses commits of others."
    make(command_guard("no-drop-database", "Ask before a database is dropped.", "dropdb", "shop"))
    watch(make(claim_guard()))
    block(watch(make(command_guard("no-force-push", push, "git", "push", "--force"))))
    gone = command_guard("no-history-rewrite", "Leave the history as it is.", "git", "filter-repo")
    block(watch(make(gone)))
    guards.roll_back(app, "no-history-rewrite", why="The move to another host needs it.", by=by)


def add_lines(home: Path, now: datetime) -> None:
    """Lines of hooks since the guards are there: some they met, most they did not."""
    claim = {"tool": "Write", "input": {"file_path": LIST, "content": CLAIM}}
    push = {"tool": "Bash", "input": {"command": "git push --force origin main"}}
    lines: list[dict[str, Any]] = []
    for number in range(60):
        at = now - timedelta(days=4) + timedelta(hours=number)
        said: dict[str, Any] = {"tool": "Bash", "input": {"command": "git status"}}
        if number % 12 == 5:
            said = {**claim, "decision": "deny", "rule": "block-tested-true", "shadow": [CLAIMS]}
        elif number % 20 == 3:
            said = {**push, "decision": "deny", "rule": "guard:no-force-push"}
        lines.append(_line(home, at, number, said))
    spool = home / ".paige" / "spool"
    spool.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{json.dumps(each)}\n" for each in lines)
    (spool / "claude-code-s-9.jsonl").write_text(text, encoding="utf-8")


def _line(home: Path, at: datetime, number: int, said: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"{number:024x}",
        "at": to_iso(at),
        "cli": "claude-code",
        "session": f"s-{number // 12}",
        "event": "pre_tool",
        "host_event": "PreToolUse",
        "cwd": str(home / "my-project"),
        "mode": "default",
        "agent": None,
        "agent_type": CODER,
        "decision": "none",
        "rule": "",
        **said,
    }


# --- orchestra ------------------------------------------------------------------------------------


def proof(feature: str, now: datetime) -> Proof:
    """Evidence that closes a feature."""
    return Proof(
        feature=feature, tree="t", tests=14, argv=("pytest", "-q"), at=now.isoformat(), seal="s"
    )


def add_orchestra(app: App, now: datetime) -> None:
    """Five features: one closed, one in hand, one with the tester, one waiting, one given up."""
    root = Path(guards.place_for(app).root)
    items = (
        Closed(id="BOOK-1", title="Search by author and title", proof=proof("BOOK-1", now)),
        Closed(id="BOOK-2", title="Page of one book", proof=proof("BOOK-2", now), retries=1),
        Open(id="BOOK-3", title="Basket that outlives a reload", retries=1, begun=True),
        Open(id="BOOK-4", title="Checkout with an address", begun=True, coded=True),
        Open(id="BOOK-5", title="Mail to the seller"),
        Open(id="BOOK-6", title="List of orders"),
        Blocked(id="BOOK-7", title="Pay by card", why=("tests", "evidence"), retries=2),
    )
    state = State(run="r1", goal=GOAL, phase="coding", turn=9, items=items, feature="BOOK-3")
    write_features(root, features_from(state))
    write_state(root, state, now, machine_key(app.settings.data_dir))
    log, journal = HandoffLog(root), Journal(root, machine_key(app.settings.data_dir))
    work: list[tuple[AgentName, str, int, bool, str]] = [
        (CODER, "BOOK-1", 58, True, "passed"),
        (TESTER, "BOOK-1", 50, True, ""),
        (CODER, "BOOK-3", 32, True, "veto"),
        (CODER, "BOOK-3", 4, False, ""),
    ]
    for number, (agent, feature, ago, ended, verdict) in enumerate(work, start=1):
        key = f"r1/{number}"
        at = now - timedelta(minutes=ago)
        action = RunAgent(key=key, agent=agent, feature=feature)
        handoff = handoff_for(action, HandoffMaterial(files_changed=("src/basket.py",), tree="t"))
        log.note("sent", key, at, handoff)
        log.note("received", key, at + timedelta(seconds=1))
        _run(root, number, key, agent, feature, ended=ended)
        if ended:
            about = {"status": "ended", "run": number, "seconds": 170.0}
            log.note("returned", key, at + timedelta(minutes=3), about=about)
            told = Return(agent=agent, feature=feature, summary="Everything is written.")
            journal.answered(key, AgentReturned(key, told))
        if verdict:
            outcome = "veto" if verdict == "veto" else "pass"
            journal.keep(f"verdict:{key}-j", {"outcome": outcome, "reasons": [], "model": "m"})
    refused = {"by": "receiver", "why": "artifacts: `src/card.py` is not there"}
    order = handoff_for(RunAgent(key="r1/9", agent=TESTER, feature="BOOK-7"), HandoffMaterial())
    log.note("refused", "r1/9", now - timedelta(minutes=70), order, refused)


def _run(root: Path, number: int, key: str, agent: str, feature: str, *, ended: bool) -> None:
    out = run_folder(root, number)
    out.mkdir(parents=True)
    task = Task(
        key=key,
        number=number,
        agent=agent,
        role="musician",
        feature=feature,
        prompt="Do it.",
        folder=root,
        out=out,
        session=f"s-{number}",
    )
    keep_task(task)
    if ended:
        keep_done(out, RunResult(status="ended", text="IMPLEMENTATION COMPLETE", source="loop"))
