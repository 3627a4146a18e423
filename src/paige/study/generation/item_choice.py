"""Which items an exercise asks: what fits, what is new, what went wrong before.

Items are scored and the best are taken. What was asked lately counts against an item, what was
missed some time ago for it; the level should fit; what a remedy asks for comes first. A set of
items mixes both directions and has one item that tests when something does not apply, where the
course has such items.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from paige.exercise.values import BLOOM_LEVELS, Bloom
from paige.study.courses.values import Course, Item, ItemKind
from paige.study.generation.material import all_items, as_items, in_scope, suits
from paige.study.remediation import helps_against
from paige.study.values import ExerciseRequest, PastExercise

_LATELY = 6
"""So many exercises back it counts what was asked."""
_REQUIRED, _FOCUS, _MISSED, _SEEN, _LEVEL, _CHANCE = 20.0, 3.0, 1.5, 2.5, 0.8, 0.6
_MOST_OF_A_KIND = 0.6
_ANY = 10_000
_AT_ONCE, _FEWEST = 0.6, 3
"""Of what there is, so much is asked at once, but not fewer than that."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Everything that could be asked now. `families` says which of it is the same thing.

    A word asked in three ways is one family, so are the variants of an item.
    """

    items: tuple[Item, ...]
    families: Mapping[str, str] = field(default_factory=dict, hash=False)

    def family(self, item_id: str) -> str:
        """The family of an item, whether it can be asked now or not."""
        return self.families.get(item_id, item_id)

    def only(self, *kinds: ItemKind) -> "Pool":
        """Those of some kinds."""
        return replace(self, items=tuple(each for each in self.items if each.kind in kinds))

    def without(self, *kinds: ItemKind) -> "Pool":
        """All but those of some kinds."""
        return replace(self, items=tuple(each for each in self.items if each.kind not in kinds))

    def with_items(self, items: Sequence[Item]) -> "Pool":
        """The same families with other items."""
        return replace(self, items=tuple(items))


def pool_of(course: Course, wanted: ExerciseRequest) -> Pool:
    """Every way to ask something that fits the modality and what the learner knows."""
    items: list[Item] = []
    families: dict[str, str] = {}
    for item in all_items(course, wanted.concept_id):
        ways = as_items(item)
        families |= {each.id: item.id for each in ways}
        fits = suits(item, wanted.modality)
        if fits and in_scope(course, item, wanted.concept_id, wanted.known):
            items += (each for each in ways if each.id not in wanted.without)
    for word in course.words_of(wanted.concept_id):
        names = (f"{word.id}.{way}" for way in ("to", "from", "context"))
        families |= dict.fromkeys(names, word.id)
    return Pool(tuple(items), families)


def rank(pool: Pool, wanted: ExerciseRequest, rng: Random) -> list[Item]:
    """Items, the best to ask first."""
    seen = _seen(pool, wanted.history)
    missed = {name for past in wanted.history[-_LATELY:] for name in past.missed}
    families = {*wanted.items, *(pool.family(name) for name in wanted.items)}

    def worth(item: Item) -> float:
        family = pool.family(item.id)
        value = _REQUIRED * (item.id in wanted.items) + _REQUIRED * (family in families)
        value += _FOCUS * any(helps_against(item, kind) for kind in wanted.focus)
        value += _MISSED * (item.id in missed)
        value -= _SEEN * (0.7 * seen.get(item.id, 0.0) + 0.3 * seen.get(family, 0.0))
        value -= _LEVEL * distance(item.bloom, wanted.bloom)
        return value + _CHANCE * rng.random()

    return sorted(pool.items, key=worth, reverse=True)


def choose(pool: Pool, wanted: ExerciseRequest, count: int, rng: Random) -> list[Item]:
    """So many items for one exercise, no two of which ask the same thing."""
    ranked = rank(pool, wanted, rng)
    several = len({each.kind for each in ranked}) > 1
    most = max(1, round(count * _MOST_OF_A_KIND)) if several else _ANY
    chosen: list[Item] = []
    for limit in (most, _ANY):  # a second time for when there are too few of other kinds
        for item in ranked:
            alike = sum(each.kind == item.kind for each in chosen)
            wished = item.id in wanted.items or pool.family(item.id) in wanted.items
            fits = len(chosen) < count and (alike < limit or wished)
            if fits and not _clashes(pool, item, chosen):
                chosen.append(item)
    chosen = _with_discrimination(pool, chosen, ranked, wanted)
    return _both_directions(pool, chosen, ranked)


def how_many(pool: Pool, wanted: ExerciseRequest, usual: int) -> int:
    """How many things to ask: fewer than usual when little would be left for the next time."""
    there = len({pool.family(each.id) for each in pool.items})
    return wanted.count or max(min(usual, round(there * _AT_ONCE)), min(there, _FEWEST))


def distance(one: Bloom, other: Bloom) -> int:
    """How many levels lie between two."""
    return abs(BLOOM_LEVELS.index(one) - BLOOM_LEVELS.index(other))


def _seen(pool: Pool, history: Sequence[PastExercise]) -> dict[str, float]:
    """How fresh each item still is: 1 when it was asked in the last exercise, then less."""
    found: dict[str, float] = {}
    for age, past in enumerate(reversed(history[-_LATELY:])):
        for name in past.item_ids:
            found.setdefault(name, 1 / (1 + age))
            found.setdefault(pool.family(name), 1 / (1 + age))
    return found


def _clashes(pool: Pool, item: Item, chosen: Sequence[Item]) -> bool:
    """Whether the same thing is asked already, perhaps the other way round."""
    return any(pool.family(each.id) == pool.family(item.id) for each in chosen)


def _with_discrimination(
    pool: Pool, chosen: list[Item], ranked: Sequence[Item], wanted: ExerciseRequest
) -> list[Item]:
    free = [each for each in chosen if not _aimed_at(pool, each, wanted)]
    if any(each.discrimination for each in chosen) or len(chosen) < 2 or not free:
        return chosen
    rest = [each for each in chosen if each is not free[-1]]
    for each in ranked:
        near = distance(each.bloom, wanted.bloom) <= 2
        if each.discrimination and near and not _clashes(pool, each, rest):
            return [*rest, each]
    return chosen


def _aimed_at(pool: Pool, item: Item, wanted: ExerciseRequest) -> bool:
    """Whether an item is there because somebody wanted just this."""
    named = item.id in wanted.items or pool.family(item.id) in wanted.items
    return named or any(helps_against(item, kind) for kind in wanted.focus)


def _both_directions(pool: Pool, chosen: list[Item], ranked: Sequence[Item]) -> list[Item]:
    """Some of the words asked the other way, when all go in one direction."""
    translated = [each for each in chosen if each.kind == "translate"]
    if len(translated) < 2 or len({each.direction for each in translated}) > 1:
        return chosen
    turned = {
        pool.family(each.id): each
        for each in reversed(ranked)
        if each.kind == "translate" and each.direction != translated[0].direction
    }
    swapped = {
        each.id: turned[pool.family(each.id)]
        for each in translated[1::2]
        if pool.family(each.id) in turned
    }
    if swapped:
        return [swapped.get(each.id, each) for each in chosen]
    rest = [each for each in chosen if each is not translated[-1]]
    other = next((each for each in turned.values() if not _clashes(pool, each, rest)), None)
    return [*rest, other] if other is not None else chosen
