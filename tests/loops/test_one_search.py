"""One question to all doors: everybody finds all of their own, and nothing that is not for them.

The same search is asked from the terminal, over HTTP and by an agent over MCP. What somebody may
not see has no title, no words, no number and no error in any answer.
"""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.types import LATEST_PROTOCOL_VERSION

from paige.app.accounts.people import PersonChanges, change
from paige.app.application import App, open_app
from paige.app.memory_use import reader_of, writer_of
from paige.base.actor import Actor
from paige.base.errors import BadInput, NotFound, Refused
from paige.base.settings import Settings
from paige.doors.search.sources import open_finder, reading_as
from paige.memory.access import Reader, may_read, read_reader
from paige.memory.event import SCOPES, AgentRef, Draft
from paige.memory.intake.admission import Writer
from tests.live import run_paige
from tests.server.many_people import Someone, Town, open_town

Json = dict[str, Any]
MARK = re.compile(r"zqmemo\d+qz")
MOST = 50
ANNA = frozenset({"teacher", "learner"})
OWN_KINDS = ("title", "messages", "memory", "document", "lesson", "topic", "evidence", "kata")


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """Six people of two tenants, with something secret behind every door."""
    with open_town(tmp_path_factory.mktemp("town")) as opened:
        yield opened


def by_http(town: Town, someone: Someone, words: str) -> str:
    answer = town.client.get(
        "/api/search", params={"q": words, "limit": MOST}, headers=someone.headers
    )
    assert answer.status_code == 200, answer.text
    return answer.text


