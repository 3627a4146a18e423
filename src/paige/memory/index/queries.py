"""All SQL of the memory index."""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from sqlite3 import Connection
from typing import Any, NamedTuple

import orjson

from paige.memory.index.blocks import StoredBlock
from paige.memory.index.schema import TABLES, VERSION, signature

BUSY_SECONDS = 60.0
Value = str | int | float | None


class LogState(NamedTuple):
    """How far a log was followed."""

    number: int
    cursor: int
    last_id: str  # the event at the cursor: the log may have been cut and gone on
    events: int
    checksum: int


# --- the file ---

Broken = sqlite3.Error
"""What a file that is damaged raises."""


def connect_reading(path: Path) -> Connection:
    """Open the file to look at it and change nothing, whatever state it is in."""
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)


def connect(path: Path) -> Connection:
    """A connection with everything set that is not kept in the file."""
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA page_size = 8192")  # of a new file: vectors and blocks are large
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA secure_delete = ON")  # what is forgotten is overwritten
    connection.execute("PRAGMA cache_size = -32768")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    return connection


def is_usable(connection: Connection) -> bool:
    """Whether this version can use the file as it is."""
    if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
        return False
    return get_meta(connection, "signature") == signature()


def create(connection: Connection) -> None:
    """Make all tables in an empty file, all or nothing."""
    written = f"BEGIN IMMEDIATE;{TABLES}PRAGMA user_version = {VERSION};"
    connection.executescript(written)
    for name, value in (("signature", signature()), ("version", 0), ("rows", 0)):
        set_meta(connection, name, value)
    connection.execute("INSERT INTO words (words, rank) VALUES ('automerge', 8)")
    connection.execute("INSERT INTO words (words, rank) VALUES ('crisismerge', 32)")
    connection.execute("INSERT INTO words (words, rank) VALUES ('hashsize', 16777216)")
    connection.execute("COMMIT")


def begin(connection: Connection) -> None:
    """From here on reads see one state."""
    connection.execute("BEGIN")


def begin_writing(connection: Connection) -> None:
    """From here on nobody else writes."""
    connection.execute("BEGIN IMMEDIATE")


def commit(connection: Connection) -> None:
    """Keep what was written."""
    connection.execute("COMMIT")


def rollback(connection: Connection) -> None:
    """End a transaction and keep nothing."""
    connection.execute("ROLLBACK")


def get_meta(connection: Connection, name: str) -> Any:  # noqa: ANN401 - a column of any type
    """One of the index's own values, None when it is not set."""
    found = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return None if found is None else found[0]


def set_meta(connection: Connection, name: str, value: Value) -> None:
    """Set one of the index's own values."""
    connection.execute("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", (name, value))


def metas(connection: Connection) -> dict[str, Any]:
    """All of the index's own values."""
    found = dict(connection.execute("SELECT name, value FROM meta"))
    if not all(isinstance(found.get(name), int) for name in ("version", "rows")):
        raise sqlite3.DatabaseError("the index's own values are missing")
    return found


def is_behind(connection: Connection) -> bool:
    """Whether there are memories without a vector at the end."""
    found = metas(connection)
    return found.get("vectors_up_to", 0) < found["rows"]


# --- logs ---


def log_state(connection: Connection, path: str) -> LogState | None:
    """How far a log was followed, None when it never was."""
    found = connection.execute(
        "SELECT number, cursor, last_id, events, checksum FROM logs WHERE path = ?", (path,)
    ).fetchone()
    return None if found is None else LogState(*found)


def add_log(connection: Connection, path: str) -> LogState:
    """Begin to follow a log."""
    cursor = connection.execute(
        "INSERT INTO logs (path, cursor, last_id, events, checksum) VALUES (?, 0, '', 0, 0)",
        (path,),
    )
    return LogState(cursor.lastrowid or 0, 0, "", 0, 0)


def save_log(connection: Connection, state: LogState) -> None:
    """Say how far a log was followed."""
    connection.execute(
        "UPDATE logs SET cursor = ?, last_id = ?, events = ?, checksum = ? WHERE number = ?",
        (state.cursor, state.last_id, state.events, state.checksum, state.number),
    )


# --- memories ---

