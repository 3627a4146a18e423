"""The server acts for whoever asks: their own places, their own doors, their own windows."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import WebSocketTestSession

from paige.app import person_apps
from paige.app.application import App, open_app
from paige.app.openings import IDLE_SECONDS, Openings
from paige.app.person_apps import (
    PersonApps,
    checked_name,
    may_on_machine,
    need_machine,
    settings_for,
)
from paige.base.actor import Actor
from paige.base.errors import BadInput, Refused
from paige.base.settings import Settings
from paige.doors.plan.operations import open_plan
from tests.conftest import NOON
from tests.server.conftest import BASE
from tests.server.many_people import Someone, Town, open_town

ME = Actor()
ANNA = Actor("local", "anna", frozenset({"teacher"}))
DEV = Actor("local", "dev", frozenset({"developer"}))
EVE = Actor("elm", "eve", frozenset({"developer", "admin"}))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with accounts, and a project on this machine."""
    return Settings(
        cwd=tmp_path,
        environ={"HOME": str(tmp_path / "home")},
        given_data_dir=tmp_path / "data",
        project_dir=tmp_path,
        accounts="on",
    )


@pytest.fixture
def app(settings: Settings) -> Iterator[App]:
    """An application with accounts."""
    with open_app(settings, strict=False, now=lambda: NOON) as opened:
        yield opened


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """A server with accounts that people use."""
    with open_town(tmp_path_factory.mktemp("town")) as opened:
        yield opened


def test_the_person_of_an_installation_keeps_the_places_of_today(settings: Settings) -> None:
    assert settings_for(settings, ME) is settings
    assert settings_for(settings, replace(ME, roles=frozenset({"admin"}))) is settings


def test_everybody_else_has_a_folder_of_their_own(settings: Settings) -> None:
    own = settings_for(settings, ANNA)
    folder = settings.data_dir / "people" / "local" / "anna"
    assert own.data_dir == folder
    assert (own.workspace, own.teaching_dir) == (folder / "workspace", folder / "teaching")
    assert own.memory_path == settings.memory_path
    assert own.project_dir is None
    assert settings_for(settings, DEV).project_dir == settings.project_dir


def test_a_tenant_has_a_memory_of_its_own(settings: Settings) -> None:
    own = settings_for(settings, EVE)
    log = settings.data_dir / "tenants" / "elm" / "memory" / "events.jsonl"
    assert own.memory_path == log
    assert own.project_dir is None


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../x", "a\\b", "a" * 65, "é", "a\0", ".x"])
def test_a_name_is_never_a_path(settings: Settings, name: str) -> None:
    with pytest.raises(BadInput):
        settings_for(settings, Actor("local", name))
    with pytest.raises(BadInput):
        settings_for(settings, Actor(name, "anna"))


@given(st.text(max_size=70))
def test_whatever_is_a_name_stays_one_folder_below(name: str) -> None:
    try:
        checked_name(name)
    except BadInput:
        return
    root = Path("/data/people")
    assert (root / name).resolve().parent == root


def test_one_desk_a_person_and_the_own_app_for_its_owner(app: App) -> None:
    desks = PersonApps(app)
    assert desks.of(ME) is app
    assert desks.of(ANNA) is desks.of(ANNA)
    assert desks.of(ANNA).actor == ANNA
    assert desks.of(ANNA).memory is app.memory
    assert desks.of(EVE).memory is not app.memory
    assert desks.of(EVE).memory is desks.of(Actor("elm", "eli")).memory


def test_nobody_gets_no_desk_when_there_are_accounts(app: App) -> None:
    with pytest.raises(Refused):
        PersonApps(app).of(None)
    alone = replace(app, settings=replace(app.settings, accounts="off"))
    assert PersonApps(alone).of(None) is alone


def test_only_so_many_desks_are_kept(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person_apps, "MAX_APPS", 2)
    desks = PersonApps(app)
    first = desks.of(ANNA)
    desks.of(DEV)
    desks.of(EVE)
    assert desks.of(ANNA) is not first


def test_the_memory_of_a_tenant_is_closed_when_nobody_comes(app: App) -> None:
    now = [0.0]
    desks = PersonApps(app, monotonic=lambda: now[0])
    memory = desks.of(EVE).memory
    assert desks.idle_memories() == []
    now[0] = person_apps.IDLE_SECONDS + 1
    assert desks.idle_memories() == [memory]
    desks.of(EVE)
    assert desks.idle_memories() == []
    desks.close()


