"""Three ways to the same answer: the hook's process, the HTTP hook, and a call in this process."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from paige.app.application import open_app
from paige.base.settings import Settings
from paige.doors.site.factory import Site
from paige.guard.fast.place import Caller, place_of
from paige.guard.fast.snapshot_cache import SnapshotCache
from paige.guard.fast_path import decide_quickly
from paige.guard.slow_path import decide_slowly
from paige.hooks.fast import hear, respond
from tests.conftest import NOON
from tests.hooks.bodies import GATES, HOSTS, Sent, bodies
from tests.hooks.conftest import Home
from tests.hooks.process import denies, environment, fire

FIXTURES = Path(__file__).parent / "fixtures"
COUNT = 60


@pytest.fixture
def client(home: Home) -> Iterator[TestClient]:
    """A site over the same data folder."""
    settings = Settings(
        cwd=home.folder, given_data_dir=home.data, environ={"HOME": str(home.folder)}
    )
    with open_app(settings, strict=False, now=lambda: NOON) as app:
        site = Site(app).asgi
        with TestClient(site, base_url="http://127.0.0.1:3000") as opened:
            yield opened


def _sent(home: Home) -> list[Sent]:
    """Made-up bodies about tools, and the fixtures."""
    found = [
        each
        for each in bodies(5, COUNT * 2, str(home.project))
        if HOSTS[each.cli].EVENTS[each.event] in (*GATES, "post_tool", "notification")
        and not each.role
    ][:COUNT]
    for case in sorted(FIXTURES.glob("*/*/stdin.json")):
        cli, event = case.parts[-3], case.parts[-2].partition(".")[0]
        meant = HOSTS[cli].EVENTS.get(event)
        if meant in GATES:
            found.append(Sent(cli, event, case.read_bytes()))
    return found


def test_the_same_body_gets_the_same_answer_on_every_way(home: Home, client: TestClient) -> None:
    env = environment(home.folder)
    for sent in _sent(home):
        here = respond(sent.cli, sent.event, sent.raw, Caller(str(home.data))).answer
        process = fire(sent.raw, sent.cli, sent.event, env=env)
        served = client.post(f"/hooks/{sent.cli}", params={"event": sent.event}, content=sent.raw)

        assert (process.returncode, process.stdout.decode()) == (here.code, here.stdout), sent
        assert served.status_code == 200
        if here.code == 0:
            assert served.text == here.stdout, sent
        else:
            assert denies(served.text, 0), sent


def test_the_quick_way_decides_as_the_long_one_would(home: Home) -> None:
    kept = SnapshotCache()
    compared = 0
    for sent in bodies(7, 400, str(home.project)):
        try:
            heard = hear(sent.cli, sent.event, sent.raw)
        except (ValueError, RecursionError):
            continue
        place = place_of(heard.scene.cwd, str(home.data))
        quick = decide_quickly(heard, place, kept.read) if heard.event.gate else None
        if quick is not None:
            assert decide_slowly(heard, place) == quick, sent
            compared += 1

    assert compared > 200


def test_the_paths_of_a_body_are_judged_from_the_same_place(home: Home, client: TestClient) -> None:
    sent = {
        "hook_event_name": "PreToolUse",
        "cwd": str(home.project),
        "tool_name": "Write",
        "tool_input": {"file_path": "../.paige/guard/guard-0.bin", "content": "x"},
    }
    raw = json.dumps(sent).encode()

    served = client.post("/hooks/claude-code", content=raw).text

    assert denies(served, 0)
    assert served == fire(raw, "claude-code", env=environment(home.folder)).stdout.decode()