MEMORY_COLUMNS = (
    "row, id, log, seq, type, scope, owner, project, session, position, speaker, at, importance,"
    " duplicate_of, fingerprint, length, class, body"
)
_ADD_MEMORY = f"INSERT INTO memories ({MEMORY_COLUMNS}) VALUES ({', '.join('?' * 18)})"  # noqa: S608 - constants


def add_memories(connection: Connection, rows: Iterable[Sequence[Any]]) -> None:
    """Add rows, in the order of MEMORY_COLUMNS."""
    connection.executemany(_ADD_MEMORY, rows)


def add_words(connection: Connection, rows: Iterable[tuple[int, str, str]]) -> None:
    """Put rows into the full-text index: row, words, marks."""
    connection.executemany("INSERT INTO words (rowid, body, marks) VALUES (?, ?, ?)", rows)


def remove_words(connection: Connection, row: int, body: str, marks: str) -> None:
    """Take a row out of the full-text index; the words must be those that were put in."""
    connection.execute(
        "INSERT INTO words (words, rowid, body, marks) VALUES ('delete', ?, ?, ?)",
        (row, body, marks),
    )


def scrub_words(connection: Connection) -> None:
    """Write the full-text index anew, so that words of removed rows are nowhere in it.

    Who speaks no more loses the name and keeps the number, because rows count speakers.
    """
    connection.execute("INSERT INTO words (words) VALUES ('optimize')")
    connection.execute(
        "UPDATE speakers SET name = hex(randomblob(16)) WHERE name NOT IN"
        " (SELECT speaker FROM memories WHERE speaker IS NOT NULL)"
    )


def empty_journal(connection: Connection) -> None:
    """Bring all changes into the file itself; outside of a transaction."""
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def rows_of(connection: Connection, ids: Collection[str]) -> dict[str, int]:
    """The rows of those ids that are here."""
    found = connection.execute(
        "SELECT id, row FROM memories WHERE id IN (SELECT value FROM json_each(?))",
        (json_list(ids),),
    )
    return dict(found)


def known_ids(connection: Connection, ids: Collection[str]) -> set[str]:
    """Those ids that are here, of any kind of event, or were and are forgotten."""
    last = connection.execute(
        "SELECT max((SELECT ifnull(max(id), '') FROM memories),"
        " (SELECT ifnull(max(id), '') FROM others), (SELECT ifnull(max(id), '') FROM gone))"
    ).fetchone()[0]
    # Ids rise with time: most new ones are beyond all that are here, and need not be looked for.
    asked = [id for id in ids if id <= last]
    if not asked:
        return set()
    found = connection.execute(
        "SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(:ids))"
        " UNION ALL SELECT id FROM others WHERE id IN (SELECT value FROM json_each(:ids))"
        " UNION ALL SELECT id FROM gone WHERE id IN (SELECT value FROM json_each(:ids))",
        {"ids": json_list(asked)},
    )
    return {each[0] for each in found}


def find_id(connection: Connection, fingerprint: str) -> str | None:
    """The memory with this fingerprint, the first if there are several."""
    found = connection.execute(
        "SELECT id FROM memories WHERE fingerprint = ? ORDER BY row LIMIT 1", (fingerprint,)
    ).fetchone()
    return None if found is None else found[0]


def ids_by_fingerprint(connection: Connection, wanted: Collection[str]) -> dict[str, str]:
    """The first memory with each of these fingerprints."""
    found = connection.execute(
        "SELECT fingerprint, id FROM memories"
        " WHERE fingerprint IN (SELECT value FROM json_each(?)) ORDER BY row DESC",
        (json_list(wanted),),
    )
    return dict(found)


def class_and_body(connection: Connection, row: int) -> tuple[int, bytes] | None:
    """What the words of a row follow from."""
    return connection.execute("SELECT class, body FROM memories WHERE row = ?", (row,)).fetchone()


def bodies(connection: Connection, rows: Collection[int]) -> dict[int, bytes]:
    """The packed events of rows."""
    found = connection.execute(
        "SELECT row, body FROM memories WHERE row IN (SELECT value FROM json_each(?))",
        (json_list(rows),),
    )
    return dict(found)


def bodies_after(connection: Connection, row: int, limit: int) -> list[tuple[int, bytes]]:
    """The packed events of the next rows."""
    return connection.execute(
        "SELECT row, body FROM memories WHERE row > ? ORDER BY row LIMIT ?", (row, limit)
    ).fetchall()


