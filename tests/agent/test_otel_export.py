"""Spans of ended runs go to a collector, and never get in the way of a run."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from paige.agent.trace import otel
from paige.agent.trace.otel import (
    QUEUE_RUNS,
    RETRY_SECONDS,
    Collector,
    EndedRun,
    SpanExport,
    linked,
    read_collector,
    trace_id,
)
from paige.base.counters import Tally, counting
from paige.base.errors import BadInput
from paige.store.engine import Database
from tests.agent.crew import ME, make_runtime, run
from tests.fakes.model_server import Hangup, Json, ModelServer

pytestmark = pytest.mark.anyio
LINK = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331")


class Pauses:
    """A sleep that only remembers, and lets others go on."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await anyio.lowlevel.checkpoint()


class Heard(Tally):
    """A tally that can be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self._events: dict[str, anyio.Event] = {}

    def count(self, name: str, amount: float, labels: Mapping[str, str]) -> None:
        """Count, and wake who waits for it."""
        super().count(name, amount, labels)
        self._events.setdefault(name, anyio.Event()).set()

    async def until(self, name: str) -> dict[Any, float]:
        """Wait until something was counted."""
        with anyio.fail_after(60):
            await self._events.setdefault(name, anyio.Event()).wait()
        return self.counts(name)


@asynccontextmanager
async def exporting(
    db: Database, url: str, pauses: Pauses
) -> AsyncIterator[tuple[SpanExport, Heard]]:
    """An export at work, and what it counts."""
    tally = Heard()
    with counting(tally):
        export = SpanExport(db, Collector(f"{url}/v1/traces", {"x-key": "k"}), sleep=pauses)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(export.run)
            yield export, tally
            tasks.cancel_scope.cancel()


@pytest.mark.db
async def test_the_spans_of_a_run_arrive_with_a_link_and_without_content(
    db: Database, tmp_path: Path
) -> None:
    done = await run(make_runtime(db, tmp_path, ["All done."]), "a prompt nobody may see")
    async with ModelServer() as server, exporting(db, server.url, Pauses()) as (export, tally):
        server.play(Json({}))
        export.offer(EndedRun(ME, done.run.id, LINK))
        await tally.until("spans_exported")

    [request] = server.requests
    assert (request.path, request.headers["x-key"]) == ("/v1/traces", "k")
    assert request.headers["content-type"] == "application/json"
    spans = request.body["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert {span["traceId"] for span in spans} == {trace_id(done.run.id)}
    [outer] = [span for span in spans if "parentSpanId" not in span]
    assert outer["links"] == [{"traceId": LINK[0], "spanId": LINK[1]}]
    assert "nobody may see" not in request.raw.decode()
    assert tally.counts("spans_exported") == {(): len(spans)}


async def test_a_collector_that_is_busy_is_asked_again_as_it_says(
    db: Database, tmp_path: Path
) -> None:
    done = await run(make_runtime(db, tmp_path, ["Done."]))
    pauses = Pauses()
    async with ModelServer() as server, exporting(db, server.url, pauses) as (export, tally):
        busy = Json({}, status=503, headers={"retry-after": "7"})
        server.play(busy, Json({}, status=429), Hangup(), Json({}))
        export.offer(EndedRun(ME, done.run.id))
        await tally.until("spans_exported")

    assert pauses.seconds == [7.0, RETRY_SECONDS[1], RETRY_SECONDS[2]]
    assert tally.counts("traces_dropped") == {}


@pytest.mark.parametrize(
    ("replies", "reason"),
    [([Json({}, status=401)], "refused"), ([Json({}, status=503)] * 4, "failed")],
)
async def test_a_collector_that_does_not_take_them_loses_them_and_the_next_run_is_sent(
    db: Database, tmp_path: Path, replies: list[Json], reason: str, caplog: Any
) -> None:
    first = await run(make_runtime(db, tmp_path, ["Done."]))
    second = await run(make_runtime(db, tmp_path, ["Done."]))
    async with ModelServer() as server, exporting(db, server.url, Pauses()) as (export, tally):
        server.play(*replies, Json({}))
        export.offer(EndedRun(ME, first.run.id))
        export.offer(EndedRun(ME, second.run.id))
        await tally.until("spans_exported")

    assert tally.counts("traces_dropped") == {(("reason", reason),): 1}
    assert server.url not in caplog.text


async def test_a_run_nobody_knows_is_dropped(db: Database, tmp_path: Path) -> None:
    async with exporting(db, "http://127.0.0.1:9", Pauses()) as (export, tally):
        export.offer(EndedRun(ME, "nobody"))
        assert await tally.until("traces_dropped") == {(("reason", "failed"),): 1}


async def test_a_fault_of_ours_costs_one_trace_and_nothing_else(
    db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await run(make_runtime(db, tmp_path, ["Done."]))
    second = await run(make_runtime(db, tmp_path, ["Done."]))
    real = otel.to_otlp

    def broken(traces: list[Any]) -> dict[str, Any]:
        if traces[0].run.id == first.run.id:
            raise KeyError("a fault")
        return real(traces)

    monkeypatch.setattr(otel, "to_otlp", broken)
    async with ModelServer() as server, exporting(db, server.url, Pauses()) as (export, tally):
        server.play(Json({}))
        export.offer(EndedRun(ME, first.run.id))
        export.offer(EndedRun(ME, second.run.id))
        await tally.until("spans_exported")

    assert tally.counts("traces_dropped") == {(("reason", "failed"),): 1}


async def test_the_queue_is_bounded_and_what_does_not_fit_is_counted(db: Database) -> None:
    with counting(Tally()) as tally:
        export = SpanExport(db, Collector("http://127.0.0.1:9/v1/traces"))
        for number in range(QUEUE_RUNS + 3):
            export.offer(EndedRun(ME, f"r{number}"))

    assert tally.counts("traces_dropped") == {(("reason", "full"),): 3}


@pytest.mark.parametrize("endpoint", ["localhost:4317", "grpc://x", "http://", "x" * 10])
def test_an_endpoint_that_is_no_address_is_named_by_its_variable(endpoint: str) -> None:
    with pytest.raises(BadInput, match="OTEL_EXPORTER_OTLP_ENDPOINT"):
        read_collector(endpoint, "")


def test_headers_are_read_as_opentelemetry_writes_them() -> None:
    found = read_collector("https://c.test/", "authorization=Basic%20abc, x-team = a=b ,")

    assert found.url == "https://c.test/v1/traces"
    assert found.headers == {"authorization": "Basic abc", "x-team": "a=b"}
    assert "abc" not in repr(found)
    with pytest.raises(BadInput, match="HEADERS"):
        read_collector("https://c.test", "no value")


def test_without_a_link_nothing_is_added() -> None:
    empty = {"resourceSpans": [{"scopeSpans": [{"spans": [{"spanId": "1"}]}]}]}

    assert json.dumps(linked(empty, None)) == json.dumps(empty)
