"""A block of a coding agent becomes a guard that holds for Paige's own agents too.

Told as it happens: the hook of a coding CLI refuses the same thing in several sessions, learning
proposes a guard, the guard watches and proves itself, a person lets it block. Then an agent of
Paige tries the same. Every step is a real process; only the model is played, over loopback.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import anyio
import pytest

from paige.app.application import open_app
from paige.app.orchestra_runner import LoopRunner
from paige.base.settings import Settings
from paige.guard.state.features import SessionState
from paige.orchestra.running import worktrees
from paige.orchestra.running.runners import Task
from tests.conftest import NOON
from tests.fakes.served_model import KEY, ServedModel, served_model
from tests.fakes.wire_bodies import ANTHROPIC
from tests.guard.gate_project import Project
from tests.guard.session_state import write_session
from tests.live import run_paige
from tests.orchestra.repositories import new_repository

FORCED = (
    "git push --force origin feat-12",
    "git push --force origin feat-13",
    "git push --force origin feat-14",
)
ANOTHER = "cd src && git push --force origin feat-99"
LOOKED = tuple(f"git log --all --grep=ticket-{number}" for number in (12, 13, 14))
CORRECTION = "No, that's wrong. I said use the ticket list, not git log."
SEEN = 50  # so much has to be seen in shadow before a guard may block
AGENT = """---
model: sonnet
provider: anthropic
description: Ships what is ready.
tools: [bash]
maxTurns: 5
---
You push branches.
"""
COMMAND = "---\nagent: shipper\ndescription: Push a branch.\n---\nPush the branch that is named.\n"
PLUGIN = "---\nname: shipping\nversion: 1.0.0\ndescription: Pushes branches.\n---\n"


@dataclass(frozen=True, slots=True)
class Story:
    """A project that a coding CLI works in, and the model of Paige's own agents."""

    project: Project
    model: ServedModel

    def paige(self, *arguments: str, **extra: str) -> CompletedProcess[str]:
        """Run a command of a person in the project."""
        data = self.project.data
        given: dict[str, Any] = {"DATA_DIR": str(data), "HOME": str(data.parent / "home"), **extra}
        return run_paige(self.project.root, *arguments, **given)

    def told(self, *arguments: str) -> Any:
        """What a command of a person answers."""
        done = self.paige(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def does(self, *arguments: str) -> None:
        """Let a person make a step."""
        done = self.paige(*arguments)
        assert done.returncode == 0, done.stderr

    def coding_agent(self, command: str, session: str = "s9") -> str:
        """Let the coding CLI want a command; why that is refused, empty if it is not."""
        return replace(self.project, session=session).before("Bash", command=command).denied

    def own_agent(self, command: str) -> tuple[str, str]:
        """Let an agent of Paige want a command: what it is told, and the run."""
        self.model.answers(
            ANTHROPIC.tool_call("c1", "bash", {"command": command}),
            ANTHROPIC.answer("So be it."),
        )
        asked = ("plan", "ship", "feat-99", "--bash", "--yes", "--json")
        done = self.paige(*asked, **self.model.variables)
        assert done.returncode == 0, done.stderr
        [result] = self.model.requests[-1].body["messages"][-1]["content"]
        return str(result["content"]), json.loads(done.stdout)["trace"]

    def learned(self) -> str:
        """Refused three times in three sessions; the guard that Paige proposes."""
        for number, command in enumerate(FORCED):
            assert self.coding_agent(command, f"s{number}"), "no rule refuses it"
        done = self.told("guard", "learn", "--apply")
        assert len(done["applied"]["introduced"]) == 1, done
        [name] = done["applied"]["introduced"]
        return name

    def proven(self) -> str:
        """A guard that watched long enough."""
        name = self.learned()
        self.does("guard", "shadow", name, "--why", "Three forced pushes.")
        for _ in range(SEEN):
            assert not self.coding_agent("git status")
        for number, command in enumerate(FORCED):
            self.coding_agent(command, f"t{number}")
        return name

    def blocking(self) -> str:
        """A guard that a person let block."""
        name = self.proven()
        self.does("guard", "promote", name, "--why", "It was right each time.")
        return name

    def corrected(self) -> str:
        """A person corrects the same thing in three sessions; the guard, let block at once."""
        for number, command in enumerate(LOOKED):
            mine = replace(self.project, session=f"s{number}")
            assert not mine.before("Bash", command=command).denied
            mine.ran(command, "")
            mine.fire("UserPromptSubmit", prompt=CORRECTION)
        done = self.told("guard", "learn", "--apply")
        assert done["applied"]["introduced"], done
        [name] = done["applied"]["introduced"]
        self.does("guard", "shadow", name, "--why", "Corrected three times.", "--force")
        self.does("guard", "promote", name, "--why", "I said so three times.", "--force")
        return name

    def message(self, name: str) -> str:
        """What a guard says to who meets it."""
        return self.told("guard", "guards", name)["message"]

    def deciding_rules(self, run: str) -> list[str]:
        """The rules that decided in a run, as its trace shows them."""
        spans = self.told("trace", "show", run)["traces"][0]["spans"]
        noted = [each["attributes"] for each in spans if each["kind"] == "hook"]
        return [each["rule"] for each in noted if "rule" in each]


def new_story(folder: Path, model: ServedModel) -> Story:
    """A project with a plugin of its own, before anything happened in it."""
    root = new_repository(folder / "app")
    (folder / "home").mkdir()
    plugin = root / ".ai" / "plugins" / "shipping"
    for name, text in (
        ("PLUGIN.md", PLUGIN),
        ("agents/shipper.md", AGENT),
        ("commands/ship.md", COMMAND),
    ):
        (plugin / name).parent.mkdir(parents=True, exist_ok=True)
        (plugin / name).write_text(text, encoding="utf-8")
    return Story(Project(root, folder / "data"), model)


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    """A story that begins."""
    with served_model() as model:
        yield new_story(tmp_path, model)


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Story, str]]:
    """A story in which a guard went the whole way; it is told once, because that takes long."""
    with served_model() as model:
        told = new_story(tmp_path_factory.mktemp("held"), model)
        yield told, told.blocking()


