from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.memory.retrieval.question import read_question
from paige.memory.retrieval.ranking import SHIPPED, Candidates, Ranking, load_weights, rank

WEIGHTS = load_weights()
QUESTION = read_question("red boat harbour", ("Ana", "Bo"))
SPEAKERS = ("Ana", "Bo", "user", "assistant")


def memories(
    count: int, holds: Sequence[Sequence[int]] = ((), (), ()), **columns: object
) -> Candidates:
    """`count` equal memories; `holds` says for every term in which of them it is."""
    presence = np.zeros((len(holds), count), bool)
    for term, places in enumerate(holds):
        presence[term, list(places)] = True
    made = Candidates(
        seq=np.arange(count),
        session=np.full(count, -1),
        previous=np.full(count, -1),
        following=np.full(count, -1),
        speaker=np.zeros(count, int),
        at=np.full(count, 1_700_000_000),
        length=np.full(count, 20),
        told=np.zeros(count, int),
        importance=np.full(count, 0.5),
        accesses=np.zeros(count, int),
        presence=presence,
        near=np.zeros_like(presence),
        counts=presence.sum(1),
        scope_size=count,
        mean_length=20.0,
        similarity=None,
        speakers=SPEAKERS,
    )
    return replace(made, **{name: np.asarray(value) for name, value in columns.items()})


def order(candidates: Candidates, query: str | None = None) -> list[int]:
    question = QUESTION if query is None else read_question(query, SPEAKERS)
    return rank(question, candidates, WEIGHTS).order.tolist()


def total(ranked: Ranking) -> np.ndarray:
    return np.sum(list(ranked.parts.values()), axis=0)


def test_more_of_the_words_asked_for_come_first() -> None:
    assert order(memories(4, [(1, 2, 3), (2, 3), (3,)])) == [3, 2, 1, 0]


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    assert order(memories(9, [range(8), (8,), ()]))[0] == 8


def test_a_name_weighs_more_than_another_word_as_rare() -> None:
    question = read_question("the harbour of Gozo", ())
    ranked = rank(question, memories(2, [(0,), (1,)]), WEIGHTS)
    assert ranked.order.tolist() == [1, 0]


def test_a_related_word_counts_less_than_the_word_and_more_than_nothing() -> None:
    found = memories(3, [(1,), (), ()])
    near = np.zeros_like(found.presence)
    near[0, 2] = True
    assert order(replace(found, near=near)) == [1, 2, 0]


def test_a_short_memory_beats_a_long_one_with_the_same_words() -> None:
    assert order(memories(2, [(0, 1), (), ()], length=[200, 20])) == [1, 0]


def test_the_answer_beside_the_question_is_found() -> None:
    links = {"previous": [-1, -1, 1, -1], "following": [-1, 2, -1, -1]}
    assert order(memories(4, [(1,), (1,), ()], **links))[:2] == [1, 2]


def test_a_long_memory_gains_nothing_from_its_neighbours() -> None:
    links = {"previous": [-1, 0], "following": [1, -1]}
    ranked = rank(QUESTION, memories(2, [(0,), (), ()], length=[20, 500], **links), WEIGHTS)
    assert ranked.parts["neighbour"][1] == 0


def test_the_speaker_whom_the_question_names_comes_first() -> None:
    assert order(memories(3, (), speaker=[1, 0, 1]), "What did Ana say?")[0] == 1


def test_the_person_comes_before_the_assistant_unless_the_assistant_is_asked_about() -> None:
    found = memories(2, [(0, 1)], speaker=[3, 2])
    assert order(found, "Where is my boat?") == [1, 0]
    assert order(found, "What is your boat?") == [0, 1]


def test_memories_of_the_month_and_day_asked_for_come_first() -> None:
    days = [datetime(2023, 4, 8), datetime(2023, 5, 9), datetime(2023, 5, 8), datetime(2024, 5, 8)]
    at = [int(day.replace(tzinfo=UTC).timestamp()) for day in days]
    found = memories(4, [()] * 4, at=at)
    assert order(found, "harbour on 8 May 2023")[:2] == [2, 1]


def test_memories_of_last_week_come_first_when_it_is_known_what_day_it_is() -> None:
    at = [int(datetime(2026, 3, day, tzinfo=UTC).timestamp()) for day in (1, 12, 18)]
    question = read_question("harbour a week ago", (), today=date(2026, 3, 18))
    found = memories(3, [()] * len(question.terms), at=at)
    assert rank(question, found, WEIGHTS).order.tolist()[0] == 1


def test_a_good_session_lifts_its_other_memories() -> None:
    found = memories(4, [(3,), (3,), ()], session=[0, 1, 0, 1])
    assert order(found) == [3, 1, 0, 2]


def test_meaning_helps_and_may_be_missing() -> None:
    found = memories(3, [()] * 3)
    assert order(replace(found, similarity=np.array([0.1, 0.7, 0.3]))) == [1, 2, 0]
    assert "vector" not in rank(QUESTION, found, WEIGHTS).parts


def test_equal_memories_keep_the_order_of_the_log() -> None:
    assert order(memories(4, seq=[7, 3, 9, 1])) == [3, 1, 0, 2]


