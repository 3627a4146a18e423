from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.memory.access import Reader, may_read, read_reader
from paige.memory.event import SCOPES, AgentRef, Event, Scope

NAMES = ("anna", "ben", "carla")
name = st.sampled_from(NAMES)
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def an_event(scope: Scope, *, owner: str = "anna", acl: tuple[str, ...] = ()) -> Event:
    return Event(
        id="1",
        seq=1,
        at=NOON,
        type="note",
        scope=scope,
        owner=owner,
        project="shop",
        session="s1",
        agent=AgentRef("coder"),
        acl=acl,
    )


BEN = Reader(person="ben")
AGENT = Reader(person=None, agent="coder", session="s1", projects=frozenset({"shop"}))
OTHER_AGENT = Reader(person=None, agent="tester", session="s2", projects=frozenset({"bank"}))


@pytest.mark.parametrize("scope", SCOPES)
def test_the_owner_reads_everything_of_theirs(scope: Scope) -> None:
    assert may_read(Reader(person="anna"), an_event(scope))


@pytest.mark.parametrize(
    ("scope", "ben", "agent", "other"),
    [
        ("global", True, True, True),
        ("project", True, True, False),
        ("session", False, True, False),
        ("agent", False, True, False),
        ("teacher", False, False, False),
        ("class", False, False, False),
        ("learner", False, False, False),
    ],
)
def test_the_scope_decides_who_else_reads(
    scope: Scope, ben: bool, agent: bool, other: bool
) -> None:
    event = an_event(scope)
    seen = [may_read(reader, event) for reader in (BEN, AGENT, OTHER_AGENT)]
    assert seen == [ben, agent, other]


@pytest.mark.parametrize("listed", ["ben", "person:ben", "*"])
def test_an_access_list_adds_a_reader(listed: str) -> None:
    assert may_read(BEN, an_event("teacher", acl=(listed,)))


def test_an_access_list_adds_roles_and_agents() -> None:
    event = an_event("class", acl=("role:researcher", "agent:tester"))
    assert may_read(Reader(person="x", roles=frozenset({"researcher"})), event)
    assert may_read(OTHER_AGENT, event)
    assert not may_read(Reader(person="x", roles=frozenset({"teacher"})), event)


@given(st.sampled_from(SCOPES), name, st.lists(name, max_size=2), name)
def test_a_private_memory_is_read_by_owner_and_list_alone(
    scope: Scope, owner: str, listed: list[str], reader: str
) -> None:
    event = an_event(scope, owner=owner, acl=tuple(listed))
    expected = scope in ("global", "project") or reader == owner or reader in listed
    assert may_read(Reader(person=reader), event) == expected


@given(name)
def test_a_person_is_not_a_role_or_agent_of_the_same_name(same: str) -> None:
    event = an_event("teacher", owner="nobody", acl=(f"role:{same}", f"agent:{same}"))
    assert not may_read(Reader(person=same), event)


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        ("anna", Reader(person="anna")),
        ("person:anna", Reader(person="anna")),
        ("agent:coder", Reader(person=None, agent="coder", projects=frozenset())),
        (
            "role:researcher",
            Reader(person=None, roles=frozenset({"researcher"}), projects=frozenset()),
        ),
    ],
)
def test_a_reader_is_named_in_words(text: str, reader: Reader) -> None:
    assert read_reader(text) == reader


@pytest.mark.parametrize("text", ["", "  ", ":anna", "robot:x", "agent:"])
def test_a_reader_that_is_nobody_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is not a reader"):
        read_reader(text)
