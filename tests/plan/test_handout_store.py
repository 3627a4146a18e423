"""Handouts in the database: nobody overwrites anybody, and nobody sees what is others'."""

from dataclasses import replace
from datetime import timedelta

import pytest

from paige.base.actor import Actor
from paige.plan.handout import queries as queries
from paige.plan.handout.queries import Writing
from paige.store.engine import Database
from tests.conftest import NOON
from tests.plan.handed_out import small_handout
from tests.store.running import read, write

ANNA, BEN, ELSEWHERE = Actor("local", "anna"), Actor("local", "ben"), Actor("elm", "anna")
LATER = NOON + timedelta(hours=1)


def hand_out(db: Database, actor: Actor, seed: int = 7) -> tuple[str, tuple[str, ...]]:
    handout, tokens = small_handout(6, seed=seed)
    write(db.of(actor), queries.insert_handout, actor, handout, tokens)
    return handout.id, tokens


def save(db: Database, actor: Actor, token: str, version: int, text: str, **more: bool):
    writing = Writing(token, version, {"1.2": (text,)}, more.get("hand_in", False))
    return write(db.of(actor), queries.write_answers, actor, writing, "web", now=LATER)


@pytest.mark.db
def test_of_two_devices_with_one_token_the_slower_one_is_told(db: Database) -> None:
    _, (token, *_) = hand_out(db, ANNA)

    first = save(db, ANNA, token, 0, "from a phone")
    slower = save(db, ANNA, token, 0, "from a tablet")
    again = save(db, ANNA, token, 1, "both", hand_in=True)

    held = read(db.system, queries.find_held, token)
    assert first is not None
    assert (first.version, first.handed_in_at) == (1, None)
    assert slower is None
    assert again is not None
    assert held is not None
    assert held.row == again
    assert (held.row.answers, held.row.version) == ({"1.2": ("both",)}, 2)
    assert held.row.handed_in_at == LATER


@pytest.mark.db
def test_a_draft_after_handing_in_stays_handed_in(db: Database) -> None:
    _, (token, *_) = hand_out(db, ANNA)
    save(db, ANNA, token, 0, "done", hand_in=True)

    changed = save(db, ANNA, token, 1, "changed")

    assert changed is not None
    assert changed.handed_in_at == LATER


@pytest.mark.db
def test_teachers_see_their_own_handouts_only(db: Database) -> None:
    id, (token, *_) = hand_out(db, ANNA)

    for other in (BEN, ELSEWHERE):
        assert read(db.of(other), queries.find_handout, other, id) is None
        assert read(db.of(other), queries.list_handouts, other) == []
        assert read(db.of(other), queries.answers_of, other, id) == []
        assert save(db, other, token, 0, "not mine") is None
    [(handout, tally)] = read(db.of(ANNA), queries.list_handouts, ANNA, "3b")
    assert (handout.id, tally) == (id, (6, 0))
    assert read(db.of(ANNA), queries.list_handouts, ANNA, "2A") == []


@pytest.mark.db
def test_a_token_opens_its_own_handout_and_says_whose_it_is(db: Database) -> None:
    id, (token, *_) = hand_out(db, ANNA)
    other, (foreign, *_) = hand_out(db, ELSEWHERE, seed=8)

    mine, theirs = (read(db.system, queries.find_held, each) for each in (token, foreign))
    nothing = read(db.system, queries.find_held, "bbb-bbb-bbb")

    assert mine is not None
    assert theirs is not None
    assert (mine.owner, mine.handout.id) == (ANNA, id)
    assert (theirs.owner, theirs.handout.id) == (ELSEWHERE, other)
    assert nothing is None


@pytest.mark.db
def test_a_token_that_two_tenants_have_opens_neither(db: Database) -> None:
    _, (token, *_) = hand_out(db, ANNA)
    hand_out(db, ELSEWHERE)  # the same seed: the same tokens

    assert read(db.system, queries.find_held, token) is None


@pytest.mark.db
def test_a_handout_is_closed_opened_and_kept(db: Database) -> None:
    id, _ = hand_out(db, ANNA)
    state = {"closes_at": LATER, "closed_at": NOON, "kept_at": LATER}

    assert write(db.of(ANNA), queries.set_state, ANNA, id, **state)
    assert not write(db.of(BEN), queries.set_state, BEN, id, **state)
    found = read(db.of(ANNA), queries.find_handout, ANNA, id)
    first, _ = small_handout(6)
    assert found == replace(first, **state)


@pytest.mark.db
def test_a_file_without_a_token_has_one_row_however_often_it_comes(db: Database) -> None:
    id, _ = hand_out(db, ANNA)

    for _ in range(2):
        write(db.of(ANNA), queries.add_marked, ANNA, id, "file-0123456789abcdef")

    rows = read(db.of(ANNA), queries.answers_of, ANNA, id)
    assert sorted(each.origin for each in rows) == ["file", *["web"] * 6]
