"""A school and a team at one server: six people, each with something secret behind every door.

A secret is a word that stands nowhere else. It is planted as the content of something; names and
ids, which requests send, hold none of it. All of them hold the word `planted`, to be searched for.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from paige.agent import queries as agent_queries
from paige.agent.journal import Gate
from paige.agent.tables import RunRow, SessionRow
from paige.app.accounts.people import PersonNew, add_person
from paige.app.accounts.sign_ins import add_token
from paige.app.application import App, open_app
from paige.app.person_apps import folder_of
from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.coach.records import random_ids
from paige.doors.site.factory import Site
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.values import NewTrace
from paige.guard.guards.files import ENDING
from paige.guard.guards.parser import dump_record
from paige.learner.gaps import Gap
from paige.learner.queries import NewKata, insert_kata, record_gap
from paige.store.messages import publish
from paige.store.tables import METADATA
from paige.study.messages import StudyChanged
from tests.conftest import NOON
from tests.guard.guard_values import force_push, proposed
from tests.server.conftest import BASE
from tests.store.dump_schema import declare_all_tables

ALL = ("teacher", "learner", "developer")
PEOPLE = {
    ("local", "anna"): ("teacher", "learner"),
    ("local", "ben"): ALL,
    ("local", "cara"): (*ALL, "admin"),
    ("elm", "anna"): ("teacher", "learner"),
    ("elm", "dora"): ALL,
    ("elm", "eli"): (*ALL, "admin"),
    ("oak", "olga"): ("teacher", "learner", "admin"),
}
"""Two people of different tenants have one name: it is the tenant that tells them apart."""
TENANTS = tuple(dict.fromkeys(tenant for tenant, _ in PEOPLE))
PROJECT = "zqprojectqz"
"""What only those may read who work in the project of this machine."""
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

    @property
    def is_here(self) -> bool:
        """Whether they may use the machine that the server runs on."""
        return self.actor.tenant == "local" and "developer" in self.actor.roles

    @property
    def mark(self) -> str:
        """What they write wherever they can: nobody of another tenant may ever read it."""
        return f"zqteam{self.actor.tenant}qz"

    def secret(self, kind: str) -> str:
        """The word that only this person may ever read."""
        return f"zq{self.actor.tenant}xx{self.actor.person}xx{kind}qz"


@dataclass
class Town:
    """Everybody, and the server they use."""

    site: Site
    client: TestClient
    people: list[Someone]
    folder: Path

    def named(self, tenant: str, person: str) -> Someone:
        """One of them."""
        return next(
            each
            for each in self.people
            if (each.actor.tenant, each.actor.person) == (tenant, person)
        )

    def folder_of(self, someone: Someone) -> str:
        """Where the files of somebody lie on the server."""
        return str(folder_of(self.site.app.settings, someone.actor))

    def others_secrets(self, someone: Someone) -> list[str]:
        """The beginnings of all words that a person must not read."""
        own = (someone.actor.tenant, someone.actor.person)
        persons = [
            f"zq{each.actor.tenant}xx{each.actor.person}xx"
            for each in self.people
            if (each.actor.tenant, each.actor.person) != own
        ]
        tenants = {each.actor.tenant for each in self.people} - {someone.actor.tenant}
        closed = [] if someone.is_here else [PROJECT]
        return [*persons, *(f"zqteam{tenant}qz" for tenant in sorted(tenants)), *closed]

    def leaked(self, someone: Someone, answer: str) -> list[str]:
        """Which of them an answer holds."""
        return [secret for secret in self.others_secrets(someone) if secret in answer]


@contextmanager
def open_town(folder: Path, url: str = "") -> Iterator[Town]:
    """The server with everything planted."""
    project = folder / "project"
    (project / ".git").mkdir(parents=True)
    (project / "shared.py").write_text("x = 1\n")
    _plant_files(project / ".ai", PROJECT)
    _plant_files(folder / "home" / ".config" / "ai", "zqteamlocalqz")
    settings = Settings(
        cwd=folder,
        environ={"HOME": str(folder / "home")},
        given_data_dir=folder / "data",
        project_dir=project,
        accounts="on",
        database_url=url,
    )
    with ExitStack() as stack:
        # The server's own home is the first tenant's: nobody else's requests may lead there.
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setenv("HOME", str(folder / "home"))
        patch.delenv("XDG_CONFIG_HOME", raising=False)
        app = stack.enter_context(open_app(settings, strict=False, now=lambda: NOON))
        people = anyio.run(_people, app)
        site = Site(app)
        client = TestClient(site.asgi, base_url=BASE, raise_server_exceptions=False)
        town = Town(site, stack.enter_context(client), people, folder)
        for someone in people:
            _plant_rows(app, someone)
            _plant_tables(app, someone)
            _plant_by_doors(town, someone)
        for tenant in TENANTS:
            _plant_team(town, tenant, [each for each in people if each.actor.tenant == tenant])
        yield town


def _plant_files(layer: Path, secret: str) -> None:
    """What a project or a person gives to coding agents: policies, rules, guards."""
    scope = "project" if secret == PROJECT else "universal"
    for name in ("policies", "guard/rules", "guards"):
        (layer / name).mkdir(parents=True)
    (layer / "policies" / f"house-{scope}.md").write_text(f"planted {secret}\n")
    (layer / "guard" / "rules" / f"house-{scope}.toml").write_text(
        f'family = "house-{scope}"\ncommands = ["deploy"]\n\n[[rule]]\nid = "never"\n'
        f'decision = "deny"\nloses = "planted {secret}"\ninstead = "Ask."\n'
        'must = ["deploy now"]\nmust_not = ["ls"]\n'
    )
    record = proposed(force_push(id=f"house-{scope}", message=f"planted {secret}", scope=scope))
    (layer / "guards" / f"{record.id}{ENDING}").write_text(json.dumps(dump_record(record)))


async def _people(app: App) -> list[Someone]:
    found: list[Someone] = []
    for (tenant, person), roles in PEOPLE.items():
        admin = Actor(tenant, "setup", frozenset({"admin"}))
        made = await add_person(
            app, admin, PersonNew(id=person, roles=roles, name=f"zqteam{tenant}qz")
        )
        opened = await add_token(app, admin, made.id, f"zqteam{tenant}qz")
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


def start_session(town: Town, someone: Someone, cwd: object) -> str:
    """What a coding agent of somebody is told when its session begins in a folder."""
    sent = {"hook_event_name": "SessionStart", "session_id": "s-9", "cwd": str(cwd)}
    answer = town.client.post(
        "/hooks/claude-code", json={**sent, "source": "startup"}, headers=someone.headers
    )
    return answer.text


def check_sessions(town: Town) -> None:
    """Whether sessions of two tenants begin with what is known there, and with nothing else."""
    ben, dora = town.named("local", "ben"), town.named("elm", "dora")
    here = start_session(town, ben, town.folder / "project")
    there = start_session(town, dora, town.folder_of(dora))
    assert PROJECT in here
    assert ben.mark in here
    assert town.leaked(ben, here) == []
    assert dora.mark in there
    assert town.leaked(dora, there) == []


def _plant_tables(app: App, someone: Someone) -> None:
    """A row in every table that nothing above or below writes into."""
    actor, secret, ids = someone.actor, someone.secret, someone.ids
    mark = f"{actor.tenant}-{actor.person}"
    own = {"tenant": actor.tenant, "person": actor.person}
    plan, phase = f"coach-plan-{mark}", f"phase-{mark}"
    ids |= {"plan": plan, "phase": phase, "handout": f"handout-{mark}", "token": f"token-{mark}"}
    rows: dict[str, Json] = {
        "spans": {
            "tenant": actor.tenant, "trace": ids["run"], "step": "t1", "parent": "",
            "kind": "model", "name": "planted", "failed": False, "started_us": 0, "ended_us": 1,
            "attributes": json.dumps({"planted": secret("span")}),
        },
        "blobs": {"tenant": actor.tenant, "hash": f"blob-{mark}", "text": secret("blob")},
        "plans": {
            **own, "id": plan, "session_id": ids["coach"], "created_at": NOON,
            "raw_plan_text": f"planted {secret('plan')}",
        },
        "phases": {
            **own, "id": phase, "plan_id": plan, "number": 1, "title": secret("phase"),
            "description": "planted", "status": "active", "hint_level": "medium",
        },
        "phase_hints": {
            **own, "id": f"hint-{mark}", "phase_id": phase, "type": "file", "path": "shared.py",
            "style": "hint", "hover_text": secret("hint"),
        },
        "progress_events": {
            **own, "id": f"progress-{mark}", "phase_id": phase, "event_type": "hint_used",
            "data": {"planted": secret("progress")}, "created_at": NOON,
        },
        "action_log": {
            **own, "id": f"action-{mark}", "session_id": ids["coach"], "action_type": "file_open",
            "data": {"path": secret("action")}, "created_at": NOON,
        },
        "dreyfus_assessments": {
            **own, "id": f"stage-{mark}", "skill_area": secret("skill"), "stage": "novice",
            "confidence": 0.5, "evidence": secret("stage"), "assessed_at": NOON,
        },
        "api_call_log": {
            **own, "id": f"call-{mark}", "call_type": "planted", "model": secret("model"),
            "input_hash": secret("input"), "latency_ms": 1, "input_tokens": 1, "output_tokens": 1,
            "created_at": NOON, "provider": secret("provider"),
        },
        "memory_events": {
            "tenant": actor.tenant, "teacher_id": actor.person, "id": f"capture-{mark}",
            "event_type": "capture_proposed", "proposed_text": f"planted {secret('capture')}",
            "scope": "teacher", "class_id": "", "path": "MEMORY.md", "created_at": NOON,
        },
        "class_handouts": {
            **own, "id": ids["handout"], "class_id": "3B", "title": f"planted {secret('handout')}",
            "source": secret("source"), "worksheet": secret("worksheet"), "salt": "x",
            "created_at": NOON, "closes_at": NOON + timedelta(days=9),
        },
        "class_answers": {
            **own, "token": ids["token"], "handout_id": ids["handout"], "origin": "web",
            "answers": {"1": [secret("pupil")]}, "version": 1,
        },
    }  # fmt: skip
    declare_all_tables()
    with app.database.of(actor).transaction(write=True) as connection:
        for name, row in rows.items():
            connection.execute(METADATA.tables[name].insert(), row)


def unplanted(town: Town) -> set[str]:
    """The tables in which one of two tenants has nothing secret."""
    found: set[str] = set()
    for tenant in ("local", "elm"):
        marks = (f"zq{tenant}xx", f"zqteam{tenant}qz")
        with town.site.app.database.system.transaction(write=False) as connection:
            for name, table in METADATA.tables.items():
                rows = connection.execute(table.select().where(table.c.tenant == tenant))
                held = "".join(str(row) for row in rows)
                found |= set() if any(mark in held for mark in marks) else {name}
    return found


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


def _plant_team(town: Town, tenant: str, people: list[Someone]) -> None:
    """What a tenant shares: memories, traces of decisions, and what everyone is told."""
    app, actor = town.site.app, people[0].actor
    for someone in people:
        if "developer" not in someone.actor.roles:
            continue
        wanted = [{"text": f"planted {someone.mark}", "scope": "global"}]
        wanted += [{"text": f"planted {PROJECT}"}] if someone.is_here else []
        for each in wanted:
            answer = town.client.post("/api/memory", json=each, headers=someone.headers)
            assert answer.status_code == 200, answer.text
    graph = ContextGraph(app.database, actor, app.now)
    happened = f"planted zqteam{tenant}qz"
    trace = graph.store(NewTrace(type="violation", what_happened=happened, rule="git.force"))
    with app.database.of(actor).transaction(write=True) as connection:
        told = StudyChanged(course=f"zqteam{tenant}qz")
        publish(connection, actor, told, now=NOON, everyone=True)
    for someone in people:
        someone.ids["trace"] = trace.id
        someone.ids["coming"] = random_ids(NOON)