def ids_of_rows(connection: Connection, rows: Collection[int]) -> dict[int, str]:
    """The ids of rows."""
    found = connection.execute(
        "SELECT row, id FROM memories WHERE row IN (SELECT value FROM json_each(?))",
        (json_list(rows),),
    )
    return dict(found)


def body_of(connection: Connection, id: str) -> tuple[int, bytes] | None:
    """The class and the packed event of a memory."""
    return connection.execute("SELECT class, body FROM memories WHERE id = ?", (id,)).fetchone()


def move_memory(connection: Connection, row: int, place: Mapping[str, Value], body: bytes) -> None:
    """Give a row another class, scope, project and position."""
    connection.execute(
        "UPDATE memories SET class = :class, scope = :scope, project = :project,"
        " position = :position, body = :body WHERE row = :row",
        {**place, "row": row, "body": body},
    )


def set_superseded(connection: Connection, row: int, by: str) -> None:
    """Say what took the place of a row."""
    connection.execute("UPDATE memories SET superseded_by = ? WHERE row = ?", (by, row))


def superseded_by(connection: Connection, ids: Collection[str]) -> dict[str, str]:
    """Which memory replaced each of these, if one did."""
    return dict(
        connection.execute(
            "SELECT id, superseded_by FROM memories"
            " WHERE superseded_by IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
            (json_list(ids),),
        )
    )


def is_hidden(connection: Connection, row: int) -> bool:
    """Whether a row was superseded, or says again what was said."""
    found = connection.execute(
        "SELECT superseded_by IS NOT NULL OR duplicate_of IS NOT NULL FROM memories WHERE row = ?",
        (row,),
    ).fetchone()
    return bool(found and found[0])


def set_importance(connection: Connection, row: int, importance: float) -> None:
    """Score a row anew."""
    connection.execute("UPDATE memories SET importance = ? WHERE row = ?", (importance, row))


def set_tier(connection: Connection, rows: Collection[int], tier: str) -> None:
    """Say how near rows are kept."""
    connection.execute(
        "UPDATE memories SET tier = ? WHERE row IN (SELECT value FROM json_each(?))",
        (tier, json_list(rows)),
    )


def count_access(connection: Connection, rows: Collection[int], at: float) -> None:
    """Say that rows were put into a prompt."""
    connection.execute(
        "UPDATE memories SET accesses = accesses + 1,"
        " last_access = max(ifnull(last_access, ?1), ?1)"
        " WHERE row IN (SELECT value FROM json_each(?2))",
        (at, json_list(rows)),
    )


def remove_memory(connection: Connection, row: int, id: str) -> None:
    """Take a row out of every table but the full-text index and the blocks."""
    connection.execute("DELETE FROM memories WHERE row = ?", (row,))
    connection.execute("DELETE FROM vectors WHERE row = ?", (row,))
    connection.execute("DELETE FROM facts WHERE id = ?", (id,))
    connection.execute("DELETE FROM recalls WHERE id = ?", (id,))


def add_others(connection: Connection, ids: Iterable[str]) -> None:
    """Keep ids of events that are no memories."""
    connection.executemany("INSERT OR IGNORE INTO others (id) VALUES (?)", ((id,) for id in ids))


def add_gone(connection: Connection, id: str, why: str) -> None:
    """Say that an id must never come back."""
    connection.execute("INSERT OR IGNORE INTO gone (id, why) VALUES (?, ?)", (id, why))


def add_later(connection: Connection, id: str, what: str, value: str) -> None:
    """Say what is to happen to a memory that is not here yet; the last word counts."""
    connection.execute(
        "INSERT OR REPLACE INTO later (id, what, value) VALUES (?, ?, ?)", (id, what, value)
    )


def take_later(connection: Connection, ids: Collection[str]) -> list[tuple[str, str, str]]:
    """What is to happen to these memories, which are here now."""
    if connection.execute("SELECT 1 FROM later LIMIT 1").fetchone() is None:
        return []
    return connection.execute(
        "DELETE FROM later WHERE id IN (SELECT value FROM json_each(?)) RETURNING id, what, value",
        (json_list(ids),),
    ).fetchall()


# --- what is known now ---