def test_importance_then_recency_then_use_decide_between_equals() -> None:
    now = 1_700_000_000
    found = memories(
        4, importance=[0.5, 0.5, 0.5, 1.0], at=[0, 0, now, 0], accesses=[0, 1000, 0, 0]
    )
    assert order(found) == [3, 2, 1, 0]
    assert WEIGHTS.importance > WEIGHTS.recency > WEIGHTS.access > 0


def test_no_memories_have_no_order() -> None:
    ranked = rank(QUESTION, memories(0), WEIGHTS)
    assert ranked.order.tolist() == []
    assert ranked.scores.tolist() == []


def test_a_question_without_words_still_orders() -> None:
    assert order(memories(2, (), speaker=[1, 0]), "Ana?") == [1, 0]


def test_a_ranking_file_with_a_missing_or_unknown_number_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ranking.toml"
    path.write_text(SHIPPED.read_text(encoding="utf-8").replace("told =", "tolt ="), "utf-8")
    with pytest.raises(BadInput, match="told"):
        load_weights(path)


@st.composite
def some_memories(draw: st.DrawFn) -> Candidates:
    count = draw(st.integers(1, 12))
    seed = draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    session = random.integers(-1, 3, count)
    previous, following = np.full(count, -1), np.full(count, -1)
    for number in range(3):
        places = np.flatnonzero(session == number)
        previous[places[1:]], following[places[:-1]] = places[:-1], places[1:]
    presence = random.random((3, count)) < 0.3
    return Candidates(
        seq=random.permutation(count),
        session=session,
        previous=previous,
        following=following,
        speaker=random.integers(-1, len(SPEAKERS), count),
        at=random.integers(0, 1_700_000_000, count),
        length=random.integers(0, 300, count),
        told=random.integers(0, 16, count),
        importance=random.random(count),
        accesses=random.integers(0, 50, count),
        presence=presence,
        near=random.random((3, count)) < 0.3,
        counts=presence.sum(1) + random.integers(0, 5, 3),
        scope_size=count + draw(st.integers(0, 10)),
        mean_length=float(random.integers(1, 100)),
        similarity=random.uniform(-1, 1, count) if draw(st.booleans()) else None,
        speakers=SPEAKERS,
    )


def shuffled(candidates: Candidates, new: np.ndarray) -> Candidates:
    """The same memories given in another order."""
    place = np.append(np.argsort(new), -1)
    columns: dict[str, np.ndarray] = {}
    for field in fields(Candidates):
        value = getattr(candidates, field.name)
        if isinstance(value, np.ndarray) and field.name != "counts":
            columns[field.name] = value[..., new]
    columns["previous"] = place[columns["previous"]]
    columns["following"] = place[columns["following"]]
    return replace(candidates, **columns)


@given(some_memories(), st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_how_the_memories_are_given(
    candidates: Candidates, random: object
) -> None:
    new = list(range(len(candidates.seq)))
    random.shuffle(new)  # pyright: ignore[reportAttributeAccessIssue]
    other = shuffled(candidates, np.array(new))
    first = candidates.seq[rank(QUESTION, candidates, WEIGHTS).order]
    assert first.tolist() == other.seq[rank(QUESTION, other, WEIGHTS).order].tolist()


@given(some_memories(), st.integers(1, 15))
def test_the_best_few_are_the_beginning_of_the_whole_order(
    candidates: Candidates, most: int
) -> None:
    whole = rank(QUESTION, candidates, WEIGHTS).order.tolist()
    few = rank(QUESTION, candidates, WEIGHTS, most=most).order.tolist()
    assert few == whole[: len(few)]
    assert len(few) >= min(most, len(whole))


@given(some_memories())
def test_scores_are_bounded_ordered_and_the_sum_of_their_parts(candidates: Candidates) -> None:
    ranked = rank(QUESTION, candidates, WEIGHTS)
    assert sorted(ranked.order.tolist()) == list(range(len(candidates.seq)))
    assert np.all((ranked.scores >= 0) & (ranked.scores <= 1))
    assert np.all(np.diff(ranked.scores[ranked.order]) <= 0)
    raw = np.maximum(total(ranked), 0)
    assert np.allclose(ranked.scores, raw / (1 + raw))


@given(some_memories())
def test_what_a_memory_is_worth_in_itself_never_beats_relevance_beyond_its_caps(
    candidates: Candidates,
) -> None:
    ranked = rank(QUESTION, candidates, WEIGHTS)
    itself = {name: ranked.parts[name] for name in ("importance", "recency", "access")}
    for name, part in itself.items():
        assert np.all(np.abs(part) <= getattr(WEIGHTS, name) + 1e-9)
    relevance = (total(ranked) - np.sum(list(itself.values()), axis=0))[ranked.order]
    most = 2 * WEIGHTS.importance + WEIGHTS.recency + WEIGHTS.access
    assert np.all(relevance[:-1] >= relevance[1:] - most - 1e-6)


@given(some_memories())
def test_equal_importance_recency_and_use_change_nothing(candidates: Candidates) -> None:
    count = len(candidates.seq)
    same = replace(candidates, at=np.zeros(count, int))
    low = replace(same, importance=np.full(count, 0.5), accesses=np.zeros(count, int))
    high = replace(same, importance=np.full(count, 0.9), accesses=np.full(count, 40))
    orders = [rank(QUESTION, given, WEIGHTS).order.tolist() for given in (low, high)]
    assert orders[0] == orders[1]
