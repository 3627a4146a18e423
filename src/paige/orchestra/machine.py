"""The state machine of the orchestra: `step(state, event) -> (state, actions)`, and nothing else.

Every event is defined in every state; one that means nothing there is answered with `Ignore`. What
is to be done follows from the state alone (`actions_of`), so work that was cut off goes on by
asking again. An event about running work names the action it answers by its key; a late or repeated
one has another key and changes nothing.

Whoever acts on it writes the list of features first (`WriteFeatures`), then the state, then begins.

It always ends: every answer to an action makes `measure` smaller. A feature has two retries for
whatever goes wrong with it, then it is blocked and the next one begins.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from paige.orchestra.values import (
    CODER,
    INITIALIZER,
    LEADER,
    MOST_FEATURES,
    MOST_MOVES,
    MOST_RETRIES,
    TESTER,
    Action,
    AgentFailed,
    AgentName,
    AgentReturned,
    AgentTimedOut,
    BaseMoved,
    Blocked,
    Closed,
    EndSession,
    Event,
    Ignore,
    Item,
    Judge,
    Merge,
    MergeConflict,
    Merged,
    Missing,
    NotVetoed,
    Open,
    Phase,
    Reflect,
    Refused,
    RunAgent,
    SessionStarted,
    State,
    TellPerson,
    TestsFailed,
    TestsPassed,
    Verified,
    Verify,
    Vetoed,
    WriteFeatures,
)

AGENTS: Mapping[Phase, AgentName] = {
    "initializing": INITIALIZER,
    "leading": LEADER,
    "coding": CODER,
    "testing": TESTER,
}
CHECKS: Mapping[Phase, Phase] = {
    "initializing": "checking_plan",
    "leading": "checking_lead",
    "coding": "verifying",
    "testing": "checking_tests",
}
# How many answers a feature still needs from here when nothing goes wrong.
STAGES: Mapping[Phase, int] = {
    "coding": 6,
    "verifying": 5,
    "judging": 4,
    "testing": 3,
    "checking_tests": 2,
    "merging": 1,
}
_ATTEMPT = 7  # more than any stage
_MOVE = 3
_ROUND = 2  # an agent and the check after it
_LOST = (AgentFailed, AgentTimedOut)


class Transition(NamedTuple):
    """The state after an event, and what is to be done now."""

    state: State
    actions: tuple[Action, ...]


Handler = Callable[[State, Any], Transition | None]


def step(state: State, event: Event) -> Transition:
    """The state after an event, and what is to be done; the state is as it was after `Ignore`."""
    starts = isinstance(event, SessionStarted)
    stepped = _started(state, event) if starts else _work(state, event)
    if stepped is None:
        return Transition(
            state, (Ignore(type(event).__name__, f"it means nothing in {state.phase}"),)
        )
    return stepped


def actions_of(state: State) -> tuple[Action, ...]:
    """What is to be done in a state: the same each time it is asked, with the same key."""
    phase, key = state.phase, key_of(state)
    if phase in AGENTS:
        agent = RunAgent(
            key=key,
            agent=AGENTS[phase],
            feature=state.feature,
            group=state.group,
            attempt=state.attempt or state.tries + 1,
            missing=state.missing,
        )
        return (agent,)
    if phase in CHECKS.values():
        return (Verify(key=key, phase=phase, feature=state.feature),)
    if phase == "judging" and state.feature:
        return (Judge(key=key, feature=state.feature),)
    if phase == "merging" and state.feature and state.proof:
        return (Merge(key=key, feature=state.feature, proof=state.proof),)
    return (_ending(state),) if state.ended else ()


def key_of(state: State) -> str:
    """The name of what is under way: no other action of any run has it."""
    about = state.feature or state.group or "all"
    return f"{state.run}/{state.turn:04d}/{state.phase}/{about}"


def measure(state: State) -> tuple[int, int]:
    """How much may still happen; every answer to an action makes it smaller."""
    if state.ended:
        return (0, 0)
    phase = state.phase
    planning = {
        "session_start": _ROUND * (MOST_RETRIES + 1) + 1,
        "initializing": _ROUND * (MOST_RETRIES - state.tries) + 2,
        "checking_plan": _ROUND * (MOST_RETRIES - state.tries) + 1,
    }.get(phase, 0)
    work = sum(_left(each, state, phase) for each in state.open)
    return (planning, work + _leading_left(state, phase))


def chosen(state: State) -> Open | None:
    """The feature to take next: what waits for the tester, then what was begun, then the first."""
    groups = [each.group for each in state.items]

    def order(item: Open) -> tuple[int, int, int]:
        section = groups.index(item.group) if state.tiers == 3 else 0
        return (section, 0 if item.coded else 1 if item.begun else 2, state.items.index(item))

    return min(state.open, key=order, default=None)


# --- the session ----------------------------------------------------------------------------------


def _started(state: State, event: SessionStarted) -> Transition:
    now = replace(state, goal=event.goal or state.goal, tiers=event.tiers or state.tiers)
    if state.phase == "session_start" or state.ended:
        if event.items is not None:
            now = replace(now, items=_listed(state, event.items))
        clear = replace(now, feature=None, group=None, tries=0, missing=(), proof=None)
        clear = replace(clear, led=(), why="")
        return _next(clear) if clear.items else _enter(clear, "initializing", tries=0)
    # The work goes on: the list is written before the state, so the state knows all but new ones.
    known = {each.id for each in state.items}
    new = tuple(each for each in event.items or () if each.id not in known)
    now = replace(now, items=(*state.items, *new)[:MOST_FEATURES])
    return Transition(now, (WriteFeatures(), *actions_of(now)))


def _listed(state: State, items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The items of the list; one that is still called done there keeps the proof it had."""
    found: dict[str, Item] = {}
    for each in items[:MOST_FEATURES]:
        before = state.item(each.id)
        keeps = isinstance(before, Closed) and isinstance(each, Open) and each.coded
        found.setdefault(each.id, before if keeps and before is not None else each)
    return tuple(found.values())


