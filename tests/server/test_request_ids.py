"""Every request has an id, in its answer and in every line it causes."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from paige.app.application import open_app
from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.doors.frame.web.logs import HIDDEN, JsonLines, TextLines, secret_values
from paige.doors.frame.web.request_ids import (
    Parent,
    RequestIds,
    current_request,
    given_id,
    given_parent,
)
from paige.doors.site.factory import Site
from tests.conftest import NOON
from tests.fakes.model_server import Json
from tests.fakes.served_model import served_model
from tests.plan.planning import WORKSPACE, write_files
from tests.server.plan_window import teacher_in

LOOKS = 5000
TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@contextmanager
def site(folder: Path, **settings: Any) -> Iterator[TestClient]:
    """A site in this process."""
    chosen = Settings(cwd=folder, given_data_dir=folder / "data", **settings)
    with (
        open_app(chosen, strict=False, now=lambda: NOON) as app,
        TestClient(
            Site(app).asgi, base_url="http://127.0.0.1:3000", raise_server_exceptions=False
        ) as client,
    ):
        yield client


def test_an_id_that_was_given_comes_back_and_otherwise_one_is_made(client: TestClient) -> None:
    given = client.get("/health", headers={"x-request-id": "abc-1"})
    made = [client.get(path).headers["x-request-id"] for path in ("/health", "/api/nowhere")]
    refused = client.get("/health", headers={"host": "elsewhere.test"})

    assert given.headers["x-request-id"] == "abc-1"
    assert len({*made, refused.headers["x-request-id"]}) == 3
    assert all(len(each) == 16 for each in made)


@pytest.mark.parametrize(
    "bad", ["", "a b", "x" * 65, "a\nb", "<script>", "ü", "sk-ant-" + "a" * 24, "AKIA" + "A" * 16]
)
def test_an_id_of_another_form_or_that_looks_like_a_secret_is_not_taken(bad: str) -> None:
    assert given_id([(b"x-request-id", bad.encode("latin-1"))]) is None


def test_a_socket_is_told_its_id(client: TestClient) -> None:
    with client.websocket_connect(
        "ws://127.0.0.1:3000/ws", headers={"x-request-id": "socket-1"}
    ) as socket:
        assert (b"x-request-id", b"socket-1") in (socket.extra_headers or ())


# --- The trace of another program -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parent"),
    [
        (f"00-{TRACE}-{SPAN}-01", Parent(TRACE, SPAN)),
        (f"cc-{TRACE}-{SPAN}-01-what-a-later-version-adds", Parent(TRACE, SPAN)),
        (f"ff-{TRACE}-{SPAN}-01", None),
        (f"00-{'0' * 32}-{SPAN}-01", None),
        (f"00-{TRACE}-{'0' * 16}-01", None),
        (f"00-{TRACE.upper()}-{SPAN}-01", None),
        (f"00-{TRACE}-{SPAN}", None),
        ("", None),
    ],
)
def test_a_traceparent_is_read_as_agreed_or_left_out(text: str, parent: Parent | None) -> None:
    assert given_parent([(b"traceparent", text.encode())]) == parent


@given(st.binary())
def test_any_header_can_be_sent(value: bytes) -> None:
    given_parent([(b"traceparent", value)])
    found = given_id([(b"x-request-id", value)])
    assert found is None or found.encode() == value


def test_a_run_links_to_the_request_that_started_it(tmp_path: Path) -> None:
    with served_model() as collector:
        collector.answers_with(lambda request: Json({}))
        settings = {
            "given_workspace": write_files(tmp_path / "workspace", WORKSPACE),
            "environ": {"HOME": str(tmp_path)},
            "otlp_endpoint": collector.url,
        }
        with site(tmp_path, **settings) as client, teacher_in(client) as teacher:
            client.headers["traceparent"] = f"00-{TRACE}-{SPAN}-01"
            begun = teacher.ask("loops for 3B")
            teacher.finish(begun["run"])
            for _ in range(LOOKS):
                if collector.requests:
                    break
                client.get("/health")

    [request] = collector.requests
    spans = request.body["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert spans[0]["traceId"] == begun["run"].replace("-", "")
    assert [{"traceId": TRACE, "spanId": SPAN}] in [span.get("links") for span in spans]
    assert "loops for 3B" not in request.raw.decode()


def test_settings_that_name_no_collector_are_told_and_the_server_starts(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with site(tmp_path, otlp_endpoint="localhost:4317") as client:
        assert client.get("/health").status_code == 200
        assert client.get("/health/ready").status_code == 200

    assert "Spans are not exported: `OTEL_EXPORTER_OTLP_ENDPOINT`" in caplog.text


# --- The log --------------------------------------------------------------------------------------


def record(message: str, **extra: object) -> logging.LogRecord:
    """A line to be written."""
    made = logging.makeLogRecord({"msg": message, "levelname": "INFO", "name": "paige.x"})
    vars(made).update(extra)
    return made


async def asked(actor: Actor | None, write: Any) -> str:
    """What is written while a request is answered."""
    lines: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if actor is not None:
            scope["paige.actor"] = actor
        lines.append(write())

    scope = {"type": "http", "headers": [(b"x-request-id", b"r-1")]}
    await RequestIds(app, new_id=lambda: "made")(scope, None, None)  # type: ignore[arg-type]
    return lines[0]


@pytest.mark.anyio
async def test_a_line_says_which_request_it_belongs_to_and_who_asked() -> None:
    line = await asked(Actor("school", "ada"), lambda: JsonLines().format(record("Hello", more=1)))

    shown = json.loads(line)
    assert list(shown)[:4] == ["at", "level", "logger", "message"]
    assert shown["more"] == 1
    assert (shown["request"], shown["tenant"], shown["person"]) == ("r-1", "school", "ada")


@pytest.mark.anyio
async def test_a_line_for_people_leaves_out_who_they_are_themselves() -> None:
    mine = await asked(Actor(), lambda: TextLines().format(record("Hello")))
    other = await asked(Actor("school", "ada"), lambda: TextLines().format(record("Hello")))
    unknown = await asked(None, lambda: TextLines().format(record("Hello")))

    assert mine.endswith("Hello request=r-1")
    assert other.endswith("Hello request=r-1 tenant=school person=ada")
    assert unknown.endswith("Hello request=r-1")


def test_outside_of_a_request_a_line_is_as_it_always_was() -> None:
    assert current_request() is None
    assert set(json.loads(JsonLines().format(record("Hi")))) == {"at", "level", "logger", "message"}


def test_the_secrets_of_the_settings_are_hidden_whatever_they_look_like(tmp_path: Path) -> None:
    settings = Settings(
        cwd=tmp_path,
        passcode='pass"word',
        metrics_token="plain-words-token",
        database_url="postgresql://u:p%40ssw0rd@db.test/x",
        chromadb_url="http://u:chroma-word@c.test",
        otlp_headers="authorization=hush%20hush",
    )
    hidden = secret_values(settings)
    said = 'pass"word plain-words-token p%40ssw0rd p@ssw0rd chroma-word hush hush'
    for lines in (JsonLines(hidden), TextLines(hidden)):
        shown = lines.format(record(said, more={"deep": 'pass"word'}))
        for secret in ("word plain", "words-token", "ssw0rd", "chroma-word", "hush"):
            assert secret not in shown
        assert HIDDEN in shown
    json.loads(JsonLines(hidden).format(record(said)))
