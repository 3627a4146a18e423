"""What a session holds: new concepts, reviews and assessments, each with its box of minutes.

A session opens with recall, because being asked is what makes memory last. Then something new and
something known take turns. What is due comes before what is new: most of the time is for reviews
when many wait, and nothing new is begun while more waits than fits. Concepts that are easily mixed
up come next to each other once both were met; words that are still new stay together, because
mixing them too early does not help.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count

from paige.exercise.values import BLOOM_LEVELS, Bloom
from paige.learner.cards import utc
from paige.learner.progress import Progress
from paige.learner.review_plan import columns_of, plan_reviews
from paige.learner.schedule import Scheduling, retrievability
from paige.study.courses.values import Course, CourseConcept
from paige.study.matrix import Matrix, shipped_matrix
from paige.study.values import ItemType, PlanItem, SessionKind, SessionPlan, StudyPreview

TEACH, PRACTISE, REVIEW, ASSESS = 3.0, 5.0, 3.0, 5.0
NEW = TEACH + PRACTISE
"""Minutes of each box."""
PLANNING_AND_SUMMARY = 3.0
_SHARE_OF_ROUND = 0.12
"""No more of a short session goes into planning and summing up."""
_FOR_REVIEWS = 0.6
"""So much of a session at most is for reviews while something new waits."""
_MINUTES_A_NEW_ONE = 12
"""A session has one new concept for so many minutes."""
_FIRM = 2
"""After so many unaided successes words can be mixed, and a concept can be taken further."""
_BLOCKED = frozenset({"vocabulary", "terminology", "facts/definitions", "script/handwriting"})
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """What a plan is made from besides the course and what is known of it."""

    now: datetime
    minutes: int
    scheduling: Scheduling
    kind: SessionKind = "study"
    ahead: bool = False
    """Whether to go on with what is not due yet when nothing is."""


def plan_session(
    course: Course, progress: Mapping[str, Progress], asked: PlanRequest
) -> SessionPlan:
    """The plan of a session that begins now."""
    room = capacity(asked.minutes)
    due = interleave(due_concepts(course, progress, asked.now, asked.scheduling), course, progress)
    new = ready_concepts(course, progress) if asked.kind == "study" else ()
    reviews = [_known_item(course, progress[name]) for name in due]
    fresh = _how_many_new(room, reviews, len(new), asked.minutes)
    begun = [_new_item(course, name) for name in new[:fresh]]
    left = room - sum(item.minutes for item in begun)
    chosen = fitting(reviews, left)
    if not chosen:
        chosen = _opening(course, progress, asked, begun, left)
    if not chosen and not begun and asked.ahead:
        chosen = fitting(_ahead(course, progress, asked), room)
    return SessionPlan(
        items=_in_turn(chosen, begun),
        minutes=asked.minutes,
        reviews_waiting=max(len(reviews) - len(chosen), 0) if reviews else 0,
        new_waiting=len(new) - len(begun),
    )


def further_item(
    course: Course,
    progress: Mapping[str, Progress],
    asked: PlanRequest,
    *,
    planned: Sequence[PlanItem],
    left: float,
) -> tuple[PlanItem, ...]:
    """One more thing for a session with so many minutes left: what waits, else something new."""
    room = left - PLANNING_AND_SUMMARY / 3
    had = {item.concept_id for item in planned}
    due = due_concepts(course, progress, asked.now, asked.scheduling)
    waiting = [_known_item(course, progress[name]) for name in due if name not in had]
    if waiting:
        return tuple(fitting(waiting, room)[:1])
    begun = sum(item.type == "new" for item in planned)
    if asked.kind != "study" or begun >= _most_new(asked.minutes) or room < NEW:
        return ()
    return tuple(_new_item(course, name) for name in ready_concepts(course, progress)[:1])


def capacity(minutes: float) -> float:
    """The minutes of a session that are for learning."""
    return minutes - min(PLANNING_AND_SUMMARY, minutes * _SHARE_OF_ROUND)


def minutes_for_new(minutes: int) -> int:
    """How long a session has to be for something new, if it is to have so many minutes."""
    return next(each for each in count(minutes) if capacity(each) >= NEW)


def due_concepts(
    course: Course, progress: Mapping[str, Progress], now: datetime, scheduling: Scheduling
) -> list[str]:
    """The concepts of a course that should be asked for now, most forgotten first."""
    cards = {name: progress[name].card for name in course.concepts if name in progress}
    begun = {name: card for name, card in cards.items() if card is not None and not card.is_new}
    plan = plan_reviews(columns_of(begun), now, scheduling, horizon=1)
    return [str(each.id) for each in plan.reviews]


def ready_concepts(course: Course, progress: Mapping[str, Progress]) -> tuple[str, ...]:
    """The concepts that can be begun now: never tried, and everything before them is known."""
    known = {name for name, each in progress.items() if is_known(each)}
    return tuple(
        name
        for name in course.graph.ready(known)
        if name not in progress or progress[name].card is None
    )


def is_known(progress: Progress) -> bool:
    """Whether something may be built on a concept: it was done alone, or its card says so."""
    return progress.unaided_successes > 0 or progress.status in ("review", "mastered")


def practice_level(course: Course, concept: CourseConcept, matrix: Matrix | None = None) -> Bloom:
    """The level on which a concept is first practised: the one its type stands for, or nearest."""
    table = matrix or shipped_matrix()
    natural: Bloom = "remember"
    for row in table.rows[course.domain]:
        if row.concept_type == concept.concept_type and row.bloom is not None:
            natural = row.bloom
    return _nearest(levels(course, concept.id), min(natural, concept.bloom, key=_height))


def next_level(course: Course, progress: Progress) -> Bloom | None:
    """One level higher than what was shown so far, if the course goes that far."""
    concept = course.concept(progress.concept_id)
    reached = max(progress.bloom_level, practice_level(course, concept), key=_height)
    low, high = _height(reached), _height(concept.bloom)
    above = filter(lambda each: low < _height(each) <= high, levels(course, concept.id))
    return next(above, None)


def levels(course: Course, concept: str) -> tuple[Bloom, ...]:
    """The levels a course has something to ask for, from low to high."""
    found = {item.bloom for item in course.items_of(concept)}
    return tuple(each for each in BLOOM_LEVELS if each in found)


def interleave(due: Sequence[str], course: Course, progress: Mapping[str, Progress]) -> list[str]:
    """What is due in the order to ask it; the most forgotten stays first.

    After a concept comes one that is mixed up with it, if one is due. Words of a unit that are
    still new follow each other.
    """
    waiting = list(due)
    order: list[str] = []
    while waiting:
        last = order[-1] if order else None
        chosen = _after(last, waiting, course, progress) if last else waiting[0]
        waiting.remove(chosen)
        order.append(chosen)
    return order


def preview(
    course: Course, progress: Mapping[str, Progress], now: datetime, *, limit: int = 3
) -> StudyPreview:
    """What there will be to do after now."""
    cards = (progress[name].card for name in course.concepts if name in progress)
    moments = sorted(card.due for card in cards if card is not None and not card.is_new)
    moment = utc(now)

    def until(days: int) -> int:
        return sum(each <= moment + timedelta(days=days) for each in moments)

    return StudyPreview(
        next_due=moments[0] if moments else None,
        due_tomorrow=until(1),
        due_this_week=until(7),
        next_new=ready_concepts(course, progress)[:limit],
    )


def _after(
    last: str, waiting: Sequence[str], course: Course, progress: Mapping[str, Progress]
) -> str:
    """What follows a concept: its block, then what is mixed up with it, then the most forgotten."""
    block = _block(last, course, progress)
    for each in waiting:
        if block is not None and _block(each, course, progress) == block:
            return each
    for each in waiting:
        if confusable(last, each, course):
            return each
    return waiting[0]


def confusable(one: str, other: str, course: Course) -> bool:
    """Whether the course says that two concepts are mixed up."""
    left, right = course.concepts.get(one), course.concepts.get(other)
    if left is None or right is None:
        return False
    return other in left.confused_with or one in right.confused_with


def _block(name: str, course: Course, progress: Mapping[str, Progress]) -> str | None:
    """The block a concept belongs to while its words are new."""
    concept = course.concepts.get(name)
    if concept is None or concept.concept_type not in _BLOCKED:
        return None
    known = progress.get(name)
    is_new = known is None or known.unaided_successes < _FIRM
    return f"{concept.concept_type}/{concept.unit}" if is_new else None


def _how_many_new(room: float, reviews: Sequence[PlanItem], ready: int, minutes: int) -> int:
    """How many concepts to begin, when these reviews wait."""
    wanted = sum(item.minutes for item in reviews)
    if wanted >= room or not ready:
        return 0
    left = room - min(wanted, room * _FOR_REVIEWS)
    return min(int(left // NEW), _most_new(minutes), ready)


def _most_new(minutes: int) -> int:
    return max(1, minutes // _MINUTES_A_NEW_ONE)


def fitting(items: Iterable[PlanItem], room: float) -> list[PlanItem]:
    """The items that fit, in their order; a shorter one may still fit where a longer did not."""
    chosen: list[PlanItem] = []
    for item in items:
        if item.minutes <= room + 1e-9:
            chosen.append(item)
            room -= item.minutes
    return chosen


def _in_turn(reviews: Sequence[PlanItem], new: Sequence[PlanItem]) -> tuple[PlanItem, ...]:
    """Recall first, then something new and something known in turn."""
    known, fresh = list(reviews), list(new)
    made: list[PlanItem] = []
    if known:
        made.append(replace(known.pop(0), opening=True))
    while known or fresh:
        if fresh:
            made.append(fresh.pop(0))
        if known:
            made.append(known.pop(0))
    return tuple(made)


def _new_item(course: Course, name: str) -> PlanItem:
    concept = course.concept(name)
    return PlanItem(
        type="new",
        concept_id=name,
        minutes=NEW,
        bloom=practice_level(course, concept),
        reason="Everything it builds on is known",
    )


def _known_item(course: Course, progress: Progress) -> PlanItem:
    """A review; one level higher where the concept is firm."""
    higher = next_level(course, progress)
    firm = progress.status == "mastered" or progress.unaided_successes >= _FIRM
    if higher is not None and firm and progress.status not in ("learning", "relearning"):
        reason = f"It is firm, so it goes one level higher, to {higher}"
        return _item("assess", progress, ASSESS, higher, reason)
    reason = {
        "learning": "It was begun and is not sure yet",
        "relearning": "It was forgotten",
    }.get(progress.status, "It is time to recall it")
    return _item("review", progress, REVIEW, review_level(course, progress), reason)


def review_level(course: Course, progress: Progress) -> Bloom:
    """The level of a review: the highest one that was shown, where there is something to ask."""
    concept = course.concept(progress.concept_id)
    return _nearest(
        levels(course, concept.id), min(progress.bloom_level, concept.bloom, key=_height)
    )


def _item(
    kind: ItemType, progress: Progress, minutes: float, bloom: Bloom, reason: str
) -> PlanItem:
    return PlanItem(
        type=kind, concept_id=progress.concept_id, minutes=minutes, bloom=bloom, reason=reason
    )


def _opening(
    course: Course,
    progress: Mapping[str, Progress],
    asked: PlanRequest,
    begun: Sequence[PlanItem],
    room: float,
) -> list[PlanItem]:
    """Recall of what a new concept builds on, when nothing is due."""
    if not begun or room < REVIEW:
        return []
    before = course.graph.before(begun[0].concept_id)
    rested = _rested(course, progress, asked, lambda name: name in before)
    for name in rested[:1]:
        level = review_level(course, progress[name])
        title = course.concept(begun[0].concept_id).title
        return [_item("review", progress[name], REVIEW, level, f"{title} builds on it")]
    return []


def _ahead(course: Course, progress: Mapping[str, Progress], asked: PlanRequest) -> list[PlanItem]:
    """What could be done before it is due, the least sure first."""
    rested = _rested(course, progress, asked, lambda _: True)
    return [_known_item(course, progress[name]) for name in rested]


def _rested(
    course: Course,
    progress: Mapping[str, Progress],
    asked: PlanRequest,
    where: Callable[[str], bool],
) -> list[str]:
    """Concepts that were met and not asked for since a day, the most forgotten first."""
    found: list[tuple[float, int, str]] = []
    for place, name in enumerate(course.concepts):
        card = progress[name].card if name in progress and where(name) else None
        if card is None or card.last_review is None or utc(asked.now) - card.last_review < _DAY:
            continue
        found.append((retrievability(card, asked.now, asked.scheduling), place, name))
    return [name for _, _, name in sorted(found)]


def _nearest(known: tuple[Bloom, ...], wanted: Bloom) -> Bloom:
    """The level nearest to one, below before above; the level itself where nothing is known."""
    best = known[0] if known else wanted
    for each in known:
        if abs(_height(each) - _height(wanted)) < abs(_height(best) - _height(wanted)):
            best = each
    return best


def _height(level: Bloom) -> int:
    return BLOOM_LEVELS.index(level)
