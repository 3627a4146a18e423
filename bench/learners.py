"""What one more learner costs: 100, 1,000 and 10,000 simulated learners in one PostgreSQL.

Every learner has the rows of some weeks: an account, sessions, runs with their journal, actions,
events, documents with their versions. Then one of them has a session at a real server, with the
requests that the pages send, and the processor time of the server and of PostgreSQL is counted.
Run `python -m bench.learners`; it writes the picture and prints the table of
docs/explanation/scaling-figures.md.
"""

import statistics
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from itertools import count
from pathlib import Path

import anyio
import httpx2
import psycopg

from bench.two_servers import Server, cpu_of, servers
from tests.postgres import database_url, execute, temp_postgres

LEARNERS = (100, 1_000, 10_000)
SESSIONS = 7
PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "cost-per-learner.svg"
READS = (
    "/api/session",
    "/api/setup",
    "/api/study",
    "/api/study/profile",
    "/api/notices",
    "/api/plan",
    "/api/plan/sessions",
    "/api/plan/files",
)
WRITES = 4
_NUMBERS = count(1)
# What some weeks leave of a learner `p`; `n` counts the rows of one kind.
FILL = (
    "INSERT INTO people (id, name, roles, state, created_at, updated_at) "
    "SELECT 'p' || p, 'Learner ' || p, '[\"learner\"]', 'active', now(), now() FROM learner",
    "INSERT INTO sessions (id, person, door, status, title, messages_text, started_at) "
    "SELECT 's' || p || '-' || n, 'p' || p, 'plan', 'active', 'Fractions ' || n, "
    "repeat('half of a pizza is more than a third. ', 20), now() - n * interval '1 day' "
    "FROM learner, generate_series(1, 4) n",
    "INSERT INTO runs (id, person, session_id, number, format, header, prompt, state, status, "
    "turns, source, created_at, updated_at) SELECT 'r' || p || '-' || n, 'p' || p, "
    "'s' || p || '-' || n, 1, 1, '{}', 'Explain fractions', 'ended', 'success', 3, 'local', now(), "
    "now() FROM learner, generate_series(1, 4) n",
    "INSERT INTO journal (run_id, seq, step, kind, body) SELECT 'r' || p || '-' || n, k, "
    "'t' || k || '/model', 'result', repeat('{\"words\": \"some of them\"}', 20) "
    "FROM learner, generate_series(1, 4) n, generate_series(1, 8) k",
    "INSERT INTO action_log (id, person, session_id, action_type, data, created_at) "
    "SELECT 'a' || p || '-' || n, 'p' || p, 's' || p || '-1', 'file_open', '{\"path\": \"a.py\"}', "
    "now() FROM learner, generate_series(1, 40) n",
    "INSERT INTO events (seq, person, topic, payload, at) "
    "SELECT (SELECT coalesce(max(seq), 0) FROM events) + row_number() OVER (), 'p' || p, "
    "'study:changed', '{\"course\": \"fractions\"}', now() FROM learner, generate_series(1, 20) n",
    "INSERT INTO documents (area, path, number, hash, text, deleted, at, person, written_by) "
    "SELECT 'p' || p || '/teaching', 'courses/fractions/' || n || '.md', 1, md5(p || '-' || n), "
    "repeat('What was learned, and when it is due again. ', 30), false, now(), 'p' || p, 'p' || p "
    "FROM learner, generate_series(1, 12) n",
)


@dataclass(frozen=True, slots=True)
class Cost:
    """What was measured with so many learners."""

    learners: int
    kilobytes: float  # in the database, for each
    server_ms: float  # processor time of the server for one session
    database_ms: float  # that of PostgreSQL
    answer_ms: float  # how long the middle request took

    @property
    def session_ms(self) -> float:
        """Processor time of one session."""
        return self.server_ms + self.database_ms


def fill(url: str, first: int, last: int) -> None:
    """Store learners by number."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SELECT set_config('paige.sees', 'all', false)")
        numbers = f"SELECT generate_series({first:d}, {last:d}) AS p"
        connection.execute(f"CREATE TEMP TABLE learner AS {numbers}".encode())
        for statement in FILL:
            connection.execute(statement.encode())
        connection.execute("ANALYZE")


async def session(server: Server) -> list[float]:
    """The requests of one learner's session; how many milliseconds each took."""
    taken: list[float] = []
    async with httpx2.AsyncClient(base_url=server.url, timeout=60) as http:
        for path in READS:
            began = anyio.current_time()
            answer = await http.get(path)
            answer.raise_for_status()
            taken.append(1000 * (anyio.current_time() - began))
        for _ in range(WRITES):
            began = anyio.current_time()
            where = {"path": f"notes/{next(_NUMBERS)}.md"}
            answer = await http.put("/api/plan/file", params=where, json={"text": "A note."})
            answer.raise_for_status()
            taken.append(1000 * (anyio.current_time() - began))
    return taken


