"""Every metric there is: its name, its kind, its labels, what it means.

The reference page, the dashboard and the alert rules are tested against this table.
"""

from typing import Literal, NamedTuple

PREFIX = "paige_"
Kind = Literal["counter", "gauge", "durations"]


class Family(NamedTuple):
    """One metric. `counter` ends in `_total`, `durations` in `_seconds` (a histogram).

    `source` is the name that rooms count it under; empty when it is read at the moment it is asked
    for.
    """

    name: str
    kind: Kind
    labels: tuple[str, ...]
    meaning: str
    source: str = ""


FAMILIES = (
    Family("info", "gauge", ("version", "database"), "Always 1; its labels say what runs here."),
    Family(
        "http_requests_total",
        "counter",
        ("route", "method", "status"),
        "Requests that were answered.",
        "http_requests",
    ),
    Family(
        "http_request_seconds",
        "durations",
        ("route", "method"),
        "How long answers took; streams count until they end.",
        "http_request",
    ),
    Family(
        "operations_total",
        "counter",
        ("operation", "way", "outcome"),
        "What people and agents did, by the way they came; the outcome is `ok` or why not.",
        "operations",
    ),
    Family(
        "operation_seconds",
        "durations",
        ("operation",),
        "How long operations took, opening what they need included.",
        "operation",
    ),
    Family("http_requests_running", "gauge", (), "Requests that are being answered."),
    Family("sockets_open", "gauge", (), "WebSocket connections."),
    Family(
        "sockets_closed_total",
        "counter",
        ("code",),
        "Connections that Paige closed, by code; 1013 means that a client read too slowly.",
        "sockets_closed",
    ),
    Family("frames_waiting", "gauge", (), "Frames in the queues of all connections."),
    Family("frames_sent_total", "counter", (), "Frames sent to clients.", "frames_sent"),
    Family("frames_received_total", "counter", (), "Frames from clients.", "frames_received"),
    Family(
        "frames_dropped_total",
        "counter",
        (),
        "Frames that a connection never got because it was too slow; it catches up later.",
        "frames_dropped",
    ),
    Family("events_position", "gauge", (), "The last event that this server handed out."),
    Family("events_lag", "gauge", (), "Events in the database that this server has not yet seen."),
    Family("servers", "gauge", (), "Servers of this installation, as this one sees them."),
    Family("runs", "gauge", ("state",), "Runs of agents that have not ended, of all servers."),
    Family(
        "runs_ended_total",
        "counter",
        ("status",),
        "Runs that ended on this server, by status.",
        "runs_ended",
    ),
    Family("gates_waiting", "gauge", (), "Questions that wait for a person, of all servers."),
    Family(
        "model_calls_total",
        "counter",
        ("provider", "model", "outcome"),
        "Calls of a model; the outcome is `ok` or `failed`.",
        "model_calls",
    ),
    Family(
        "model_call_seconds",
        "durations",
        ("provider", "model"),
        "How long answers of a model took.",
        "model_call",
    ),
    Family(
        "model_tokens_total",
        "counter",
        ("provider", "model", "kind"),
        "Tokens: `input`, `output`, `cache_read`, `cache_write`.",
        "model_tokens",
    ),
    Family(
        "model_cost_usd_total",
        "counter",
        ("provider", "model"),
        "What calls cost, where the price is known.",
        "model_cost_usd",
    ),
    Family(
        "model_retries_total",
        "counter",
        ("provider",),
        "Calls that were made again after a failure.",
        "model_retries",
    ),
    Family(
        "memory_job_seconds",
        "durations",
        ("job", "outcome"),
        "How long jobs of the memory took; the outcome is `ok` or `failed`.",
        "memory_job",
    ),
    Family(
        "database_connections",
        "gauge",
        ("state",),
        "Connections to the database: `in_use`, `idle`.",
    ),
    Family(
        "database_connections_kept",
        "gauge",
        (),
        "Connections that are kept open at most; more are opened for a moment.",
    ),
    Family(
        "database_answer_seconds",
        "gauge",
        (),
        "How long the database took for the figures of this answer, waiting included.",
    ),
    Family("database_waiting", "gauge", (), "Questions that wait for their turn at the database."),
    Family("database_up", "gauge", (), "1 when the database answered in time, else 0."),
    Family(
        "hook_answers_total",
        "counter",
        ("cli", "said"),
        "Answers to hooks of coding agents over HTTP.",
        "hook_answers",
    ),
    Family(
        "spans_exported_total", "counter", (), "Spans that a collector has taken.", "spans_exported"
    ),
    Family(
        "traces_dropped_total",
        "counter",
        ("reason",),
        "Runs whose spans were not exported: `full`, `failed` or `refused`.",
        "traces_dropped",
    ),
)

PROCESS = (
    Family("process_virtual_memory_bytes", "gauge", (), "Virtual memory of the process."),
    Family("process_resident_memory_bytes", "gauge", (), "Memory that the process really uses."),
    Family("process_start_time_seconds", "gauge", (), "When the process started, since 1970."),
    Family("process_cpu_seconds_total", "counter", (), "Processor time used."),
    Family("process_open_fds", "gauge", (), "Open files and sockets."),
    Family("process_max_fds", "gauge", (), "Files and sockets that may be open."),
)
"""Written by the library itself, on Linux only."""
