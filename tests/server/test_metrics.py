"""What `/metrics` tells, and to whom."""

import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest
from prometheus_client import Metric
from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client.parser import text_string_to_metric_families
from starlette.datastructures import Address, Headers
from starlette.testclient import TestClient

from paige.app.application import open_app
from paige.base.counters import Tally
from paige.base.errors import PaigeError, Refused
from paige.base.settings import Settings
from paige.doors.frame.metrics.exposed import PREFIX, Family, read_families
from paige.doors.frame.metrics.request_counter import RequestCounter, RequestGauge
from paige.doors.frame.metrics.site import WrongToken, check_reader
from paige.doors.site.factory import Site
from tests.conftest import NOON
from tests.docs.pages import page
from tests.fakes.served_model import KEY, ServedModel, served_model
from tests.fakes.wire_bodies import ANTHROPIC
from tests.live import live_paige
from tests.plan.planning import WORKSPACE, lesson_text, write_files
from tests.server.plan_window import open_gate, teacher_in, yes

BASE = "http://127.0.0.1:3000"
TOKEN = "a-token-that-is-long-enough"
PAGE = "docs/reference/metrics.md"
HERE = ("127.0.0.1", 5000)
FAMILIES, PROCESS = read_families(), read_families("process")
KINDS = {"counter": "counter", "gauge": "gauge", "durations": "histogram"}


@pytest.fixture
def sites(tmp_path: Path) -> Iterator[Any]:
    """A function that opens a site; its clients come from this machine unless told otherwise."""
    with ExitStack() as stack:

        def opener(*, client: tuple[str, int] = HERE, **settings: Any) -> TestClient:
            values = {"cwd": tmp_path, "given_data_dir": tmp_path / "data", **settings}
            app = stack.enter_context(open_app(Settings(**values), strict=False, now=lambda: NOON))
            opened = TestClient(
                Site(app).asgi, base_url=BASE, raise_server_exceptions=False, client=client
            )
            return stack.enter_context(opened)

        yield opener


@pytest.fixture
def model() -> Iterator[ServedModel]:
    """A model on loopback."""
    with served_model() as served:
        yield served


def read(text: str) -> dict[str, Metric]:
    """The metrics of an answer, by name."""
    return {metric.name: metric for metric in text_string_to_metric_families(text)}


def value(client: Any, name: str, **labels: str) -> float:
    """The value of a sample now, 0 when there is none."""
    for metric in read(client.get("/metrics").text).values():
        for sample in metric.samples:
            if sample.name == f"{PREFIX}{name}" and sample.labels.items() >= labels.items():
                return sample.value
    return 0.0


# --- The page -------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", [*FAMILIES, *PROCESS], ids=lambda family: family.name)
def test_every_metric_has_its_row_with_kind_labels_and_meaning(family: Family) -> None:
    labels = ", ".join(f"`{label}`" for label in family.labels)
    row = f"| `{PREFIX}{family.name}` | {KINDS[family.kind]} | {labels} | {family.meaning} |"

    assert row in page(PAGE).prose


def test_no_metric_is_described_that_does_not_exist() -> None:
    described = re.findall(rf"^\| `{PREFIX}(\w+)` \|", page(PAGE).prose, re.MULTILINE)

    assert sorted(described) == sorted(family.name for family in (*FAMILIES, *PROCESS))


def test_the_registry_holds_what_the_table_says_and_no_more(sites: Any) -> None:
    found = read(sites().get("/metrics").text)

    # The parser of the classic form leaves `_total` out of a counter's name.
    known = {f"{PREFIX}{f.name.removesuffix('_total')}": KINDS[f.kind] for f in FAMILIES}
    process = {f"{PREFIX}{f.name.removesuffix('_total')}": KINDS[f.kind] for f in PROCESS}
    assert {name: metric.type for name, metric in found.items()} == {**known, **process}
    assert all(metric.documentation for metric in found.values())


def test_the_newer_form_is_written_for_who_asks_for_it(sites: Any) -> None:
    answer = sites().get(
        "/metrics", headers={"accept": "application/openmetrics-text;version=1.0.0"}
    )

    assert answer.headers["content-type"].startswith("application/openmetrics-text")
    assert {m.name for m in openmetrics.text_string_to_metric_families(answer.text)} >= {
        "paige_info"
    }


# --- What is counted ------------------------------------------------------------------------------


