"""Which kind of exercise comes next, and why: one pure function of the situation.

The matrix of the domain gives a ranking. Every rule after it moves some modalities to the front or
to the back and leaves the others in their order, so a later rule is stronger than an earlier one
and none can leave nothing to choose. From weak to strong: the course's shares, reviews are quick,
what the learner likes, errors that came back, how it went with this concept, how it goes in this
session, the time that is left, variety, what the learner avoids, never two files in a row. Three
things no rule can change: a weight of 0 means never, what there is no material for cannot be asked,
and a photo is only offered (speaking too, unless the learner prefers it).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from paige.exercise.values import MODALITIES, Bloom, Domain, Modality
from paige.learner.progress import Performance
from paige.study.courses.values import Override
from paige.study.matrix import Matrix, shipped_matrix
from paige.study.values import Manner

Purpose = Literal["practice", "review", "assess"]
FALLBACK: Modality = "conversation"


class RecentTry(NamedTuple):
    """An exercise of this session, and the share of it that was right."""

    modality: Modality
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Everything the choice depends on.

    `recent` are the modalities of the last exercises of the course, the newest last; `session` is
    how those of this session went. `possible` are the modalities there is material for and that
    suit the concept; nothing means any. `performance` is of this concept.
    """

    domain: Domain
    bloom: Bloom
    concept_type: str = ""
    purpose: Purpose = "practice"
    overrides: Mapping[str, Override] = field(default_factory=dict, hash=False)
    weights: Mapping[Modality, float] = field(default_factory=dict, hash=False)
    possible: frozenset[Modality] = frozenset()
    preferred: tuple[Modality, ...] = ()
    avoided: tuple[Modality, ...] = ()
    recent: tuple[Modality, ...] = ()
    session: tuple[RecentTry, ...] = ()
    performance: Mapping[Modality, Performance] = field(default_factory=dict, hash=False)
    struggling: bool = False
    remedies: tuple[Modality, ...] = ()
    """Modalities that work against errors that came back, the best first."""
    minutes_left: float | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """What comes next; `secondary` is the next best, `offer` what the learner may do instead."""

    modality: Modality
    secondary: Modality | None
    offer: Modality | None
    why: tuple[str, ...]
    manner: Manner = ""


@dataclass(frozen=True, slots=True)
class _ModalityRanking:
    """The modalities that may be chosen, best first, and what led there.

    `fitting` are those that suit the concept; the others are there for when nothing else is.
    """

    order: tuple[Modality, ...]
    fitting: frozenset[Modality]
    why: tuple[str, ...] = ()
    manner: Manner = ""

    def front(self, chosen: Modality | None, why: str, manner: Manner = "") -> "_ModalityRanking":
        """With one at the front."""
        if chosen is None or chosen not in self.order or chosen == self.order[0]:
            return self
        order = (chosen, *(each for each in self.order if each != chosen))
        return replace(self, order=order, why=(*self.why, why), manner=manner)

    def back(self, where: Callable[[Modality], bool], why: str) -> "_ModalityRanking":
        """With some at the back; the reason counts only where it changes what comes first."""
        order = tuple(sorted(self.order, key=where))
        if order[0] == self.order[0]:
            return replace(self, order=order)
        return replace(self, order=order, why=(*self.why, why), manner="")


def select_modality(situation: Situation, matrix: Matrix | None = None) -> Choice:
    """The modality of the next exercise. The same situation always gives the same choice."""
    table = matrix or shipped_matrix()
    first, second, why = _wanted(situation, table)
    offer = _offer(situation, table, (first, second))
    ranked = _ranking(situation, table, (first, second), why)
    for rule in _RULES:
        ranked = rule(ranked, situation, table)
    head, *others = ranked.order
    return Choice(head, others[0] if others else None, offer, ranked.why, ranked.manner)


def shown(modality: Modality) -> str:
    """A modality as people read it."""
    return modality.replace("_", "-") if modality == "long_form" else modality.replace("_", " ")


