"""What a learner did with single items: out of the logs of sessions, and into them from decks.

A result says which items it was about: under `asked` only their ids, and its errors say which were
missed; under `items` one by one, `{"id", "rating", "at", "days", "ms"}`: `days` is how long it
was put away. Reviews that come with a deck become a result for each concept and day, in logs of
their own, a month each. So they count like any other work, and taking the same deck in again
writes the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256

from paige.base.errors import BadInput, NotFound
from paige.exercise.exchange.values import MOST_DAYS, RATINGS, Review
from paige.exercise.ids import exercise_id
from paige.exercise.result import Result
from paige.exercise.values import AGAIN, GOOD, Rating, score_of, with_help, worksheet_rating
from paige.learner.cards import dump_moment, load_moment
from paige.learner.changes import Change
from paige.learner.files import LearnerFiles
from paige.learner.json_files import write_object
from paige.learner.progress import Evidence
from paige.learner.session_logs import new_log, read_log, with_result
from paige.store.documents import NEW, Document, Documents
from paige.study.courses.card_import import PlacedCard

ITEMS = "items"
ASKED = "asked"
_DAY = timedelta(days=1)
_Asked = tuple[str, Review]
"""An item, and how it was answered."""


def item_reviews(
    changes: Iterable[Change], evidence: Mapping[str, Evidence]
) -> dict[str, tuple[Review, ...]]:
    """By item, every answer that counts, the oldest first."""
    found: dict[str, list[Review]] = {}
    for change in changes:
        counted = evidence.get(change.id)
        if change.result is None or counted is None:
            continue
        for each in _entries(change.result, counted):
            name = each.get("id")
            if isinstance(name, str):
                found.setdefault(name, []).append(_review(each, counted))
    return {name: tuple(sorted(each, key=lambda one: one.at)) for name, each in found.items()}


def _entries(result: Result, counted: Evidence) -> list[Mapping[str, object]]:
    """What a result says about single items: one by one, or which were asked and which missed."""
    listed = result.extra.get(ITEMS)
    if isinstance(listed, list):
        return [each for each in listed if isinstance(each, Mapping)]
    asked = result.extra.get(ASKED)
    named = asked.get("items") if isinstance(asked, Mapping) else None
    items = [each for each in named if isinstance(each, str)] if isinstance(named, list) else []
    missed = {each.extra.get("item") for each in result.errors}
    known = with_help(GOOD, hints_used=result.hints_used, answer_shown=result.answer_shown)
    known = counted.rating if len(items) == 1 else known
    return [{"id": each, "rating": AGAIN if each in missed else known} for each in items]


def _review(fields: Mapping[str, object], counted: Evidence) -> Review:
    """One answer; what the entry does not say, its result does."""
    rating: Rating = counted.rating
    for each in RATINGS:
        rating = each if each == fields.get("rating") else rating
    try:
        at = load_moment(fields.get("at"), "at")
    except BadInput:
        at = counted.at
    days = fields.get("days")
    if not isinstance(days, int | float) or isinstance(days, bool):
        days = (counted.due - at) / _DAY if counted.due else 0.0
    taken = fields.get("ms")
    spent = taken if isinstance(taken, int) and not isinstance(taken, bool) else 0
    return Review(at, rating, min(MOST_DAYS, max(0.0, float(days))), max(0, spent))


def keep_reviews(
    documents: Documents,
    course: str,
    placed: Sequence[PlacedCard],
    *,
    now: datetime,
    root: str = "learner",
) -> int:
    """Write the reviews of cards to the learner's logs. Returns how many cards had any.

    Raises: BadInput when a log of an earlier import cannot be read.
    """
    months: dict[str, list[Change]] = {}
    for change in _changes(course, placed):
        months.setdefault(f"{change.at:%Y-%m}", []).append(change)
    folder = f"{root}/{course}"
    written = f"{folder}/progress.json" not in documents.paths(folder)
    for month, changes in months.items():
        path = f"{folder}/sessions/cards-{month}.json"
        try:
            old = documents.read(path)
        except NotFound:
            old = Document(path, "", NEW)
        text = _log(old, course, changes)
        if text != old.text:
            documents.write(path, text, base=old.version)
            written = True
    if months and written:
        LearnerFiles(documents, root=root).rebuild(course, now=now)
    return sum(bool(each.card.history) for each in placed)


def _log(old: Document, course: str, changes: Sequence[Change]) -> str:
    """A log with these results; those it had of the same concept and day are replaced."""
    before = read_log(old.path, old.text).record if old.version else None
    log: Mapping[str, object] = before or new_log(course, changes[0].at)
    ours = {change.id for change in changes}
    listed = log.get("exercises")
    others = [
        each
        for each in (listed if isinstance(listed, list) else ())
        if not (isinstance(each, Mapping) and each.get("change_id") in ours)
    ]
    log = {**log, "exercises": others, "ended": dump_moment(changes[-1].at)}
    for change in changes:
        log = with_result(log, change)
    return write_object(log)


def _changes(course: str, placed: Sequence[PlacedCard]) -> list[Change]:
    days: dict[tuple[date, str], list[_Asked]] = {}
    for each in placed:
        for review in each.card.history:
            item = each.items.get(review.part)
            if item is not None:
                day = review.at.astimezone(UTC).date()
                days.setdefault((day, each.concept_id), []).append((item, review))
    made = [_change(course, concept, asked) for (_, concept), asked in days.items()]
    return sorted(made, key=lambda change: (change.at, change.id))


def _change(course: str, concept: str, asked: list[_Asked]) -> Change:
    """A day's reviews of a concept as one result: what was known at the first try counts."""
    asked = sorted(asked, key=lambda each: (each[1].at, each[0]))
    first: dict[str, Review] = {}
    for item, review in asked:
        first.setdefault(item, review)
    score = score_of(sum(each.rating > AGAIN for each in first.values()), len(first))
    begun, ended = asked[0][1].at, asked[-1][1].at
    result = Result(
        exercise_id=exercise_id(begun, concept, "flashcard"),
        concept_id=concept,
        course=course,
        modality="flashcard",
        bloom_level="remember",
        score=score,
        # Never Easy: a day's cards of a deck say less than work that was set.
        fsrs_rating=min(worksheet_rating(score.percentage), GOOD),
        started=begun,
        completed=ended,
        timestamp=ended,
        time_spent_seconds=sum(each.duration_ms for _, each in asked) / 1000,
        source="deck",
        message=f"{len(asked)} reviews of {len(first)} cards in another program.",
        extra={ITEMS: [_entry(item, review) for item, review in asked]},
    )
    name = sha256(f"{course}\n{concept}\n{begun:%Y-%m-%d}".encode()).hexdigest()[:16]
    return Change(f"cards-{name}", ended, result)


def _entry(item: str, review: Review) -> dict[str, object]:
    return {
        "id": item,
        "rating": review.rating,
        "at": dump_moment(review.at),
        "days": review.interval_days,
        "ms": review.duration_ms,
    }
