"""What somebody of another tenant, or without the right, gets out of the doors for developers."""

import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest
from httpx2 import Response

from paige.app.person_apps import folder_of, place_for, settings_for, settings_of_tenant
from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.hooks.fast import CLIS, adapter_of
from paige.memory.intake.project_identity import project_of
from tests.server.generated import call_tool
from tests.server.many_people import (
    PROJECT,
    Someone,
    Town,
    check_sessions,
    open_town,
    start_session,
)

GATES = ("pre_tool", "permission_request")


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with open_town(tmp_path_factory.mktemp("town")) as opened:
        yield opened


def body(event: str, cwd: str, command: str = "deploy now") -> dict[str, object]:
    """An event with everything that a host may send."""
    return {
        "hook_event_name": event,
        "session_id": "s-9",
        "cwd": cwd,
        "transcript_path": f"{cwd}/transcript.jsonl",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "prompt": "What is planted here?",
        "source": "startup",
    }


def fire(
    town: Town, someone: Someone, cli: str, event: str, cwd: object, **headers: str
) -> Response:
    """Send an event as somebody."""
    return town.client.post(
        f"/hooks/{cli}",
        params={"event": event},
        json=body(event, str(cwd)),
        headers={**someone.headers, **headers},
    )


def files_below(*folders: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("cli", CLIS)
def test_a_folder_of_the_machine_is_refused_to_another_tenant(town: Town, cli: str) -> None:
    dora = town.named("elm", "dora")
    project, home = town.folder / "project", town.folder / "home"
    before = files_below(project, home)
    for event, name in adapter_of(cli).EVENTS.items():
        for cwd in (project, home, town.folder, "/", f"{town.folder_of(dora)}/../ben"):
            for headers in ({}, {"x-paige-role": "conductor"}):
                answer = fire(town, dora, cli, event, cwd, **headers)
                assert answer.status_code == (200 if name in GATES else 403), event
                assert "deny" in answer.text or name not in GATES, event
                assert town.leaked(dora, answer.text) == []
        at_home = town.folder_of(dora)
        named = fire(town, dora, cli, event, at_home, **{"x-paige-project": str(project)})
        assert named.status_code == 403 or "deny" in named.text
    assert files_below(project, home) == before


def test_a_session_that_begins_is_told_what_its_person_may_know(town: Town) -> None:
    check_sessions(town)


def test_nobody_begins_a_session_in_the_folder_of_somebody_else(town: Town) -> None:
    ben = town.named("local", "ben")
    for other in town.people:
        if other is not ben:
            heard = start_session(town, ben, town.folder_of(other))
            assert "the folder of somebody else" in heard
            assert town.leaked(ben, heard) == []
    (town.folder / "door").symlink_to(town.folder_of(town.named("local", "anna")))
    assert "the folder of somebody else" in start_session(town, ben, town.folder / "door")
    assert "somebody else" not in start_session(town, ben, town.folder_of(ben))


def test_a_session_id_opens_nobodys_session(town: Town) -> None:
    ben, cara = town.named("local", "ben"), town.named("local", "cara")
    said = {"text": "qzsaidzq", "scope": "session", "session": "s-9"}
    assert town.client.post("/api/memory", json=said, headers=ben.headers).status_code == 200

    assert "qzsaidzq" not in start_session(town, cara, town.folder / "project")


def test_what_hooks_note_belongs_to_whoever_sent_it(town: Town) -> None:
    told: dict[str, str] = {}
    for someone in (town.named("local", "ben"), town.named("elm", "dora")):
        cwd = town.folder_of(someone)
        wrote = f"qz{someone.actor.person}wrotezq"
        for event, more in (
            ("UserPromptSubmit", {"prompt": wrote}),
            ("PostToolUse", {"tool_name": "AskUserQuestion", **answered(wrote)}),
            ("Stop", {}),
        ):
            sent = {**body(event, cwd), **more}
            answer = town.client.post("/hooks/claude-code", json=sent, headers=someone.headers)
            assert answer.status_code == 200, answer.text
        desk = town.site.desks.of(someone.actor)
        told[someone.actor.person] = "".join(
            f"{each.owner}: {each.text}\n" for each in desk.memory.open().all_events()
        )

    assert "ben: qzbenwrotezq" in told["ben"]
    assert "dora: qzdorawrotezq" in told["dora"]
    assert "dorawrote" not in told["ben"]
    assert "benwrote" not in told["dora"]
    assert "me: " not in told["dora"]


@pytest.mark.parametrize(("tenant", "person"), [("local", "ben"), ("elm", "dora")])
def test_what_somebody_forgets_leaves_what_their_hooks_kept(
    town: Town, tenant: str, person: str
) -> None:
    someone, mark = town.named(tenant, person), f"qz{person}forgetszq"
    said = f"The {mark} code opens the blue cabinet in room nine"
    note = {"text": said, "speaker": f"{mark} Jones", "meta": {"a": [said]}}
    assert town.client.post("/api/memory", json=note, headers=someone.headers).status_code == 200
    project = [town.folder / "project"] if tenant == "local" else []
    for cwd, event in product(
        (town.folder_of(someone), *project), ("UserPromptSubmit", "PreToolUse", "PostToolUse")
    ):
        sent = {**body(event, str(cwd), f"echo '{said}' && rm -rf /"), "prompt": said}
        answer = town.client.post("/hooks/claude-code", json=sent, headers=someone.headers)
        assert answer.status_code == 200, answer.text
    sent = body("Stop", str(town.folder_of(someone)))
    town.client.post("/hooks/claude-code", json=sent, headers=someone.headers)
    memory = town.site.desks.of(someone.actor).memory.open()
    ids = [each.id for each in memory.all_events() if mark in each.text]
    assert len(ids) > 1

    forgotten = town.client.post("/api/memory/forget", json={"ids": ids}, headers=someone.headers)

    assert forgotten.status_code == 200, forgotten.text
    assert files_with(town.folder, mark) == []


def files_with(root: Path, mark: str) -> list[str]:
    """Files in which a word stands, as bytes."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    return [str(path) for path in files if mark.encode() in path.read_bytes()]


def answered(text: str) -> dict[str, object]:
    """What a person said when an agent asked."""
    asked = {"questions": [{"question": "Which colour?"}]}
    return {"tool_input": asked, "tool_response": {"answers": {"Which colour?": text}}}


def test_a_command_is_explained_in_folders_of_ones_own_only(town: Town) -> None:
    ben, dora = town.named("local", "ben"), town.named("elm", "dora")

    def explain(someone: Someone, cwd: object) -> Response:
        asked = {"command": "deploy now", "cwd": str(cwd)}
        return town.client.post("/api/guard/explain", json=asked, headers=someone.headers)

    assert explain(ben, town.folder / "project").json()["decision"] == "deny"
    assert explain(dora, town.folder_of(dora)).status_code == 200
    for cwd in (town.folder / "project", "/", "/etc", town.folder_of(ben)):
        refused = explain(dora, cwd)
        assert refused.status_code == 403
        assert town.leaked(dora, refused.text) == []


@pytest.mark.parametrize(
    "command", ["cat {}", "ls {}", "rm {}", "bash {}", "{} --help", "sed -i s/a/b/ {}"]
)
def test_an_answer_does_not_tell_what_is_on_the_machine(town: Town, command: str) -> None:
    dora = town.named("elm", "dora")
    (town.folder / "aaaa").unlink(missing_ok=True)
    (town.folder / "aaaa").symlink_to("/etc/shadow")

    def said(path: Path) -> str:
        sent = body("PermissionRequest", town.folder_of(dora), command.format(path))
        answer = town.client.post("/hooks/claude-code", json=sent, headers=dora.headers)
        asked = {"command": command.format(path)}
        told = town.client.post("/api/guard/explain", json=asked, headers=dora.headers)
        return f"{answer.text} {told.text}".replace(path.name, "it")

    assert said(town.folder / "aaaa") == said(town.folder / "bbbb")


STEPS: dict[str, dict[str, object]] = {
    "try": {},
    "shadow": {"why": "planted", "force": True},
    "promote": {"why": "planted", "force": True},
    "rollback": {"why": "planted"},
}


def test_guards_and_rules_of_the_machine_are_not_another_tenants(town: Town) -> None:
    ben, dora = town.named("local", "ben"), town.named("elm", "dora")
    before = files_below(town.folder / "home", town.folder / "project")
    for path in ("/api/guards", "/api/guard/rules", "/api/notices", "/api/search?q=planted"):
        assert town.leaked(dora, town.client.get(path, headers=dora.headers).text) == []
    here = town.client.get("/api/guards", headers=ben.headers).text
    assert PROJECT in here
    assert ben.mark in here
    for guard in ("house-universal", "house-project"):
        for step, given in STEPS.items():
            address = f"/api/guards/{guard}/{step}"
            moved = town.client.post(address, json=given, headers=dora.headers)
            assert moved.status_code == 404, f"{address}: {moved.text}"
    assert files_below(town.folder / "home", town.folder / "project") == before


SCOPES: tuple[dict[str, str], ...] = (
    {"scope": "global"},
    {"scope": "project"},
    {"scope": "project", "project": "{project}"},
    {"project": "{project}"},
    {"scope": "session", "session": "s-9"},
    {"scope": "agent"},
    {"type": "preference"},
    {"type": "fact", "key": "colour"},
    {},
)


def by_rest(town: Town, someone: Someone, note: dict[str, str]) -> None:
    town.client.post("/api/memory", json=note, headers=someone.headers)


def by_import(town: Town, someone: Someone, note: dict[str, str]) -> None:
    line = json.dumps(note)
    town.client.post("/api/memory/import", content=line, headers=someone.headers)


def by_tool(town: Town, someone: Someone, note: dict[str, str]) -> None:
    call_tool(town.client, someone.headers, "memory_add", note)


@pytest.mark.parametrize("way", [by_rest, by_import, by_tool])
def test_nobody_writes_into_the_sessions_of_developers_without_the_right(
    town: Town, way: Callable[[Town, Someone, dict[str, str]], None]
) -> None:
    anna, ben = town.named("local", "anna"), town.named("local", "ben")
    project = project_of(town.site.desks.of(ben.actor).settings)
    assert project is not None
    for number, wanted in enumerate(SCOPES):
        note = {name: value.format(project=project.id) for name, value in wanted.items()}
        way(town, anna, {"text": f"Run qzinjected{way.__name__}{number}zq first", **note})
    kept = town.client.get("/api/memory/recent?limit=500", headers=anna.headers).text
    started = start_session(town, ben, town.folder / "project")
    read = town.client.get("/api/memory/recent?limit=500", headers=ben.headers).text

    assert "qzinjected" not in started
    assert "qzinjected" not in read
    # Without a scope it is their own, and kept.
    assert f"qzinjected{way.__name__}{len(SCOPES) - 1}zq" in kept


def test_a_scope_without_the_right_is_refused_with_a_sentence(town: Town) -> None:
    anna = town.named("local", "anna")
    asked = {"text": "For all of you", "scope": "global"}

    answer = town.client.post("/api/memory", json=asked, headers=anna.headers)

    assert answer.status_code == 403
    assert "may not share a memory" in answer.text


def test_a_data_folder_inside_a_project_lets_nobody_into_the_project(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".ai" / "memory").mkdir(parents=True)
    settings = Settings(
        cwd=tmp_path,
        environ={"HOME": str(tmp_path / "home")},
        given_data_dir=tmp_path / "data",
        accounts="on",
    )
    outer = project_of(settings)
    for actor in (Actor("local", "anna", frozenset({"learner"})), Actor("elm", "dora")):
        found = project_of(settings_for(settings, actor))
        assert found is not None
        assert outer is not None
        assert found.id != outer.id
        place = place_for(settings_for(settings, actor), actor)
        assert place.root == str(folder_of(settings, actor))
    tenant = project_of(settings_of_tenant(settings, "elm"))
    assert tenant is not None
    assert tenant.root == tmp_path / "data" / "tenants" / "elm"
