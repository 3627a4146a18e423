"""Nobody makes the server grow: bodies, heads and what is not text, at every address there is."""

import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from paige.app.accounts.passcode import COOKIE
from paige.doors.frame.web.limits import LIMITS, LINGER_SECONDS, USUAL, limit_of
from tests.depth import DEEP
from tests.live import Live, live_paige
from tests.server.conftest import BASE, Open

PART = b"[" * 2**20
PARTS = 100  # MiB; each of them would stay if it were read
HOLE = re.compile(r"{\w+(:\w+)?}")
WS = BASE.replace("http:", "ws:") + "/ws"
FEW = 24 * 2**10  # KiB that the process may grow by, over all of it


@pytest.fixture(scope="module")
def paige(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server that has loaded what it loads late."""
    with live_paige(tmp_path_factory.mktemp("limits")) as live:
        for head in ("POST /mcp HTTP/1.1", "GET /api/memory/stats HTTP/1.1"):
            sent(live, head, iter([b"Content-Length: 0\r\nConnection: close\r\n\r\n"]))
        yield live


def highest(live: Live) -> int:
    """The most memory that the process ever had, in KiB."""
    status = Path(f"/proc/{live.process.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def sent(live: Live, head: str, parts: Iterator[bytes]) -> tuple[int, str]:
    """Send a head and parts of a body, however long, and read the answer."""
    with socket.create_connection(("127.0.0.1", live.port), timeout=20) as line:
        begin = f"{head}\r\nHost: 127.0.0.1:{live.port}\r\n".encode("latin-1")
        try:
            # What is short is sent at once: an answer is lost when more comes after it.
            line.sendall(begin + next(parts))
            for part in parts:
                line.sendall(part)
        except ConnectionError:
            pass  # it was told enough; what it was told may be lost then
        try:
            answer = b"".join(iter(lambda: line.recv(65536), b""))
        except ConnectionError:
            answer = b""
    status = answer.partition(b" ")[2][:3]
    return int(status or 0), answer.decode(errors="replace")


def whole(parts: int) -> Iterator[bytes]:
    """A body whose length is told."""
    yield f"Content-Length: {parts * len(PART)}\r\nConnection: close\r\n\r\n".encode()
    for _ in range(parts):
        yield PART


def chunked(parts: int, part: bytes = PART) -> Iterator[bytes]:
    """A body of unknown length."""
    yield b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    for _ in range(parts):
        yield b"%x\r\n%s\r\n" % (len(part), part)
    yield b"0\r\n\r\n"


@pytest.mark.parametrize("body", [whole, chunked])
@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("POST /api/session HTTP/1.1", "64 KiB"),
        ("POST /api/memory/search HTTP/1.1", "1 MiB"),
        ("POST /api/memory/import HTTP/1.1", "64 MiB"),
        ("POST /api/nowhere HTTP/1.1", ""),
        ("PUT /api/plan/file?path=a.md HTTP/1.1\r\nContent-Type: application/json", "12 MiB"),
        ("POST /mcp HTTP/1.1\r\nAccept: */*\r\nContent-Type: application/json", "4 MiB"),
        ("POST /hooks/claude-code?event=PreToolUse HTTP/1.1", "deny"),
        ("GET / HTTP/1.1", ""),
    ],
)
def test_a_hundred_megabytes_do_not_make_the_server_grow(
    paige: Live, head: str, says: str, body
) -> None:
    before = highest(paige)
    status, answer = sent(paige, head, body(PARTS))

    assert says in answer
    if "KiB" in says or "MiB" in says:
        assert status == 413
    # What a hook's event may have is held, to be judged.
    assert highest(paige) - before < FEW * (3 if says == "deny" else 1)


def test_an_import_is_read_line_by_line(paige: Live) -> None:
    before = highest(paige)
    head = "POST /api/memory/import HTTP/1.1"
    status, answer = sent(paige, head, chunked(60, b"\n" * 2**20))
    _, long = sent(paige, head, chunked(60))

    assert status == 413
    assert "200,000 lines" in answer
    assert '"added":0' in long
    assert "The line has more than 1 MiB" in long
    assert highest(paige) - before < FEW


@pytest.mark.parametrize(
    "parts",
    [
        lambda: iter([b"X: ", *[b"a" * 2**20] * PARTS, b"\r\n\r\n"]),
        lambda: iter([b"X: a\r\n" * 2**17] * PARTS),
        lambda: iter([b"Transfer-Encoding: chunked\r\n\r\n0\r\n", *[b"X: a\r\n" * 2**17] * PARTS]),
        lambda: iter([b"Transfer-Encoding: chunked\r\n\r\n1;", *[b"a" * 2**20] * PARTS]),
    ],
    ids=["one header", "many headers", "trailers", "chunk extension"],
)
def test_an_endless_head_is_cut_off(paige: Live, parts) -> None:
    before = highest(paige)
    status, _ = sent(paige, "POST /api/session HTTP/1.1", parts())

    assert status in (0, 400)
    assert highest(paige) - before < FEW


@pytest.mark.parametrize(
    "line",
    [b"GET /\xff", b"GET /%", b"GET /?\xff=%zz", b"GET http://[::1/", b"\xff /", b"GET /%00"],
)
def test_an_address_that_is_none_is_refused(paige: Live, line: bytes) -> None:
    status, _ = sent(
        paige, f"{line.decode('latin-1')} HTTP/1.1", iter([b"Connection: close\r\n\r\n"])
    )

    assert 200 <= status < 500


def test_a_body_may_be_as_long_as_the_table_says_and_not_longer(client: TestClient) -> None:
    def post(size: int) -> int:
        body = b'{"passcode": "x"}'.ljust(size)
        headers = {"content-type": "application/json"}
        return client.post("/api/session", content=body, headers=headers).status_code

    assert (post(USUAL), post(USUAL + 1)) == (200, 413)
    lying = {"content-length": "7", "content-type": "application/json"}
    big = client.post("/api/session", content=iter([b" " * USUAL, b" "]), headers=lying)
    assert big.status_code == 413
    assert big.json()["error"]["code"] == "too_large"
    assert "64 KiB" in big.json()["error"]["message"]


def test_a_client_that_never_stops_is_left(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paige.doors.frame.web.limits.LINGER_SECONDS", 0.01)
    assert LINGER_SECONDS < 10
    endless = {"content-length": str(2**40)}

    assert client.post("/api/session", content=b"{}", headers=endless).status_code == 413


ODD = b"\xff\xfe;=\xe4"
SIGNS = [
    {"cookie": f"{COOKIE}=1.2.ä; {COOKIE}=ü".encode()},
    {"cookie": f"{COOKIE}=1.2.ä; {COOKIE}=ü".encode("latin-1")},
    {"cookie": f"{COOKIE}={'9' * 5000}.1.2".encode()},
    {"cookie": f'{COOKIE}="1.2.\\344"; {COOKIE}="1.\\344"'.encode()},
    {"cookie": f'{COOKIE}="\\262.2.3"; {COOKIE}="\\000"; a=\xff'.encode("latin-1")},
    {"authorization": b"Bearer \xff\xfe", "x-paige-csrf": ODD},
    {"authorization": "Bearer ä.ö".encode()},
    {"authorization": b"Basic \xff:\xff"},
    {"authorization": b"\xff"},
]
_OTHERS = (
    *("accept", "accept-language", "user-agent", "referer", "x-request-id", "traceparent"),
    *("if-none-match", "if-modified-since", "last-event-id", "x-paige-role", "x-paige-project"),
    *("mcp-session-id", "mcp-protocol-version", "x-forwarded-for", "sec-fetch-site"),
)
OTHERS = [
    {**dict.fromkeys(_OTHERS, ODD), "range": b"bytes=\xff", "content-type": b"multipart/form-data"},
    {"content-type": b"application/json; charset=\xff", "content-encoding": b"gzip"},
]
PIECES = ["%00", "%FF%ED%A0%80%C3%28", "..%2F..%2Fetc%2Fpasswd%00", "x" * 4000]
MOMENTS = ["2026-01-01T00:00:00", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00%2B14:00"]
BODIES = [
    b"\xff\xfe",
    b'"\\ud800"',
    b'{"text": "\\ud800", "passcode": "\\ud800", "name": "\\udfff", "password": "\\ud800"}',
    b'{"text": "\\u0000", "passcode": "\\u0000", "name": "\\u0000", "password": "\\u0000"}',
    b"[" * 30_000,
    b'{"a":' * 10_000,
    b'{"meta": ' + b"[" * 900 + b"]" * 900 + b', "text": "x"}',
    b"1" * 5000,
    b"NaN",
    b"",
]


@pytest.mark.parametrize("given", [{"passcode": "open sesame"}, {"accounts": "on"}, {}])
def test_what_is_no_text_is_refused_and_never_a_fault(
    open_site: Open, tmp_path: Path, given: dict[str, str]
) -> None:
    client = open_site(project_dir=tmp_path, environ={"HOME": str(tmp_path)}, **given)
    failed = [
        f"{method} {path} {headers} {body[:40]!r}: {answer.text}"
        for method, path, headers, body in requests(client, everything=not given)
        if (answer := client.request(method, path, headers=headers, content=body)).status_code
        in (500, 501, 502)
    ]

    assert failed == []
    for headers in (*SIGNS, *OTHERS):
        with suppress(WebSocketDisconnect), client.websocket_connect(WS, headers=headers):
            pass


def requests(
    client: TestClient, *, everything: bool
) -> Iterator[tuple[str, str, dict[str, bytes], bytes]]:
    """Every address with odd headers, or with everything about it odd that can be.

    Who asks is looked at before the address is, so in everyday runs one of each kind will do.
    """
    described = client.get("/api/openapi.json").json().get("paths", {})
    found = list(addresses(client.app))  # type: ignore[arg-type]
    if not everything and not DEEP:
        found = list(
            {(method, path.split("/")[1]): (method, path) for method, path in found}.values()
        )
    for method, path in found:
        if (method, path) == ("GET", "/mcp"):  # a stream, which has no end
            continue
        plain = HOLE.sub("x", path)
        yield from ((method, plain, each, b"{}") for each in (OTHERS if everything else SIGNS))
        if not everything:
            continue
        about = described.get(path.removeprefix("/api"), {}).get(method.lower(), {})
        names = [each["name"] for each in about.get("parameters", ()) if each["in"] == "query"]
        moments = [each["name"] for each in about.get("parameters", ()) if "date-time" in str(each)]
        for name in moments:
            yield from ((method, f"{plain}?{name}={each}", {}, b"{}") for each in MOMENTS)
        for piece in PIECES:
            query = "&".join(f"{name}={piece}" for name in names)
            yield method, f"{HOLE.sub(piece, path)}?{query}", {}, b"{}"
            yield method, f"{plain}?{query}", {}, b"{}"
        if method in ("POST", "PUT", "PATCH"):
            for body in BODIES:
                yield method, plain, {"content-type": b"application/json"}, body


def addresses(asgi: Starlette, before: str = "") -> Iterator[tuple[str, str]]:
    """Every method and path that the site answers."""
    for route in asgi.routes:
        if isinstance(route, Mount):
            if route.routes:
                yield from addresses(route.app, before + route.path)  # type: ignore[arg-type]
        elif isinstance(route, Route):
            for method in sorted(route.methods or {"GET", "POST", "DELETE"}):
                yield method, before + route.path


def test_every_line_of_the_table_is_about_an_address(client: TestClient) -> None:
    paths = [path for _, path in addresses(client.app)]  # type: ignore[arg-type]

    for prefix, most in LIMITS:
        assert any(path.startswith(prefix) and limit_of(path) == most for path in paths), prefix
