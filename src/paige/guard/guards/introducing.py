"""Brings a new guard in: tried on everything there is, then kept as a proposal, no further."""

from collections.abc import Iterable
from datetime import datetime

from paige.base.errors import NotFound, Refused
from paige.guard.compiling import rules_for
from paige.guard.fast.place import Place
from paige.guard.guards.examples import shown
from paige.guard.guards.files import change_record, find_guard, write_new
from paige.guard.guards.replaying import acted
from paige.guard.guards.staging import numbers_of, propose, propose_again, try_out
from paige.guard.guards.values import Guard, GuardRecord, Past, Tried


def introduce(
    place: Place, guard: Guard, history: Iterable[Past], *, now: datetime, by: str, why: str
) -> GuardRecord:
    """Propose a guard and keep it; one that was taken back gets a new version.

    Raises: BadInput, Conflict, Refused with what speaks against it; then nothing is kept.
    """
    actions = acted(history, place, rules_for(place)["shell"], scope=guard.scope)
    fresh = propose(guard, at=now, by=by, why=why)
    tried = try_out(fresh, actions)
    refuse_unsound(guard, tried)
    numbers = numbers_of(guard, tried.replay)
    try:
        find_guard(place, guard.id)
    except NotFound:
        record = propose(guard, at=now, by=by, why=why, numbers=numbers)
        write_new(place, record)
        return record
    return change_record(
        place,
        guard.id,
        lambda record: propose_again(record, guard, at=now, by=by, why=why, numbers=numbers),
    )


def refuse_unsound(guard: Guard, tried: Tried) -> None:
    """Say what speaks against a guard. Raises: Refused."""
    if tried.faults:
        raise Refused(
            f"The guard `{guard.id}` does not do what its examples say: {tried.faults[0]}",
            hint="Correct the matcher or the examples.",
        )
    wrong = tried.benign or tried.replay.harmless
    if wrong:
        kind = "harmless actions" if tried.benign else "actions that were fine"
        raise Refused(
            f"The guard `{guard.id}` would stop {len(wrong)} {kind}, such as "
            f"{shown(wrong[0].example)}",
            hint="Make its matcher narrower.",
        )
