"""Events for the machine of the orchestra: answers to an action, strange ones, and a person's."""

from paige.orchestra.machine import TABLE, key_of
from paige.orchestra.values import (
    AgentFailed,
    AgentReturned,
    AgentTimedOut,
    BaseMoved,
    Event,
    MergeConflict,
    Merged,
    NotVetoed,
    Open,
    Proof,
    Refused,
    Return,
    SessionStarted,
    State,
    TestsFailed,
    TestsPassed,
    Verified,
    Vetoed,
)

TREES = ("tree-1", "tree-2")


def proof_for(feature: str, tree: str = "tree-1") -> Proof:
    """A sealed run of the tester."""
    return Proof(
        feature=feature,
        tree=tree,
        tests=3,
        argv=("pytest",),
        at="2026-03-02T12:00:00Z",
        seal="5ea1",
        path=f".claude/progress/evidence/{feature}.json",
    )


def opened(*ids: str, group: str = "") -> tuple[Open, ...]:
    """Features nobody has begun."""
    return tuple(Open(id=each, title=f"Feature {each}", group=group) for each in ids)


LISTS: tuple[tuple[Open, ...], ...] = (
    (),
    opened("A"),
    (*opened("A", group="left"), *opened("B", group="right")),
    (*opened("B", "C"), *opened("D", group="right")),
)
# How a session may begin at any time.
PERSON: tuple[Event, ...] = (
    *(SessionStarted(items=items, tiers=tiers) for items in (None, *LISTS) for tiers in (None, 3)),
)


def about(key: str, feature: str | None) -> tuple[Event, ...]:
    """Every kind of event with a key: fitting ones, and lies."""
    ids = dict.fromkeys((feature or "A", "B"))
    return (
        AgentReturned(key, Return(agent="coding-agent")),
        AgentFailed(key, "it fell"),
        AgentTimedOut(key, 60.0),
        *(Verified(key, items) for items in LISTS),
        Refused(key, ("tests",)),
        Refused(key, ("evidence", "changes")),
        NotVetoed(key),
        Vetoed(key),
        *(TestsPassed(key, proof_for(each, tree)) for each in ids for tree in TREES),
        TestsFailed(key),
        *(Merged(key, tree) for tree in TREES),
        MergeConflict(key, ("a.py",)),
        BaseMoved(key),
    )


def answers(state: State) -> tuple[Event, ...]:
    """Any event with the key of what is under way."""
    return about(key_of(state), state.feature)


def fitting(state: State) -> tuple[Event, ...]:
    """Answers that mean something in the state."""
    kinds = tuple(TABLE[state.phase])
    return tuple(each for each in answers(state) if isinstance(each, kinds))


def late(state: State) -> tuple[Event, ...]:
    """Events about something that is not under way any more."""
    keys = ("", "other/0001/coding/A", f"{state.run}/0000/coding/A")
    return tuple(
        event for key in keys if key != key_of(state) for event in about(key, state.feature)
    )


def anything(state: State) -> tuple[Event, ...]:
    """Every event there is; what fits comes first, so that tests get somewhere."""
    useful = fitting(state) if state.phase in TABLE else ()
    return (*useful, *useful, *useful, *answers(state), *late(state)[:20], *PERSON)