@contextmanager
def _cluster() -> Iterator[tuple[str, int]]:
    with temp_postgres() as address:
        with psycopg.connect(address) as connection:
            [data] = connection.execute("SHOW data_directory").fetchone() or ("",)
        yield address, int((Path(data) / "postmaster.pid").read_text().splitlines()[0])


def measure(steps: Sequence[int] = LEARNERS) -> list[Cost]:
    """Fill step by step and have sessions at each of them."""
    costs: list[Cost] = []
    with _cluster() as (address, postmaster):
        execute(address, "CREATE DATABASE school")
        url = database_url(address, "school")
        with servers(url, 1) as [server]:
            empty, filled = _size(url), 0
            for learners in steps:
                fill(url, filled + 1, learners)
                filled = learners
                size = (_size(url) - empty) / learners / 1024
                anyio.run(session, server)  # plans and caches are warm in a school
                turns = [_turn(server, postmaster) for _ in range(SESSIONS)]
                middle = (statistics.median(each) for each in zip(*turns, strict=True))
                costs.append(Cost(learners, size, *middle))
                print(_row(costs[-1]), file=sys.stderr)
    return costs


def _turn(server: Server, postmaster: int) -> tuple[float, float, float]:
    before = (cpu_of(server.pid), cpu_of(postmaster, children=True))
    taken = anyio.run(session, server)
    own = 1000 * (cpu_of(server.pid) - before[0])
    database = 1000 * (cpu_of(postmaster, children=True) - before[1])
    return own, database, statistics.median(taken)


def _size(url: str) -> int:
    with psycopg.connect(url) as connection:
        [size] = connection.execute("SELECT pg_database_size(current_database())").fetchone() or (
            0,
        )
        return size


# --- Showing --------------------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 760, 320, 64, 60, 60
INK, FAINT, SERVER, DATABASE = "#1f2933", "#627384", "#0b7285", "#c2690c"


def table(costs: Sequence[Cost]) -> str:
    """The figures as a table of markdown."""
    head = (
        "| learners | rows of one, KB | server, CPU ms a session | PostgreSQL, CPU ms a session | "
    )
    lines = [head + "middle answer, ms |", "|---:|---:|---:|---:|---:|"]
    return "\n".join([*lines, *map(_row, costs)])


def _row(cost: Cost) -> str:
    return (
        f"| {cost.learners:,} | {cost.kilobytes:.0f} | {cost.server_ms:.0f} | "
        f"{cost.database_ms:.0f} | {cost.answer_ms:.0f} |"
    )


def picture(costs: Sequence[Cost]) -> str:
    """Processor time of a session as stacked bars, by how many learners there are."""
    most = max(cost.session_ms for cost in costs) * 1.15
    scale = (HEIGHT - TOP - BOTTOM) / most
    title = "Processor time of one learner's session, by number of learners"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="{INK}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24" font-size="15" font-weight="600">{escape(title)}</text>',
        f'<text x="{LEFT}" y="44" fill="{SERVER}">server</text>',
        f'<text x="{LEFT + 60}" y="44" fill="{DATABASE}">PostgreSQL</text>',
    ]
    step = (WIDTH - LEFT - 20) / len(costs)
    for place, cost in enumerate(costs):
        parts += _bar(cost, LEFT + step * (place + 0.25), step / 2, scale)
    base = HEIGHT - BOTTOM
    line = f'<line x1="{LEFT}" x2="{WIDTH - 20}" y1="{base}" y2="{base}" stroke="{FAINT}"/>'
    return "\n".join([*parts, line, "</svg>", ""])


def _bar(cost: Cost, left: float, width: float, scale: float) -> Iterator[str]:
    base = HEIGHT - BOTTOM
    middle = left + width / 2
    for value, below, colour in (
        (cost.server_ms, 0.0, SERVER),
        (cost.database_ms, cost.server_ms, DATABASE),
    ):
        top = base - (below + value) * scale
        yield (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" '
            f'height="{value * scale:.1f}" fill="{colour}"/>'
        )
    top = base - cost.session_ms * scale
    yield (
        f'<text x="{middle:.1f}" y="{top - 6:.1f}" text-anchor="middle">'
        f"{cost.session_ms:.0f} ms</text>"
    )
    for row, words in enumerate((f"{cost.learners:,} learners", f"{cost.kilobytes:.0f} KB each")):
        yield (
            f'<text x="{middle:.1f}" y="{base + 18 + 16 * row}" text-anchor="middle" '
            f'fill="{FAINT}">{words}</text>'
        )


def main() -> int:
    """Measure, draw, print."""
    costs = measure()
    PICTURE.write_text(picture(costs), encoding="utf-8")
    print(table(costs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
