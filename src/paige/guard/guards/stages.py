"""The stages of a guard: proposed, in shadow, in production, rolled back. Pure steps over values.

A guard is tried on its examples, on the list of harmless actions and on history before it may even
watch. It watches (shadow) before it may block. Who promotes says why; what was measured is kept in
the step. Somebody in a hurry may force a step past history and shadow, which is recorded; nothing
gets past the examples and the harmless actions, so both are looked at here and not believed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from paige.base.errors import BadInput, Conflict, NotFound, Refused
from paige.guard.compiler import rules_for
from paige.guard.fast.place import Place
from paige.guard.guards.files import change_record, find_guard, write_new
from paige.guard.guards.parser import check_breadth, digest_of
from paige.guard.guards.trials import Acted, acted, failing, harmless, probe, replay, shown
from paige.guard.guards.values import (
    Guard,
    GuardRecord,
    Override,
    PastAction,
    Replay,
    ShadowHistory,
    Trial,
)
from paige.guard.learning.keep_or_change import Judgement
from paige.guard.learning.settings import PromotionLimits, RollbackLimits
from paige.memory.lifecycle import staged
from paige.memory.lifecycle.staged import Stage, Step

POLICY = "policy"
_MOST_LISTED = 5


@dataclass(frozen=True, slots=True)
class Case:
    """What speaks for and against a promotion: history, shadow, the eight answers, the limits."""

    past: Replay
    seen: ShadowHistory
    judged: Judgement
    limits: PromotionLimits


def propose(
    guard: Guard,
    *,
    at: datetime,
    by: str,
    why: str,
    numbers: Mapping[str, Any] | None = None,
) -> GuardRecord:
    """A new guard: version 0 is that there is none, version 1 the guard as a proposal."""
    nothing: staged.Lineage[Guard | None] = staged.begin(None, at=at, reason="There was no guard.")
    record = GuardRecord(id=guard.id, lineage=nothing)
    return propose_again(record, guard, at=at, by=by, why=why, numbers=numbers)


def propose_again(
    record: GuardRecord,
    guard: Guard,
    *,
    at: datetime,
    by: str,
    why: str,
    numbers: Mapping[str, Any] | None = None,
) -> GuardRecord:
    """The next version of a guard as a proposal. Raises: BadInput, Conflict."""
    check_breadth(guard)
    if guard.id != record.id:
        raise Conflict(f"`{guard.id}` is another guard than `{record.id}`")
    tried = record.lineage.tried
    if tried is not None:
        raise Conflict(
            f"Version {tried.version} of the guard `{record.id}` is still being tried",
            hint=f"Promote it, or take it back: `paige guard rollback {record.id}`.",
        )
    lineage = staged.propose(record.lineage, guard, at=at, reason=why)
    newest = lineage.versions[-1]
    first = Step("experiment", at, why, {**(numbers or {}), "by": by})
    versions = (*lineage.versions[:-1], replace(newest, history=(first,)))
    return replace(record, lineage=replace(lineage, versions=versions))


def try_out(record: GuardRecord, history: Iterable[Acted]) -> Trial:
    """What a guard does on its examples, on harmless actions and on history."""
    guard = record.guard
    return Trial(
        faults=failing(guard),
        probed=len(harmless()),
        benign=probe(guard),
        replay=replay(guard, history),
    )


def to_shadow(
    record: GuardRecord, past: Replay, *, at: datetime, by: str, why: str, force: bool = False
) -> GuardRecord:
    """Let a proposal watch. Raises: BadInput, Conflict, Refused."""
    _reasoned(why)
    guard = _of_stage(record, "experiment")
    _unskippable(guard)
    if not force:
        _clean(guard, past)
    return _moved(record, "validate", at, why, _numbers(guard, past, by=by, force=force))


def promote(
    record: GuardRecord, case: Case, *, at: datetime, by: str, why: str, force: bool = False
) -> GuardRecord:
    """Let a guard block. Raises: BadInput, Conflict, Refused with what speaks against it."""
    _reasoned(why)
    tried = record.lineage.tried
    if tried is None or tried.value is None:
        raise Conflict(
            f"The guard `{record.id}` has no version that is being tried; it is {record.standing}"
        )
    guard, past, seen = tried.value, case.past, case.seen
    _unskippable(guard)
    numbers = _numbers(guard, past, by=by, force=force)
    numbers |= {"events": seen.events, "hits": seen.hits, "harmless_in_shadow": seen.harmless}
    numbers["answers"] = {each.row: each.holds for each in case.judged.answers}
    if not force:
        if tried.stage != "validate":
            raise Refused(
                f"The guard `{guard.id}` has not been in shadow",
                hint=f"Let it watch first: `paige guard shadow {guard.id} --why …`.",
            )
        _clean(guard, past)
        _watched(guard, seen, case.limits)
        _agreed(guard, case.judged, by)
    if tried.stage == "experiment":
        record = _moved(record, "validate", at, why, numbers)
    return _moved(record, "production", at, why, numbers)


def roll_back(
    record: GuardRecord,
    *,
    at: datetime,
    by: str,
    why: str,
    numbers: Mapping[str, Any] | None = None,
) -> GuardRecord:
    """Take a guard back: one that is tried is dropped, else the one that blocks goes.

    Raises: BadInput, Conflict.
    """
    _reasoned(why)
    kept = {**(numbers or {}), "by": by}
    if record.lineage.tried is not None:
        return _moved(record, "retired", at, why, kept)
    live = record.lineage.production
    if live.value is None:
        raise Conflict(f"The guard `{record.id}` does not block anything; it is {record.standing}")
    lineage = staged.move(record.lineage, live.version, Step("rolled_back", at, why, kept))
    return replace(record, lineage=lineage)


def too_often(seen: ShadowHistory, limits: RollbackLimits) -> bool:
    """Whether people let pass so much of what a guard refuses that it has to go."""
    last = seen.last[-limits.window :]
    overridden = sum(last)
    return overridden >= limits.least_overrides and overridden >= limits.share * len(last)


def with_override(record: GuardRecord, override: Override) -> GuardRecord:
    """The record with one more action that a person let pass; the same one counts once."""
    known = {each.decision for each in record.overrides}
    if override.decision in known:
        return record
    return replace(record, overrides=(*record.overrides, override))


def _unskippable(guard: Guard) -> None:
    """What no force gets past. Raises: Refused."""
    faults = failing(guard)
    if faults:
        raise Refused(
            f"The guard `{guard.id}` does not do what its examples say: {faults[0]}",
            hint="Correct the matcher or the examples.",
        )
    stopped = probe(guard)
    if stopped:
        raise Refused(
            f"The guard `{guard.id}` would stop {len(stopped)} harmless actions: "
            f"{_listed(stopped)}",
            hint="Make its matcher narrower. This cannot be forced.",
        )


def _clean(guard: Guard, past: Replay) -> None:
    if not past.clean:
        raise Refused(
            f"The guard `{guard.id}` would have stopped {len(past.harmless)} actions that were "
            f"fine: {_listed(past.harmless)}",
            hint="Make its matcher narrower; or use --force if those actions were not fine.",
        )


def _watched(guard: Guard, seen: ShadowHistory, limits: PromotionLimits) -> None:
    if seen.harmless:
        raise Refused(
            f"In shadow the guard `{guard.id}` met {seen.harmless} actions that were fine",
            hint="Take it back and make its matcher narrower; or use --force.",
        )
    if seen.events < limits.least_shadow_events or seen.hits < limits.least_shadow_hits:
        raise Refused(
            f"The guard `{guard.id}` saw {seen.events} actions in shadow and met {seen.hits}; "
            f"{limits.least_shadow_events} and {limits.least_shadow_hits} are needed",
            hint="Let it watch longer; or use --force.",
        )


def _agreed(guard: Guard, judged: Judgement, by: str) -> None:
    """A reason to keep things as they are stops everybody; a policy needs one for a change, too."""
    keeping = [each.why for each in judged.answers if each.holds and each.side == "keep"]
    if keeping:
        raise Refused(
            f"Things should stay as they are without the guard `{guard.id}`: {keeping[0]}",
            hint="Let it watch longer; or use --force.",
        )
    if by == POLICY and judged.verdict != "update":
        raise Refused(f"Nothing measured asks for the guard `{guard.id}`")


def numbers_of(guard: Guard, past: Replay) -> dict[str, Any]:
    """What was measured of a guard, as its steps keep it."""
    return {
        "digest": digest_of(guard),
        "probed": len(harmless()),
        "replayed": past.actions,
        "already": len(past.already),
        "corrected": len(past.corrected),
        "harmless": len(past.harmless),
        "unclear": len(past.unclear),
    }


def _numbers(guard: Guard, past: Replay, *, by: str, force: bool) -> dict[str, Any]:
    made = {**numbers_of(guard, past), "by": by}
    return made | {"forced": True} if force else made


def _moved(
    record: GuardRecord, stage: Stage, at: datetime, why: str, numbers: Mapping[str, Any]
) -> GuardRecord:
    tried = record.lineage.tried
    assert tried is not None
    step = Step(stage, at, why, numbers)
    return replace(record, lineage=staged.move(record.lineage, tried.version, step))


def _of_stage(record: GuardRecord, stage: Stage) -> Guard:
    tried = record.lineage.tried
    if tried is None or tried.value is None or tried.stage != stage:
        raise Conflict(
            f"The guard `{record.id}` is {record.standing}, not proposed",
            hint="See where it stands: `paige guard guards`.",
        )
    return tried.value


def _reasoned(why: str) -> None:
    if not why.strip():
        raise BadInput("There is no reason given", hint='Say why: --why "…".')


def _listed(pasts: Iterable[PastAction]) -> str:
    found = list(pasts)
    texts = [shown(each.example) for each in found[:_MOST_LISTED]]
    more = f" and {len(found) - _MOST_LISTED} more" if len(found) > _MOST_LISTED else ""
    return f"{', '.join(texts)}{more}"


def introduce(
    place: Place, guard: Guard, history: Iterable[PastAction], *, now: datetime, by: str, why: str
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


def refuse_unsound(guard: Guard, tried: Trial) -> None:
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
