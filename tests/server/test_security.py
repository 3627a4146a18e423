"""Foreign Hosts and Origins, the passcode, its cookie and its CSRF token."""

from contextlib import nullcontext
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from paige.app.accounts.passcode import (
    COOKIE,
    Passcode,
    TooManyTries,
    WrongPasscode,
    hash_passcode,
)
from paige.base.errors import BadInput, Refused
from paige.base.settings import parse_setting, read_settings
from paige.doors.frame.web.security import MisdirectedRequest, Reach, check_origin, reach_of
from tests.conftest import NOON
from tests.server.conftest import BASE

LOCAL = Reach(frozenset({"127.0.0.1", "localhost", "::1"}), any_address=False)
SOCKET = "ws://127.0.0.1:3000/ws"
FOREIGN = [
    "http://evil.example",
    "https://127.0.0.1.evil.example",
    "http://localhost.evil.example:3000",
    "http://127.0.0.1@evil.example",
    "null",
    "file://",
    "http://[::1",
    "",
    "http://127.0.0.1:8080",
    "http://127.0.0.1",
    "https://127.0.0.1:3000",
    "ws://127.0.0.1:3000",
    "http://localhost:3000",
    "http://[::1]:3000",
    "http://127.0.0.1.:3000",
    "http://127.0.0.1:3000/",
    "http://127.0.0.1:3000 http://evil.example",
    "http://127.0.0.1:3000, http://127.0.0.1:3000",
    "http://me@127.0.0.1:3000",
    "http://127.0.0.1:3000#",
    "http://127.0.0.1:30000",
    "http://2130706433:3000",
    "http://127.0.0.1:003000",
]
DOORS = ["/api/setup", "/health", "/mcp", "/hooks/claude-code", "/api/session", "/"]


def test_a_foreign_origin_is_refused_everywhere(client: TestClient) -> None:
    for origin, path in product(FOREIGN, DOORS):
        answer = client.get(path, headers={"origin": origin})

        assert answer.status_code == 403, origin
        told = answer.json()["error"]
        assert f"`{origin}`" in told["message"]
        assert f"`{BASE}`" in told["message"]
        assert "PAIGE_ALLOWED_ORIGINS" in told["hint"]


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example:3000",
        "",
        "[::1",
        "evil@127.0.0.1:3000",
        "127.0.0.1:3000/evil",
        "localhost.:3000",
        "127.0.0.1:3000, evil.example",
    ],
)
def test_a_foreign_host_is_misdirected(quiet_client: TestClient, host: str) -> None:
    answer = quiet_client.get("/api/setup", headers={"host": host})

    assert answer.status_code == 421


def test_paiges_own_pages_may_ask(client: TestClient) -> None:
    for host, origin in (
        ("127.0.0.1:3000", "http://127.0.0.1:3000"),
        ("localhost:5173", "http://localhost:5173"),  # a proxy that passes on what was asked for
        ("[::1]:3000", "http://[::1]:3000"),
        ("LOCALHOST:3000", "HTTP://localhost:3000"),
        ("localhost", "http://localhost"),
        ("localhost:80", "http://localhost"),
        ("localhost", "http://localhost:80"),
    ):
        headers = {"host": host, "origin": origin}

        assert client.get("/api/setup", headers=headers).status_code == 200, origin


@pytest.mark.parametrize(
    ("listed", "origin", "passes"),
    [
        ("http://localhost:5173", "http://localhost:5173", True),
        (" http://a.test , HTTP://Localhost:5173/ ", "http://localhost:5173", True),
        ("https://school.test:443", "https://school.test", True),
        ("http://localhost:5173", "https://localhost:5173", False),
        ("http://localhost:5173", "http://localhost:51730", False),
        ("http://school.test", "http://a.school.test", False),
    ],
)
def test_a_listed_origin_may_ask(listed: str, origin: str, passes: bool) -> None:
    reach = reach_of(read_settings({"PAIGE_ALLOWED_ORIGINS": listed}, Path("/nowhere")))
    headers = [(b"host", b"127.0.0.1:3000"), (b"origin", origin.encode())]

    with nullcontext() if passes else pytest.raises(Refused):
        assert check_origin(headers, reach)