def _wanted(situation: Situation, matrix: Matrix) -> tuple[Modality, Modality, str]:
    """First and second choice by the matrix, or by the course where it says otherwise."""
    row, own = matrix.row(situation.domain, situation.bloom, situation.concept_type)
    kind = situation.concept_type or "this"
    level = f"{kind} at the level {situation.bloom}"
    said = (
        f"For {level} {shown(row.primary)} suits best"
        if own
        else f"There is no rule for {level}; the nearest says {shown(row.primary)}"
    )
    found = override_for(situation.overrides, situation.concept_type)
    if found is None:
        return row.primary, row.secondary, said
    by_level = found.by_bloom.get(situation.bloom) or Override()
    primary = by_level.primary or found.primary or row.primary
    secondary = by_level.secondary or found.secondary or row.secondary
    if secondary == primary:
        others = (found.primary or row.primary, row.primary, row.secondary)
        secondary = _first(others, lambda each: each != primary) or row.secondary
    return primary, secondary, f"The course wants {shown(primary)} for {level}"


def _first(names: Iterable[Modality], where: Callable[[Modality], bool]) -> Modality | None:
    return next(filter(where, names), None)


def override_for(overrides: Mapping[str, Override], concept_type: str) -> Override | None:
    """What a course says about a concept type; `grammar` speaks for `grammar rules` too."""
    if not concept_type:
        return None
    exact = overrides.get(concept_type)
    if exact is not None:
        return exact
    family = [
        name for name in overrides if name and concept_type.startswith((f"{name} ", f"{name}/"))
    ]
    return overrides[max(family, key=len)] if family else None


def _offer(situation: Situation, matrix: Matrix, wanted: tuple[Modality, ...]) -> Modality | None:
    """What is only offered, where the concept or the learner asks for it."""
    asked = (situation.domain, situation.bloom, situation.concept_type)
    joins = matrix.joins(*asked)

    def by_hand(name: Modality) -> bool:
        called_for = name in wanted or name in situation.preferred or name in situation.possible
        return name in matrix.offered and called_for

    def wished(name: Modality) -> bool:
        there = name in joins and name in situation.possible
        return name in matrix.wished and there and name not in situation.preferred

    def open_to(name: Modality) -> bool:
        return _allowed(name, situation) and name not in situation.avoided

    free: list[Modality] = [each for each in MODALITIES if open_to(each)]
    return _first(free, by_hand) or _first(free, wished)


def _ranking(
    situation: Situation, matrix: Matrix, wanted: tuple[Modality, Modality], why: str
) -> _ModalityRanking:
    """Everything that may be chosen: what the row says, what joins it, then what is near."""
    asked = (situation.domain, situation.bloom, situation.concept_type)
    near = matrix.used_at(situation.domain, situation.bloom)
    fitting = _usable((*wanted, *matrix.joins(*asked)), situation, matrix)
    order = _usable((*fitting, *near), situation, matrix)
    if not order:  # what was written for the concept suits no row
        order = _usable((FALLBACK, *matrix.by_difficulty, *MODALITIES), situation, matrix)
        fitting = order
    if not order:
        only = replace(situation, possible=frozenset())
        order = _usable((FALLBACK, *near), only, matrix) or (FALLBACK,)
        fitting = order
    ranked = _ModalityRanking(order, frozenset(fitting), (why,))
    if order[0] == wanted[0]:
        return ranked
    return replace(ranked, why=(why, _missing(wanted[0], order[0], situation, matrix)))


def _missing(wanted: Modality, taken: Modality, situation: Situation, matrix: Matrix) -> str:
    if wanted in matrix.offered:
        return f"A photo is never required, so it is {shown(taken)}"
    if situation.weights.get(wanted) == 0:
        return f"The course never uses {shown(wanted)}, so it is {shown(taken)}"
    return f"There is nothing to ask as {shown(wanted)}, so it is {shown(taken)}"


