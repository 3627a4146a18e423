"""A lesson run that is killed anywhere goes on: the same question is open, nothing happens twice.

Every segment runs in a process forked from this one. It is killed while it waits at a gate, or at a
boundary the test chooses: before or after any commit, any written file, any answer of the model.
"""

import gc
import json
import os
import shutil
import signal
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from paige.agent.interactions import (
    Choices,
    Interaction,
    PickedOption,
    Questions,
    Reply,
    Sections,
    picked,
)
from paige.agent.queries import journal_entries, recent_runs
from paige.agent.runs import RunState, continue_run, read_run, reply_to
from paige.memory.documents.documents import MemoryDocuments
from paige.models.requests import Request
from paige.models.scripted import Scripted
from paige.plan.services import SECTION, SectionWish
from paige.store.documents import DirectoryDocuments
from tests.depth import examples
from tests.plan.planning import Planning, lesson_text, planning
from tests.plan.test_hook_adjudication import SHORT, TWO

HOOKS = (
    "scope-check",
    "feedforward",
    "kept-files",
    "age-appropriate",
    "curriculum-evidence",
    "reflection-prompt",
    "confidence",
    "teacher-adjudication",
    "memory-capture",
)
# After a commit is before the next one. Every third in everyday runs, the others in the soak.
STEPS = [at if at % 6 == 2 else pytest.param(at, marks=pytest.mark.soak) for at in range(2, 29, 2)]
GATES = [
    "hook/pre_loop/feedforward/1",
    "hook/pre_loop/feedforward/2",
    "t1/hook/post_loop/reflection-prompt/1",
    "t1/hook/post_loop/confidence/1",
    "t1/hook/post_loop/teacher-adjudication/1",
    "t1/hook/post_loop/teacher-adjudication/2",
    "t1/hook/post_loop/teacher-adjudication/3",
    "t1/hook/post_loop/memory-capture/1",
]
MEMORY = {"MEMORY.md": "- Likes bullets\n", "classes/3B/MEMORY.md": "- Short starters\n"}
MOST_SEGMENTS = 60
PATH = "lessons/2026-03-02-3B-counting-loops.md"


@dataclass
class Crash:
    """Where the process dies: at the `at`-th boundary it reaches."""

    at: int = 0
    reached: int = 0

    def boundary(self) -> None:
        """Die here, if this is the place."""
        self.reached += 1
        if self.reached == self.at:
            os.kill(os.getpid(), signal.SIGKILL)


def script(folder: Path, crash: Crash, request: Request) -> str:
    """What the model says: a function of the question, so that any process can play it."""
    about = request.inputs.section if isinstance(request.inputs, SectionWish) else "lesson"
    with (folder / "asked").open("a") as file:
        file.write(f"{about}\n")
    crash.boundary()
    if request.purpose != SECTION:
        return lesson_text()
    return SHORT if about == "starter" else TWO.replace("## Starter (5", "## Exit check (5")


def a_person_answers(asked: Interaction) -> Reply:
    """Always the same answer to the same question, whoever asks it and when."""
    match asked:
        case Choices(title="Which class is it for?"):
            return picked("3B")
        case Choices(title="The model was asked and its answer lost"):
            return picked("again")
        case Choices(options=options) if options[0].id == "confirm":
            return picked("modify", "They know selection well.")
        case Choices(options=options) if options[-1].id == "skip":
            return picked("4")
        case Questions(questions=questions):
            return Reply(texts=tuple(f"Answer {n}" for n in range(len(questions))))
        case Sections(title="Judge the draft, section by section", sections=sections):
            wishes = {
                "starter": PickedOption("revise", "three minutes"),
                "exit-check": PickedOption("alternatives"),
            }
            return Reply(picked={s.id: wishes.get(s.id, PickedOption("accept")) for s in sections})
        case Sections(sections=sections, options=options):
            return Reply(picked={s.id: PickedOption(options[0].id) for s in sections})
        case _:
            return picked("1")


@contextmanager
def opened(folder: Path, crash: Crash):
    """The runs of a folder in this process, with boundaries around everything that lasts."""
    with planning(
        folder, Scripted(partial(script, folder, crash)), hooks=HOOKS, memory={},
        randomness=os.urandom,
    ) as plan:  # fmt: skip
        db = plan.app.database
        db.write = dying(db.write, crash)  # type: ignore[method-assign]
        db.write_durably = dying(db.write_durably, crash)  # type: ignore[method-assign]
        yield plan


