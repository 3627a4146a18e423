"""Search and notices over HTTP: shapes, links into the web app, limits, wrong input."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from paige.doors.search.finder import KINDS, Hit
from tests.server.conftest import Open
from tests.study import small_courses


@pytest.fixture
def client(open_site: Open, tmp_path: Path) -> TestClient:
    """A site with a workspace and a course."""
    small_courses.malay(tmp_path / "teaching")
    lesson = tmp_path / "data" / "workspace" / "lessons" / "2026 loops.md"
    lesson.parent.mkdir(parents=True)
    lesson.write_text("# Zebra loops\n\nWe count the zebras.\n", encoding="utf-8")
    return open_site(
        given_teaching_dir=tmp_path / "teaching",
        given_memory_path=tmp_path / "memory" / "events.jsonl",
        environ={"HOME": str(tmp_path)},
    )


def search(client: TestClient, **asked: Any) -> Any:
    answer = client.get("/api/search", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_hit_says_where_it_is_and_marks_the_words(client: TestClient) -> None:
    [group] = search(client, q="zebra")["groups"]

    assert (group["kind"], group["door"], group["more"]) == ("lesson", "plan", False)
    [hit] = group["hits"]
    assert hit["title"] == [{"text": "Zebra", "hit": True}, {"text": " loops", "hit": False}]
    assert {"text": "zebra", "hit": True} in hit["snippet"]
    assert hit["link"] == "/plan?lesson=lessons%2F2026+loops.md&pane=document"


def test_what_was_just_remembered_is_found(client: TestClient) -> None:
    assert client.post("/api/memory", json={"text": "The zebra likes hay"}).status_code == 200

    kinds = {group["kind"]: group["hits"] for group in search(client, q="zebra hay")["groups"]}

    assert kinds["memory"][0]["link"].startswith("/memory?id=")


def test_nothing_asked_is_answered_with_nothing(client: TestClient) -> None:
    assert search(client) == {"groups": [], "problems": []}


@pytest.mark.parametrize("asked", [{"q": "x" * 501}, {"q": "x", "limit": 0}])
def test_what_cannot_be_asked_is_refused(client: TestClient, asked: dict[str, Any]) -> None:
    answer = client.get("/api/search", params=asked)

    assert answer.status_code == 400
    assert answer.json()["error"]["message"]


def test_no_notices_where_nothing_waits(client: TestClient) -> None:
    assert client.get("/api/notices").json() == {"notices": [], "problems": []}


def test_what_coaching_showed_leads_to_its_session_and_its_gap() -> None:
    session = Hit(kind="coaching", id="s 1", title="Baskets")
    gap = Hit(kind="gap", id="g1", title="mutable default arguments")

    assert KINDS["coaching"].link(session, "baskets") == "/coach?session=s+1"
    assert KINDS["gap"].link(gap, "default") == "/coach?gap=mutable+default+arguments"


def test_every_kind_of_hit_has_a_page() -> None:
    for kind in KINDS:
        hit = Hit(kind=kind, id="a/b c", title="x", within="d e")
        link = KINDS[kind].link(hit, "two words")
        assert link.startswith("/")
        assert " " not in link
