"""The state of the orchestra as it is written down, and what the list of features says of it.

The list (`feature-list.json`) is for everybody; the state (under `machine` in `session-state.json`)
is what the work goes on from. A feature the list calls tested is closed only where a sealed run of
tests stands for it; else the tester looks at it again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from paige.base.errors import BadInput, PaigeError
from paige.guard.state.features import Feature
from paige.guard.state.session import SessionState
from paige.orchestra.machine import STAGES, WAITING, working_phase
from paige.orchestra.values import MOST_RETRIES, Blocked, Closed, Item, Open, Proof, State

KEY = "machine"
GROUP, ACCEPTANCE = "group", "acceptance"
_KINDS: Mapping[str, type[Item]] = {"open": Open, "closed": Closed, "blocked": Blocked}
_NAMES = {kind: name for name, kind in _KINDS.items()}
_ADAPTERS = {name: TypeAdapter[Item](kind) for name, kind in _KINDS.items()}
_STATE = TypeAdapter(State)


def dump_state(state: State) -> dict[str, Any]:
    """A state as JSON, from which `load_state` makes the same again."""
    return {
        **asdict(state),
        "items": [{"kind": _NAMES[type(each)], **asdict(each)} for each in state.items],
    }


def load_state(given: Mapping[str, Any]) -> State:
    """The state that was written down. Raises: BadInput where it is none that can be."""
    try:
        items = [_load_item(each) for each in given["items"]]
        rest = {key: value for key, value in given.items() if key != "items"}
        state = _STATE.validate_python({**rest, "items": ()})
    except (ValidationError, KeyError, TypeError, AttributeError, BadInput) as error:
        raise _unusable(_reason(error)) from error
    found = replace(state, items=tuple(items))
    problem = fault_in(found)
    if problem:
        raise _unusable(problem)
    return found


def fault_in(state: State) -> str:
    """What cannot be in a state; nothing when it holds together."""
    phase = working_phase(state)
    ids = [each.id for each in state.items]
    if len(set(ids)) != len(ids):
        return "a feature is there twice"
    if (state.phase in WAITING) != (state.held is not None):
        return f"the phase `{state.phase}` has the phase `{state.held}` behind it"
    if phase in WAITING or not 0 <= state.tries <= MOST_RETRIES or state.turn < 0:
        return f"`{phase}` after {state.tries} tries is no phase of the work"
    item = state.item(state.feature)
    if phase in STAGES and not isinstance(item, Open):
        return f"`{phase}` is about the feature `{state.feature}`, which is not open"
    if phase == "merging" and (state.proof is None or state.proof.feature != state.feature):
        return "there is no proof for what is to be merged"
    return ""


def items_from(features: Sequence[Feature], proofs: Mapping[str, Proof]) -> tuple[Item, ...]:
    """The features of a list; those that are called tested are closed where there is a proof."""
    return tuple(_item(each, proofs.get(each.id)) for each in features)


def features_from(state: State, before: Sequence[Feature] = ()) -> tuple[Feature, ...]:
    """The list as the state has it; what others keep with a feature stays."""
    known = {each.id: each for each in before}
    return tuple(_feature(each, known.get(each.id)) for each in state.items)


def session_from(state: State) -> SessionState:
    """What `session-state.json` says besides the state itself."""
    return SessionState(state.phase, state.feature, state.attempt)


def _load_item(given: Mapping[str, Any]) -> Item:
    fields = {key: value for key, value in given.items() if key != "kind"}
    return _ADAPTERS[given["kind"]].validate_python(fields)


def _item(feature: Feature, proof: Proof | None) -> Item:
    group, wanted = feature.extra.get(GROUP), feature.extra.get(ACCEPTANCE)
    about: dict[str, Any] = {
        "id": feature.id,
        "title": feature.title,
        "description": feature.description,
        "group": group if isinstance(group, str) else "",
        "acceptance": tuple(map(str, wanted)) if isinstance(wanted, list) else (),
    }
    if feature.tested and proof is not None:
        return Closed(**about, proof=proof, retries=feature.retries)
    if feature.status == "blocked" or not 0 <= feature.retries <= MOST_RETRIES:
        return Blocked(**about, retries=feature.retries)
    coded = feature.tested or feature.status == "completed"
    begun = coded or feature.status == "in_progress"
    return Open(**about, retries=feature.retries, begun=begun, coded=coded)


def _feature(item: Item, before: Feature | None) -> Feature:
    extra = dict(before.extra) if before is not None else {}
    extra.pop("missing", None)
    if item.group:
        extra[GROUP] = item.group
    if item.acceptance:
        extra[ACCEPTANCE] = list(item.acceptance)
    evidence = before.evidence if before is not None else ()
    tested, status = False, "blocked"
    match item:
        case Closed(proof=proof):
            tested, status = True, "completed"
            evidence = (proof.path,) if proof.path else evidence
        case Open(coded=coded, begun=begun):
            status = "completed" if coded else "in_progress" if begun else "pending"
        case Blocked():
            extra["missing"] = list(item.why)
    return Feature(
        item.id, item.title, item.description, status, tested, item.retries, evidence, extra
    )


def _unusable(problem: str) -> BadInput:
    return BadInput(
        f"The state of the orchestra cannot be used: {problem}",
        hint="Start anew: what is done stands in the list of features.",
    )


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc'])) or 'the whole'}: {first['msg']}"
    return error.message if isinstance(error, PaigeError) else f"`{error}` is missing or wrong"
