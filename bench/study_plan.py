"""Planning the reviews of a course of 10,000 cards, beside what the reference library needs.

The reference reads the same rows, makes a card of each and asks for its retrievability, and stops
there. Ours reads them, works out what to review today within limits and in order, and forecasts a
month.
"""

import random
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import fsrs

from bench.harness import Benchmark, Pair
from paige.learner.review_plan import columns_of_rows, plan_reviews
from paige.learner.schedule import Scheduling

CARDS = 10_000
NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
_TABLE = """CREATE TABLE cards (card_id INTEGER PRIMARY KEY, state INTEGER, step INTEGER,
    stability REAL, difficulty REAL, due TEXT, last_review TEXT)"""
_THEIRS = """SELECT card_id, state, step, stability, difficulty, due, last_review FROM cards
    ORDER BY card_id"""
_OURS = "SELECT card_id, state, stability, due, last_review FROM cards ORDER BY card_id"


@contextmanager
def study_plan() -> Iterator[Pair]:
    """Both sides on one file with the same rows."""
    scheduler = fsrs.Scheduler(enable_fuzzing=False)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cards.db"
        _fill(path)
        with closing(sqlite3.connect(path)) as database:

            def reference() -> float:
                begun = time.perf_counter()
                cursor = database.execute(_THEIRS)
                names = [column[0] for column in cursor.description]
                rows = [dict(zip(names, row, strict=True)) for row in cursor]
                cards = [fsrs.Card.from_dict(row) for row in rows]  # pyright: ignore[reportArgumentType] - rows of our own table
                likely = [scheduler.get_card_retrievability(card, NOW) for card in cards]
                assert len(likely) == CARDS
                return (time.perf_counter() - begun) * 1000

            def ours() -> float:
                begun = time.perf_counter()
                cards = columns_of_rows(database.execute(_OURS))
                plan = plan_reviews(cards, NOW, Scheduling())
                assert len(plan.reviews) >= 220
                assert len(plan.forecast) == 30
                return (time.perf_counter() - begun) * 1000

            yield Pair(ours, reference)


def _fill(path: Path) -> None:
    """A course that somebody has been busy with for half a year."""
    generator = random.Random(4)
    scheduler = fsrs.Scheduler(enable_fuzzing=False)
    rows = []
    for number in range(1, CARDS + 1):
        card = fsrs.Card(card_id=number, due=NOW)
        at = NOW - timedelta(days=generator.uniform(0, 180))
        while number % 5 and at < NOW:
            rating = fsrs.Rating(generator.choices((1, 2, 3, 4), (1, 2, 6, 1))[0])
            card, _ = scheduler.review_card(card, rating, at)
            at = card.due + timedelta(days=generator.uniform(0, 9))
        rows.append(tuple(card.to_dict().values()))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(_TABLE)
        database.executemany("INSERT INTO cards VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


BENCHMARKS = [Benchmark("study-plan-10k", "ms", "lower", study_plan, promise=2.0)]
