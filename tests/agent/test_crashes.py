"""A run that is killed anywhere comes to the same end.

Each effect happens as often as its class allows.
Every segment runs in a process forked from this one, which is warm. The process is killed at a
boundary the test chooses: before or after any commit, or right after any effect. Effects are
counted in a file, outside of it all.
"""

import gc
import os
import signal
import traceback
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from paige.agent import queries
from paige.agent.hooks import Hook
from paige.agent.interactions import Choices, Option, Reply, automatic_reply, picked
from paige.agent.queries import read_session
from paige.agent.runs import NewRun, OpenGate, RunState, continue_run, read_run, reply_to, start_run
from paige.agent.segment import Runtime
from paige.agent.tools import ToolFailed
from paige.base.events import Modify
from paige.models.messages import Text, ToolUse
from paige.models.requests import Request
from paige.models.scripted import Scripted
from paige.store.engine import Database, open_sqlite
from paige.store.migrate import migrate
from tests.agent.crew import ME, agent_text, make_runtime, tool
from tests.depth import examples

AGENTS = {"helper": agent_text(hooks="[confirm, approve]"), "scout": agent_text()}
MOST_SEGMENTS = 60


class Step(BaseModel):
    """Which step of the script a call belongs to."""

    step: int


@dataclass
class Crash:
    """Where the process dies: at the `at`-th boundary it reaches."""

    at: int
    reached: int = 0

    def boundary(self) -> None:
        """Die here, if this is the place."""
        self.reached += 1
        if self.reached == self.at:
            os.kill(os.getpid(), signal.SIGKILL)


def script(request: Request) -> Any:
    """What the model says: a function of the conversation, so that any process can play it."""
    turn = sum(message.role == "assistant" for message in request.messages) + 1
    if request.system == "You are scout.":
        return use(f"s{turn}", "look", step=turn) if turn < 3 else "The scout saw two things."
    plan: dict[int, Any] = {
        1: use("c1", "look", step=1),
        2: (use("c2", "add", step=2), use("c3", "send", step=3), use("c4", "look", step=4)),
        3: use("c5", "write_file", path="lesson.md", content="# Loops"),
        4: use("c6", "spawn_subagent", agent="scout", task="Look around"),
        5: use("c7", "break", step=7),
        6: use("c8", "str_replace", path="lesson.md", old="Loops", new="Iteration"),
        7: (use("c9", "send", step=9), use("c10", "add", step=10)),
        8: use("c11", "update_tasks", changes=[{"title": "Mark it"}]),
        9: use("c12", "look", step=12),
    }
    return plan.get(turn, Text("All done."))


def use(identity: str, name: str, **arguments: Any) -> ToolUse:
    return ToolUse(identity, name, arguments)


def make(folder: Path, db: Database, crash: Crash) -> Runtime:
    """The runtime of one process."""

    def count(what: str) -> None:
        with (folder / "effects").open("a") as file:
            file.write(what + "\n")
        crash.boundary()

    def effect(kind: str) -> Any:
        async def run(scope: Any, params: Step) -> str:
            count(f"{kind} {scope.key.partition(':')[2]}")
            return f"{kind} {params.step}"

        return run

    def asked(request: Request) -> Any:
        count("model")
        return script(request)

    runtime = make_runtime(
        db,
        folder,
        provider=Scripted(asked),
        agents=AGENTS,
        randomness=os.urandom,  # a forked counter would give the same ids again
        tools=(
            tool("look", effect("pure"), params=Step),
            tool("add", effect("keyed"), effect="keyed", params=Step),
            tool("send", effect("once"), effect="once", params=Step),
            tool("break", broken, params=Step),
        ),
        hooks=HOOKS,
    )
    db.write = dying(db.write, crash)  # type: ignore[method-assign]
    db.write_durably = dying(db.write_durably, crash)  # type: ignore[method-assign]
    return runtime


def dying(write: Any, crash: Crash) -> Any:
    """A write that may be the last thing this process does, or the last it does not."""

    async def write_or_die(query: Any, *args: Any, **kwargs: Any) -> Any:
        crash.boundary()
        result = await write(query, *args, **kwargs)
        crash.boundary()
        return result

    return write_or_die


async def broken(scope: Any, params: Step) -> str:
    raise ToolFailed("It is broken.")


async def confirm(view: Any, event: Any) -> Any:
    return Choices("Go on?", (Option("yes", "Yes"), Option("more", "With more")))


async def confirmed(view: Any, event: Any, reply: Any) -> Any:
    return Modify(input={"prompt": f"{event.prompt} ({reply.option})"})


async def approve(view: Any, event: Any) -> Any:
    return Choices("Send it?", (Option("yes", "Yes"),)) if event.call == "c9" else None


async def approved(view: Any, event: Any, reply: Any) -> Any:
    return None


HOOKS = (
    Hook("confirm", ("pre_loop",), confirm, confirmed),
    Hook("approve", ("pre_tool",), approve, approved),
)


async def segment(folder: Path, crash: Crash, run: str | None) -> None:
    """Start the run, or answer its gates and go on."""
    with closing(open_sqlite(folder / "paige.db")) as db:
        runtime = make(folder, db, crash)
        if run is None:
            new = NewRun(agent="helper", prompt="Plan loops", purpose="test", door="plan")
            await start_run(runtime, ME, new)
            return
        state = await read_run(runtime, ME, run)
        for gate in state.gates:
            await reply_to(runtime, ME, gate, a_person_answers(folder, gate))
        await continue_run(runtime, ME, run)


def a_person_answers(folder: Path, gate: OpenGate) -> Reply:
    """Say yes, ask once more; and look whether something happened before saying so."""
    if gate.interaction.title != "Outcome unknown":
        return automatic_reply(gate.interaction)
    step = gate.row.gate.partition("/unknown")[0]
    return picked("happened" if f"once {step}" in effects(folder) else "again")