def _usable(
    names: Iterable[Modality], situation: Situation, matrix: Matrix
) -> tuple[Modality, ...]:

    def usable(name: Modality) -> bool:
        return _allowed(name, situation) and not _only_offered(name, situation, matrix)

    found: dict[Modality, None] = {}
    for each in names:
        if usable(each):
            found[each] = None
    return tuple(found)


def _only_offered(name: Modality, situation: Situation, matrix: Matrix) -> bool:
    return name in matrix.offered or (name in matrix.wished and name not in situation.preferred)


def _allowed(name: Modality, situation: Situation) -> bool:
    if situation.weights.get(name) == 0:
        return False
    return not situation.possible or name in situation.possible


def _by_share(ranked: _ModalityRanking, situation: Situation, matrix: Matrix) -> _ModalityRanking:
    """What the course has had more than its share of gives way to what is owed most."""
    total = sum(situation.weights.values())
    head = ranked.order[0]
    if not total or not situation.weights.get(head):
        return ranked
    count = len(situation.recent) + 1

    def owed(name: Modality) -> float:
        return situation.weights.get(name, 0.0) / total * count - situation.recent.count(name)

    if owed(head) > -1.0:
        return ranked
    most = head
    for each in ranked.order:
        if each in ranked.fitting and situation.weights.get(each) and owed(each) > owed(most):
            most = each
    why = f"The course wants less {shown(head)} than there was lately, so it is {shown(most)}"
    return ranked.front(most, why)


def _quick_review(
    ranked: _ModalityRanking, situation: Situation, matrix: Matrix
) -> _ModalityRanking:
    if situation.purpose != "review":
        return ranked
    if FALLBACK in ranked.order:
        return ranked.front(FALLBACK, "A review should be quick, so it is a conversation")
    quick = _first(ranked.order, lambda each: each in matrix.quick)
    return ranked.front(quick, f"A review should be quick, so it is {shown(quick or FALLBACK)}")


def _liked(ranked: _ModalityRanking, situation: Situation, matrix: Matrix) -> _ModalityRanking:
    """A review stays quick, whatever somebody likes."""
    if ranked.order[0] in situation.preferred:
        return ranked
    review = situation.purpose == "review"

    def suits(name: Modality) -> bool:
        return name in ranked.fitting and (not review or name in matrix.quick)

    liked = _first(situation.preferred, suits)
    return ranked.front(liked, f"You prefer {shown(liked or FALLBACK)}")


def _adapted(ranked: _ModalityRanking, situation: Situation, matrix: Matrix) -> _ModalityRanking:
    """How it went with this concept: too easy, too hard, or never tried."""
    rules, known = matrix.rules, situation.performance
    head = ranked.order[0]
    one = known.get(head)
    turn = sum(each.attempts for each in known.values())
    easy = one and one.attempts >= rules.easy_attempts and one.avg_score > rules.easy_above
    if easy and turn % rules.harder_every == 0:
        why = f"{shown(head).capitalize()} has become easy for you here, so something harder"
        ranked = ranked.front(_harder(ranked, matrix, head), why)

    def too_hard(name: Modality) -> bool:
        tried = known.get(name)
        if tried is None or tried.attempts < rules.hard_attempts:
            return False
        return tried.avg_score < rules.hard_below

    head = ranked.order[0]
    ranked = ranked.back(too_hard, f"{shown(head).capitalize()} did not go well here so far")
    if situation.struggling:
        new = _first(ranked.order, lambda each: _untried(each, ranked, situation, matrix))
        ranked = ranked.front(new, f"This is hard for you, so try it as {shown(new or FALLBACK)}")
    return ranked


def _untried(
    name: Modality, ranked: _ModalityRanking, situation: Situation, matrix: Matrix
) -> bool:
    slow = situation.purpose == "review" and name not in matrix.quick
    return name in ranked.fitting and name not in situation.performance and not slow