def by_agent(town: Town, someone: Someone, words: str) -> str:
    meta = {
        "io.modelcontextprotocol/protocolVersion": LATEST_PROTOCOL_VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "find_anything", "arguments": {"words": words, "limit": MOST}, "_meta": meta}
    headers = {
        **someone.headers,
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": LATEST_PROTOCOL_VERSION,
        "mcp-method": "tools/call",
        "mcp-name": "find_anything",
    }
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = town.client.post("/mcp", json=request, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.text


def by_terminal(town: Town, reader: str, words: str, tenant: str = "local") -> str:
    settings = town.site.app.settings
    done = run_paige(
        Path(settings.environ["HOME"]),
        *("find", words, "--as", reader, "--tenant", tenant, "--limit", str(MOST), "--json"),
        DATA_DIR=str(settings.data_dir),
        PROJECT_DIR=str(settings.project_dir),
        PAIGE_ACCOUNTS="on",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_everybody_finds_their_own_behind_every_door_and_nothing_of_others(town: Town) -> None:
    for someone in town.people:
        actor = someone.actor
        answers = {
            "http": by_http(town, someone, "planted"),
            "agent": by_agent(town, someone, "planted"),
            "terminal": by_terminal(town, actor.person, "planted", actor.tenant),
        }
        own = OWN_KINDS if "developer" in actor.roles else OWN_KINDS[:5]
        for door, answer in answers.items():
            assert town.leaked(someone, answer) == [], f"{actor} by {door}"
            missing = [kind for kind in own if someone.secret(kind) not in answer]
            assert missing == [], f"{actor} by {door}"


def test_hits_of_all_doors_are_in_one_order_and_say_where_they_are_from_and_why(
    town: Town,
) -> None:
    ben = next(each for each in town.people if each.actor.person == "ben")
    hits = json.loads(by_terminal(town, "ben", "planted"))["hits"]
    assert {each["door"] for each in hits} == {"plan", "coach", "guard", "memory"}
    assert [each["score"] for each in hits] == sorted(
        (each["score"] for each in hits), reverse=True
    )
    [lesson] = [each for each in hits if each["kind"] == "lesson"]
    assert lesson["origin"] == f"the lesson {ben.ids['lesson']}"
    assert lesson["why"] == "Its title begins with your words"
    memories = [each["origin"] for each in hits if each["kind"] == "memory"]
    assert "a memory with the scope teacher" in memories
    [gap] = [each for each in hits if each["kind"] == "gap"]
    assert gap["origin"] == "a gap that Coach noted"
    groups = json.loads(by_http(town, ben, "planted"))["groups"]
    told = {hit["id"]: (hit["origin"], hit["why"]) for group in groups for hit in group["hits"]}
    assert told[lesson["id"]] == (lesson["origin"], lesson["why"]), "every door tells the same"


# --- memories with any scope, owner and access list -----------------------------------------------


def plant_memories(town: Town, chance: random.Random, number: int) -> None:
    """Memories of everybody, with random scopes and access lists, in the memory of one tenant."""
    memory = town.site.app.memory.open()
    listed = ("person:anna", "ben", "role:teacher", "role:researcher", "agent:coder-2", "*")
    for at in range(number):
        owner = chance.choice(["anna", "ben", "cara"])
        draft = Draft(
            text=f"scattered zqmemo{at}qz",
            scope=chance.choice(SCOPES),
            project=chance.choice([None, "shop", "school"]),
            session=f"session-{at % 3}",
            acl=tuple(chance.sample(listed, chance.randint(0, 2))),
            agent=AgentRef(id=chance.choice(["coder-1", "coder-2"])),
        )
        writer = Writer(person=owner, project="shop", agent=draft.agent)
        [kept] = memory.remember([draft], writer)
        assert kept.status == "stored", kept


def expected(town: Town, reader: Reader) -> set[str]:
    """What the rule itself says about every line of the log."""
    events = town.site.app.memory.open().all_events()
    seen = [each.text for each in events if may_read(reader, each)]
    return {mark for text in seen for mark in MARK.findall(text)}


def test_no_memory_leaks_and_none_is_missed_whoever_asks_by_whichever_way(town: Town) -> None:
    plant_memories(town, random.Random(15), 40)
    everything = set(
        MARK.findall(" ".join(e.text for e in town.site.app.memory.open().all_events()))
    )
    assert len(everything) == 40
    locals_ = [each for each in town.people if each.actor.tenant == "local"]
    for someone in locals_:
        desk = town.site.desks.of(someone.actor)
        wanted = expected(town, reader_of(desk))
        assert set() < wanted < everything
        assert set(MARK.findall(by_http(town, someone, "scattered"))) == wanted
        assert set(MARK.findall(by_agent(town, someone, "scattered"))) == wanted
        assert set(MARK.findall(by_terminal(town, someone.actor.person, "scattered"))) == wanted
    for name in ("agent:coder-1", "role:researcher"):
        wanted = expected(town, read_reader(name))
        assert set(MARK.findall(by_terminal(town, name, "scattered"))) == wanted
    for someone in town.people:
        if someone.actor.tenant != "local":
            assert MARK.findall(by_http(town, someone, "scattered")) == []
            assert MARK.findall(by_agent(town, someone, "scattered")) == []


# --- what may not be seen leaves no trace ---------------------------------------------------------


def test_an_answer_is_the_same_whether_or_not_others_have_something(town: Town) -> None:
    """No number, no flag and no order tells that there is more."""
    app = town.site.app
    dora = next(each for each in town.people if each.actor.person == "dora")
    before = [ask(town, dora, "planted") for ask in (by_http, by_agent)]
    for someone in town.people:
        if someone is not dora:
            desk = town.site.desks.of(someone.actor)
            draft = Draft(text="planted planted planted", scope="learner")
            desk.memory.open().remember([draft], writer_of(desk))
            folder = desk.settings.workspace / "lessons"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "more.md").write_text("# planted\n\nplanted\n")
    assert [ask(town, dora, "planted") for ask in (by_http, by_agent)] == before
    assert app.actor == Actor()


def test_a_door_that_somebody_lost_the_right_to_is_not_even_asked(town: Town) -> None:
    """What is broken behind it is no news for them either."""
    anna = next(each for each in town.people if each.actor == Actor("local", "anna", ANNA))
    app, admin = town.site.app, Actor("local", "cara", frozenset({"admin"}))
    found = json.loads(by_http(town, anna, "planted"))
    assert "lesson" in {group["kind"] for group in found["groups"]}
    place = town.site.desks.of(anna.actor).settings.workspace / "lessons" / "broken.md"
    place.write_bytes(b"planted \xff")
    try:
        anyio.run(change, app, admin, "anna", PersonChanges(roles=("learner",)))
        answer = by_http(town, anna, "planted")
        kinds = {group["kind"] for group in json.loads(answer)["groups"]}
        assert kinds <= {"memory", "document", "course"}
        assert json.loads(answer)["problems"] == []
        assert anna.secret("lesson") not in answer + by_agent(town, anna, "planted")
        assert anna.secret("memory") in answer
        assert anna.secret("lesson") not in by_terminal(town, "anna", "planted")
    finally:
        anyio.run(change, app, admin, "anna", PersonChanges(roles=("teacher", "learner")))


# --- without accounts -----------------------------------------------------------------------------


def test_without_accounts_another_reader_has_what_is_theirs_and_what_is_for_everyone(
    tmp_path: Path,
) -> None:
    def paige(*arguments: str) -> str:
        done = run_paige(tmp_path, *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    paige("memory", "add", "The starter quokka is for everyone", "--scope", "global")
    paige("memory", "add", "The quiet quokka is mine", "--scope", "teacher")
    lesson = tmp_path / ".paige" / "workspace" / "lessons" / "quokkas.md"
    lesson.parent.mkdir(parents=True)
    lesson.write_text("# Quokka counting\n\nFor 3B.\n")

    mine = paige("find", "quokka")
    assert "quiet" in mine
    assert "plan    Quokka counting" in mine
    assert "From the lesson lessons/quokkas.md. Its title begins with your words." in mine
    others = paige("find", "quokka", "--as", "anna")
    assert "for everyone" in others
    assert "quiet" not in others
    assert "counting" not in others
    agents = json.loads(paige("find", "quokka", "--as", "agent:coder-1", "--json"))
    assert [each["title"] for each in agents["hits"]] == ["The starter quokka is for everyone"]
    only = paige("find", "quokka", "--door", "plan")
    assert "everyone" not in only


@pytest.mark.anyio
async def test_a_reader_that_cannot_be_one_is_said_to_be_none(town: Town) -> None:
    app: App = town.site.app
    for named, tenant, error in (
        ("moon:x", "local", BadInput),
        ("nobody-here", "local", NotFound),
        ("anna", "no such tenant", BadInput),
    ):
        with pytest.raises(error):
            async with reading_as(app, named, tenant=tenant):
                pass
    found = await open_finder(app, at_machine=True).find("planted", limit=5)
    assert found.problems == ()


@pytest.mark.anyio
async def test_without_accounts_there_is_one_tenant(tmp_path: Path) -> None:
    settings = Settings(cwd=tmp_path, environ={"HOME": str(tmp_path)})
    with (
        open_app(settings, strict=False) as app,
        pytest.raises(Refused, match="no tenant `elm`"),
    ):
        async with reading_as(app, None, tenant="elm"):
            pass
