"""What events do to memories that are already there, and to what is known now.

An effect is applied once, in the order of the log. When it concerns a memory that has not been
read yet, because that is in another log, it is kept and applied as soon as the memory comes.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from paige.memory.event import SCOPES, Event, ids_in
from paige.memory.index import queries
from paige.memory.index.preparation import Batch
from paige.memory.index.projection import IndexTransaction, advanced, unseen
from paige.memory.index.queries import MEMORY_COLUMNS, LogState
from paige.memory.intake.fingerprints import fact_slot, is_import, text_hash
from paige.memory.lifecycle.held_memory import TIERS

PRINT = MEMORY_COLUMNS.split(", ").index("fingerprint")
SUPERSEDED = "superseded"
Effect = Callable[[IndexTransaction, Event], None]


def apply_batch(writing: IndexTransaction, state: LogState, batch: Batch) -> LogState:
    """Apply those events of a batch that were not applied yet; returns the new place in the log."""
    items = unseen(batch, state.cursor)
    taken = queries.known_ids(writing.connection, [item.id for item, _ in items])
    prints = [item.ready.memory[PRINT] for item, _ in items if item.ready]
    known = queries.ids_by_fingerprint(writing.connection, [each for each in prints if each])
    writing.expect(batch)
    waiting: list[tuple[Effect, Event]] = []
    others: list[str] = []
    for item, vector in items:
        if not item.type:
            queries.add_gone(writing.connection, item.id, "forgotten")
        elif item.id not in taken:
            taken.add(item.id)
            duplicate_of = None
            if item.ready is None:
                others.append(item.id)
            else:
                print_ = item.ready.memory[PRINT]
                first = known.setdefault(print_, item.id) if print_ else item.id
                duplicate_of = None if first == item.id else first
                writing.stage(state.number, item.ready, vector, duplicate_of)
            if item.acts and duplicate_of is None:
                event = item.event()
                waiting += [(effect, event) for effect in _effects(event)]
                if event.type in AT_ONCE:  # what comes next may depend on it
                    _settle(writing, waiting)
                    known = {p: id_ for p, id_ in known.items() if id_ not in writing.removed}
    _settle(writing, waiting)
    queries.add_others(writing.connection, others)
    return advanced(state, items)


def _effects(event: Event) -> list[Effect]:
    """What an event does to others and to what is known, in order."""
    effects: list[Effect] = []
    if not is_import(event.payload):
        if event.supersedes:
            effects.append(_supersede_named)
        if fact_slot(event):
            effects.append(_keep_fact)
    if event.type in EFFECTS:
        effects.append(EFFECTS[event.type])
    return effects


def _settle(writing: IndexTransaction, waiting: list[tuple[Effect, Event]]) -> None:
    ids = writing.flush()
    for effect, event in waiting:
        effect(writing, event)
    waiting.clear()
    if ids:
        for id_, what, value in queries.take_later(writing.connection, ids):
            if what == SUPERSEDED:
                _supersede(writing, id_, value)
            elif what in ("scope", "project"):
                _move(writing, id_, {what: value})


def _supersede_named(writing: IndexTransaction, event: Event) -> None:
    if event.supersedes and event.supersedes != event.id:
        _supersede(writing, event.supersedes, event.id)


def _supersede(writing: IndexTransaction, id_: str, by: str) -> None:
    row = _row(writing, id_)
    if row is None:
        queries.add_later(writing.connection, id_, SUPERSEDED, by)
        return
    queries.set_superseded(writing.connection, row, by)
    writing.move(row, writing.event_at(row), hidden=True)


def _keep_fact(writing: IndexTransaction, event: Event) -> None:
    slot = fact_slot(event)
    if slot is None or _row(writing, event.id) is None:
        return
    before = queries.find_fact(writing.connection, slot)
    at = event.at.timestamp()
    if before is not None and before[0] != event.id:
        if before[1] > at:  # it was said earlier, and arrived late
            _supersede(writing, event.id, before[0])
            return
        _supersede(writing, before[0], event.id)
    queries.save_fact(writing.connection, slot, event.id, at)


def _forget(writing: IndexTransaction, event: Event) -> None:
    named = ids_in(event.payload.get("ids")) or ids_in(event.payload.get("of"))
    for id_ in named:
        _remove(writing, id_, "forgotten")
    if named:
        queries.set_meta(writing.connection, "scrub", 1)


def _retract(writing: IndexTransaction, event: Event) -> None:
    for id_ in ids_in(event.payload.get("of")):
        _remove(writing, id_, "retracted")


def _remove(writing: IndexTransaction, id_: str, why: str) -> None:
    row = _row(writing, id_)
    if row is not None:
        writing.remove(row, id_)
    queries.add_gone(writing.connection, id_, why)


def _rescope(writing: IndexTransaction, event: Event) -> None:
    wanted: dict[str, str | None] = {}
    scope = event.payload.get("scope", event.payload.get("to"))
    if scope in SCOPES:
        wanted["scope"] = str(scope)
    project = event.payload.get("project")
    if isinstance(project, str) or ("project" in event.payload and project is None):
        wanted["project"] = project
    for id_ in ids_in(event.payload.get("of")):
        _move(writing, id_, wanted)


def _move(writing: IndexTransaction, id_: str, wanted: Mapping[str, str | None]) -> None:
    row = _row(writing, id_)
    if row is None:
        for name, value in wanted.items():
            queries.add_later(writing.connection, id_, name, value or "")
        return
    event = writing.event_at(row)
    changes: dict[str, Any] = {name: value or None for name, value in wanted.items()}
    hidden = queries.is_hidden(writing.connection, row)
    writing.move(row, replace(event, **changes), hidden=hidden)


def _score(writing: IndexTransaction, event: Event) -> None:
    scores = event.payload.get("scores")
    if not isinstance(scores, Mapping):
        return
    rows = queries.rows_of(writing.connection, list(scores))
    for id_, row in rows.items():
        value = _number(scores[id_], 0.5)
        queries.set_importance(writing.connection, row, value)
        writing.set_number(row, "importance", value)


def _summarise(writing: IndexTransaction, event: Event) -> None:
    tier = event.payload.get("tier")
    rows = queries.rows_of(writing.connection, ids_in(event.payload.get("of")))
    queries.set_tier(writing.connection, rows.values(), tier if tier in TIERS else "cold")


def _count_recall(writing: IndexTransaction, event: Event) -> None:
    rows = queries.rows_of(writing.connection, ids_in(event.payload.get("ids")))
    if not rows:
        return
    at = event.at.timestamp()
    queries.count_access(writing.connection, rows.values(), at)
    for id_, row in rows.items():
        writing.add_to_number(row, "accesses", 1)
        if event.session is not None:
            said = text_hash(writing.event_at(row).text)
            queries.save_recall(writing.connection, event.session, said, id_, at)


def _row(writing: IndexTransaction, id_: str) -> int | None:
    return queries.rows_of(writing.connection, [id_]).get(id_)


def _number(value: object, otherwise: float) -> float:
    return float(value) if isinstance(value, int | float) else otherwise


EFFECTS: dict[str, Effect] = {
    "forgotten": _forget,
    "retracted": _retract,
    "rescoped": _rescope,
    "promoted": _rescope,
    "importance": _score,
    "summary": _summarise,
    "recalled": _count_recall,
}
# Those whose effect must be there before the next event is looked at.
AT_ONCE = frozenset({"forgotten", "retracted", "rescoped", "promoted"})
