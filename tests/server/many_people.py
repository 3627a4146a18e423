"""A school and a team at one server: six people, each with something secret behind every door.

A secret is a word that stands nowhere else. It is planted as the content of something; names and
ids, which requests send, hold none of it. All of them hold the word `planted`, to be searched for.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from sqlalchemy import text
from starlette.testclient import TestClient

from paige.agent import queries as agent_queries
from paige.agent.journal import Gate
from paige.agent.records import RunRow, SessionRow
from paige.app.application import App, open_app
from paige.app.desks import folder_of
from paige.app.people import NewPerson, add_person
from paige.app.signing_in import add_token
from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.coach.ids import random_ids
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.values import NewTrace
from paige.learner.gaps import Gap
from paige.learner.queries import insert_kata, record_gap
from paige.learner.records import NewKata
from paige.server.factory import Site
from paige.store.messages import publish
from paige.study.messages import StudyChanged
from tests.conftest import NOON
from tests.server.conftest import BASE

ALL = ("teacher", "learner", "developer")
PEOPLE = {
    ("local", "anna"): ("teacher", "learner"),
    ("local", "ben"): ALL,
    ("local", "cara"): (*ALL, "admin"),
    ("elm", "anna"): ("teacher", "learner"),
    ("elm", "dora"): ALL,
    ("elm", "eli"): (*ALL, "admin"),
}
"""Two people of different tenants have one name: it is the tenant that tells them apart."""
Json = dict[str, Any]


@dataclass
class Someone:
    """A person with a token, and what they know to ask for."""

    actor: Actor
    token: str
    ids: dict[str, str] = field(default_factory=dict)

    @property
    def headers(self) -> dict[str, str]:
        """What a program of theirs sends."""
        return {"authorization": f"Bearer {self.token}"}

    def secret(self, kind: str) -> str:
        """The word that only this person may ever read."""
        return f"zq{self.actor.tenant}xx{self.actor.person}xx{kind}qz"


@dataclass
class Town:
    """Everybody, and the server they use."""

    site: Site
    client: TestClient
    people: list[Someone]

    def others_secrets(self, someone: Someone) -> list[str]:
        """The beginnings of all words that a person must not read."""
        own = (someone.actor.tenant, someone.actor.person)
        persons = [
            f"zq{each.actor.tenant}xx{each.actor.person}xx"
            for each in self.people
            if (each.actor.tenant, each.actor.person) != own
        ]
        tenants = {each.actor.tenant for each in self.people} - {someone.actor.tenant}
        return [*persons, *(f"zqteam{tenant}qz" for tenant in tenants)]

    def leaked(self, someone: Someone, answer: str) -> list[str]:
        """Which of them an answer holds."""
        return [secret for secret in self.others_secrets(someone) if secret in answer]


@contextmanager
def open_town(folder: Path, url: str = "") -> Iterator[Town]:
    """The server with everything planted."""
    project = folder / "project"
    (project / ".git").mkdir(parents=True)
    (project / "shared.py").write_text("x = 1\n")
    settings = Settings(
        cwd=folder,
        environ={"HOME": str(folder / "home")},
        given_data_dir=folder / "data",
        project_dir=project,
        accounts="on",
        database_url=url,
    )
    with open_app(settings, strict=False, now=lambda: NOON) as app:
        people = anyio.run(_people, app)
        site = Site(app)
        with TestClient(site.asgi, base_url=BASE, raise_server_exceptions=False) as client:
            town = Town(site, client, people)
            for someone in people:
                _plant_rows(app, someone)
                _plant_by_doors(town, someone)
            for tenant in ("local", "elm"):
                _plant_team(app, tenant, [each for each in people if each.actor.tenant == tenant])
            yield town


async def _people(app: App) -> list[Someone]:
    found: list[Someone] = []
    for (tenant, person), roles in PEOPLE.items():
        admin = Actor(tenant, "setup", frozenset({"admin"}))
        made = await add_person(app, admin, NewPerson(id=person, roles=roles))
        opened = await add_token(app, admin, made.id, "a test")
        found.append(Someone(Actor(tenant, person, frozenset(roles)), opened.secret))
    return found


def _plant_rows(app: App, someone: Someone) -> None:
    """What only long work would make: sessions, runs, questions, gaps, katas, events."""
    actor, secret, ids = someone.actor, someone.secret, someone.ids
    mark = f"{actor.tenant}-{actor.person}"
    plan = SessionRow(
        f"plan-{mark}", actor.person, "plan", "active", NOON, NOON, f"planted {secret('title')}",
        plugin="lesson-planning", messages_text=f"planted {secret('messages')}",
    )  # fmt: skip
    coach = SessionRow(
        f"coach-{mark}", actor.person, "coach", "active", NOON, NOON, secret("coach"),
        project_dir=str(app.settings.project_dir), issue_number=1,
        issue_title=f"planted {secret('issue')}",
    )  # fmt: skip
    header = {"purpose": "plan", "inputs": {}, "agent": {"file": "", "name": "x"}, "files": {}}
    run = RunRow(
        f"run-{mark}", actor.person, plan.id, 1, 1, header, f"planted {secret('prompt')}",
        "waiting", "local", NOON, NOON,
    )  # fmt: skip
    asked = {"kind": "choices", "title": f"planted {secret('gate')}", "text": "", "options": []}
    ids |= {"session": plan.id, "coach": coach.id, "run": run.id, "gate": "t1/hook/x/y/1"}
    ids |= {"kata": f"kata-{mark}", "gap": f"gap-{mark}"}
    with app.database.of(actor).transaction(write=True) as connection:
        agent_queries.insert_session(connection, plan, actor)
        agent_queries.insert_session(connection, coach, actor)
        agent_queries.insert_run(connection, actor, run, {})
        agent_queries.open_gate(connection, actor, run.id, Gate(ids["gate"], 1, asked), now=NOON)
        connection.execute(
            text(
                "INSERT INTO journal (tenant, run_id, seq, step, kind, body) "
                "VALUES (:tenant, :run, 1, 't1', 'result', :body)"
            ),
            {
                "tenant": actor.tenant,
                "run": run.id,
                "body": json.dumps({"text": f"planted {secret('journal')}"}),
            },
        )
        gap = Gap(
            topic=f"planted {secret('topic')}",
            severity="low",
            evidence=secret("evidence"),
            related_concepts=(),
        )
        record_gap(connection, actor, gap, gap_id=ids["gap"], now=NOON)
        kata = NewKata(title=f"planted {secret('kata')}", description=secret("description"))
        insert_kata(connection, actor, ids["gap"], kata, kata_id=ids["kata"])
        publish(connection, actor, StudyChanged(course=secret("event")), now=NOON)


def _plant_by_doors(town: Town, someone: Someone) -> None:
    """What a person makes by the doors they may use."""
    client, secret, headers = town.client, someone.secret, someone.headers
    actor, ids = someone.actor, someone.ids
    mark = f"{actor.tenant}-{actor.person}"

    def ask(method: str, path: str, **what: Any) -> Json:
        answer = client.request(method, path, headers=headers, **what)
        assert answer.status_code == 200, f"{method} {path}: {answer.text}"
        return answer.json()

    # What developers of one project remember belongs to the project, unless they say otherwise.
    shared = actor.tenant == "local" and "developer" in actor.roles
    scope = {"scope": "teacher"} if shared else {}
    added = ask("POST", "/api/memory", json={"text": f"planted {secret('memory')}", **scope})
    ids["memory"] = added["id"]
    ids["document"] = f"{actor.person}.md"
    note = {"text": f"planted {secret('document')}\n", "base": ""}
    ask("PUT", f"/api/memory/files/{ids['document']}", json=note)
    ids["lesson"] = f"lessons/2026-03-02-{actor.person}.md"
    lesson = f"# planted {secret('lesson')}\n\n- Class: 3B\n- Date: 2026-03-02\n"
    ask("PUT", f"/api/plan/file?path={ids['lesson']}", json={"text": lesson})
    ids["course"] = f"course-{mark}"
    deck = f"front,back\nplanted {secret('card')},{secret('answer')}\n"
    where = f"/api/study/import?kind=csv&name={ids['course']}&file=a.csv"
    ask("POST", where, content=deck.encode())
    if "developer" in actor.roles:
        event = {
            "hook_event_name": "PreToolUse",
            "session_id": "s-1",
            "cwd": str(folder_of(town.site.app.settings, actor)),
            "tool_name": "Bash",
            "tool_input": {"command": f"rm -rf / # planted {secret('hook')}"},
        }
        answer = client.post("/hooks/claude-code", json=event, headers=headers)
        assert answer.status_code == 200, answer.text
        found = ask("GET", "/api/guard/decisions")
        ids["decision"] = found["decisions"][0]["id"]


def _plant_team(app: App, tenant: str, people: list[Someone]) -> None:
    """What a tenant shares: traces of decisions, and what everyone is told."""
    actor = people[0].actor
    graph = ContextGraph(app.database, actor, app.now)
    happened = f"planted zqteam{tenant}qz"
    trace = graph.store(NewTrace(type="violation", what_happened=happened, rule="git.force"))
    with app.database.of(actor).transaction(write=True) as connection:
        told = StudyChanged(course=f"zqteam{tenant}qz")
        publish(connection, actor, told, now=NOON, everyone=True)
    for someone in people:
        someone.ids["trace"] = trace.id
        someone.ids["coming"] = random_ids(NOON)
