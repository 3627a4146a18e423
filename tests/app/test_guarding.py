"""Paige's own agents pass the gates of coding agents: the same code, the same refusal."""

import json
from pathlib import Path

import pytest

from paige.agent.builtin_tools import bash_tool
from paige.agent.segment import Runtime
from paige.app.plugin_runs import ALWAYS
from paige.app.registries import GUARD, HOOKS, guard_hook
from paige.base.settings import Settings
from paige.guard.fast.place import Caller
from paige.hooks.fast import respond
from paige.models.scripted import Scripted, calls
from paige.store.engine import Database
from tests.agent.crew import agent_text, make_runtime, run

pytestmark = pytest.mark.anyio
SECRET = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow" + "A" * 60 + "\n-----END RSA PRIVATE KEY-----\n"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A person with a project and a data folder of their own."""
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (tmp_path / "workspace").mkdir()
    return Settings(
        cwd=project,
        given_data_dir=tmp_path / "data",
        given_workspace=tmp_path / "workspace",
        environ={"HOME": str(tmp_path)},
    )


def guarded(db: Database, settings: Settings, model: Scripted) -> Runtime:
    """A runtime whose agent has a shell and the gate before it."""
    return make_runtime(
        db,
        settings.workspace.parent,
        provider=model,
        agents={"helper": agent_text(tools="[bash, write_file]")},
        tools=(bash_tool(settings.cwd),),
        hooks=(guard_hook(settings),),
    )


def result(model: Scripted) -> tuple[str, bool]:
    [said] = model.requests[1].messages[-1].blocks
    return said.content, said.is_error  # type: ignore[union-attr]  # a result


async def test_a_command_that_is_refused_to_a_coding_agent_is_refused_to_ours(
    sqlite_db: Database, settings: Settings
) -> None:
    model = Scripted([calls("bash", command="git reset --hard"), "Done"])
    sent = {
        "hook_event_name": "PreToolUse",
        "cwd": str(settings.cwd),
        "tool_name": "Bash",
        "tool_input": {"command": "git reset --hard"},
    }

    await run(guarded(sqlite_db, settings, model), hooks=(GUARD,))
    theirs = respond(
        "claude-code", "PreToolUse", json.dumps(sent).encode(), Caller(str(settings.data_dir))
    )

    said, failed = result(model)
    assert failed
    assert said == f"Refused: {theirs.reason}"


async def test_a_harmless_command_runs_and_leaves_a_line(
    sqlite_db: Database, settings: Settings
) -> None:
    model = Scripted([calls("bash", command="pwd"), "Done"])

    await run(guarded(sqlite_db, settings, model), hooks=(GUARD,))

    assert result(model) == (f"{settings.cwd}\n", False)
    (spool,) = (settings.data_dir / "spool").glob("paige-*.jsonl")
    line = json.loads(spool.read_text())
    assert (line["tool"], line["decision"]) == ("bash", "allow")


@pytest.mark.parametrize("command", ["kill -9 1234", "frobnicate --all", "env"])
async def test_what_is_not_proven_harmless_the_person_of_the_run_is_asked(
    sqlite_db: Database, settings: Settings, command: str
) -> None:
    model = Scripted([calls("bash", command=command), "Done"])

    state = await run(guarded(sqlite_db, settings, model), hooks=(GUARD,))

    assert state.waiting
    assert len(model.requests) == 1


async def test_a_document_with_a_secret_is_not_written(
    sqlite_db: Database, settings: Settings
) -> None:
    model = Scripted([calls("write_file", path="notes.md", content=SECRET), "Done"])

    await run(guarded(sqlite_db, settings, model), hooks=(GUARD,))

    said, failed = result(model)
    assert failed
    assert "secret" in said
    assert not (settings.workspace / "notes.md").exists()


async def test_a_gate_that_fails_refuses(
    sqlite_db: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise RuntimeError("no rules today")

    monkeypatch.setattr("paige.app.registries.decide_quickly", failing)
    model = Scripted([calls("bash", command="pwd"), "Done"])

    await run(guarded(sqlite_db, settings, model), hooks=(GUARD,))

    said, failed = result(model)
    assert failed
    assert "no rules today" in said


def test_every_run_has_the_gate() -> None:
    assert GUARD in ALWAYS
    assert GUARD in HOOKS