def _harder(ranked: _ModalityRanking, matrix: Matrix, head: Modality) -> Modality | None:
    scale = matrix.by_difficulty
    if head not in scale:
        return None
    above = scale[scale.index(head) + 1 :]
    return _first(above, lambda each: each in ranked.fitting)


def _against_errors(
    ranked: _ModalityRanking, situation: Situation, matrix: Matrix
) -> _ModalityRanking:
    """An error that came back asks for a form that works against it."""
    if not situation.remedies or ranked.order[0] in situation.remedies:
        return ranked
    review = situation.purpose == "review"

    def suits(name: Modality) -> bool:
        return name in ranked.fitting and (not review or name in matrix.quick)

    best = _first(situation.remedies, suits)
    return ranked.front(best, f"The same error came back; {shown(best or FALLBACK)} helps with it")


def _in_session(ranked: _ModalityRanking, situation: Situation, matrix: Matrix) -> _ModalityRanking:
    """Somebody who struggles with a kind of exercise in this session gets another one."""
    head = ranked.order[0]
    stand = struggle_with(head, situation.session, matrix)
    if stand == "struggles":
        other = matrix.instead.get(head)
        manner: Manner = "socratic" if other == FALLBACK else ""
        why = f"The last ones as {shown(head)} were hard, so {shown(other or FALLBACK)} now"
        return ranked.front(other, why, manner)
    if stand == "recovered":
        why = f"Back to {shown(head)}, with more help than before"
        return replace(ranked, why=(*ranked.why, why), manner="scaffolded")
    return ranked


def struggle_with(
    name: Modality, session: tuple[RecentTry, ...], matrix: Matrix
) -> Literal["", "struggles", "recovered"]:
    """How it stands with a modality in a session: fine, hard, or hard and talked through since."""
    rules = matrix.rules
    places = [at for at, each in enumerate(session) if each.modality == name]
    last = places[-rules.struggles_last :]
    if len(last) < rules.struggles_last:
        return ""
    if any(session[at].share >= rules.struggles_below for at in last):
        return ""
    since = session[last[-1] + 1 :]
    other = matrix.instead.get(name)
    better = any(each.modality == other and each.share >= rules.struggles_below for each in since)
    return "recovered" if better else "struggles"


def _in_time(ranked: _ModalityRanking, situation: Situation, matrix: Matrix) -> _ModalityRanking:
    left = situation.minutes_left
    if left is None or left >= matrix.rules.near_the_end:
        return ranked
    why = f"Less than {matrix.rules.near_the_end:g} minutes are left, so something quick"
    return ranked.back(lambda each: each not in matrix.quick, why)


def _varied(ranked: _ModalityRanking, situation: Situation, matrix: Matrix) -> _ModalityRanking:
    after = matrix.rules.variety_after
    last = situation.recent[-after:]
    if len(last) < after or len(set(last)) != 1:
        return ranked
    why = f"The last {after} were all {shown(last[0])}, so another kind"
    return ranked.back(lambda each: each == last[0], why)


def _unavoided(ranked: _ModalityRanking, situation: Situation, matrix: Matrix) -> _ModalityRanking:
    head = ranked.order[0]
    return ranked.back(
        lambda each: each in situation.avoided, f"You would rather not have {shown(head)}"
    )


def _one_file(ranked: _ModalityRanking, situation: Situation, matrix: Matrix) -> _ModalityRanking:
    if not situation.recent or situation.recent[-1] not in matrix.file_based:
        return ranked
    why = f"The last one was a file ({shown(situation.recent[-1])}), so this one is not"
    return ranked.back(lambda each: each in matrix.file_based, why)


_RULES = (
    _by_share,
    _quick_review,
    _liked,
    _against_errors,
    _adapted,
    _in_session,
    _in_time,
    _varied,
    _unavoided,
    _one_file,
)
