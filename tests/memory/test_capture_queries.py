"""Proposals that nobody has decided about, on both engines."""

from datetime import timedelta

import pytest

from paige.base.actor import Actor
from paige.memory.documents.captures import Proposal, record_decided, record_proposed
from paige.memory.documents.queries import undecided
from paige.memory.event import Provenance
from paige.store.engine import Database
from tests.conftest import NOON

ME, OTHER = Actor(), Actor(person="someone else")


def proposal(key: str, text: str, run: str = "r1") -> Proposal:
    return Proposal(
        key=f"{run}:{key}", path="MEMORY.md", text=text, provenance=Provenance("s", run)
    )


@pytest.mark.db
def test_a_decision_takes_its_own_proposal_and_no_other(db: Database) -> None:
    later = NOON + timedelta(minutes=1)
    with db.transaction(write=True) as connection:
        record_proposed(connection, ME, proposal("p1", "Shorter starters."), now=NOON)
        record_proposed(connection, ME, proposal("p2", "More pictures."), now=NOON)
        record_proposed(connection, ME, proposal("p1", "Shorter starters.", "r2"), now=later)
        record_proposed(connection, OTHER, proposal("p1", "Theirs.", "r3"), now=NOON)
        # However its key was made: what joins them is run, path and words.
        decided = proposal("of the page", "Shorter starters.")
        record_decided(connection, ME, decided, "dismissed", now=later)

    with db.transaction(write=False) as connection:
        rows = undecided(connection, ME)
        one = undecided(connection, ME, only=rows[1].id)
        none = undecided(connection, ME, only="nobody")

    assert [(row.trace_id, row.proposed_text) for row in rows] == [
        ("r2", "Shorter starters."),
        ("r1", "More pictures."),
    ]
    assert one == [rows[1]]
    assert none == []
