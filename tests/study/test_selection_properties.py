"""What holds for every choice, whatever the situation."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from paige.exercise.values import BLOOM_LEVELS, DOMAINS, MODALITIES, Modality
from paige.learner.progress import Performance
from paige.study.courses.values import Override
from paige.study.matrix import shipped_matrix
from paige.study.selection import RecentTry, Situation, override_for, select_modality

K = TypeVar("K")
V = TypeVar("V")
MATRIX = shipped_matrix()
TYPES = sorted(
    {"", "something else", *(row.concept_type for rows in MATRIX.rows.values() for row in rows)}
)
modalities = st.sampled_from(MODALITIES)
some = st.lists(modalities, max_size=3, unique=True)
maybe = st.none() | modalities
overrides = st.dictionaries(
    st.sampled_from(TYPES[1:]),
    st.builds(
        Override,
        maybe,
        maybe,
        st.dictionaries(st.sampled_from(BLOOM_LEVELS), st.builds(Override, maybe, maybe)),
    ),
    max_size=2,
)
performances = st.dictionaries(
    modalities,
    st.builds(
        Performance,
        st.integers(1, 9),
        st.floats(0, 1),
        st.just(datetime(2026, 3, 2, tzinfo=UTC)),
    ),
)
situations = st.builds(
    Situation,
    domain=st.sampled_from(DOMAINS),
    bloom=st.sampled_from(BLOOM_LEVELS),
    concept_type=st.sampled_from(TYPES),
    purpose=st.sampled_from(("practice", "review", "assess")),
    overrides=overrides,
    weights=st.dictionaries(modalities, st.sampled_from((0.0, 0.1, 0.5, 1.0))),
    possible=st.frozensets(modalities),
    preferred=some.map(tuple),
    avoided=some.map(tuple),
    recent=st.lists(modalities, max_size=6).map(tuple)
    | st.builds(lambda each: (each,) * 3, modalities),
    session=st.lists(st.builds(RecentTry, modalities, st.floats(0, 1)), max_size=6).map(tuple),
    performance=performances,
    struggling=st.booleans(),
    remedies=some.map(tuple),
    minutes_left=st.none() | st.floats(0, 60),
)


def allowed(situation: Situation) -> set[Modality]:
    """What may be chosen at all: with a weight, with material, and not only offered."""
    used: set[Modality] = {
        *MATRIX.used_at(situation.domain, situation.bloom),
        *MATRIX.joins(situation.domain, situation.bloom, situation.concept_type),
    }
    return {
        each
        for each in used
        if each not in MATRIX.offered
        and (each not in MATRIX.wished or each in situation.preferred)
        and situation.weights.get(each) != 0
        and (not situation.possible or each in situation.possible)
    }


@given(situations)
def test_a_photo_is_never_forced(situation: Situation) -> None:
    assert select_modality(situation).modality != "image_review"


@given(situations)
def test_a_weight_of_nothing_is_never_chosen(situation: Situation) -> None:
    choice = select_modality(situation)
    zero = {each for each, weight in situation.weights.items() if weight == 0}
    if zero < set(MODALITIES) - MATRIX.offered and allowed(situation):
        assert choice.modality not in zero
        assert choice.secondary not in zero
    assert choice.offer not in zero


@given(situations)
def test_what_has_no_material_is_never_chosen_while_something_has(situation: Situation) -> None:
    if allowed(situation):
        assert not situation.possible or select_modality(situation).modality in situation.possible


@given(situations)
def test_two_files_in_a_row_only_when_nothing_else_can_be_asked(situation: Situation) -> None:
    choice = select_modality(situation)
    after_a_file = situation.recent[-1:] and situation.recent[-1] in MATRIX.file_based
    if after_a_file and allowed(situation) - MATRIX.file_based:
        assert choice.modality not in MATRIX.file_based


@given(situations)
def test_never_four_alike_while_there_is_another_possibility(situation: Situation) -> None:
    choice = select_modality(situation)
    last = situation.recent[-3:]
    if len(last) == 3 and set(last) == {choice.modality}:
        others = allowed(situation) - {choice.modality, *situation.avoided}
        if last[-1] in MATRIX.file_based:
            others -= MATRIX.file_based
        assert not others


@given(situations)
def test_what_is_avoided_comes_only_when_the_rest_is_impossible(situation: Situation) -> None:
    choice = select_modality(situation)
    if choice.modality in situation.avoided:
        others = allowed(situation) - set(situation.avoided)
        if situation.recent and situation.recent[-1] in MATRIX.file_based:
            others -= MATRIX.file_based
        assert not others
    assert choice.offer not in situation.avoided


@given(situations)
def test_the_same_situation_gives_the_same_choice_with_reasons(situation: Situation) -> None:
    choice = select_modality(situation)
    assert choice == select_modality(replace(situation))
    assert choice.why
    assert all(line and not line.endswith(".") for line in choice.why)
    assert choice.secondary != choice.modality


@given(situations, st.integers(1, 30))
def test_a_long_row_of_choices_keeps_the_rules(situation: Situation, length: int) -> None:
    recent: tuple[Modality, ...] = ()
    possible = allowed(situation) - set(situation.avoided)
    for _ in range(length):
        now = replace(situation, recent=recent[-10:])
        recent = (*recent, select_modality(now).modality)
    if len(possible) > 1:
        for four in zip(recent, recent[1:], recent[2:], recent[3:], strict=False):
            if not (set(four) <= MATRIX.file_based and possible <= MATRIX.file_based):
                assert len(set(four)) > 1
    if possible - MATRIX.file_based:
        for pair in pairwise(recent):
            assert not set(pair) <= MATRIX.file_based


@given(situations)
def test_near_the_end_something_quick_is_chosen_unless_a_stronger_rule_forbids_it(
    situation: Situation,
) -> None:
    free = replace(situation, minutes_left=3.0, recent=(), avoided=())
    choice = select_modality(free)
    if allowed(free) & MATRIX.quick:
        assert choice.modality in MATRIX.quick


@given(situations)
def test_a_review_is_quick_unless_a_stronger_rule_forbids_it(situation: Situation) -> None:
    free = replace(situation, purpose="review", recent=(), avoided=(), session=(), performance={})
    choice = select_modality(free)
    if "conversation" in allowed(free) and not free.preferred:
        assert choice.modality in MATRIX.quick


@given(situations)
def test_where_nothing_else_speaks_the_matrix_or_the_course_decides(situation: Situation) -> None:
    plain = Situation(
        domain=situation.domain,
        bloom=situation.bloom,
        concept_type=situation.concept_type,
        overrides=situation.overrides,
    )
    row, _ = MATRIX.row(plain.domain, plain.bloom, plain.concept_type)
    found = override_for(plain.overrides, plain.concept_type)
    by_level = found.by_bloom.get(plain.bloom) if found else None
    wanted = (by_level and by_level.primary) or (found and found.primary) or row.primary
    choice = select_modality(plain)
    if wanted in MATRIX.offered | MATRIX.wished:
        assert choice.modality != wanted
    else:
        assert choice.modality == wanted
    assert len(choice.why) in (1, 2)


def turned_over(values: Mapping[K, V]) -> dict[K, V]:
    """The same values, the last first."""
    return dict(reversed(list(values.items())))


@given(situations)
def test_the_order_in_which_things_are_written_down_does_not_matter(situation: Situation) -> None:
    turned = replace(
        situation,
        weights=turned_over(situation.weights),
        overrides=turned_over(situation.overrides),
        performance=turned_over(situation.performance),
    )
    assert select_modality(turned) == select_modality(situation)


@given(situations)
def test_an_offer_is_never_what_has_to_be_done(situation: Situation) -> None:
    choice = select_modality(situation)
    assert choice.offer != choice.modality
    assert choice.offer is None or choice.offer in MATRIX.offered | MATRIX.wished
