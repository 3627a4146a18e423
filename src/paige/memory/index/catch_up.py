"""Bringing the index up to a log: a check that costs next to nothing, then batch after batch."""

import zlib
from collections.abc import Iterable, Iterator
from itertools import chain, islice, takewhile
from typing import NamedTuple

import numpy as np

from paige.memory.embedding import StaticEmbedder
from paige.memory.index import queries
from paige.memory.index.backlog_process import BATCH, can_prepare, prepared_elsewhere
from paige.memory.index.blocks import Damaged
from paige.memory.index.effects import apply_batch
from paige.memory.index.files import OpenIndex
from paige.memory.index.preparation import Batch, Fields, embed, prepare, unpack_event
from paige.memory.index.projection import IndexTransaction, Numbers
from paige.memory.index.queries import LogState
from paige.memory.log.log_access import FollowedLog

MANY = 20_000  # events that are worth another process


def log_name(log: FollowedLog) -> str:
    """What a log is known by in the index."""
    return str(log.path)


def catch_up(opened: OpenIndex, log: FollowedLog, limit: int | None) -> int:
    """Apply what a log has and the index has not; returns how many events.

    Raises: Damaged when the index was made from another log than this.
    """
    name, last = log_name(log), log.last_seq()
    if opened.seen.get(name) == last:
        return 0
    with opened.reading() as connection:
        state = queries.log_state(connection, name)
        behind = queries.is_behind(connection)
    if state is not None and state.cursor > last:
        last = log.last_seq()  # somebody else may have read further than we looked
        if state.cursor > last:
            raise Damaged("the log is shorter than what was read of it")
    applied = 0
    if behind and opened.embedder is not None:
        fill_vectors(opened)
    if state is None or state.cursor < last:
        applied = _follow(opened, log, state, limit, last)
    if limit is None or applied < limit:
        opened.seen[name] = last
    _scrub(opened)
    return applied


def _follow(
    opened: OpenIndex, log: FollowedLog, state: LogState | None, limit: int | None, last: int
) -> int:
    """Apply what is new; a large backlog is prepared in another process meanwhile."""
    cursor, last_id = (0, "") if state is None else (state.cursor, state.last_id)
    lines = _lines_after(log, cursor, last_id)
    embedder = opened.embedder
    alone = limit is not None or last - cursor < MANY or not can_prepare(log)
    if alone or not isinstance(embedder, StaticEmbedder):
        return _follow_here(opened, log, islice(lines, limit))
    name, first = log_name(log), cursor + BATCH
    with prepared_elsewhere(log.path, first, embedder) as batches:
        # It takes a moment to start, in which the first batch is done here.
        own = takewhile(lambda fields: fields["seq"] <= first, lines)
        applied = _follow_here(opened, log, own)
        for batch in batches:
            applied += _apply(opened, name, batch)
    with opened.reading() as connection:
        state = queries.log_state(connection, name)
    cursor, last_id = (0, "") if state is None else (state.cursor, state.last_id)
    return applied + _follow_here(opened, log, _lines_after(log, cursor, last_id))


def _follow_here(opened: OpenIndex, log: FollowedLog, lines: Iterator[Fields]) -> int:
    name, applied = log_name(log), 0
    while first := list(islice(lines, 1)):
        some = chain(first, islice(lines, BATCH - 1))  # each line is gone before the next
        del first
        applied += _apply(opened, name, prepare(some, opened.embedder))
    return applied


def _lines_after(log: FollowedLog, cursor: int, last_id: str) -> Iterator[Fields]:
    """The events after a place, if the log still is the one in which that place was."""
    lines = log.read_parsed(max(0, cursor - 1))
    if not cursor:
        return lines
    first = next(lines, None)
    if first is not None and first["seq"] > cursor:  # the line there cannot be read any more
        return chain((first,), lines)
    if first is None or first.get("id") != last_id:
        raise Damaged("the log holds something else than what was read of it")
    return lines