# --- the whole way --------------------------------------------------------------------------------


def test_what_was_refused_three_times_is_refused_with_what_was_learned(
    held: tuple[Story, str],
) -> None:
    story, name = held
    said = story.coding_agent(ANOTHER)

    assert said == story.message(name)
    assert "refused 3 times before" in said
    assert not story.coding_agent("git status")


def test_our_own_agent_is_refused_by_the_same_guard_and_its_trace_names_it(
    held: tuple[Story, str],
) -> None:
    story, name = held

    told, run = story.own_agent(ANOTHER)

    assert told == f"Refused: {story.message(name)}"
    assert story.deciding_rules(run) == [f"guard:{name}"]
    assert f"guard:{name}" in story.paige("trace", "show", run).stdout


def test_an_agent_of_the_orchestra_is_refused_in_its_work_tree_too(
    held: tuple[Story, str],
) -> None:
    story, name = held
    story.model.answers(
        ANTHROPIC.tool_call("c1", "bash", {"command": ANOTHER}), ANTHROPIC.answer("So be it.")
    )

    in_orchestra(story)

    [result] = story.model.requests[-1].body["messages"][-1]["content"]
    assert story.message(name) in json.dumps(result["content"], ensure_ascii=False)


def test_both_refusals_are_in_the_graph_under_the_guard(held: tuple[Story, str]) -> None:
    story, name = held
    story.coding_agent(ANOTHER)
    story.own_agent(ANOTHER)
    find = ("guard", "traces", "find", "--rule", f"guard:{name}", "--level", "full")
    found = story.told(*find)["items"]

    assert {each["context"]["agent"] for each in found} >= {"main", "shipper"}


# --- where a link is cut --------------------------------------------------------------------------


def test_a_guard_that_only_watches_refuses_nobody_and_notes_our_agent(story: Story) -> None:
    name = story.learned()
    story.does("guard", "shadow", name, "--why", "Three forced pushes.")

    told, run = story.own_agent(ANOTHER)

    assert told.startswith("Refused: ")  # by the rule that came with Paige
    assert told != f"Refused: {story.message(name)}"
    assert story.deciding_rules(run) == ["git.push-force"]
    assert story.told("guard", "guards", name)["seen"]["hits"] == 1


def test_what_our_agent_did_and_nobody_minded_keeps_the_guard_to_the_coding_cli(
    story: Story,
) -> None:
    fine, _ = story.own_agent(LOOKED[0])
    name = story.corrected()

    told, _ = story.own_agent(LOOKED[0])

    assert not fine.startswith("Refused")
    assert not told.startswith("Refused")
    assert story.coding_agent(LOOKED[0]) == story.message(name)


def test_too_little_seen_and_an_agent_that_promotes_itself_change_nothing(story: Story) -> None:
    name = story.learned()
    story.does("guard", "shadow", name, "--why", "Three forced pushes.")
    promote = ("guard", "promote", name, "--why", "Now.")

    early = story.paige(*promote)
    by_agent = story.paige(*promote, "--force", CLAUDECODE="1")

    assert (early.returncode, by_agent.returncode) == (3, 3)
    assert story.told("guard", "guards", name)["standing"] == "shadow"


def test_a_persons_correction_becomes_a_guard_for_our_agent_until_it_is_taken_back(
    story: Story,
) -> None:
    name = story.corrected()

    told, run = story.own_agent(LOOKED[0])
    story.does("guard", "rollback", name, "--why", "We use it again.")
    after, _ = story.own_agent(LOOKED[0])

    assert told == f"Refused: {story.message(name)}"
    assert story.deciding_rules(run) == [f"guard:{name}"]
    assert not after.startswith("Refused")


def in_orchestra(story: Story) -> None:
    """Let an agent of the orchestra work on the feature F1 in a work tree of its own."""
    project = story.project
    made = worktrees.add(worktrees.find_repository(project.root), "F1")
    write_session(made.folder, SessionState("coding", "F1", 1), NOON)
    task = Task(
        key="r/0001/coding-agent/F1",
        number=1,
        agent="coding-agent",
        role="musician",
        feature="F1",
        prompt="Build F1.",
        instructions="You build one feature.",
        folder=made.folder,
        out=project.root / ".claude" / "progress" / "runs" / "1",
        session="5e551011-0000-4000-8000-000000000000",
        timeout_s=100.0,
    )
    settings = Settings(
        cwd=project.root,
        given_data_dir=project.data,
        anthropic_api_key=KEY,
        base_url=story.model.url,
        fallback="none",
        environ={"HOME": str(project.data.parent / "home")},
    )
    with open_app(settings, strict=False) as app:
        anyio.run(LoopRunner(app).run, task)
