"""Stopping code over HTTP and the socket, where many people use one server."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from paige.base.settings import Settings
from tests.server.conftest import BASE, Open
from tests.server.many_people import Someone, Town, open_town
from tests.server.study_window import Learner
from tests.study import small_course

STOP = "/api/study/session/run/stop"


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """A server with accounts that people use."""
    with open_town(tmp_path_factory.mktemp("town")) as opened:
        yield opened


def whose(town: Town, tenant: str, person: str) -> Someone:
    return next(
        each for each in town.people if (each.actor.tenant, each.actor.person) == (tenant, person)
    )


def test_nobody_stops_the_code_of_somebody_else(town: Town) -> None:
    owner = whose(town, "local", "anna")
    with town.site.app.runs.running(("local", "anna")) as stop:
        for someone in town.people:
            if someone is not owner:
                answer = town.client.post(STOP, headers=someone.headers)
                assert (answer.status_code, answer.json()) == (200, {"stopped": 0})
        assert not stop.is_set()

        answer = town.client.post(STOP, headers=owner.headers)

        assert answer.json() == {"stopped": 1}
        assert stop.is_set()


def test_a_kata_is_stopped_over_the_socket_of_its_owner(town: Town) -> None:
    ben, cara = (whose(town, "local", name) for name in ("ben", "cara"))
    with (
        town.site.app.runs.running(("local", "ben")) as stop,
        town.client.websocket_connect(_ws(), headers=cara.headers) as hers,
        town.client.websocket_connect(_ws(), headers=ben.headers) as his,
    ):
        _say(hers)
        assert not stop.is_set()
        _say(his)
        assert stop.is_set()


def _ws() -> str:
    return BASE.replace("http:", "ws:") + "/ws"


def _say(wire) -> None:
    """Send the message, and one whose answer shows that it was heard."""
    wire.send_json({"type": "connection:hello", "payload": {}, "id": "h"})
    wire.send_json({"type": "practice:stop", "payload": {}, "id": "s"})
    wire.send_json({"type": "practice:open", "payload": {"kataId": "none"}, "id": "o"})
    while wire.receive_json().get("id") != "o":
        pass


def test_somebody_stops_their_run_from_the_page_and_no_attempt_is_used(
    open_site: Open, tmp_path: Path
) -> None:
    root = tmp_path / "teaching"
    small_course.write_five(root)
    client = open_site(given_teaching_dir=root, environ={"HOME": str(tmp_path)})
    learner = Learner(client, root, small_course.FIVE)
    learner.to_exercise("code", "doubling")
    path = learner.step["exercise"]["open"][0]
    (root / path).write_text("def double(n):\n    while True: pass\n")

    with ThreadPoolExecutor(1) as pool:
        for act in (
            lambda: client.post("/api/study/session/run", json=learner.who),
            lambda: learner.try_to(done=True),
        ):
            running = pool.submit(act)
            while client.post(STOP).json() == {"stopped": 0}:
                assert not running.done()
            answer = running.result(10)
            assert answer.status_code == 409
            assert "You stopped this run" in answer.json()["error"]["message"]

    assert learner.look()["exercise"]["attempts"] == 0


def test_with_accounts_every_desk_runs_code_on_terms_of_its_own(town: Town) -> None:
    for someone in town.people:
        desk = town.site.desks.of(someone.actor)
        terms = desk.run_terms()
        assert terms.least == "bubblewrap"
        assert terms.owner == (someone.actor.tenant, someone.actor.person)
        assert terms.runs is town.site.app.runs
    settings: Settings = town.site.app.settings
    assert settings.many