def save_fact(connection: Connection, slot: str, id: str, at: float) -> None:
    """Set which fact holds for a slot."""
    connection.execute(
        "INSERT OR REPLACE INTO facts (slot, id, at) VALUES (?, ?, ?)", (slot, id, at)
    )


def find_fact(connection: Connection, slot: str) -> tuple[str, float] | None:
    """The id and time of the fact that holds for a slot."""
    return connection.execute("SELECT id, at FROM facts WHERE slot = ?", (slot,)).fetchone()


def save_recall(connection: Connection, session: str, hash_: str, id: str, at: float) -> None:
    """Say that a text was put into a prompt of a session."""
    connection.execute(
        "INSERT OR REPLACE INTO recalls (session, text_hash, id, at) VALUES (?, ?, ?, ?)",
        (session, hash_, id, at),
    )


def was_recalled(connection: Connection, session: str, hash_: str) -> bool:
    """Whether a text was put into a prompt of a session."""
    found = connection.execute(
        "SELECT 1 FROM recalls WHERE session = ? AND text_hash = ?", (session, hash_)
    )
    return found.fetchone() is not None


# --- numbers for names ---


def add_class(connection: Connection, key: str, marks: str) -> int:
    """The number of a class, a new one if it is not known."""
    connection.execute("INSERT OR IGNORE INTO classes (key, marks) VALUES (?, ?)", (key, marks))
    return connection.execute("SELECT number FROM classes WHERE key = ?", (key,)).fetchone()[0]


def classes_after(connection: Connection, number: int) -> list[tuple[int, str]]:
    """Number and marks of the classes added since."""
    return connection.execute(
        "SELECT number, marks FROM classes WHERE number > ? ORDER BY number", (number,)
    ).fetchall()


def class_keys(connection: Connection) -> dict[int, str]:
    """What the memories of each class have in common, by number."""
    return dict(connection.execute("SELECT number, key FROM classes"))


def colder_by_class(connection: Connection) -> list[tuple[int, str, int]]:
    """How many memories of each class are not hot, by tier."""
    return connection.execute(
        "SELECT class, tier, count(*) FROM memories WHERE tier <> 'hot' GROUP BY class, tier"
    ).fetchall()


def find_session(connection: Connection, number: int, session: str) -> tuple[int, int, int] | None:
    """The number, last row and count of a session within a class."""
    return connection.execute(
        "SELECT number, last, count FROM sessions WHERE session = ? AND class = ?",
        (session, number),
    ).fetchone()


def session_numbers(connection: Connection, session: str) -> list[int]:
    """All numbers of a session, one for each class that its memories are in."""
    found = connection.execute(
        "SELECT number FROM sessions WHERE session = ? ORDER BY number", (session,)
    )
    return [each[0] for each in found]


def last_session(connection: Connection) -> int:
    """The highest number of a session."""
    return connection.execute("SELECT ifnull(max(number), 0) FROM sessions").fetchone()[0]


def save_sessions(
    connection: Connection, sessions: Iterable[tuple[int, int, str, int, int]]
) -> None:
    """Keep number, class, name, last row and count of sessions."""
    connection.executemany(
        "INSERT OR REPLACE INTO sessions (number, class, session, last, count)"
        " VALUES (?, ?, ?, ?, ?)",
        sessions,
    )


def speakers_after(connection: Connection, number: int) -> list[tuple[int, str]]:
    """Number and name of the speakers added since."""
    return connection.execute(
        "SELECT number, name FROM speakers WHERE number > ? ORDER BY number", (number,)
    ).fetchall()


def add_speaker(connection: Connection, number: int, name: str) -> None:
    """Keep the number of a speaker."""
    connection.execute("INSERT INTO speakers (number, name) VALUES (?, ?)", (number, name))


# --- blocks and vectors ---


def find_block(connection: Connection, block: int) -> StoredBlock | None:
    """One block of numbers."""
    found = connection.execute(
        "SELECT block, count, checksum, numbers, bits FROM blocks WHERE block = ?", (block,)
    ).fetchone()
    return None if found is None else StoredBlock(*found)


def blocks_since(connection: Connection, version: int) -> Iterator[StoredBlock]:
    """The blocks that changed since a version."""
    found = connection.execute(
        "SELECT block, count, checksum, numbers, bits FROM blocks WHERE version > ? ORDER BY block",
        (version,),
    )
    return map(StoredBlock._make, found)