def fresh(folder: Path) -> None:
    """A folder in which nothing has run yet, and something is remembered."""

    def remember() -> None:
        with planning(folder, [], hooks=HOOKS, memory=MEMORY):
            pass

    folder.mkdir()
    (folder / "asked").touch()
    assert in_a_fork(remember)


def dying(write: Any, crash: Crash) -> Any:
    async def write_or_die(query: Any, *args: Any, **kwargs: Any) -> Any:
        crash.boundary()
        result = await write(query, *args, **kwargs)
        crash.boundary()
        return result

    return write_or_die


def dying_method(method: Any, crash: Crash) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        crash.boundary()
        result = method(*args, **kwargs)
        crash.boundary()
        return result

    return call


async def segment(folder: Path, crash: Crash, *, answer: bool) -> None:
    """Start the run, or answer what is open and go on."""
    DirectoryDocuments.write = dying_method(DirectoryDocuments.write, crash)  # type: ignore[method-assign]
    MemoryDocuments.append = dying_method(MemoryDocuments.append, crash)  # type: ignore[method-assign]
    with opened(folder, crash) as plan:
        run = newest(plan)
        if run is None:
            await plan.start("loops for 9Z", class_id=None)
            return
        state = await read_run(plan.runtime, plan.app.actor, run)
        if answer:
            for gate in state.gates:
                reply = a_person_answers(gate.interaction)
                await reply_to(plan.runtime, plan.app.actor, gate, reply)
        await continue_run(plan.runtime, plan.app.actor, run)


def newest(plan: Planning) -> str | None:
    with plan.app.database.transaction(write=False) as connection:
        runs = recent_runs(connection, plan.app.actor, limit=1)
    return runs[0].id if runs else None


def in_a_fork(work: Callable[[], None]) -> bool:
    """Do something in a process of its own; false when it was killed."""
    child = os.fork()
    if child == 0:
        gc.disable()  # it would go through, and so copy, all that this process has
        code = 1
        try:
            work()
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


def run_to_the_end(folder: Path, crashes: list[int]) -> dict[str, Any]:
    """Run segments, each killed at the next of the given boundaries, until the run has ended."""
    if not folder.exists():
        fresh(folder)
    places = iter(crashes)
    for _ in range(MOST_SEGMENTS):
        crash = Crash(next(places, 0))
        in_a_fork(lambda crash=crash: anyio.run(partial(segment, folder, crash, answer=True)))
        seen = look(folder)
        if seen and seen["state"] == "ended":
            return seen
    raise AssertionError(f"the run did not end: {look(folder)}")


def look(folder: Path) -> dict[str, Any]:
    """Everything that lasts, as it is now."""
    with planning(folder, [], hooks=HOOKS, memory={}) as plan:
        run = newest(plan)
        if run is None:
            return {}
        state: RunState = anyio.run(read_run, plan.runtime, plan.app.actor, run)
        assert plan.runtime.memory is not None
        with plan.app.database.transaction(write=False) as connection:
            entries = journal_entries(connection, plan.app.actor, run)
        return {
            "state": state.run.state,
            "status": state.run.status,
            "output": state.run.output,
            "open": [(g.row.gate, g.row.revision, g.row.interaction) for g in state.gates],
            "gates": [
                (row.gate, row.reply) for row in plan.gates(state) if "/lost/" not in row.gate
            ],
            "saved": plan.saved(),
            "memory": {
                row.path: row.content for row in plan.runtime.memory.documents.files(plan.app.actor)
            },
            "spans": {
                name: {key: span.get(key) for key in ("response", "answers", "rating", "path")}
                for name, span in plan.spans(state).items()
            },
            "steps": [entry.step for entry in entries],
            "class": plan.session(state).class_id,
        }


def asked(folder: Path) -> Counter[str]:
    return Counter((folder / "asked").read_text().split())


def lasting(seen: dict[str, Any]) -> dict[str, Any]:
    """What must be the same however often a run was killed."""
    return {name: value for name, value in seen.items() if name not in ("steps", "open")}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The same run without a crash."""
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    return folder, run_to_the_end(folder, [])


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The run as it waits for the answer that saves the lesson, and for the one that remembers."""
    folder = tmp_path_factory.mktemp("before")
    run = folder / "run"
    fresh(run)
    kept: dict[str, Path] = {}
    for gate in GATES:
        in_a_fork(lambda: anyio.run(partial(segment, run, Crash(), answer=True)))
        kept[gate] = Path(shutil.copytree(run, folder / str(len(kept))))
    return kept


