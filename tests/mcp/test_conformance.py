"""The protocol's own conformance suite against the real server."""

import re
import sys
from pathlib import Path

import pytest
from mcp import Client

from tests.live import live_paige
from tests.mcp.at_work import MODES, Mode
from tests.mcp.clients import javascript, run_client

pytestmark = pytest.mark.clients
SUITE_SERVER = (sys.executable, "-m", "tests.mcp.suite_server")
ROOT = str(Path(__file__).parents[2])
SUMMARY = re.compile(r"^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed$", re.MULTILINE)
# A stream that the server closes in the middle of a call and that goes on when the client comes
# back: Paige keeps no streams. The suite itself does not ask for it yet.
NOT_OFFERED = "server-sse-polling"


def test_every_scenario_passes_but_the_one_that_is_not_offered(tmp_path: Path) -> None:
    expected = tmp_path / "expected.yml"
    expected.write_text(f"server:\n  - {NOT_OFFERED}\n")
    with live_paige(tmp_path, program=SUITE_SERVER, PYTHONPATH=ROOT) as paige:
        suite = javascript("@modelcontextprotocol", "conformance", "dist", "index.js")
        choice = ["--suite", "all", "--expected-failures", str(expected)]
        done = run_client([*suite, "server", "--url", f"{paige.url}/mcp", *choice], tmp_path)

    results = SUMMARY.findall(done.stdout)
    assert done.returncode == 0, done.stdout
    assert len(results) == 32
    assert {name for mark, name, *_ in results if mark == "✗"} == {NOT_OFFERED}
    assert sum(int(passed) for *_, passed, _ in results) == 44


@pytest.mark.anyio
@pytest.mark.parametrize("mode", MODES)
async def test_progress_reaches_clients_of_both_eras(tmp_path: Path, mode: Mode) -> None:
    heard: list[float] = []

    async def hear(done: float, total: float | None, message: str | None) -> None:
        heard.append(done)

    with live_paige(tmp_path, program=SUITE_SERVER, PYTHONPATH=ROOT) as paige:
        async with Client(f"{paige.url}/mcp", mode=mode) as client:
            await client.call_tool("test_tool_with_progress", {}, progress_callback=hear)

    assert heard == [0, 50, 100]


def test_an_ordinary_server_has_nothing_of_the_suite(tmp_path: Path) -> None:
    with live_paige(tmp_path) as paige:
        listed = run_client(
            [
                *javascript(
                    "@modelcontextprotocol", "inspector", "clients/launcher/build/index.js"
                ),
                *("--cli", f"{paige.url}/mcp", "--transport", "http", "--method", "tools/list"),
            ],
            tmp_path,
        )

    assert listed.returncode == 0
    assert "paige_setup" in listed.stdout
    assert "test_simple_text" not in listed.stdout