def test_requests_are_counted_by_route_method_and_status(sites: Any) -> None:
    client = sites()
    for path in ("/api/traces/one", "/api/traces/two", "/api/nowhere/secret", "/"):
        client.get(path)
    client.get("/health", headers={"host": "elsewhere.test"})

    def asked(**labels: str) -> float:
        return value(client, "http_requests_total", **labels)

    assert asked(route="/api/traces/{id}", method="GET", status="404") == 2
    assert asked(route="/api/{unknown}", status="404") == 1
    assert asked(route="web app", status="200") == 1
    assert asked(route="none", status="421") == 1
    assert value(client, "http_request_seconds_count", route="/api/traces/{id}") == 2
    assert value(client, "http_requests_running") == 1  # the one that asks
    assert "secret" not in client.get("/metrics").text


def test_a_method_nobody_knows_makes_no_new_label(sites: Any) -> None:
    client = sites()
    for number in range(3):
        client.request(f"X{number}", "/api/setup")

    assert value(client, "http_requests_total", route="/api/setup", method="other") == 3


async def _fails(scope: Any, receive: Any, send: Any) -> None:
    raise ValueError("a fault")


@pytest.mark.anyio
async def test_a_fault_inside_is_a_500_and_is_told_with_its_route(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tally, gauge = Tally(), RequestGauge()
    scope = {"type": "http", "method": "GET", "path": "/secret", "headers": []}
    with caplog.at_level(logging.WARNING), pytest.raises(ValueError, match="a fault"):
        await RequestCounter(_fails, tally, gauge)(scope, _nothing, _nothing)

    assert tally.counts("http_requests") == {
        (("method", "GET"), ("route", "none"), ("status", "500")): 1
    }
    assert gauge.requests == 0
    [told] = caplog.records
    assert (told.getMessage(), vars(told)["route"]) == ("A request was answered with 500", "none")


async def _nothing(*_: Any) -> Any:
    raise AssertionError("nobody asks")


def test_sockets_and_frames_are_counted(sites: Any) -> None:
    client = sites()
    with client.websocket_connect("ws://127.0.0.1:3000/ws") as socket:
        hello = {"version": "1", "platform": "x", "windowSize": {"width": 1, "height": 1}}
        socket.send_json({"type": "connection:hello", "payload": hello})
        socket.receive_json()
        assert value(client, "sockets_open") == 1
        assert value(client, "frames_received_total") == 1
        assert value(client, "frames_sent_total") == 1

    assert value(client, "frames_dropped_total") == 0


def test_two_servers_of_one_process_count_apart(sites: Any, tmp_path: Path) -> None:
    first, second = sites(), sites(given_data_dir=tmp_path / "other")
    first.get("/api/setup")

    assert value(first, "http_requests_total", route="/api/setup") == 1
    assert value(second, "http_requests_total", route="/api/setup") == 0


def test_a_lesson_is_seen_in_runs_gates_model_calls_and_tokens(
    sites: Any, tmp_path: Path, model: ServedModel
) -> None:
    client = sites(
        given_workspace=write_files(tmp_path / "workspace", WORKSPACE),
        environ={"HOME": str(tmp_path)},
        anthropic_api_key=KEY,
        base_url=model.url,
        fallback="none",
    )
    failed = ANTHROPIC.error(529, "overloaded_error", "come back", headers={"retry-after": "0.01"})
    model.answers(failed, ANTHROPIC.text_stream(lesson_text()))
    with teacher_in(client) as teacher:
        begun = teacher.ask("loops for 3B")
        gate = open_gate(teacher.until(begun["run"], "waiting"))
        assert value(client, "runs", state="waiting") == 1
        assert value(client, "gates_waiting") == 1
        teacher.answer(gate, yes(gate["interaction"]))
        ended = teacher.finish(begun["run"])

    assert ended["state"] == "ended"
    assert value(client, "runs_ended_total", status=ended["status"]) == 1
    assert value(client, "runs", state="waiting") == 0
    assert value(client, "model_calls_total", provider="anthropic", outcome="ok") >= 1
    assert value(client, "model_retries_total", provider="anthropic") == 1
    assert value(client, "model_tokens_total", kind="output") > 0
    assert value(client, "model_call_seconds_count", provider="anthropic") >= 1
    assert value(client, "events_position") > 0
    assert value(client, "events_lag") == 0


def test_answers_to_hooks_are_counted_by_what_was_said(sites: Any) -> None:
    client = sites()
    body = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}
    client.post("/hooks/claude-code", json=body)

    assert value(client, "hook_answers_total", cli="claude-code") == 1


