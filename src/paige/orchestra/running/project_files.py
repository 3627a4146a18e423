"""The files of an orchestra in its project: only the conductor writes them.

`session-state.json` holds where the work stands for everybody, and under `machine` the whole state
it goes on from, sealed: a state that somebody else wrote is not gone on from. A worktree gets a
copy of both files, so that hooks there know the feature in hand. A feature the list calls tested is
closed only where a sealed run of tests stands for it; else the tester looks at it again.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from paige.base.clock import to_iso
from paige.base.errors import BadInput, Conflict, PaigeError
from paige.base.platform import UNKNOWN, process_start
from paige.guard.state.features import (
    Feature,
    SessionState,
    features_path,
    read_features,
    session_path,
    write_features,
)
from paige.guard.state.files import Damaged, alone_with, change_object, read_object, write_object
from paige.orchestra.machine import STAGES
from paige.orchestra.running.journal import is_sealed, seal
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
    phase = state.phase
    ids = [each.id for each in state.items]
    if len(set(ids)) != len(ids):
        return "a feature is there twice"
    if not 0 <= state.tries <= MOST_RETRIES or state.turn < 0:
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


PROGRESS = ".claude/progress"
SEAL = "seal"
LEASE = "conductor.json"
LOG = "orchestra.jsonl"


def progress(root: Path) -> Path:
    """The folder of an orchestra's files."""
    return root / PROGRESS


@dataclass(frozen=True, slots=True)
class KeptState:
    """The state that was kept, or why there is none to go on from."""

    state: State | None = None
    problem: str = ""


def read_state(root: Path, key: bytes) -> KeptState:
    """The state the work goes on from. Raises: Damaged when the file cannot be read."""
    given = read_object(session_path(root)) or {}
    kept = given.get(KEY)
    if kept is None:
        return KeptState()
    if not is_sealed(kept, given.get(SEAL), key):
        return KeptState(
            problem="the state of the orchestra was not written by Paige on this machine"
        )
    try:
        return KeptState(load_state(kept))
    except BadInput as error:
        return KeptState(problem=error.message)


def write_state(root: Path, state: State, now: datetime, key: bytes) -> None:
    """Keep a state, whole. Raises: Damaged, Refused, Unavailable."""
    dumped = json.loads(json.dumps(dump_state(state)))

    def change(before: dict[str, Any]) -> dict[str, Any]:
        return {**before, **_session(state, now), KEY: dumped, SEAL: seal(dumped, key)}

    change_object(session_path(root), change)


def fingerprint_of_state(folder: Path, *, sessions: bool = True) -> str:
    """A fingerprint of the state files of a folder: whoever else writes them is noticed."""
    digest = hashlib.sha256()
    for path in (features_path(folder), *((session_path(folder),) if sessions else ())):
        try:
            digest.update(path.read_bytes())
        except OSError:
            digest.update(b"none")
        digest.update(b"\0")
    return digest.hexdigest()


def write_worktree_state(
    folder: Path, state: State, features: tuple[Feature, ...], now: datetime
) -> None:
    """Tell the hooks in a worktree which feature is in hand. Raises: Refused, Unavailable."""
    write_object(session_path(folder), _session(state, now))
    write_features(folder, features)


def read_list(root: Path) -> tuple[Feature, ...] | Damaged | None:
    """The features of a project, or why they cannot be read."""
    try:
        return read_features(root)
    except Damaged as error:
        return error


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that conducts a project."""

    pid: int
    start: str


def holder_of(root: Path) -> Holder | None:
    """Who conducts a project now; nobody when that process is gone."""
    try:
        given = read_object(progress(root) / LEASE) or {}
    except Damaged:
        return None
    pid, start = given.get("pid"), given.get("start")
    if not isinstance(pid, int) or not isinstance(start, str):
        return None
    there = process_start(pid)
    return Holder(pid, start) if there is not None and there in (start, UNKNOWN) else None


@contextmanager
def conducting(root: Path, now: datetime) -> Iterator[None]:
    """Be the only conductor of a project. Raises: Conflict when there is one already."""
    path = progress(root) / LEASE
    own = {"pid": os.getpid(), "start": process_start(os.getpid()) or "", "since": to_iso(now)}
    with alone_with(path):
        other = holder_of(root)
        if other is not None and other.pid != os.getpid():
            raise Conflict(
                f"Another process ({other.pid}) conducts this project already",
                hint="`paige orchestra status --watch` shows what it does.",
            )
        write_object(path, own)
    try:
        yield
    finally:
        with alone_with(path):
            current = holder_of(root)
            if current is not None and current.pid == os.getpid():
                path.unlink(missing_ok=True)


def _session(state: State, now: datetime) -> dict[str, Any]:
    session = session_from(state)
    return {
        "state": session.state,
        "feature": session.feature,
        "attempt": session.attempt,
        "updated_at": to_iso(now),
    }
