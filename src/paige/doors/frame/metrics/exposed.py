"""`GET /metrics`: what happens on this server, in Prometheus' words.

Rooms count into a tally of plain numbers; the library that knows how to write them down is loaded
when somebody asks for the first time. Figures of the installation are read from the database, for
two seconds at most: a database that is away is itself something to be told, not a failed answer.
"""

import logging
import threading
import time
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from anyio.abc import TaskGroup
from anyio.to_thread import run_sync
from sqlalchemy.pool import QueuePool

from paige import __version__
from paige.app.application import App
from paige.base.counters import BUCKETS, Durations, Labels, Tally
from paige.base.errors import PaigeError
from paige.base.paths import shipped
from paige.doors.frame.metrics.queries import STATES, Installation, installation
from paige.doors.frame.metrics.request_counter import RequestGauge
from paige.doors.frame.web.hub import Hub
from paige.doors.frame.web.readiness import READY_SECONDS, Look
from paige.store.engine import Database

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.metrics_core import Metric

logger = logging.getLogger(__name__)
PREFIX = "paige_"
Values = Mapping[tuple[str, ...], float]


class Family(NamedTuple):
    """One metric, as `shipped/metrics.toml` has it."""

    name: str
    kind: Literal["counter", "gauge", "durations"]
    meaning: str
    labels: tuple[str, ...] = ()
    source: str = ""


@cache
def read_families(part: Literal["metrics", "process"] = "metrics") -> tuple[Family, ...]:
    """Every metric of ours, or those of the process that the library itself writes."""
    table = tomllib.loads(shipped("metrics.toml").read_text(encoding="utf-8"))[part]
    return tuple(
        Family(name, **{**about, "labels": tuple(about.get("labels", ()))})
        for name, about in table.items()
    )


class Exposition(NamedTuple):
    """Metrics as they go over the wire."""

    body: bytes
    media_type: str


class _DatabaseAnswer(NamedTuple):
    """What the database said, and how long it took."""

    figures: Installation
    seconds: float


class Metrics:
    """The metrics of one server, in a registry of its own."""

    def __init__(self, app: App, hub: Hub, tally: Tally, running: RequestGauge) -> None:
        self._app = app
        self._hub = hub
        self._tally = tally
        self._running = running
        self._database = Look(lambda: _ask(app.database))
        self._gauges: dict[str, Values] = {}
        self._registry: CollectorRegistry | None = None
        self._lock = threading.Lock()

    async def write(self, tasks: TaskGroup, accept: str = "") -> Exposition:
        """Everything as it is now, in the form that the reader likes best."""
        asked: _DatabaseAnswer | None = None
        try:
            asked = await self._database.answer(tasks, seconds=READY_SECONDS)
        except (PaigeError, TimeoutError) as error:
            logger.warning("Metrics do without the database: %s", error or "it took too long")
        gauges = self._read(asked)
        return await run_sync(self._write, gauges, accept)

    def collect(self) -> Iterator["Metric"]:
        """Every metric, for the library."""
        for family in read_families():
            yield _metric(family, self._tally, self._gauges.get(family.name, {}))

    def _read(self, asked: _DatabaseAnswer | None) -> dict[str, Values]:
        """What is read at the moment it is asked for, on the event loop."""
        bus = self._app.bus
        waiting = sum(len(each.waiting) for each in self._hub.connections.values())
        found: dict[str, Values] = {
            "info": {(__version__, self._app.database.kind): 1},
            "http_requests_running": _one(self._running.requests),
            "sockets_open": _one(len(self._hub.connections)),
            "frames_waiting": _one(waiting),
            "events_position": _one(bus.seq),
            "servers": _one(bus.servers),
            "database_up": _one(asked is not None),
            "database_waiting": _one(self._app.database.waiting),
            **_pool(self._app.database),
        }
        if asked is None:
            return found
        figures = asked.figures
        return found | {
            "events_lag": _one(max(0, figures.latest_event - bus.seq)),
            "runs": {(state,): figures.runs[state] for state in STATES},
            "gates_waiting": _one(figures.gates_waiting),
            "database_answer_seconds": _one(asked.seconds),
        }

    def _write(self, gauges: dict[str, Values], accept: str) -> Exposition:
        from prometheus_client import CollectorRegistry, ProcessCollector  # noqa: PLC0415 - see above
        from prometheus_client.exposition import choose_encoder  # noqa: PLC0415

        with self._lock:
            self._gauges = gauges
            if self._registry is None:
                self._registry = CollectorRegistry()
                self._registry.register(self)
                ProcessCollector(namespace=PREFIX.rstrip("_"), registry=self._registry)
            encode, media_type = choose_encoder(accept)
            return Exposition(encode(self._registry), media_type)


def _metric(family: Family, tally: Tally, gauges: Values) -> "Metric":
    from prometheus_client import core  # noqa: PLC0415 - see above

    name, labels = f"{PREFIX}{family.name}", family.labels
    match family.kind:
        case "gauge":
            metric = core.GaugeMetricFamily(name, family.meaning, labels=labels)
            for key, value in gauges.items():
                metric.add_metric(key, float(value))
        case "counter":
            metric = core.CounterMetricFamily(name, family.meaning, labels=labels)
            counts = tally.counts(family.source)
            if not labels and not counts:
                counts = {(): 0.0}  # a count without labels is known from the beginning
            for key, value in counts.items():
                metric.add_metric(_in_order(key, labels), value)
        case "durations":
            metric = core.HistogramMetricFamily(name, family.meaning, labels=labels)
            for key, durations in tally.durations(family.source).items():
                buckets = _cumulated(durations)
                metric.add_metric(_in_order(key, labels), buckets, durations.seconds)
    return metric


def _cumulated(durations: Durations) -> list[tuple[str, float]]:
    bounds = [*map(str, BUCKETS), "+Inf"]
    so_far = 0
    found: list[tuple[str, float]] = []
    for bound, number in zip(bounds, durations.counts, strict=True):
        so_far += number
        found.append((bound, so_far))
    return found


def _in_order(key: Labels, names: tuple[str, ...]) -> list[str]:
    given = dict(key)
    return [given.get(name, "") for name in names]


def _one(value: float) -> Values:
    return {(): value}


def _pool(database: Database) -> dict[str, Values]:
    pool = database.engine.pool
    if not isinstance(pool, QueuePool):
        return {}
    used = pool.checkedout()
    return {
        "database_connections": {("in_use",): used, ("idle",): pool.checkedin()},
        "database_connections_kept": _one(pool.size()),
    }


def _ask(database: Database) -> _DatabaseAnswer:
    begun = time.perf_counter()
    with database.system.transaction(write=False) as connection:
        figures = installation(connection)
    return _DatabaseAnswer(figures, time.perf_counter() - begun)