def test_the_jobs_of_the_memory_are_measured(sites: Any, tmp_path: Path) -> None:
    (tmp_path / "workspace" / "memory").mkdir(parents=True)
    client = sites(environ={"HOME": str(tmp_path)}, given_workspace=tmp_path / "workspace")

    for _ in range(2000):
        if value(client, "memory_job_seconds_count", job="policy"):
            break
    assert value(client, "memory_job_seconds_count", job="follow", outcome="ok") == 1


# --- Who may read it ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("client", "headers", "token", "refused"),
    [
        ("127.0.0.1", {}, "", None),
        ("127.0.0.5", {"host": "localhost:3000"}, "", None),
        ("::1", {"host": "[::1]:3000"}, "", None),
        ("127.0.0.1", {}, TOKEN, None),
        ("127.0.0.1", {"host": "paige.example.org"}, "", Refused),
        ("127.0.0.1", {"x-forwarded-for": "127.0.0.1"}, "", Refused),
        ("127.0.0.1", {"forwarded": "for=10.0.0.1"}, "", Refused),
        ("127.0.0.1", {"via": "1.1 proxy"}, "", Refused),
        ("10.0.0.1", {}, "", Refused),
        ("not an address", {}, "", Refused),
        (None, {}, "", Refused),
        ("10.0.0.1", {}, TOKEN, WrongToken),
        ("10.0.0.1", {"authorization": "Bearer wrong"}, TOKEN, WrongToken),
        ("10.0.0.1", {"authorization": f"Basic {TOKEN}"}, TOKEN, WrongToken),
        ("10.0.0.1", {"authorization": "Bearer "}, "", Refused),
        ("10.0.0.1", {"authorization": f"Bearer {TOKEN}"}, TOKEN, None),
        ("127.0.0.1", {"via": "x", "authorization": f"bearer {TOKEN}"}, TOKEN, None),
        ("10.0.0.1", {"authorization": "Bearer short"}, "short", Refused),
        ("10.0.0.1", {"authorization": "Bearer tök" + "x" * 20}, TOKEN, WrongToken),
    ],
)
def test_this_machine_may_read_and_whoever_has_the_token(
    client: str | None, headers: dict[str, str], token: str, refused: type[PaigeError] | None
) -> None:
    given = {"host": "127.0.0.1:3000", **headers}
    address = None if client is None else Address(client, 5000)
    if refused is None:
        check_reader(address, Headers(given), token=token)
        return
    with pytest.raises(PaigeError) as caught:
        check_reader(address, Headers(given), token=token)
    assert type(caught.value) is refused
    assert TOKEN not in str(caught.value)


def test_the_address_refuses_strangers_and_a_passcode_is_no_key(sites: Any) -> None:
    stranger = sites(client=("10.1.2.3", 1), passcode="a passcode")
    keeper = sites(client=("10.1.2.3", 1), metrics_token=TOKEN)

    refused = stranger.get("/metrics", headers={"authorization": "Bearer a passcode"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "refused")
    assert keeper.get("/metrics").status_code == 401
    assert keeper.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_a_real_server_believes_its_proxy_about_where_a_request_came_from(tmp_path: Path) -> None:
    with live_paige(tmp_path, PAIGE_METRICS_TOKEN=TOKEN) as paige:
        near = httpx2.get(f"{paige.url}/metrics")
        far = httpx2.get(f"{paige.url}/metrics", headers={"x-forwarded-for": "127.0.0.1"})
        with_token = httpx2.get(
            f"{paige.url}/metrics",
            headers={"x-forwarded-for": "10.0.0.9", "authorization": f"Bearer {TOKEN}"},
        )

    assert [each.status_code for each in (near, far, with_token)] == [200, 401, 200]
    assert read(near.text)["paige_process_cpu_seconds"].samples[0].value > 0


def test_a_server_starts_without_the_library_that_writes_metrics() -> None:
    script = "import sys, paige.doors.site.run; print('prometheus_client' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )

    assert done.stdout.strip() == "False"


def test_many_counts_are_one_number() -> None:
    tally = Tally()
    for _ in range(10_000):
        tally.count("http_requests", 1.0, {"route": "/x", "method": "GET", "status": "200"})

    assert tally.counts("http_requests") == {
        (("method", "GET"), ("route", "/x"), ("status", "200")): 10_000
    }