@pytest.mark.parametrize("listed", ["*", "null", "localhost:5173", "http://*.test", "file://"])
def test_what_is_no_origin_cannot_be_listed(listed: str) -> None:
    with pytest.raises(BadInput, match="is not an origin"):
        parse_setting("allowed_origins", listed, {}, Path("/"))


def test_two_origins_are_refused(client: TestClient) -> None:
    headers = [("origin", BASE), ("origin", "http://evil.example")]

    assert client.get("/api/setup", headers=headers).status_code == 403
    assert client.get("/api/setup", headers=headers[::-1]).status_code == 403


def test_only_a_named_proxy_says_that_it_was_https(open_site) -> None:
    site = open_site()
    for trusted, says, origin, status in (
        ("127.0.0.1", "https", "https://127.0.0.1:3000", 200),
        ("127.0.0.1", "https", "http://127.0.0.1:3000", 403),
        ("127.0.0.1", None, "https://127.0.0.1:3000", 403),
        ("10.9.9.9", "https", "https://127.0.0.1:3000", 403),
        ("10.9.9.9", "https", "http://127.0.0.1:3000", 200),
        ("127.0.0.1", "https, http", "https://127.0.0.1:3000", 403),
    ):
        proxied = ProxyHeadersMiddleware(site.app, trusted)  # what uvicorn puts around the site
        client = TestClient(proxied, base_url=BASE, client=("127.0.0.1", 1))
        headers = {"origin": origin, **({"x-forwarded-proto": says} if says else {})}

        assert client.get("/health", headers=headers).status_code == status
        if status == 403:
            with (
                pytest.raises(WebSocketDisconnect),
                client.websocket_connect(SOCKET, headers=headers),
            ):
                pass


def test_a_socket_over_tls_belongs_to_an_https_page() -> None:
    headers = [(b"host", b"localhost:443"), (b"origin", b"https://localhost")]

    assert check_origin(headers, LOCAL, scheme="wss") is False
    with pytest.raises(Refused):
        check_origin(headers, LOCAL, scheme="ws")


def test_a_foreign_origin_cannot_open_a_socket(client: TestClient) -> None:
    with client.websocket_connect(SOCKET):
        pass  # without an Origin it opens
    for origin in FOREIGN:
        with (
            pytest.raises(WebSocketDisconnect) as refused,
            client.websocket_connect(SOCKET, headers={"origin": origin}),
        ):
            pass
        assert "Origin" in refused.value.reason


def test_on_an_open_address_a_page_of_another_address_may_not_ask(open_site) -> None:
    client = open_site(host="0.0.0.0", passcode="open sesame")
    own = {"host": "10.1.2.3:3000", "origin": "http://10.1.2.3:3000"}
    foreign = {"host": "10.1.2.3:3000", "origin": "http://10.6.6.6"}

    assert client.get("/health", headers=own).status_code == 200
    assert client.get("/health", headers=foreign).status_code == 403