def _apply(opened: OpenIndex, name: str, batch: Batch) -> int:
    with opened.writing() as connection:
        state = queries.log_state(connection, name) or queries.add_log(connection, name)
        if not batch.items or batch.items[-1].seq <= state.cursor:
            return 0  # somebody else was quicker
        try:
            writing = IndexTransaction(connection, opened.numbers, opened.width)
            after = apply_batch(writing, state, batch)
            queries.save_log(connection, after)
            writing.finish()
        except BaseException:
            opened.numbers = Numbers()
            raise
    return after.events - state.events


def fill_vectors(opened: OpenIndex) -> None:
    """Make the vectors that could not be made when their memories came."""
    while True:
        with opened.reading() as connection:
            metas = queries.metas(connection)
            up_to = metas.get("vectors_up_to", 0)
            found = queries.bodies_after(connection, up_to, BATCH)
        if not found:
            _nothing_left(opened)
            return
        vectors = embed([unpack_event(body).text for _, body in found], opened.embedder)
        if vectors is None:
            return
        rows = np.array([row for row, _ in found])
        with opened.writing() as connection:
            try:
                writing = IndexTransaction(connection, opened.numbers, opened.width)
                if writing.numbers.vectors_up_to == up_to:
                    still = queries.ids_of_rows(connection, rows)
                    writing.add_vectors_of(rows, vectors, [int(row) in still for row in rows])
                    writing.finish()
            except BaseException:
                opened.numbers = Numbers()
                raise


def _nothing_left(opened: OpenIndex) -> None:
    """The last memories without a vector were removed."""
    with opened.writing() as connection:
        writing = IndexTransaction(connection, opened.numbers, opened.width)
        writing.numbers.vectors_up_to = writing.numbers.rows
        writing.finish()


def _scrub(opened: OpenIndex) -> None:
    """After something was forgotten: leave its words nowhere in the file."""
    with opened.reading() as connection:
        if not queries.get_meta(connection, "scrub"):
            return
    with opened.writing() as connection:
        queries.scrub_words(connection)
        queries.set_meta(connection, "scrub", 0)
        IndexTransaction(
            connection, opened.numbers, opened.width
        ).finish()  # others read the names again
    opened.numbers = Numbers()
    opened.file.empty_journal(opened.identity)


class IndexProblem(NamedTuple):
    """Something that is not as it should be, and what to do."""

    what: str
    fix: str = "Run `paige memory rebuild`."


def check(opened: OpenIndex, logs: Iterable[FollowedLog]) -> list[IndexProblem]:
    """All differences between the index, its logs and itself."""
    problems: list[IndexProblem] = []
    for log in logs:
        problems += _check_log(opened, log)
    with opened.reading() as connection:
        problems += [
            IndexProblem(f"The index file is damaged: {e}") for e in queries.integrity(connection)
        ]
        counts = queries.counts(connection)
        opened.state(connection)  # reads every block that changed, with its checksum
        metas = queries.metas(connection)
    if counts["words"] != counts["memories"]:
        problems.append(
            IndexProblem(f"{counts['memories']} memories are there, {counts['words']} can be found")
        )
    complete = opened.embedder is not None and metas.get("vectors_up_to", 0) == metas["rows"]
    if complete and counts["vectors"] != counts["memories"]:
        problems.append(
            IndexProblem(f"{counts['memories']} memories are there, {counts['vectors']} vectors")
        )
    return problems


def _check_log(opened: OpenIndex, log: FollowedLog) -> list[IndexProblem]:
    events, checksum, name = 0, 0, log_name(log)
    with opened.reading() as connection:
        state = queries.log_state(connection, name)
    cursor = 0 if state is None else state.cursor
    unread = 0
    for event in log.read(0):
        if event.seq <= cursor:
            events += 1
            checksum = zlib.crc32(event.id.encode(), checksum)
        else:
            unread += 1
    problems: list[IndexProblem] = []
    if state is not None and (state.events != events or state.checksum != checksum):
        problems.append(
            IndexProblem(f"The index read {state.events} events of `{name}`, the log has {events}")
        )
    if unread:
        problems.append(
            IndexProblem(
                f"{unread} events of `{name}` are not in the index", "Search once, or wait."
            )
        )
    return problems