def in_a_fork(folder: Path, crash: Crash, run: str | None) -> bool:
    """Run one segment in a process of its own; false when it was killed."""
    child = os.fork()
    if child == 0:
        gc.disable()  # it would go through, and so copy, all that this process has
        code = 1
        try:
            anyio.run(segment, folder, crash, run)
            code = 0
        except BaseException:  # noqa: BLE001 - this process ends here, whatever happened
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return False
    assert os.waitstatus_to_exitcode(status) == 0, "the segment failed instead of dying"
    return True


def run_to_the_end(folder: Path, crashes: list[int]) -> RunState:
    """Run segments, each killed at the next of the given boundaries, until the run has ended."""
    folder.mkdir()
    (folder / "paige.db").write_bytes(migrated())
    places = iter(crashes)
    for _ in range(MOST_SEGMENTS):
        in_a_fork(folder, Crash(next(places, 0)), newest_run(folder))
        state = where(folder)
        if state is not None and state.run.state == "ended":
            return state
    raise AssertionError(f"the run did not end: {where(folder)}")


@cache
def migrated() -> bytes:
    """A database without any rows; migrating takes longer than a whole run."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "paige.db"
        with closing(open_sqlite(path)) as db:
            migrate(db)
        return path.read_bytes()


def newest_run(folder: Path) -> str | None:
    with closing(open_sqlite(folder / "paige.db")) as db, db.transaction(write=False) as connection:
        runs = queries.recent_runs(connection, ME, limit=1)
    return runs[0].id if runs else None


def where(folder: Path) -> RunState | None:
    run = newest_run(folder)
    if run is None:
        return None
    with closing(open_sqlite(folder / "paige.db")) as db:
        return anyio.run(read_run, make_runtime(db, folder), ME, run)


def said(folder: Path, state: RunState) -> list[Any]:
    with closing(open_sqlite(folder / "paige.db")) as db, db.transaction(write=False) as connection:
        return list(read_session(connection, ME, state.run.session_id).messages)


def effects(folder: Path) -> Counter[str]:
    return Counter((folder / "effects").read_text().splitlines())


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, RunState]:
    """The same run without a crash."""
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    return folder, run_to_the_end(folder, [])


def test_the_undisturbed_run_does_everything_once(undisturbed: tuple[Path, RunState]) -> None:
    folder, state = undisturbed

    assert (state.run.status, state.run.output) == ("success", "All done.")
    assert effects(folder) == Counter(
        {
            "model": 13,
            "pure t1/tool/c1": 1,
            "keyed t2/tool/c2": 1,
            "once t2/tool/c3": 1,
            "pure t2/tool/c4": 1,
            "pure sub/c6/t1/tool/s1": 1,
            "pure sub/c6/t2/tool/s2": 1,
            "once t7/tool/c9": 1,
            "keyed t7/tool/c10": 1,
            "pure t9/tool/c12": 1,
        }
    )
    assert (folder / "workspace" / "lesson.md").read_text() == "# Iteration"


FEW = settings(
    max_examples=examples(15),  # every one runs dozens of processes
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # shrinking would take minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
KILLS = st.lists(st.integers(1, 40), min_size=1, max_size=12)


@FEW
@given(crashes=KILLS)
def test_a_run_killed_anywhere_ends_the_same(
    undisturbed: tuple[Path, RunState],
    tmp_path_factory: pytest.TempPathFactory,
    crashes: list[int],
) -> None:
    assert_survives(undisturbed, tmp_path_factory.mktemp("killed") / "run", crashes)


@pytest.mark.soak
@settings(FEW, max_examples=examples(300))
@given(crashes=KILLS)
def test_a_run_killed_anywhere_ends_the_same_for_a_long_time(
    undisturbed: tuple[Path, RunState],
    tmp_path_factory: pytest.TempPathFactory,
    crashes: list[int],
) -> None:
    assert_survives(undisturbed, tmp_path_factory.mktemp("killed") / "run", crashes)


def assert_survives(undisturbed: tuple[Path, RunState], folder: Path, crashes: list[int]) -> None:
    """Kill a run at these boundaries; it must end like the undisturbed one."""
    state = run_to_the_end(folder, crashes)

    assert (state.run.status, state.run.output) == ("success", "All done.")
    assert (folder / "workspace" / "lesson.md").read_text() == "# Iteration"
    counted = effects(folder)
    assert set(counted) == set(effects(undisturbed[0]))
    assert all(times == 1 for what, times in counted.items() if what.startswith("once"))
    expected = [_without_unknown(message) for message in said(*undisturbed)]
    assert [_without_unknown(message) for message in said(folder, state)] == expected


def _without_unknown(message: Any) -> Any:
    """A message, but for the results of calls that a person had to vouch for."""
    once = {"c3", "c9"}
    return [block for block in message.blocks if getattr(block, "tool_use_id", "") not in once]


# Odd, so that kills before a commit, after it and after an effect take their turns.
STRIDE = 5


@pytest.mark.parametrize(
    "at",
    [pytest.param(at, marks=[pytest.mark.soak] * bool(at % STRIDE)) for at in range(1, 75)],
)
def test_a_single_kill_at_any_boundary_is_survived(
    undisturbed: tuple[Path, RunState], tmp_path: Path, at: int
) -> None:
    folder = tmp_path / "run"

    state = run_to_the_end(folder, [0, at])

    assert state.run.output == "All done."
    counted = effects(folder)
    extra = counted - effects(undisturbed[0])
    assert max(extra.values(), default=0) <= 1, "one kill repeats an effect at most once"
    assert all(not what.startswith("once") for what in extra)
