"""Real coding agents with scripted models: each reads the desk and speaks to the person."""

from pathlib import Path

import anyio
import pytest

from tests.fakes.coding_models import DONE, Step
from tests.fakes.served_model import ServedModel, served_model
from tests.live import live_paige
from tests.mcp.at_work import at_work
from tests.mcp.clients import run_client
from tests.mcp.coding_clis import CLIS, CodingCli, Start

pytestmark = [pytest.mark.anyio, pytest.mark.clients]
FILE = "src/auth.py"
SCRIPT = (
    Step("paige_get_open_files"),
    Step("paige_show_message", {"message": "Look at line 3 first.", "type": "hint"}),
)


@pytest.mark.parametrize("cli", CLIS, ids=lambda cli: cli.name)
async def test_a_coding_agent_reads_the_desk_and_speaks_to_the_person(
    cli: CodingCli, tmp_path: Path
) -> None:
    project, home = tmp_path / "project", tmp_path / "home"
    project.mkdir()
    home.mkdir()
    with served_model() as model, live_paige(project) as paige:
        async with at_work(paige, project) as desk:
            desk.file(FILE, "x = 1\n")
            await desk.window.send("file:open", path=FILE)
            await desk.window.wait("fs:content")
            session = await desk.start()
            mark = desk.logged()

            await anyio.to_thread.run_sync(_run, cli, Start(home, f"{paige.url}/mcp", ""), model)

            said = await desk.window.wait("coaching:message")
            calls = desk.actions("mcp_tool_call", since=mark)

    assert said["message"] == "Look at line 3 first."
    files, message = cli.dialect.results(model.requests[-1])
    assert FILE in files
    assert "success" in message
    assert [call["data"]["toolName"] for call in calls] == [step.tool for step in SCRIPT]
    assert {call["session"] for call in calls} == {session}
    assert all((call["data"]["sessionId"] is not None) is cli.sessions for call in calls)
    assert [call["data"].get("toolUseId") for call in calls] == list(cli.tool_use_ids)


def _run(cli: CodingCli, start: Start, model: ServedModel) -> None:
    model.answers_with(lambda request: cli.dialect.reply(request, SCRIPT))
    command, variables = cli.prepare(Start(start.home, start.mcp, model.url))
    done = run_client(command, start.home, **variables)
    assert done.returncode == 0, done.stderr
    assert DONE in done.stdout