@pytest.mark.parametrize("path", ["/hooks/claude-code", "/mcp/x", "/assets/nothing.js"])
def test_what_is_not_a_page_is_not_found(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_listed_name_is_one_of_ours(open_site) -> None:
    client = open_site(allowed_hosts=("paige.school",))

    assert client.get("/health", headers={"host": "paige.school"}).status_code == 200


@given(host=st.text(max_size=40), origin=st.none() | st.text(max_size=40))
def test_no_text_in_host_or_origin_breaks_the_check(host: str, origin: str | None) -> None:
    headers = [(b"host", host.encode("utf-8", "replace"))]
    if origin is not None:
        headers.append((b"origin", origin.encode("utf-8", "replace")))
    try:
        check_origin(headers, LOCAL)
    except (MisdirectedRequest, Refused):
        return
    assert any(name in host for name in LOCAL.names)


@pytest.fixture
def locked(open_site) -> TestClient:
    """A site with a passcode."""
    return open_site(passcode="open sesame")


@pytest.mark.parametrize("path", ["/api/setup", "/mcp", "/hooks/claude-code"])
def test_without_the_passcode_the_doors_are_closed(locked: TestClient, path: str) -> None:
    assert locked.get(path).status_code == 401


def test_health_and_pages_need_no_passcode(locked: TestClient) -> None:
    assert locked.get("/health").status_code == 200
    assert locked.get("/").status_code == 200


def test_the_bearer_opens(locked: TestClient) -> None:
    right = {"authorization": "Bearer open sesame"}
    wrong = {"authorization": "Bearer close sesame"}

    assert locked.get("/api/setup", headers=right).status_code == 200
    assert locked.get("/api/setup", headers=wrong).status_code == 401


def test_signing_in_sets_a_cookie_that_opens_until_signing_out(locked: TestClient) -> None:
    state = {"required": True, "signedIn": False, "csrf": None, "demo": False}
    assert locked.get("/api/session").json() == state

    signed = locked.post("/api/session", json={"passcode": "open sesame"})

    cookie = signed.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert signed.json()["signedIn"] is True
    assert locked.get("/api/setup").status_code == 200
    locked.delete("/api/session")
    assert locked.get("/api/setup").status_code == 401


def test_a_wrong_passcode_says_so(locked: TestClient) -> None:
    answer = locked.post("/api/session", json={"passcode": "guess"})

    assert answer.status_code == 401
    assert answer.json()["error"]["message"] == "The passcode is wrong"


def test_changes_by_cookie_need_the_csrf_token(locked: TestClient) -> None:
    csrf = locked.post("/api/session", json={"passcode": "open sesame"}).json()["csrf"]

    without = locked.post("/api/nowhere")
    wrong = locked.post("/api/nowhere", headers={"x-paige-csrf": "guess"})
    right = locked.post("/api/nowhere", headers={"x-paige-csrf": csrf})

    assert [without.status_code, wrong.status_code, right.status_code] == [403, 403, 404]


def test_a_socket_without_the_passcode_is_told_to_sign_in(locked: TestClient) -> None:
    with (
        locked.websocket_connect(SOCKET) as socket,
        pytest.raises(WebSocketDisconnect) as closed,
    ):
        socket.receive_text()
    assert closed.value.code == 4401


def test_a_forged_cookie_opens_nothing(locked: TestClient) -> None:
    locked.cookies.set(COOKIE, f"{int(NOON.timestamp())}.abc.{'0' * 64}")

    assert locked.get("/api/setup").status_code == 401


def test_guessing_is_slowed_down() -> None:
    passcode = Passcode("open sesame", key=b"k" * 32)
    for _ in range(10):
        with pytest.raises(WrongPasscode):
            passcode.check("guess", now=NOON)
    with pytest.raises(TooManyTries):
        passcode.check("open sesame", now=NOON)


def test_the_passcode_may_be_given_as_its_hash() -> None:
    passcode = Passcode(hash_passcode("open sesame"), key=b"k" * 32)

    passcode.check("open sesame", now=NOON)
    with pytest.raises(WrongPasscode):
        passcode.check("close sesame", now=NOON)


def test_half_a_hash_is_refused_at_the_start() -> None:
    with pytest.raises(BadInput, match="not a whole argon2 hash"):
        Passcode("$argon2id$v=19$m=65536", key=b"k" * 32)


def test_a_cookie_ends_with_its_passcode() -> None:
    before, after = Passcode("one", key=b"k" * 32), Passcode("two", key=b"k" * 32)
    cookie = before.new_cookie(now=NOON)

    assert before.accepts_cookie(cookie, now=NOON)
    assert not after.accepts_cookie(cookie, now=NOON)