def test_the_undisturbed_run_passes_every_gate_and_does_everything_once(
    undisturbed: tuple[Path, dict[str, Any]],
) -> None:
    folder, seen = undisturbed

    assert sorted(gate for gate, _ in seen["gates"]) == sorted(GATES)
    assert (seen["status"], seen["class"]) == ("success", "3B")
    assert asked(folder) == Counter({"lesson": 1, "starter": 1, "exit-check": 1})
    assert list(seen["saved"]) == [PATH]
    assert seen["saved"][PATH] == seen["output"]
    assert "## Starter (3 min)" in seen["output"]
    assert "On paper, alone." in seen["output"]
    assert seen["memory"]["classes/3B/lessons.md"].count("Counting loops") == 1
    assert seen["memory"]["classes/3B/MEMORY.md"].count("3 minutes rather than 5") == 1
    assert seen["memory"]["classes/3B/MEMORY.md"].count("They know selection well.") == 1


@pytest.mark.parametrize("number", range(1, len(GATES) + 1))
def test_a_process_killed_while_it_waits_at_a_gate_leaves_the_same_question(
    tmp_path: Path,
    undisturbed: tuple[Path, dict[str, Any]],
    before: dict[str, Path],
    number: int,
) -> None:
    folder = tmp_path / "run"
    if number > 1:
        shutil.copytree(before[GATES[number - 2]], folder)
    else:
        fresh(folder)

    def wait_and_die() -> None:
        anyio.run(partial(segment, folder, Crash(), answer=True))
        os.kill(os.getpid(), signal.SIGKILL)

    assert not in_a_fork(wait_and_die)
    waiting, questions = look(folder), asked(folder)
    # Another process opens it, twice, and answers nothing.
    for _ in range(2):
        assert in_a_fork(lambda: anyio.run(partial(segment, folder, Crash(), answer=False)))
    after = look(folder)

    assert [gate for gate, _, _ in waiting["open"]] == [GATES[number - 1]]
    assert after["open"] == waiting["open"]
    assert asked(folder) == questions, "the model was not asked again"
    assert lasting(after) == lasting(waiting)
    assert set(after["steps"]) == set(waiting["steps"]), "nothing was done again"
    for _ in range(number, len(GATES) + 1):
        in_a_fork(lambda: anyio.run(partial(segment, folder, Crash(), answer=True)))
    assert lasting(look(folder)) == lasting(undisturbed[1])
    assert asked(folder) == asked(undisturbed[0])


FEW = settings(
    max_examples=examples(4),  # every one runs a dozen processes
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # shrinking would take minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
KILLS = st.lists(st.integers(1, 30), min_size=1, max_size=10)


@FEW
@given(crashes=KILLS)
def test_a_lesson_run_killed_anywhere_ends_the_same(
    undisturbed: tuple[Path, dict[str, Any]],
    tmp_path_factory: pytest.TempPathFactory,
    crashes: list[int],
) -> None:
    assert_survives(undisturbed, tmp_path_factory.mktemp("killed") / "run", crashes)


@pytest.mark.soak
@settings(FEW, max_examples=examples(120))
@given(crashes=KILLS)
def test_a_lesson_run_killed_anywhere_ends_the_same_for_a_long_time(
    undisturbed: tuple[Path, dict[str, Any]],
    tmp_path_factory: pytest.TempPathFactory,
    crashes: list[int],
) -> None:
    assert_survives(undisturbed, tmp_path_factory.mktemp("killed") / "run", crashes)


@pytest.mark.parametrize("at", STEPS)
@pytest.mark.parametrize("gate", [GATES[-2], GATES[-1]], ids=["saving", "remembering"])
def test_a_kill_at_any_boundary_saves_once_and_remembers_once(
    undisturbed: tuple[Path, dict[str, Any]],
    before: dict[str, Path],
    tmp_path: Path,
    gate: str,
    at: int,
) -> None:
    folder = Path(shutil.copytree(before[gate], tmp_path / "run"))

    assert_survives(undisturbed, folder, [at])


def assert_survives(
    undisturbed: tuple[Path, dict[str, Any]], folder: Path, crashes: list[int]
) -> None:
    """Kill a run at these boundaries; it must end like the undisturbed one."""
    seen = run_to_the_end(folder, crashes)

    expected = lasting(undisturbed[1])
    got = lasting(seen)
    assert json.dumps(got["saved"]) == json.dumps(expected["saved"])
    assert got["memory"] == expected["memory"]
    assert got == expected
    # A question whose answer was lost may be asked again; each kill costs one at most.
    extra = asked(folder) - asked(undisturbed[0])
    assert sum(extra.values()) <= len([at for at in crashes if at])
