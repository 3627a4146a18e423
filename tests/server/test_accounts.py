"""Accounts over HTTP and WebSocket: cookies, tokens, CSRF, roles, waits, and people's own pages."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from paige.app.accounts import people
from paige.app.accounts.people import PersonChanges, PersonNew
from paige.app.application import App, open_app
from paige.base.actor import Actor
from paige.base.rights import RIGHTS, ROLES, Right, allows
from paige.base.settings import Settings
from paige.doors.frame.operations import load_operation
from paige.doors.frame.web.sign_in import DOORS, SECURE_COOKIE, is_shut
from paige.doors.people.sessions import local_path
from paige.doors.site.factory import Site
from paige.doors.table import all_routes
from paige.models.log import ApiCall
from paige.models.queries import insert_api_call
from tests.conftest import NOON

BASE = "http://127.0.0.1:3000"
SOCKET = "ws://127.0.0.1:3000/ws"
PASSWORD = "seven green kettles"
ADMIN = Actor("local", "root", frozenset({"admin"}))


class School:
    """A site with accounts whose clock a test moves."""

    def __init__(self, app: App, site: Site) -> None:
        self.app = app
        self.site = site
        self.at = NOON
        self.opened = TestClient(site.asgi, base_url=BASE)

    def now(self) -> datetime:
        return self.at

    def add(self, id: str, *roles: str, tenant: str = "local") -> None:
        actor = Actor(tenant, "root", frozenset({"admin"}))
        new = PersonNew(id=id, roles=roles, password=PASSWORD, email=f"{id}@school.org")
        self.run(people.add_person, actor, new)

    def run(self, work: Callable[..., Any], *arguments: object) -> None:
        """Do something on the loop of the site."""
        assert self.opened.portal is not None
        self.opened.portal.call(work, self.app, *arguments)

    def browser(self, base: str = BASE) -> TestClient:
        client = TestClient(self.site.asgi, base_url=base, raise_server_exceptions=False)
        client.portal = self.opened.portal  # all on one loop, as on a real server
        return client

    def enter(self, name: str, *, base: str = BASE, tenant: str = "local") -> TestClient:
        client = self.browser(base)
        asked = {"name": name, "password": PASSWORD, "tenant": tenant}
        answer = client.post("/api/session", json=asked)
        assert answer.status_code == 200, answer.text
        client.headers["x-paige-csrf"] = answer.json()["csrf"]
        return client


@pytest.fixture
def school(tmp_path: Path) -> Iterator[School]:
    with open_school(tmp_path) as opened:
        yield opened


@pytest.fixture(scope="module")
def quiet_school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[School]:
    """For tests that are refused: nothing of it changes."""
    with open_school(tmp_path_factory.mktemp("school")) as opened:
        for role in ROLES:
            opened.add(f"the-{role}", role)
        yield opened


@contextmanager
def open_school(folder: Path) -> Iterator[School]:
    """A school with three people."""
    settings = Settings(
        environ={"HOME": str(folder)},
        cwd=folder,
        given_data_dir=folder / "data",
        accounts="on",
        spend_limit_day=2.0,
    )
    holder: list[School] = []
    with open_app(settings, strict=False, now=lambda: holder[0].now() if holder else NOON) as app:
        site = Site(app)
        holder.append(School(app, site))
        with holder[0].opened:
            holder[0].add("root", "admin")
            holder[0].add("ada", "teacher")
            holder[0].add("bob", "learner")
            yield holder[0]


@pytest.mark.parametrize("path", ["/api/setup", "/api/me", "/api/people", "/mcp", "/hooks/gemini"])
def test_nobody_comes_in_without_signing_in(quiet_school: School, path: str) -> None:
    answer = quiet_school.browser().get(path)
    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == "sign_in"


def test_the_session_says_how_to_sign_in_and_then_who_is(school: School) -> None:
    before = school.browser().get("/api/session").json()
    assert before == {
        "required": True,
        "signedIn": False,
        "csrf": None,
        "accounts": True,
        "person": None,
        "tenant": "",
        "rights": [],
        "provider": None,
    }
    after = school.enter("ADA@school.org").get("/api/session").json()
    assert (after["signedIn"], after["person"]["id"], after["tenant"]) == (True, "ada", "local")
    assert after["rights"] == [right for right in RIGHTS if allows({"teacher"}, right)]


def test_a_wrong_password_is_told_and_then_waited_for(school: School) -> None:
    client = school.browser()
    answers = [
        client.post("/api/session", json={"name": "ada", "password": "wrong password"})
        for _ in range(6)
    ]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429]
    assert answers[0].json()["error"]["message"] == "The name or the password is wrong"
    assert answers[5].headers["retry-after"] == "1"
    assert "1 second" in answers[5].json()["error"]["hint"]
    assert "set-cookie" not in answers[5].headers


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(school: School) -> None:
    asked = {"name": "ada", "password": PASSWORD}
    plain = school.browser().post("/api/session", json=asked).headers["set-cookie"]
    secure = school.browser("https://127.0.0.1:3000").post("/api/session", json=asked)

    assert plain.startswith("paige_session=local.")
    for part in ("HttpOnly", "SameSite=lax", "Path=/"):
        assert part in plain
    cookie = secure.headers["set-cookie"]
    assert cookie.startswith(f"{SECURE_COOKIE}=local.")
    assert "Secure" in cookie
    assert "Domain" not in cookie


def test_over_https_a_cookie_without_the_prefix_counts_for_nothing(school: School) -> None:
    secret = school.enter("ada").cookies["paige_session"]
    client = school.browser("https://127.0.0.1:3000")
    assert client.get("/api/me", headers={"cookie": f"paige_session={secret}"}).status_code == 401
    right = {"cookie": f"{SECURE_COOKIE}={secret}"}
    assert client.get("/api/me", headers=right).status_code == 200


def test_changes_by_cookie_need_the_token_of_the_page(school: School) -> None:
    client = school.enter("ada")
    right = client.headers.pop("x-paige-csrf")
    assert client.patch("/api/me", json={"name": "Ada L"}).status_code == 403
    wrong = client.patch("/api/me", json={"name": "A"}, headers={"x-paige-csrf": "x"})
    assert wrong.status_code == 403
    assert client.delete("/api/session").status_code == 403
    other = school.enter("bob").headers["x-paige-csrf"]
    assert client.delete("/api/session", headers={"x-paige-csrf": other}).status_code == 403
    answer = client.patch("/api/me", json={"name": "Ada L"}, headers={"x-paige-csrf": right})
    assert answer.json()["person"]["name"] == "Ada L"


def test_signing_out_ends_the_secret_and_not_only_the_cookie(school: School) -> None:
    client = school.enter("ada")
    secret = client.cookies["paige_session"]
    assert client.delete("/api/session").json()["signedIn"] is False

    again = {"cookie": f"paige_session={secret}"}
    assert school.browser().get("/api/me", headers=again).status_code == 401


def test_a_token_is_shown_once_opens_without_csrf_and_is_revoked(school: School) -> None:
    client = school.enter("ada")
    made = client.post("/api/me/tokens", json={"label": "laptop", "days": 7}).json()
    bearer = {"authorization": f"Bearer {made['secret']}"}
    program = school.browser()

    assert program.get("/api/me", headers=bearer).json()["person"]["id"] == "ada"
    assert program.patch("/api/me", json={"name": "A"}, headers=bearer).status_code == 200
    listed = client.get("/api/me/sign-ins")
    assert made["secret"] not in listed.text
    kinds = {each["kind"]: each for each in listed.json()["signIns"]}
    assert kinds["browser"]["this"] is True
    assert kinds["token"]["label"] == "laptop"

    client.delete(f"/api/me/sign-ins/{kinds['token']['id']}")
    assert program.get("/api/me", headers=bearer).status_code == 401
    for wrong in ("Bearer", "Bearer ", "Basic x", f"bearer  {made['secret']}x"):
        assert program.get("/api/me", headers={"authorization": wrong}).status_code == 401


def guarded_addresses() -> dict[str, Right]:
    """An address to read from for each right that a subject asks for; and what is no operation."""
    found: dict[tuple[str, Right], str] = {}
    for row in all_routes():
        right = load_operation(row.operation).needs
        if row.method == "GET" and right is not None and "{" not in row.path:
            found.setdefault((row.tag, right), f"/api{row.path}")
    # A bare GET opens a stream at `/mcp`.
    others = {f"{prefix}/nowhere": right for prefix, right in DOORS if prefix != "/mcp"}
    return {address: right for (_, right), address in found.items()} | others


@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_through_exactly_its_doors(quiet_school: School, role: str) -> None:
    client = quiet_school.enter(f"the-{role}")
    for address, right in guarded_addresses().items():
        refused = client.get(address).status_code == 403
        assert refused is not allows({role}, right), address


def test_every_first_part_of_the_api_is_looked_at() -> None:
    # `answer` is for who has a code and no account.
    free = {"setup", "session", "me", "search", "notices", "traces", "costs", "answer"}
    unlisted = {
        row.path.split("/")[1]
        for row in all_routes()
        if load_operation(row.operation).needs is None
    }
    assert unlisted <= free, "name the right that its subject needs, or say here why everyone may"


@pytest.mark.parametrize(
    ("path", "guarded"),
    [
        ("/api/session", False),
        ("/api/session/oidc", False),
        ("/api/session/x", True),
        ("/api", True),
        ("/apis", False),
        ("/ws", True),
        ("/health", False),
        ("/", False),
    ],
)
def test_what_is_guarded(path: str, guarded: bool) -> None:
    assert is_shut({"type": "http", "path": path}) is guarded


def test_an_admin_adds_changes_and_disables_people(school: School) -> None:
    admin = school.enter("root")
    made = admin.post("/api/people", json={"id": "cyd", "roles": ["learner"]}).json()
    assert len(made["password"]) == 19
    assert made["person"]["roles"] == ["learner"]
    cyd = school.browser()
    asked = {"name": "cyd", "password": made["password"]}
    assert cyd.post("/api/session", json=asked).status_code == 200

    changed = admin.patch("/api/people/cyd", json={"roles": ["teacher"]})
    assert changed.json()["roles"] == ["teacher"]
    assert cyd.get("/api/me").json()["rights"][0] == "plan"
    reset = admin.put("/api/people/cyd/password", json={}).json()["password"]
    assert cyd.get("/api/me").status_code == 401
    assert cyd.post("/api/session", json={"name": "cyd", "password": reset}).status_code == 200
    assert admin.delete("/api/people/cyd/sign-ins").json() == {"ended": 1}
    admin.patch("/api/people/cyd", json={"state": "disabled"})
    refused = cyd.post("/api/session", json={"name": "cyd", "password": reset})
    assert refused.status_code == 403
    assert [each["id"] for each in admin.get("/api/people").json()["people"]] == [
        "ada",
        "bob",
        "cyd",
        "root",
    ]
    page = admin.get("/api/people?limit=2").json()
    assert page["next"] == "bob"
    assert admin.get("/api/people?limit=2&after=bob").json()["people"][0]["id"] == "cyd"


def test_an_admin_who_comes_through_a_proxy_changes_settings_and_a_teacher_does_not(
    school: School,
) -> None:
    for name, may in (("root", True), ("ada", False)):
        client = school.enter(name)
        client.headers |= {"origin": BASE, "x-forwarded-for": "10.0.0.9"}

        seen = client.get("/api/settings")
        asked = {"version": "absent", "values": {"provider": "local"}}
        changed = client.patch("/api/settings", json=asked)

        assert (seen.status_code, changed.status_code) == ((200, 200) if may else (403, 403))
        assert not may or seen.json()["mayChange"] is True


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/people", None),
        ("POST", "/api/people", {"id": "eve", "roles": ["admin"]}),
        ("PATCH", "/api/people/ada", {"roles": ["admin"]}),
        ("PUT", "/api/people/root/password", {"password": PASSWORD}),
        ("DELETE", "/api/people/root/sign-ins", None),
        ("PUT", "/api/limits", {"usdPerDay": 10}),
        ("GET", "/api/audit", None),
    ],
)
def test_nobody_else_may_look_after_people(
    quiet_school: School, method: str, path: str, body: dict | None
) -> None:
    answer = quiet_school.enter("ada").request(method, path, json=body)
    assert answer.status_code == 403
    assert "admin" in answer.json()["error"]["hint"]


def test_an_admin_of_one_school_sees_nothing_of_another(school: School) -> None:
    school.add("head", "admin", tenant="school")
    head = school.enter("head", tenant="school")

    assert [each["id"] for each in head.get("/api/people").json()["people"]] == ["head"]
    assert head.patch("/api/people/ada", json={"roles": ["admin"]}).status_code == 404
    assert {row["target"] for row in head.get("/api/audit").json()["entries"]} <= {"head", "school"}


def test_the_audit_log_tells_who_did_what_without_names(school: School) -> None:
    admin = school.enter("root")
    admin.patch("/api/people/ada", json={"name": "Countess Lovelace", "roles": ["researcher"]})

    newest = admin.get("/api/audit?limit=1").json()
    entry = newest["entries"][0]
    assert (entry["person"], entry["action"], entry["target"]) == ("root", "person.change", "ada")
    assert entry["detail"] == {"changed": ["name", "roles"], "roles": ["researcher"]}
    older = admin.get(f"/api/audit?before={newest['next']}").json()
    assert older["entries"][0]["seq"] == entry["seq"] - 1
    assert "Lovelace" not in admin.get("/api/audit").text


def test_me_shows_what_was_spent_against_which_limit(school: School) -> None:
    admin = school.enter("root")
    admin.put("/api/limits", json={"usdPerMonth": 50})
    admin.put("/api/limits", json={"person": "ada@school.org", "usdPerDay": 1})
    for person, id in (("ada", "one"), ("bob", "two")):
        call = ApiCall(
            id=id,
            session_id=None,
            call_type="x",
            model="m",
            input_hash="h",
            created_at=NOON,
            provider="p",
            billed_usd=0.25,
        )
        with school.app.database.system.transaction(write=True) as connection:
            insert_api_call(connection, Actor("local", person), call)

    spend = school.enter("ada").get("/api/me").json()["spend"]
    shown = [(each["whose"], each["period"], each["spentUsd"], each["limitUsd"]) for each in spend]
    assert shown == [
        ("everyone", "month", 0.5, 50.0),
        ("person", "day", 0.25, 1.0),
        ("person", "day", 0.25, 2.0),
    ]
    assert spend[0]["until"].startswith("2026-04-01T00:00")


def test_a_limit_is_set_and_taken_away_and_a_wrong_figure_is_named(school: School) -> None:
    admin = school.enter("root")
    typed = {"person": "ada", "usdPerDay": "2.5"}  # a form sends what was typed
    (limit,) = admin.put("/api/limits", json=typed).json()["limits"]
    assert limit == {
        "person": "ada",
        "usdPerDay": 2.5,
        "usdPerMonth": None,
        "spentUsdToday": 0.0,
        "spentUsdThisMonth": 0.0,
    }
    for wrong in (-1, "-1", "much", "2,5", "nan", "inf", "1e400", [1], ""):
        answer = admin.put("/api/limits", json={"person": "ada", "usdPerMonth": wrong})
        assert answer.status_code == 400, wrong
        error = answer.json()["error"]
        assert error["field"] == "usdPerMonth"
        assert "US dollars as a number, 0 or more, such as 2.5" in error["message"]
    unknown = admin.put("/api/limits", json={"person": "eve", "usdPerDay": 1})
    assert (unknown.status_code, unknown.json()["error"]["field"]) == (404, None)
    assert admin.get("/api/limits").json()["limits"] == [limit]
    assert admin.put("/api/limits", json={"person": "ada"}).json()["limits"] == []


def greet(socket: WebSocketTestSession) -> None:
    """Say hello and hear the answer, so that nobody waits for the heartbeat."""
    size = {"width": 1, "height": 1}
    hello = {"version": "1", "platform": "test", "windowSize": size}
    socket.send_json({"type": "connection:hello", "payload": hello})
    socket.receive_json()


def read_until_closed(socket: WebSocketTestSession) -> None:
    for _ in range(5):
        socket.receive_json()


def test_a_socket_needs_a_sign_in_and_ends_with_it(school: School) -> None:
    with (
        school.browser().websocket_connect(SOCKET) as nobody,
        pytest.raises(WebSocketDisconnect) as refused,
    ):
        nobody.receive_json()
    assert refused.value.code == 4401

    client = school.enter("ada")
    with client.websocket_connect(SOCKET) as socket:
        greet(socket)
        elsewhere = school.enter("root")
        elsewhere.delete("/api/people/ada/sign-ins")
        school.at = NOON + timedelta(seconds=10)
        socket.send_json({"type": "nothing", "payload": {}, "timestamp": 0})
        with pytest.raises(WebSocketDisconnect) as ended:
            read_until_closed(socket)
    assert ended.value.code == 4401
    assert "signed out" in ended.value.reason


def test_a_socket_comes_again_when_its_owner_may_do_something_else(school: School) -> None:
    client = school.enter("ada")
    with client.websocket_connect(SOCKET) as socket:
        greet(socket)
        school.run(people.change, ADMIN, "ada", PersonChanges(roles=("learner",)))
        school.at = NOON + timedelta(seconds=10)
        socket.send_json({"type": "nothing", "payload": {}, "timestamp": 0})
        with pytest.raises(WebSocketDisconnect) as ended:
            read_until_closed(socket)
    assert ended.value.code == 1012


@pytest.mark.parametrize(
    "back",
    ["//evil.example", "https://evil.example", "/\\evil", "", "x", "/a\nb", "/" + "a" * 3000],
)
def test_after_signing_in_one_stays_here(back: str) -> None:
    assert local_path(back) == "/"
    assert local_path("/plan?x=1") == "/plan?x=1"


def test_without_accounts_there_is_one_person_who_may_do_everything(open_site) -> None:
    client = open_site()
    me = client.get("/api/me").json()
    assert (me["accounts"], me["person"]["id"], me["spend"]) == (False, "me", [])
    assert me["rights"] == list(RIGHTS)
    for path in ("/api/people", "/api/audit", "/api/me/sign-ins"):
        assert client.get(path).status_code == 404


def test_with_a_passcode_everything_is_as_before(open_site) -> None:
    client = open_site(passcode="open sesame")
    assert client.get("/api/me").status_code == 401
    signed = client.post("/api/session", json={"passcode": "open sesame"})
    assert "SameSite=strict" in signed.headers["set-cookie"]
    assert client.get("/api/me").json()["accounts"] is False


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/people", '{"id": "a\\u0000b"}'),
        ("/api/people", '{"id": "cyd", "name": "\\ud800"}'),
        ("/api/people", '{"id": "cyd", "email": "a\\u0000@b"}'),
        ("/api/people", '{"id": "cyd", "password": "\\ud800\\ud800\\ud800aaaaaaaaaaaa"}'),
        ("/api/people", '{"id": "cyd", "roles": ["\\ud800"]}'),
        ("/api/me/tokens", '{"label": "\\u0000"}'),
        ("/api/me/tokens", '{"label": ""}'),
    ],
)
def test_what_is_no_text_is_refused_and_breaks_nothing(
    quiet_school: School, path: str, body: str
) -> None:
    answer = quiet_school.enter("root").post(
        path, content=body.encode(), headers={"content-type": "application/json"}
    )
    assert answer.status_code == 400, answer.text


@pytest.mark.parametrize("name", ["\\ud800", "\\u0000", "a\\u0000@b.c"])
def test_nothing_typed_at_the_door_breaks_it(quiet_school: School, name: str) -> None:
    body = f'{{"name": "{name}", "password": "x"}}'
    answer = quiet_school.browser().post(
        "/api/session", content=body.encode(), headers={"content-type": "application/json"}
    )
    assert answer.status_code in (400, 401)