def test_the_machine_is_for_its_own_tenant_and_the_right(app: App) -> None:
    desks = PersonApps(app)
    need_machine(desks.of(DEV), "coach")
    with pytest.raises(Refused, match="may not work in the project"):
        need_machine(desks.of(ANNA), "coach")
    with pytest.raises(Refused, match="belongs to the machine"):
        need_machine(desks.of(EVE), "coach")
    alone = replace(app.settings, accounts="off")
    assert may_on_machine(alone, ANNA, "settings")


@pytest.mark.anyio
async def test_what_one_plans_with_closes_when_idle_unless_a_run_goes_on(app: App) -> None:
    now = [0.0]
    openings = Openings(monotonic=lambda: now[0])
    desks = PersonApps(replace(app, openings=openings))
    async with openings.running():
        anna, dev = desks.of(ANNA), desks.of(DEV)
        first = await openings.open(anna, "plan", open_plan)
        busy = await openings.open(dev, "plan", open_plan)
        busy.runs._works["r"] = object()  # type: ignore[assignment]  # as if one went on
        now[0] = IDLE_SECONDS + 1
        openings.close_idle()
        assert [each.actor for each in openings.apps] == [DEV]
        assert await openings.open(dev, "plan", open_plan) is busy
        assert await openings.open(anna, "plan", open_plan) is not first
        busy.runs._works.clear()


def test_files_of_people_lie_in_their_own_folders(town: Town) -> None:
    data = town.site.app.settings.data_dir
    for someone in town.people:
        actor = someone.actor
        folder = data / "people" / actor.tenant / actor.person
        lesson = folder / "workspace" / someone.ids["lesson"]
        assert someone.secret("lesson") in lesson.read_text()
    assert not list((data / "workspace").rglob("*.md"))
    assert (data / "tenants" / "elm" / "memory" / "events.jsonl").exists()


def test_what_belongs_to_the_machine_is_refused_with_a_hint(town: Town) -> None:
    paths = ("/api/coach", "/api/orchestra", "/api/guard/hosts", "/api/settings")
    for someone in town.people:
        local = someone.actor.tenant == "local"
        for path in paths:
            answer = town.client.get(path, headers=someone.headers)
            needed = "admin" if path == "/api/settings" else "developer"
            if local and needed in someone.actor.roles:
                assert answer.status_code in (200, 503), f"{path}: {answer.text}"
            else:
                assert answer.status_code == 403, f"{path}: {answer.text}"
                assert answer.json()["error"]["hint"]


def test_messages_about_the_project_reach_only_who_may_work_in_it(town: Town) -> None:
    anna, ben = town.people[0], town.people[1]
    address = "ws://127.0.0.1:3000/ws"
    size = {"width": 800, "height": 600}
    hello = {"version": "1", "platform": "test", "windowSize": size}
    for someone, may in ((anna, False), (ben, True)):
        with town.client.websocket_connect(address, headers=someone.headers) as socket:
            socket.send_json({"type": "connection:hello", "payload": hello})
            init = socket.receive_json()["payload"]
            assert (init["sessionId"] is not None) is may
            socket.send_json({"type": "fs:request_tree", "payload": {}, "id": "tree"})
            frame = socket.receive_json()
            while frame.get("id") != "tree":
                frame = socket.receive_json()
            assert (frame["type"] == "connection:error") is not may


def test_hooks_note_what_they_saw_in_the_folder_of_their_person(town: Town) -> None:
    ben = town.people[1]
    folder = town.site.app.settings.data_dir / "people" / "local" / "ben" / "spool"
    [spool] = folder.glob("claude-code-*.jsonl")
    assert ben.secret("hook") in spool.read_text()


def test_the_setup_tells_people_nothing_of_the_machine(town: Town) -> None:
    for someone in town.people:
        told = town.client.get("/api/setup", headers=someone.headers).json()
        assert (told["dataDir"], told["project"], told["checks"]) == ("", None, [])
        assert str(town.site.app.settings.data_dir) not in str(told)


# --- Their code -----------------------------------------------------------------------------------

STOP = "/api/study/session/run/stop"


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


def _say(wire: WebSocketTestSession) -> None:
    """Send the message, and one whose answer shows that it was heard."""
    wire.send_json({"type": "connection:hello", "payload": {}, "id": "h"})
    wire.send_json({"type": "practice:stop", "payload": {}, "id": "s"})
    wire.send_json({"type": "practice:open", "payload": {"kataId": "none"}, "id": "o"})
    while wire.receive_json().get("id") != "o":
        pass


def test_with_accounts_every_desk_runs_code_on_terms_of_its_own(town: Town) -> None:
    for someone in town.people:
        desk = town.site.desks.of(someone.actor)
        terms = desk.run_terms()
        assert terms.least == "bubblewrap"
        assert terms.owner == (someone.actor.tenant, someone.actor.person)
        assert terms.runs is town.site.app.runs