def save_blocks(connection: Connection, version: int, blocks: Iterable[StoredBlock]) -> None:
    """Write blocks, as changed in this version."""
    connection.executemany(
        "INSERT OR REPLACE INTO blocks (version, block, count, checksum, numbers, bits)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        ((version, *block) for block in blocks),
    )


def add_vectors(connection: Connection, vectors: Iterable[tuple[int, bytes]]) -> None:
    """Keep the exact vectors of rows."""
    connection.executemany("INSERT OR REPLACE INTO vectors (row, vector) VALUES (?, ?)", vectors)


def vectors_of(connection: Connection, rows: Collection[int]) -> list[tuple[int, bytes]]:
    """The exact vectors of rows."""
    return connection.execute(
        "SELECT row, vector FROM vectors WHERE row IN (SELECT value FROM json_each(?))"
        " ORDER BY row",
        (json_list(rows),),
    ).fetchall()


def vectors_between(connection: Connection, after: int, last: int) -> Iterator[tuple[int, bytes]]:
    """The exact vectors of a range of rows."""
    return connection.execute(
        "SELECT row, vector FROM vectors WHERE row > ? AND row <= ? ORDER BY row", (after, last)
    )


# --- searching ---

_TERM = "SELECT {number}, rowid FROM words WHERE words MATCH :m{number}"
_TERM_UP_TO = (
    "SELECT {number}, rowid FROM"
    " (SELECT rowid FROM words WHERE words MATCH :m{number} LIMIT :most{number})"
)


def rows_with_terms(
    connection: Connection, matches: Sequence[str], most: Sequence[int] | None = None
) -> list[tuple[int, int]]:
    """(place of the query, row) for every row that a query matches, at most so many of each."""
    if not matches:
        return []
    form = _TERM if most is None else _TERM_UP_TO
    statement = " UNION ALL ".join(form.format(number=number) for number in range(len(matches)))
    values: dict[str, Value] = {f"m{number}": match for number, match in enumerate(matches)}
    values |= {f"most{number}": limit for number, limit in enumerate(most or ())}
    return connection.execute(statement, values).fetchall()


def best_rows(connection: Connection, match: str, most: int) -> list[int]:
    """The rows that match a query best by the words they hold."""
    found = connection.execute(
        "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, 1.0, 0.0) LIMIT ?",
        (match, most),
    )
    return [each[0] for each in found]


def rows_among(connection: Connection, match: str, rows: Collection[int]) -> list[int]:
    """Those of the rows that match a query."""
    # The plus sign: looking up each row would ask the full-text index anew for each.
    found = connection.execute(
        "SELECT rowid FROM words WHERE words MATCH ?"
        " AND +rowid IN (SELECT value FROM json_each(?))",
        (match, json_list(rows)),
    )
    return [each[0] for each in found]


# --- counting ---


def counts(connection: Connection) -> dict[str, int]:
    """How many rows each table has."""
    found = connection.execute(
        "SELECT 'memories', count(*) FROM memories"
        " UNION ALL SELECT 'words', count(*) FROM words_docsize"
        " UNION ALL SELECT 'vectors', count(*) FROM vectors"
        " UNION ALL SELECT 'superseded', count(*) FROM memories WHERE superseded_by IS NOT NULL"
        " UNION ALL SELECT 'duplicates', count(*) FROM memories WHERE duplicate_of IS NOT NULL"
        " UNION ALL SELECT 'gone', count(*) FROM gone"
        " UNION ALL SELECT 'facts', count(*) FROM facts"
        " UNION ALL SELECT 'qa', count(*) FROM memories WHERE type = 'qa'"
        " UNION ALL SELECT 'classes', count(*) FROM classes"
        " UNION ALL SELECT 'sessions', count(*) FROM sessions"
    )
    return dict(found)


def integrity(connection: Connection) -> list[str]:
    """What SQLite itself finds wrong with the file."""
    found = [each[0] for each in connection.execute("PRAGMA quick_check(10)")]
    return [] if found == ["ok"] else found


def json_list(values: Collection[Any]) -> str:
    """A list as `json_each` takes it."""
    return orjson.dumps(list(values), option=orjson.OPT_SERIALIZE_NUMPY).decode()
