"""Settings over HTTP: who may change them, what is never told, what happens to the file."""

import json
import shutil
import sqlite3
import stat
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from paige.app.accounts.passcode import hash_passcode
from paige.app.application import open_app
from paige.base.settings import read_settings
from paige.doors.site.factory import Site
from tests.conftest import NOON
from tests.fakes.model_server import Hangup, Json, Recorded, Reply
from tests.fakes.served_model import ServedModel, served_model
from tests.fakes.wire_bodies import ANTHROPIC, CHAT, OPENAI

BASE = "http://127.0.0.1:3000"
OWN = {"origin": BASE}
LISTED = "http://localhost:5173"
KEY = "sk-ant-secret-key-of-a-person-wXyZ"
OTHER = "sk-proj-another-secret-of-a-person-9876"
Open = Callable[..., TestClient]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def file(home: Path) -> Path:
    place = home / ".config" / "ai" / "paige.toml"
    place.parent.mkdir(parents=True)
    return place


@pytest.fixture
def open_site(tmp_path: Path, home: Path, file: Path, sqlite_template: Path) -> Iterator[Open]:
    """A function that opens a site as `paige up` does, with more variables in its environment."""
    work = tmp_path / "work"
    work.mkdir()
    with ExitStack() as stack:

        def opener(client: str = "127.0.0.1", **environ: str) -> TestClient:
            settings = read_settings({"HOME": str(home), **environ}, work)
            settings.data_dir.mkdir(parents=True, exist_ok=True)
            shutil.copy(sqlite_template, settings.data_dir / "paige.db")
            app = stack.enter_context(open_app(settings, strict=False, now=lambda: NOON))
            asgi = Site(app).asgi
            made = TestClient(
                asgi, base_url=BASE, client=(client, 5000), raise_server_exceptions=False
            )
            return stack.enter_context(made)

        yield opener


@pytest.fixture
def client(open_site: Open) -> TestClient:
    return open_site()


@pytest.fixture(scope="module")
def model() -> Iterator[ServedModel]:
    with served_model() as served:
        yield served


def seen(client: TestClient) -> dict[str, Any]:
    answer = client.get("/api/settings")
    assert answer.status_code == 200, answer.text
    return answer.json()


def entry(client: TestClient, key: str) -> dict[str, Any]:
    return next(each for each in seen(client)["entries"] if each["key"] == key)


def change(client: TestClient, **values: str | None) -> Any:
    asked = {"version": seen(client)["version"], "values": values}
    return client.patch("/api/settings", json=asked, headers=OWN)


def error(answer: Any) -> str:
    return answer.json()["error"]["message"]


# --- who may change settings ----------------------------------------------------------------------

CHANGES: list[tuple[str, str, object]] = [
    ("PATCH", "/api/settings", {"version": "absent", "values": {"provider": "local"}}),
    ("POST", "/api/settings/check", {"provider": "anthropic"}),
    ("POST", "/api/settings/restart", {}),
    ("PUT", "/api/settings/passcode", {"version": "absent", "new": "open sesame"}),
    ("DELETE", "/api/settings/passcode", {"version": "absent", "old": "open sesame"}),
    ("POST", "/api/settings/sample", None),
    ("DELETE", "/api/settings/sample", None),
]


def refusals(client: TestClient, headers: dict[str, str]) -> list[tuple[int, str]]:
    """What every address that changes something answers."""
    answers = [
        client.request(method, path, json=body, headers=headers) for method, path, body in CHANGES
    ]
    return [(answer.status_code, error(answer)) for answer in answers]


FOREIGN: list[tuple[dict[str, str], str]] = [
    ({}, "only by Paige's own pages"),
    ({"origin": "http://127.0.0.1:5173"}, "may not use this server"),
    ({"origin": "http://localhost:3000"}, "may not use this server"),
    ({"origin": LISTED}, "may not change settings"),
    ({"origin": "http://evil.example"}, "may not use this server"),
    ({"origin": "null"}, "may not use this server"),
    ({**OWN, "sec-fetch-site": "cross-site"}, "Paige's own pages"),
    ({**OWN, "sec-fetch-site": "same-site"}, "Paige's own pages"),
    ({**OWN, "x-forwarded-for": "10.0.0.9"}, "on the machine Paige runs on"),
    ({**OWN, "forwarded": "for=10.0.0.9"}, "on the machine Paige runs on"),
]


