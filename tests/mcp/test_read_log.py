"""The tool that reads long logs: pieces under a budget, and nothing outside the project."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client

from paige.base.errors import BadInput, NotFound, Refused
from paige.base.tokens import count_tokens_bound
from paige.guard.state import logs
from tests.live import Live, live_paige

Mode = Literal["legacy", "auto"]
LINES = 5_000


def write_log(path: Path) -> None:
    """A log whose every hundredth line is an error."""
    lines = [
        f"2026-11-15T10:{n % 60:02d}:00Z {'INFO served' if n % 100 else 'ERROR cannot open'} {n}"
        for n in range(1, LINES + 1)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a long log and some traps."""
    folder = tmp_path_factory.mktemp("logs") / "app"
    write_log(folder / "logs" / "server.log")
    (folder / ".env").write_text("TOKEN=abc\n", encoding="utf-8")
    (folder.parent / "elsewhere.log").write_text("not yours\n", encoding="utf-8")
    (folder / "sly.log").symlink_to(folder.parent / "elsewhere.log")
    return folder


@pytest.fixture(scope="module")
def paige(project: Path) -> Iterator[Live]:
    """A running server for the project."""
    with live_paige(project.parent, PROJECT_DIR=str(project)) as live:
        yield live


async def call(paige: Live, era: Mode = "auto", **arguments: object) -> Any:
    async with Client(f"{paige.url}/mcp", mode=era) as client:
        return await client.call_tool("read_log", arguments)


@pytest.mark.anyio
@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_a_client_of_each_era_reads_the_end_of_a_log(paige: Live, era: Mode) -> None:
    result = await call(paige, era, path="logs/server.log", mode="tail", lines=3)

    assert result.is_error is False
    value = json.loads(result.content[0].text)
    assert value == result.structured_content
    assert [each["number"] for each in value["lines"]] == [4998, 4999, 5000]
    assert (value["total"], value["levels"]) == (LINES, {})


@pytest.mark.anyio
async def test_without_a_mode_a_log_is_summed_up(paige: Live) -> None:
    value = (await call(paige, path="logs/server.log")).structured_content

    assert value["levels"] == {"info": 4950, "error": 50}
    assert value["found"] == 50
    assert [each["count"] for each in value["common"]] == [4950, 50]
    assert value["lines"][-1]["text"].endswith("ERROR cannot open 5000")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"path": "../elsewhere.log"}, "`../elsewhere.log` lies outside the project"),
        ({"path": "sly.log"}, "`sly.log` lies outside the project"),
        ({"path": "/etc/passwd"}, "`/etc/passwd` lies outside the project"),
        ({"path": ".env"}, "`.env` holds keys or passwords"),
        ({"path": "no.log"}, "There is no log `no.log`"),
        ({"path": "logs"}, "`logs` is no file"),
        ({"path": "logs/server.log", "mode": "grep"}, "There is nothing to look for"),
        ({"path": "logs/server.log", "mode": "whole"}, "`read_log` cannot use `mode`"),
        ({"path": "logs/server.log", "budgetTokens": 10**9}, "`read_log` cannot use"),
        ({}, "`read_log` cannot use `path`"),
    ],
)
async def test_what_may_not_be_read_is_said_in_a_sentence(
    paige: Live, arguments: dict[str, Any], sentence: str
) -> None:
    result = await call(paige, **arguments)

    assert result.is_error is True
    assert result.content[0].text.startswith(sentence)


@pytest.mark.parametrize("budget", [50, 500, 5_000])
@pytest.mark.parametrize("mode", ["tail", "grep", "summary"])
def test_no_part_is_larger_than_its_budget(project: Path, mode: str, budget: int) -> None:
    path = project / "logs" / "server.log"
    parts = {
        "tail": lambda: logs.tail(path, 5_000, budget),
        "grep": lambda: logs.grep(path, "error|served", 5_000, budget),
        "summary": lambda: logs.summary(path, 5_000, budget),
    }
    part = parts[mode]()

    shown = [*part.lines, *(each.first for each in part.common)]
    text = "".join(f"{line.number}: {line.text}\n" for line in shown)
    assert shown
    assert count_tokens_bound(text) <= budget


def test_grep_finds_texts_whatever_their_case_and_counts_what_it_does_not_show(
    project: Path,
) -> None:
    part = logs.grep(project / "logs" / "server.log", "Error | no such", 2, 5_000)

    assert part.found == 50
    assert [line.number for line in part.lines] == [4900, 5000]


def test_secrets_are_taken_out(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    key = "ghp_" + "a1B2" * 9
    log.write_text(f"error: token {key} refused\n", encoding="utf-8")

    shown = [logs.tail(log, 9, 900), logs.grep(log, "token", 9, 900), logs.summary(log, 9, 900)]

    assert all(key not in line.text for part in shown for line in part.lines)
    assert all(part.lines for part in shown)


def test_odd_bytes_and_endless_lines_are_read_all_the_same(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_bytes(b"\xff\xfe\x00\n" + b"x" * 1_000_000 + b"\r\nlast")

    part = logs.tail(log, 10, 10_000)

    assert [line.number for line in part.lines] == [1, 2, 3]
    assert len(part.lines[1].text) == logs.MOST_SIGNS
    assert part.lines[2].text == "last"


def test_paiges_own_logs_are_found_without_a_project(tmp_path: Path) -> None:
    spool = tmp_path / "spool"
    spool.mkdir()
    (spool / "claude-code-s.jsonl").write_text("{}\n", encoding="utf-8")

    assert logs.find_log("claude-code-s.jsonl", None, [spool]).name == "claude-code-s.jsonl"
    with pytest.raises(Refused):
        logs.find_log(str(tmp_path / "secret.key"), None, [spool])
    with pytest.raises(NotFound):
        logs.find_log("a.log", None, [])
    with pytest.raises(BadInput):
        logs.find_log("a\0b", None, [spool])
