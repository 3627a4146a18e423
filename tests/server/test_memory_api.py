"""The memory over HTTP: finding, remembering, changing, forgetting, documents, policies."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from paige.app.application import App, open_app
from paige.base.settings import Settings
from paige.doors.site.factory import Site
from paige.memory.event import Draft
from paige.memory.intake.admission import Writer
from tests.conftest import NOON

BASE = "http://127.0.0.1:3000"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """An application with a home of its own."""
    settings = Settings(
        cwd=tmp_path, given_data_dir=tmp_path / "data", environ={"HOME": str(tmp_path)}
    )
    with open_app(settings, strict=False, now=lambda: NOON) as opened:
        yield opened


@pytest.fixture
def client(app: App) -> Iterator[TestClient]:
    """A site over that application."""
    with TestClient(Site(app).asgi, base_url=BASE, raise_server_exceptions=False) as opened:
        yield opened


def add(client: TestClient, text: str, **more: object) -> str:
    answer = client.post("/api/memory", json={"text": text, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()["id"]


def error_of(answer: Any) -> str:
    return answer.json()["error"]["message"]


def test_what_is_remembered_is_found_by_the_next_search_with_everything_known_about_it(
    client: TestClient,
) -> None:
    id = add(
        client,
        "The release is on Friday",
        scope="project",
        project="alpha",
        session="s1",
        speaker="Anna",
        at="2026-03-01",
        importance=0.8,
        meta={"n": [1, None]},
    )
    add(client, "Bananas are yellow")

    found = client.get("/api/memory/search", params={"query": "when is the release", "k": 5}).json()

    best = found["results"][0]
    assert best["id"] == id
    assert {name: best[name] for name in ("scope", "type", "owner", "project", "session")} == {
        "scope": "project",
        "type": "note",
        "owner": "me",
        "project": "alpha",
        "session": "s1",
    }
    assert (best["speaker"], best["importance"], best["meta"]) == ("Anna", 0.8, {"n": [1, None]})
    assert best["at"] == "2026-03-01T00:00:00Z"
    assert best["supersededBy"] is None
    assert best["why"]["lexical"] > 0
    assert best["tokens"] > 0
    assert found["tookMs"] > 0
    assert found["vectors"] is True


def test_a_body_asks_the_same_as_a_query(client: TestClient) -> None:
    add(client, "Tabs, not spaces", scope="project", project="alpha")
    add(client, "Spaces, not tabs", scope="project", project="beta")
    asked = {"query": "tabs or spaces", "project": "beta", "budgetTokens": 100}

    by_query = client.get("/api/memory/search", params=asked).json()
    by_body = client.post("/api/memory/search", json=asked).json()

    assert [each["text"] for each in by_body["results"]] == ["Spaces, not tabs"]
    assert by_query["results"] == by_body["results"]


@pytest.mark.parametrize(
    ("params", "named"),
    [
        ({}, "query"),
        ({"query": "x", "k": 0}, "k"),
        ({"query": "x", "scope": "everywhere"}, "scope"),
        ({"query": "x", "budgetTokens": -1}, "budgetTokens"),
        ({"query": "x", "colour": "red"}, "colour"),
    ],
)
def test_a_question_that_cannot_be_used_is_answered_with_a_sentence(
    client: TestClient, params: dict[str, str], named: str
) -> None:
    by_query = client.get("/api/memory/search", params=params)
    by_body = client.post("/api/memory/search", json=params)

    for answer in (by_query, by_body):
        assert answer.status_code == 400
        assert f"{named}` cannot be used" in error_of(answer)


def test_what_a_rule_refuses_is_403_with_the_reason(client: TestClient) -> None:
    answer = client.post(
        "/api/memory", json={"text": "Marek Kowalski has dyslexia", "scope": "class"}
    )

    assert answer.status_code == 403
    assert "Marek" in error_of(answer)
    assert client.get("/api/memory/recent").json() == {"memories": [], "total": 0}


def test_the_same_fact_again_is_a_duplicate_and_another_value_replaces_it(
    client: TestClient,
) -> None:
    first = add(client, "The build uses make", key="build", scope="global")
    again = client.post(
        "/api/memory", json={"text": "The build uses make", "key": "build", "scope": "global"}
    ).json()
    second = add(client, "The build uses just", key="build", scope="global")

    assert (again["id"], again["status"]) == (first, "duplicate")
    shown = client.get(f"/api/memory/events/{second}").json()
    assert shown["type"] == "fact"
    assert [each["id"] for each in shown["earlier"]] == [first]


def test_a_moment_that_is_none_is_a_sentence(client: TestClient) -> None:
    answer = client.post("/api/memory", json={"text": "x", "at": "yesterday"})

    assert answer.status_code == 400
    assert error_of(answer) == "`at` is `yesterday`, which is not a moment"


def test_an_import_takes_what_it_can_and_says_which_lines_it_cannot(client: TestClient) -> None:
    lines = [
        json.dumps({"text": "One", "session": "s", "meta": 7}),
        "",
        "not json",
        json.dumps({"text": "Two", "scope": "nowhere"}),
        json.dumps({"text": "Marek Kowalski has dyslexia", "scope": "class"}),
        json.dumps({"text": "Three"}),
    ]

    answer = client.post("/api/memory/import", content="\n".join(lines)).json()

    assert answer["added"] == 2
    assert [each["line"] for each in answer["problems"]] == [3, 4, 5]
    assert "`scope` is `nowhere`" in answer["problems"][1]["message"]
    texts = [each["text"] for each in client.get("/api/memory/recent").json()["memories"]]
    assert texts == ["Three", "One"]


def test_the_newest_come_first_and_may_be_narrowed(client: TestClient) -> None:
    for day in (3, 1, 2):
        add(client, f"Day {day}", at=f"2026-03-0{day}", scope="project", project="alpha")
    add(client, "Elsewhere", at="2026-04-01", scope="global")

    alpha = client.get("/api/memory/recent", params={"project": "alpha", "limit": 2}).json()
    everything = client.get("/api/memory/recent").json()

    assert [each["text"] for each in alpha["memories"]] == ["Day 3", "Day 2"]
    assert alpha["total"] == 3
    assert everything["memories"][0]["text"] == "Elsewhere"
    assert client.get("/api/memory/recent", params={"scope": "global"}).json()["total"] == 1


def test_the_overview_counts_what_may_be_seen(app: App, client: TestClient) -> None:
    add(client, "For all", scope="global")
    old = add(client, "For alpha", scope="project", project="alpha")
    client.patch(f"/api/memory/events/{old}", json={"text": "For alpha, better"})
    others = Draft(text="Nobody else's business", scope="teacher", owner="anna")
    app.memory.open().remember([others], Writer(trusted=True))

    overview = client.get("/api/memory").json()

    assert overview["totals"] == {
        "memories": 2,
        "superseded": 1,
        "scopes": {"global": 1, "project": 1},
        "types": {"note": 2},
        "tiers": {"hot": 2},
        "projects": {"alpha": 1},
    }
    (log,) = overview["logs"]
    assert log == {"path": str(app.settings.memory_path), "lastSeq": 4, "indexed": 4}
    assert [each["phase"] for each in overview["cycle"]] == [
        "record",
        "organise",
        "recall",
        "improve",
    ]
    assert overview["cycle"][0]["events"] == 4
    assert overview["outcomes"]["withMemory"]["tasks"] == 0
    assert (overview["embedder"], overview["backends"]) == ("static-256", ["embedded"])


def test_one_memory_is_shown_with_its_chain_its_versions_and_its_uses(
    app: App, client: TestClient
) -> None:
    first = add(client, "Lunch is at noon", scope="global")
    edited = client.patch(f"/api/memory/events/{first}", json={"text": "Lunch is at one"}).json()
    memory = app.memory.open()
    asked = client.get("/api/memory/search", params={"query": "lunch"}).json()["results"]
    assert [each["id"] for each in asked] == [edited["id"]]
    draft = Draft(
        type="recalled", scope="global", payload={"ids": [edited["id"]], "query": "When is lunch?"}
    )
    memory.remember([draft], Writer())

    shown = client.get(f"/api/memory/events/{edited['id']}").json()
    before = client.get(f"/api/memory/events/{first}").json()

    assert shown["text"] == "Lunch is at one"
    assert shown["line"]["seq"] == 2
    assert shown["line"]["prev"] == before["line"]["hash"]
    assert [(each["id"], each["text"]) for each in shown["earlier"]] == [
        (first, "Lunch is at noon")
    ]
    assert [each["query"] for each in shown["recalls"]] == ["When is lunch?"]
    assert shown["mine"] is True
    assert (before["supersededBy"], before["later"][0]["id"]) == (edited["id"], edited["id"])


def test_a_search_through_the_history_says_what_replaced_what(client: TestClient) -> None:
    first = add(client, "Lunch is at noon")
    second = client.patch(f"/api/memory/events/{first}", json={"text": "Lunch is at one"}).json()

    found = client.get("/api/memory/search", params={"query": "lunch", "history": True}).json()

    assert {each["id"]: each["supersededBy"] for each in found["results"]} == {
        first: second["id"],
        second["id"]: None,
    }


def test_what_belongs_to_someone_else_is_neither_shown_nor_changed_nor_forgotten(
    app: App, client: TestClient
) -> None:
    memory = app.memory.open()
    anna = Writer(person="anna")
    [secret] = memory.remember([Draft(text="My secret", scope="teacher")], anna)
    [shared] = memory.remember([Draft(text="Shared by Anna", scope="global")], anna)

    for method in ("GET", "DELETE"):
        answer = client.request(method, f"/api/memory/events/{secret.id}")
        assert answer.status_code == 404
    assert client.patch(f"/api/memory/events/{secret.id}", json={"text": "x"}).status_code == 404
    assert client.patch(f"/api/memory/events/{shared.id}", json={"text": "x"}).status_code == 403
    assert client.delete(f"/api/memory/events/{shared.id}").status_code == 403
    plan = client.post("/api/memory/forget", json={"owner": "anna", "dryRun": True}).json()
    assert plan == {"going": [], "refused": [], "missing": [], "lines": 0, "remains": []}
    assert client.get("/api/memory/search", params={"query": "secret"}).json()["results"] == []


def test_forgetting_shows_the_plan_first_and_then_takes_the_words_from_the_log(
    app: App, client: TestClient
) -> None:
    first = add(client, "The door code is on the blue card")
    second = client.patch(
        f"/api/memory/events/{first}", json={"text": "The code is on the green card"}
    )
    id = second.json()["id"]

    plan = client.post("/api/memory/forget", json={"ids": [id, "nobody"], "dryRun": True}).json()
    assert [each["id"] for each in plan["going"]] == [first, id]
    assert (plan["missing"], plan["lines"]) == (["nobody"], 0)
    assert "blue card" in app.settings.memory_path.read_text()

    answer = client.request("DELETE", f"/api/memory/events/{id}", json={"reason": "moved"}).json()

    assert answer["lines"] == 2
    log = app.settings.memory_path.read_text()
    assert "card" not in log
    assert '"moved"' in log
    assert client.get(f"/api/memory/events/{id}").status_code == 404
    assert client.post("/api/memory/forget", json={}).status_code == 400


def test_forgetting_before_a_moment_leaves_what_came_later(client: TestClient) -> None:
    add(client, "Old", at="2025-01-01")
    add(client, "New", at="2026-01-01")

    answer = client.post("/api/memory/forget", json={"before": "2025-06-01"}).json()

    assert [each["shown"] for each in answer["going"]] == ["Old"]
    assert answer["lines"] == 1
    texts = [each["text"] for each in client.get("/api/memory/recent").json()["memories"]]
    assert texts == ["New"]


def test_documents_are_written_merged_and_deleted(client: TestClient) -> None:
    path = "/api/memory/files/classes/3B/MEMORY.md"
    new = client.put(path, json={"text": "# 3B\n\none\ntwo\nthree\n", "base": ""}).json()
    ours = client.put(path, json={"text": "# 3B\n\nONE\ntwo\nthree\n", "base": new["version"]})
    theirs = client.put(
        path, json={"text": "# 3B\n\none\ntwo\nTHREE\n", "base": new["version"]}
    ).json()

    assert (new["lines"], new["promptLines"], new["classId"]) == (5, 5, "3B")
    assert ours.json()["merged"] is False
    assert theirs["text"] == "# 3B\n\nONE\ntwo\nTHREE\n"
    assert (theirs["merged"], theirs["conflicts"]) == (True, 0)
    both = client.put(path, json={"text": "# 3B\n\nuno\n", "base": new["version"]}).json()
    assert both["conflicts"] == 1
    assert "[Both texts are kept." in both["text"]
    assert client.get(path).json()["version"] == both["version"]
    (listed,) = client.get("/api/memory/files").json()
    assert (listed["path"], listed["scope"]) == ("classes/3B/MEMORY.md", "class")
    stale = client.request("DELETE", path, json={"base": new["version"]})
    assert stale.status_code == 409
    gone = client.request("DELETE", path, json={"base": both["version"]})
    assert gone.json() == {"path": "classes/3B/MEMORY.md"}
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("path", ["../x.md", "a/b/c.md", "notes.txt", ".hidden.md"])
def test_a_path_that_is_no_document_is_a_sentence(client: TestClient, path: str) -> None:
    answer = client.put(
        f"/api/memory/files/{path.replace('../', '%2e%2e/')}", json={"text": "x", "base": ""}
    )

    assert answer.status_code in (400, 403)
    assert "not the path of a memory document" in error_of(answer)


def test_policies_begin_as_shipped_and_statistics_count_the_index(client: TestClient) -> None:
    add(client, "Anything")

    policies = client.get("/api/memory/policies").json()
    stats = client.get("/api/memory/stats").json()

    (current,) = policies["current"]
    assert (current["role"], current["scope"], current["version"]) == ("*", "*", 0)
    weights = current["policy"]["weights"]
    assert weights["relevance"] > weights["importance"] > weights["recency"] > weights["access"]
    assert policies["history"] == []
    assert stats["events"] == 1
    assert stats["index"]["memories"] == 1
    assert stats["cycleComplete"] is False


def test_every_change_is_told_to_open_windows(client: TestClient) -> None:
    with client.websocket_connect("ws://127.0.0.1:3000/ws") as socket:
        hello = {"version": "1", "platform": "test", "windowSize": {"width": 1, "height": 1}}
        socket.send_json({"type": "connection:hello", "payload": hello})
        assert socket.receive_json()["type"] == "connection:init"
        id = add(client, "First")
        edited = client.patch(f"/api/memory/events/{id}", json={"text": "Second"}).json()["id"]
        client.put("/api/memory/files/MEMORY.md", json={"text": "x\n", "base": ""})
        client.delete(f"/api/memory/events/{edited}")

        told = [socket.receive_json() for _ in range(4)]

    assert [each["type"] for each in told] == ["memory:changed"] * 4
    assert [each["payload"] for each in told] == [
        {"ids": [id], "action": "added"},
        {"ids": [id, edited], "action": "edited"},
        {"ids": ["MEMORY.md"], "action": "document"},
        {"ids": [id, edited], "action": "forgotten"},
    ]
    assert all(each["durable"] for each in told)


def test_the_api_describes_itself(client: TestClient) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]

    methods = {path: sorted(found) for path, found in paths.items() if "/memory" in path}
    assert methods == {
        "/memory": ["get", "post"],
        "/memory/search": ["get", "post"],
        "/memory/recent": ["get"],
        "/memory/import": ["post"],
        "/memory/forget": ["post"],
        "/memory/events/{id}": ["delete", "get", "patch"],
        "/memory/files": ["get"],
        "/memory/files/{path}": ["delete", "get", "put"],
        "/memory/policies": ["get"],
        "/memory/stats": ["get"],
    }
    described = [each for found in paths.values() for each in found.values()]
    assert all(each["description"] and "200" in each["responses"] for each in described)
    assert "application/x-ndjson" in paths["/memory/import"]["post"]["requestBody"]["content"]


def test_with_a_passcode_the_memory_is_closed(tmp_path: Path) -> None:
    settings = Settings(
        cwd=tmp_path,
        given_data_dir=tmp_path / "data",
        environ={"HOME": str(tmp_path)},
        passcode="open sesame",
    )
    with ExitStack() as stack:
        app = stack.enter_context(open_app(settings, strict=False, now=lambda: NOON))
        client = stack.enter_context(TestClient(Site(app).asgi, base_url=BASE))

        assert client.get("/api/memory").status_code == 401
        assert client.post("/api/memory", json={"text": "x"}).status_code == 401