def test_nothing_is_changed_for_a_page_or_a_program_that_is_not_ours(
    open_site: Open, file: Path
) -> None:
    client = open_site(PAIGE_ALLOWED_ORIGINS=LISTED)
    for headers, says in FOREIGN:
        for status, message in refusals(client, headers):
            assert (status, says in message) == (403, True), (headers, message)
    assert not file.exists()


def test_without_a_passcode_another_machine_changes_nothing(open_site: Open, file: Path) -> None:
    client = open_site(client="192.168.1.20")

    for status, message in refusals(client, OWN):
        assert status == 403
        assert "on the machine Paige runs on" in message
    assert not file.exists()
    assert seen(client)["mayChange"] is False


def test_without_a_passcode_a_name_given_to_this_machine_changes_nothing(
    open_site: Open, file: Path
) -> None:
    client = open_site(PAIGE_ALLOWED_HOSTS="paige.school")
    headers = {"host": "paige.school", "origin": "http://paige.school"}
    _, path, body = CHANGES[0]

    assert client.patch(path, json=body, headers=headers).status_code == 403
    assert not file.exists()


def test_with_a_passcode_one_has_to_be_signed_in_and_send_the_token(
    open_site: Open, file: Path
) -> None:
    client = open_site(PAIGE_PASSCODE="open sesame")
    stranger = refusals(client, OWN)
    csrf = client.post("/api/session", json={"passcode": "open sesame"}).json()["csrf"]
    without = refusals(client, OWN)
    other_page = refusals(client, {"x-paige-csrf": csrf, "origin": "http://127.0.0.1:5173"})

    assert {status for status, _ in stranger} == {401}
    assert {status for status, _ in without} == {403}
    assert all("x-paige-csrf" in message for _, message in without)
    assert {status for status, _ in other_page} == {403}
    assert not file.exists()


def test_somebody_signed_in_on_another_machine_may_change_settings(
    open_site: Open, file: Path
) -> None:
    client = open_site(client="192.168.1.20", PAIGE_PASSCODE="open sesame")
    csrf = client.post("/api/session", json={"passcode": "open sesame"}).json()["csrf"]
    asked = {"version": seen(client)["version"], "values": {"provider": "local"}}
    answer = client.patch("/api/settings", json=asked, headers={**OWN, "x-paige-csrf": csrf})

    assert answer.status_code == 200
    assert tomllib.loads(file.read_text()) == {"provider": "local"}
    assert seen(client)["mayChange"] is True


# --- what is never told ---------------------------------------------------------------------------