# --- the work -------------------------------------------------------------------------------------


def _work(state: State, event: Any) -> Transition | None:  # noqa: ANN401 - any event with a key
    if event.key != key_of(state):
        return None
    handler = TABLE.get(state.phase, {}).get(type(event))
    return None if handler is None else handler(state, event)


def _returned(state: State, event: AgentReturned) -> Transition:
    return _enter(state, CHECKS[state.phase])


def _lost(state: State, event: object) -> Transition:
    """Whoever had the work is gone: it goes back to where it was given away."""
    back: Phase = "testing" if state.phase in ("testing", "checking_tests", "merging") else "coding"
    return _failed(state, ("answer",), back)


def _planned(state: State, event: Verified) -> Transition:
    known = {each.id for each in state.items}
    found = {each.id: each for each in event.items if each.id not in known}
    items = (*state.items, *found.values())[:MOST_FEATURES]
    if not event.items:
        return _failed(state, ("features",), "coding")
    return _next(replace(state, items=items, tries=0, missing=()))


def _agreed(state: State, event: object) -> Transition:
    item = _in_hand(state)
    now = _with(state, replace(item, coded=True))
    return _after(_enter(replace(now, missing=()), "testing"), WriteFeatures())


def _passed(state: State, event: TestsPassed) -> Transition:
    if event.proof.feature != state.feature:
        return _failed(state, ("evidence",), "testing")
    return _enter(replace(state, proof=event.proof), "merging")


def _merged(state: State, event: Merged) -> Transition:
    if state.proof is None or event.tree != state.proof.tree:
        return _moved(state, event)
    item = _in_hand(state)
    return _next(_with(state, Closed(proof=state.proof, **_about(item))))


def _moved(state: State, event: object) -> Transition:
    item = _in_hand(state)
    if item.moves >= MOST_MOVES:
        return _failed(state, ("merge",), "testing")
    return _enter(_with(state, replace(item, moves=item.moves + 1)), "testing", proof=None)


def _failed(state: State, missing: tuple[Missing, ...], back: Phase) -> Transition:
    """One more failure: again while there are retries, else on without it."""
    if state.phase in ("initializing", "checking_plan"):
        return _plan_failed(state, missing)
    if state.phase in ("leading", "checking_lead"):
        if state.tries < MOST_RETRIES:
            return _enter(state, "leading", tries=state.tries + 1, missing=missing)
        return _next(_without_leader(state))
    item = _in_hand(state)
    thinks = Reflect(item.id, item.retries + 1, missing)
    if item.retries < MOST_RETRIES:
        again = replace(item, retries=item.retries + 1, coded=back == "testing")
        stepped = _enter(_with(state, again), back, missing=missing, proof=None)
        return _after(stepped, thinks, WriteFeatures())
    return _after(_next(_with(state, Blocked(why=missing, **_about(item)))), thinks)


def _plan_failed(state: State, missing: tuple[Missing, ...]) -> Transition:
    if state.tries < MOST_RETRIES:
        return _enter(state, "initializing", tries=state.tries + 1, missing=missing)
    if state.open:  # what the person added is there to be worked on
        return _next(replace(state, tries=0, missing=()))
    why = "Nobody could break the goal down into features. Say it in another way, or add features."
    now = replace(state, phase="stopped", why=why)
    return Transition(now, (TellPerson(why), *actions_of(now)))