def test_a_key_is_written_for_its_owner_only_and_never_sent_back(
    client: TestClient, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    answer = change(client, anthropic_api_key=KEY)

    assert answer.status_code == 200
    assert tomllib.loads(file.read_text()) == {"anthropic_api_key": KEY}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    shown = entry(client, "anthropic_api_key")
    assert (shown["value"], shown["isSet"], shown["waiting"]) == ("••••wXyZ", True, True)
    everything = answer.text + json.dumps(seen(client)) + client.get("/api/setup").text
    assert KEY not in everything + caplog.text
    assert answer.headers["cache-control"] == "no-store"


def test_of_a_short_secret_not_even_the_end_is_shown(open_site: Open) -> None:
    client = open_site(OPENAI_API_KEY="sk-short-one")

    assert entry(client, "openai_api_key")["value"] == "••••"


UNUSABLE: list[object] = [
    {"version": "absent", "values": {"anthropic_api_key": f"{KEY}\nand more"}},
    {"version": "absent", "values": {"anthropic_api_key": f"{KEY} and more"}},
    {"version": "absent", "values": {"anthropic_api_key": KEY * 200}},
    {"version": 7, "values": {"anthropic_api_key": KEY}},
    {"version": "old", "values": {"anthropic_api_key": KEY}},
    {"version": "absent", "values": {"anthropic_api_key": KEY}, KEY[:9]: 1},
]


def test_a_refused_change_does_not_repeat_the_key(
    client: TestClient, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for body in UNUSABLE:
        answer = client.patch("/api/settings", json=body, headers=OWN)

        assert answer.status_code in (400, 409)
        assert KEY not in answer.text + caplog.text
    assert not file.exists()


# --- the file -------------------------------------------------------------------------------------


def test_comments_order_and_other_settings_stay(client: TestClient, file: Path) -> None:
    file.write_text('# mine\nport = 4001 # for the proxy\n\n# who answers\nprovider = "openai"\n')
    file.chmod(0o644)
    assert seen(client)["exposed"] is True
    assert change(client, provider="anthropic", model_sonnet="claude-sonnet-5").status_code == 200

    assert file.read_text() == (
        '# mine\nport = 4001 # for the proxy\n\n# who answers\nprovider = "anthropic"\n'
        'model_sonnet = "claude-sonnet-5"\n'
    )
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert seen(client)["exposed"] is False


def test_a_setting_is_removed_by_nothing_or_by_blanks(client: TestClient, file: Path) -> None:
    file.write_text('provider = "local" # for now\nfallback = "none"\nmodel_haiku = "x"\n')
    assert change(client, provider=None, fallback="  ").status_code == 200

    assert tomllib.loads(file.read_text()) == {"model_haiku": "x"}


def test_what_somebody_wrote_meanwhile_is_not_written_over(client: TestClient, file: Path) -> None:
    before = seen(client)["version"]
    file.write_text('provider = "openai"\n')
    asked = {"version": before, "values": {"provider": "local"}}
    answer = client.patch("/api/settings", json=asked, headers=OWN)

    assert answer.status_code == 409
    assert file.read_text() == 'provider = "openai"\n'


def test_a_link_stays_a_link(client: TestClient, file: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text("# kept elsewhere\n")
    file.symlink_to(real)
    assert change(client, provider="local").status_code == 200

    assert file.is_symlink()
    assert real.read_text() == '# kept elsewhere\nprovider = "local"\n'
    assert seen(client)["file"] == str(real)


def test_a_file_that_is_no_toml_is_named_and_left_alone(client: TestClient, file: Path) -> None:
    file.write_text("provider = \n")
    answer = client.get("/api/settings")

    assert answer.status_code == 400
    assert str(file) in error(answer)
    assert file.read_text() == "provider = \n"


IMPOSSIBLE = [
    ("provider", "openia", "not one of"),
    ("fallback", "remote", "not one of"),
    ("base_url", "localhost:8000", "not an address"),
    ("model_haiku", "two\nlines", "signs that cannot be in it"),
    ("passcode", "open sesame", "cannot be changed from a page"),
    ("host", "0.0.0.0", "cannot be changed from a page"),
    ("nonsense", "x", "cannot be changed from a page"),
]


def test_a_value_that_cannot_be_is_refused_and_named(client: TestClient, file: Path) -> None:
    for key, value, says in IMPOSSIBLE:
        answer = change(client, **{key: value})

        assert answer.status_code in (400, 403)
        assert says in error(answer)
    assert not file.exists()


def test_what_the_environment_says_is_shown_as_such_and_cannot_be_changed(
    open_site: Open, file: Path
) -> None:
    client = open_site(ANTHROPIC_API_KEY=KEY, PAIGE_PROVIDER="anthropic")
    shown = entry(client, "provider")
    answer = change(client, provider="local")

    assert (shown["origin"], shown["editable"]) == ("environment", False)
    assert shown["place"] == "the variable `PAIGE_PROVIDER`"
    assert answer.status_code == 403
    assert "the variable `PAIGE_PROVIDER`" in error(answer)
    assert not file.exists()


def test_what_a_project_says_is_stronger_too(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "work" / "paige.toml").write_text('provider = "local"\n')
    (tmp_path / "work" / ".env").write_text("PAIGE_FALLBACK=none\n")

    assert entry(client, "provider")["origin"] == "project"
    assert entry(client, "fallback")["origin"] == "dotenv"
    assert change(client, provider="openai").status_code == 403
    assert change(client, fallback="local").status_code == 403


def test_a_setting_waits_until_the_server_starts_again(client: TestClient) -> None:
    assert change(client, provider="local").status_code == 200

    assert entry(client, "provider")["waiting"] is True
    assert entry(client, "fallback")["waiting"] is False


def test_a_server_that_nobody_starts_again_says_so(client: TestClient) -> None:
    assert seen(client)["canRestart"] is False
    answer = client.post("/api/settings/restart", json={}, headers=OWN)

    assert answer.status_code == 503
    assert "by hand" in answer.json()["error"]["hint"]


# --- a kept key and a new address -----------------------------------------------------------------


def test_a_kept_key_is_not_sent_to_a_new_address(client: TestClient, file: Path) -> None:
    assert change(client, anthropic_api_key=KEY).status_code == 200
    before = file.read_text()
    alone = change(client, base_url="http://127.0.0.1:9/")
    with_other = change(client, base_url="http://127.0.0.1:9/", openai_api_key=OTHER)
    checked = client.post(
        "/api/settings/check", json={"baseUrl": "http://127.0.0.1:9"}, headers=OWN
    )

    assert [alone.status_code, with_other.status_code, checked.status_code] == [403, 403, 403]
    assert "`anthropic_api_key` again" in error(alone)
    assert file.read_text() == before
    assert change(client, base_url="http://127.0.0.1:9/", anthropic_api_key=KEY).is_success


def test_a_key_of_the_environment_keeps_its_address(open_site: Open) -> None:
    client = open_site(OPENAI_API_KEY=OTHER)

    assert change(client, base_url="http://127.0.0.1:9").status_code == 403


# --- checking a key -------------------------------------------------------------------------------


def check(client: TestClient, **asked: str) -> dict[str, Any]:
    answer = client.post("/api/settings/check", json=asked, headers=OWN)
    assert answer.status_code == 200, answer.text
    return answer.json()


def says(status: int, kind: str, message: str, **headers: str) -> Callable[[Recorded], Reply]:
    return lambda request: ANTHROPIC.error(status, kind, message, **headers)


OUTCOMES: list[tuple[Callable[[Recorded], Reply], str, str]] = [
    (lambda request: ANTHROPIC.answer("ready"), "works", "answered in"),
    (says(401, "authentication_error", f"bad {KEY}"), "wrong_key", "does not accept"),
    (says(403, "permission_error", "no"), "wrong_key", "does not accept"),
    (says(404, "not_found_error", "model: x"), "model_unknown", "did not take"),
    (says(429, "rate_limit_error", "slow", retry_after="7"), "rate_limit", "no more requests"),
    (says(429, "billing_error", "credit"), "no_credit", "no credit left"),
    (says(529, "overloaded_error", "busy"), "failed", "overloaded"),
    (says(500, "api_error", "oops"), "failed", "fault of its own"),
    (lambda request: Hangup(), "no_network", "cannot be reached"),
    (lambda request: Json({"hello": "world"}), "not_a_model", "cannot read"),
]


def test_checking_a_key_says_what_happened(
    client: TestClient, model: ServedModel, caplog: pytest.LogCaptureFixture
) -> None:
    for reply, outcome, words in OUTCOMES:
        model.answers_with(reply)
        found = check(client, provider="anthropic", key=KEY, baseUrl=model.url)

        assert found["outcome"] == outcome
        assert words in found["message"]
        assert found["model"] == "claude-haiku-4-5-20251001"
        assert KEY not in json.dumps(found) + caplog.text
        assert model.requests[-1].headers["authorization"] == f"Bearer {KEY}"
        assert model.requests[-1].body["max_tokens"] == 16


def test_every_kind_of_provider_can_be_checked(client: TestClient, model: ServedModel) -> None:
    for provider, kind in (("openai", OPENAI), ("openai-compatible", CHAT)):
        model.answers_with(lambda request, kind=kind: kind.answer("ready"))
        asked = {"provider": provider, "key": OTHER, "baseUrl": model.url, "model": "small-one"}
        found = check(client, **asked)

        assert (found["outcome"], found["model"]) == ("works", "small-one")
        assert model.requests[-1].headers["authorization"] == f"Bearer {OTHER}"


def test_a_kept_key_is_checked_where_it_is_used(open_site: Open, model: ServedModel) -> None:
    model.says("ready")
    client = open_site(ANTHROPIC_API_KEY=KEY, PAIGE_BASE_URL=model.url)

    assert check(client)["outcome"] == "works"
    assert model.requests[-1].headers["authorization"] == f"Bearer {KEY}"


def test_an_address_where_nobody_listens_is_no_network(client: TestClient) -> None:
    found = check(client, provider="anthropic", key=KEY, baseUrl="http://127.0.0.1:9")

    assert found["outcome"] == "no_network"


def test_without_a_key_there_is_nothing_to_ask(client: TestClient) -> None:
    assert check(client, provider="anthropic")["outcome"] == "no_key"
    assert check(client, provider="openai-compatible", key=OTHER)["outcome"] == "no_key"
    assert check(client)["outcome"] == "local"


def test_a_model_that_will_be_switched_off_is_told(client: TestClient, model: ServedModel) -> None:
    model.says("ready")
    asked = {"provider": "anthropic", "key": KEY, "baseUrl": model.url, "tier": "sonnet"}
    found = check(client, **asked)

    assert found["outcome"] == "works"
    assert "will be switched off by its maker on 2026-11-30" in found["hint"]


# --- the passcode ---------------------------------------------------------------------------------


def passcode(client: TestClient, method: str, **asked: str) -> Any:
    body = {"version": seen(client)["version"], **asked}
    return client.request(method, "/api/settings/passcode", json=body, headers=OWN)


def test_a_first_passcode_is_kept_as_its_hash(client: TestClient, file: Path) -> None:
    answer = passcode(client, "PUT", new="open sesame")

    assert answer.status_code == 200
    kept = tomllib.loads(file.read_text())["passcode"]
    assert kept.startswith("$argon2id$")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "open sesame" not in answer.text + file.read_text()
    assert kept not in answer.text
    assert seen(client)["passcode"] == {
        "isSet": True,
        "inForce": False,
        "waiting": True,
        "origin": "person",
        "place": f"{file}:1",
        "editable": True,
        "removable": True,
    }


def test_changing_and_removing_need_the_old_one(client: TestClient, file: Path) -> None:
    passcode(client, "PUT", new="open sesame")
    before = file.read_text()
    refused = [
        passcode(client, "PUT", new="close sesame"),
        passcode(client, "PUT", new="close sesame", old="guess"),
        passcode(client, "DELETE", old="guess"),
    ]

    assert [answer.status_code for answer in refused] == [403, 403, 403]
    assert file.read_text() == before
    assert passcode(client, "PUT", new="close sesame", old="open sesame").status_code == 200
    assert passcode(client, "DELETE", old="close sesame").status_code == 200
    assert "passcode" not in file.read_text()


def test_guessing_the_old_passcode_is_slowed_down(client: TestClient) -> None:
    passcode(client, "PUT", new="open sesame")
    for _ in range(10):
        assert passcode(client, "DELETE", old="guess").status_code == 403

    assert passcode(client, "DELETE", old="open sesame").status_code == 429


def test_the_passcode_in_force_is_the_old_one(open_site: Open, file: Path) -> None:
    file.write_text(f'passcode = "{hash_passcode("open sesame")}"\n')
    client = open_site()
    csrf = client.post("/api/session", json={"passcode": "open sesame"}).json()["csrf"]
    client.headers["x-paige-csrf"] = csrf

    assert passcode(client, "PUT", new="close sesame", old="guess").status_code == 403
    assert passcode(client, "PUT", new="close sesame", old="open sesame").status_code == 200
    # Until the next start the old one counts for signing in, the new one for changing it again.
    assert client.get("/api/setup").status_code == 200
    assert passcode(client, "DELETE", old="open sesame").status_code == 403


def test_a_short_passcode_is_refused(client: TestClient, file: Path) -> None:
    assert passcode(client, "PUT", new="1234567").status_code == 400
    assert not file.exists()


def test_a_passcode_of_the_environment_is_changed_there(open_site: Open, file: Path) -> None:
    client = open_site(PAIGE_PASSCODE="open sesame")
    csrf = client.post("/api/session", json={"passcode": "open sesame"}).json()["csrf"]
    client.headers["x-paige-csrf"] = csrf
    answer = passcode(client, "PUT", new="close sesame", old="open sesame")

    assert answer.status_code == 403
    assert "the variable `PAIGE_PASSCODE`" in error(answer)
    assert not file.exists()


def test_a_server_others_can_reach_keeps_its_passcode(open_site: Open, file: Path) -> None:
    file.write_text(f'passcode = "{hash_passcode("open sesame")}"\n')
    client = open_site(PAIGE_HOST="0.0.0.0")
    csrf = client.post("/api/session", json={"passcode": "open sesame"}).json()["csrf"]
    client.headers["x-paige-csrf"] = csrf
    answer = passcode(client, "DELETE", old="open sesame")

    assert seen(client)["passcode"]["removable"] is False
    assert answer.status_code == 403
    assert "other machines" in error(answer)
    assert "passcode" in file.read_text()


# --- data, sample, first run ----------------------------------------------------------------------


def test_what_is_kept_is_told_with_its_place_and_size(client: TestClient, home: Path) -> None:
    found = client.get("/api/settings/data").json()
    kept = {each["what"]: each for each in found["kept"]}

    assert kept["data"]["path"] == str(home / ".paige")
    assert kept["database"]["size"] > 0
    assert kept["memory"]["there"] is False
    assert found["free"] > 0


def test_the_sample_is_added_marked_and_removed_without_what_somebody_changed(
    client: TestClient, home: Path
) -> None:
    added = client.post("/api/settings/sample", headers=OWN).json()
    classes = home / ".paige" / "workspace" / "classes"
    mine = classes / "2A.md"
    mine.write_text(mine.read_text() + "\nMy own words.\n")
    (classes / "mine.md").write_text("Mine.\n")
    (home / ".paige" / "sample" / "project" / "new.py").write_text("")
    changed = client.get("/api/settings/sample").json()
    removed = client.delete("/api/settings/sample", headers=OWN).json()

    assert len(added["files"]) == added["allFiles"] > 10
    assert [each["name"] for each in added["courses"]] == [
        "bahasa-melayu",
        "how-memory-works",
        "python-algorithms",
    ]
    assert added["projectThere"] is True
    assert (changed["changed"], changed["projectChanged"]) == (["classes/2A.md"], ["new.py"])
    assert (removed["files"], removed["projectThere"]) == ([], False)
    assert sorted(path.name for path in classes.iterdir()) == ["2A.md", "mine.md"]
    again = client.post("/api/settings/sample", headers=OWN).json()
    assert len(again["files"]) == again["allFiles"] - 1
    assert mine.read_text().endswith("My own words.\n")


def test_a_workspace_of_ones_own_is_not_mixed_with_the_sample(
    open_site: Open, tmp_path: Path
) -> None:
    own = tmp_path / "lessons"
    (own / "classes").mkdir(parents=True)
    (own / "classes" / "7X.md").write_text("Mine.\n")
    client = open_site(PAIGE_WORKSPACE=str(own))
    added = client.post("/api/settings/sample", headers=OWN).json()
    client.delete("/api/settings/sample", headers=OWN)

    assert added["mixed"] is True
    assert [path.name for path in (own / "classes").iterdir()] == ["7X.md"]


def test_it_is_the_first_run_until_somebody_says_who_answers(client: TestClient) -> None:
    assert seen(client)["firstRun"] is True
    assert change(client, provider="local").json()["firstRun"] is False


def test_with_a_key_in_the_environment_it_is_no_first_run(open_site: Open) -> None:
    assert seen(open_site(ANTHROPIC_API_KEY=KEY))["firstRun"] is False


def test_a_check_is_written_down_with_what_it_cost(
    client: TestClient, model: ServedModel, home: Path
) -> None:
    model.says("ready")
    check(client, provider="anthropic", key=KEY, baseUrl=model.url)
    with closing(sqlite3.connect(home / ".paige" / "paige.db")) as database:
        rows = database.execute("SELECT call_type, provider, cost_estimate FROM api_call_log")
        [(kind, provider, cost)] = rows.fetchall()

    assert (kind, provider) == ("settings:check", "anthropic")
    assert cost > 0