def _next(state: State) -> Transition:
    """Take the next feature, or end."""
    clear = replace(state, feature=None, proof=None, missing=(), tries=0)
    item = chosen(clear)
    if item is None:
        now = replace(clear, phase="all_complete", group=None)
        return Transition(now, (WriteFeatures(), *actions_of(now)))
    if clear.tiers == 3 and item.group not in clear.led:
        return _after(_enter(clear, "leading", group=item.group), WriteFeatures())
    begun = _with(clear, replace(item, begun=True))
    phase: Phase = "testing" if item.coded else "coding"
    return _after(_enter(begun, phase, feature=item.id, group=item.group), WriteFeatures())


def _enter(state: State, phase: Phase, **changes: Any) -> Transition:  # noqa: ANN401 - fields of it
    now = replace(state, phase=phase, turn=state.turn + 1, **changes)
    return Transition(now, actions_of(now))


def _after(stepped: Transition, *first: Action) -> Transition:
    """The same with some actions before; what is written is written before anything begins."""
    rest = tuple(each for each in stepped.actions if each not in first)
    return Transition(stepped.state, (*first, *rest))


def _with(state: State, item: Item) -> State:
    items = tuple(item if each.id == item.id else each for each in state.items)
    return replace(state, items=items)


def _without_leader(state: State) -> State:
    return replace(state, led=(*state.led, state.group or ""), tries=0, missing=())


def _in_hand(state: State) -> Open:
    item = state.item(state.feature)
    assert isinstance(item, Open), "a phase of a feature has an open feature"
    return item


def _about(item: Open) -> dict[str, Any]:
    """What stays of a feature when it is closed or blocked."""
    return {
        "id": item.id,
        "title": item.title,
        "description": item.description,
        "group": item.group,
        "acceptance": item.acceptance,
        "retries": item.retries,
    }


def _ending(state: State) -> EndSession:
    return EndSession(
        closed=tuple(each.id for each in state.items if isinstance(each, Closed)),
        blocked=tuple(each.id for each in state.items if isinstance(each, Blocked)),
        open=tuple(each.id for each in state.open),
    )


def _left(item: Open, state: State, phase: Phase) -> int:
    spare = _ATTEMPT * (MOST_RETRIES - item.retries) + _MOVE * (MOST_MOVES - item.moves)
    if item.id == state.feature and phase in STAGES:
        return spare + STAGES[phase]
    return spare + (STAGES["testing"] if item.coded else STAGES["coding"]) + 1


def _leading_left(state: State, phase: Phase) -> int:
    if state.tiers != 3:
        return 0
    waiting = {each.group for each in state.open} - set(state.led)
    most = _ROUND * (MOST_RETRIES + 1) + 1
    if phase not in ("leading", "checking_lead"):
        return most * len(waiting)
    in_hand = _ROUND * (MOST_RETRIES - state.tries) + (2 if phase == "leading" else 1)
    return most * len(waiting - {state.group or ""}) + in_hand


_AGENT: dict[type, Handler] = {AgentReturned: _returned, **dict.fromkeys(_LOST, _lost)}
_CHECK: dict[type, Handler] = {
    Refused: lambda state, event: _failed(state, event.missing, "coding"),
    **dict.fromkeys(_LOST, _lost),
}
TABLE: Mapping[Phase, Mapping[type, Handler]] = {
    "initializing": _AGENT,
    "checking_plan": {**_CHECK, Verified: _planned},
    "leading": _AGENT,
    "checking_lead": {
        **_CHECK,
        Verified: lambda state, _: _next(_without_leader(state)),
    },
    "coding": _AGENT,
    "verifying": {**_CHECK, Verified: lambda state, _: _enter(state, "judging")},
    # A judge that is lost has said nothing.
    "judging": {
        NotVetoed: _agreed,
        Vetoed: lambda state, event: _failed(state, event.missing, "coding"),
        **dict.fromkeys(_LOST, _agreed),
    },
    "testing": _AGENT,
    "checking_tests": {
        **_CHECK,
        Refused: lambda state, event: _failed(state, event.missing, "testing"),
        TestsPassed: _passed,
        TestsFailed: lambda state, event: _failed(state, event.missing, "coding"),
    },
    "merging": {
        Merged: _merged,
        MergeConflict: lambda state, _: _failed(state, ("merge",), "coding"),
        BaseMoved: _moved,
        **dict.fromkeys(_LOST, _lost),
    },
}
"""Which events about running work mean something in which phase."""
