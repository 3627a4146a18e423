"""Full-text search that answers the same on SQLite (FTS5) and PostgreSQL (tsvector).

A migration calls `create_index` on a table with an `id`; a query asks `matching`. On both engines a
word matches whatever its case and accents, several words must all be there, and the last one may be
the beginning of a word.
"""

import re
import string
import unicodedata
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    Select,
    Table,
    column,
    func,
    literal_column,
    select,
    text,
)
from sqlalchemy import table as any_table

from paige.base.actor import Actor
from paige.language.words import runs

_NAME = re.compile(r"[a-z][a-z0-9_]*")
# Both engines have limits for what one may ask; nobody types that much.
_MAX_WORDS, _MAX_LETTERS = 50, 500
# PostgreSQL refuses a row whose words take more than a megabyte, so only the beginning counts.
_MAX_INDEXED = 200_000


def _fold_table() -> dict[str, str]:
    """Accented Latin letters to plain ones, signs to spaces, accents that stand alone to nothing.

    FTS5 does this by itself. PostgreSQL's `unaccent` is an extension that may be missing, and its
    parser takes paths and addresses for one word, in which nothing could be found.
    """
    table: dict[str, str] = {}
    for letter in map(chr, (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))):
        plain, *accents = unicodedata.normalize("NFD", letter)
        if accents and plain.isascii() and letter not in "Ǡǡ":  # FTS5 forgets these two
            table[letter] = plain.lower()
    table |= dict.fromkeys(string.punctuation, " ")
    return table | dict.fromkeys(map(chr, range(0x300, 0x370)), "")


_FOLD = _fold_table()


def create_index(connection: Connection, table: str, columns: tuple[str, ...]) -> None:
    """Make `columns` of `table` searchable; the index follows every change by itself."""
    if not all(_NAME.fullmatch(name) for name in (table, *columns)):
        raise ValueError(f"`{table}` or a column of it is not a plain name")
    statements = (
        _postgresql(table, columns) if _is_postgresql(connection) else _sqlite(table, columns)
    )
    for statement in statements:
        connection.execute(text(statement))


def matching(connection: Connection, table: Table, actor: Actor, words: str) -> Select[str, float]:
    """A query for `id` and `score` of the tenant's rows that hold all `words`, best first."""
    terms = _terms(words)
    if _is_postgresql(connection):
        query = func.to_tsquery("simple", " & ".join(terms) + ":*" if terms else "")
        vector = literal_column(f"{table.name}.search")
        score = func.ts_rank(vector, query)
        found = select(table.c.id, score.cast(Float).label("score")).where(vector.op("@@")(query))
    else:
        index = any_table(f"{table.name}_fts", column("rowid"))
        whole = literal_column(f"{table.name}_fts")
        phrase = " ".join(f'"{term}"' for term in terms) + "*" if terms else '""'
        score = -func.bm25(whole)
        rowid = literal_column(f"{table.name}.rowid")
        found = (
            select(table.c.id, score.label("score"))
            .join(index, index.c.rowid == rowid)
            .where(whole.op("MATCH")(phrase))
        )
    return found.where(table.c.tenant == actor.tenant).order_by(score.desc(), table.c.id)


def matching_newest(
    connection: Connection, table: Table, words: str, newest: ColumnElement[Any], most: int
) -> Select[str]:
    """A query for the `id` of the rows of any tenant that hold any of the words, newest first.

    Unlike `matching` it looks at no more than `most` rows, however many there are. `newest` is the
    column that orders rows on PostgreSQL; on SQLite it is the order in which they were added.
    """
    terms = _terms(words)
    if _is_postgresql(connection):
        query = func.to_tsquery("simple", " | ".join(terms))
        vector = literal_column(f"{table.name}.search")
        return select(table.c.id).where(vector.op("@@")(query)).order_by(newest.desc()).limit(most)
    index = any_table(f"{table.name}_fts", column("rowid"))
    whole = literal_column(f"{table.name}_fts")
    phrase = " OR ".join(f'"{term}"' for term in terms) if terms else '""'
    rows = (
        select(index.c.rowid)
        .where(whole.op("MATCH")(phrase))
        .order_by(index.c.rowid.desc())
        .limit(most)
        .subquery()
    )
    return select(table.c.id).join(rows, rows.c.rowid == literal_column(f"{table.name}.rowid"))


def _terms(words: str) -> list[str]:
    found = runs(words.translate(str.maketrans(_FOLD)).lower())
    return [word[:_MAX_LETTERS] for word in found[:_MAX_WORDS]]


def _is_postgresql(connection: Connection) -> bool:
    return connection.dialect.name == "postgresql"


def _sqlite(table: str, columns: tuple[str, ...]) -> list[str]:
    names = ", ".join(columns)
    new = ", ".join(f"new.{name}" for name in columns)
    old = ", ".join(f"old.{name}" for name in columns)
    index = f"{table}_fts"
    # The names come from migrations and were checked to be plain names.
    add = f"INSERT INTO {index}(rowid, {names}) VALUES (new.rowid, {new});"  # noqa: S608
    gone = f"VALUES ('delete', old.rowid, {old})"
    remove = f"INSERT INTO {index}({index}, rowid, {names}) {gone};"
    return [
        f"CREATE VIRTUAL TABLE {index} USING fts5({names}, content='{table}', "
        'tokenize="unicode61 remove_diacritics 2")',
        f"CREATE TRIGGER {index}_add AFTER INSERT ON {table} BEGIN {add} END",
        f"CREATE TRIGGER {index}_remove AFTER DELETE ON {table} BEGIN {remove} END",
        f"CREATE TRIGGER {index}_change AFTER UPDATE ON {table} BEGIN {remove} {add} END",
        f"INSERT INTO {index}({index}) VALUES ('rebuild')",  # noqa: S608
    ]


def _postgresql(table: str, columns: tuple[str, ...]) -> list[str]:
    joined = " || ' ' || ".join(f"coalesce({name}, '')" for name in columns)
    # `translate` drops what has no counterpart; the table has those at its end.
    signs, plain = "".join(_FOLD).replace("'", "''"), "".join(_FOLD.values())
    folded = f"translate(lower(left({joined}, {_MAX_INDEXED})), '{signs}', '{plain}')"
    return [
        f"ALTER TABLE {table} ADD COLUMN search tsvector "
        f"GENERATED ALWAYS AS (to_tsvector('simple', {folded})) STORED",
        f"CREATE INDEX ix_{table}_search ON {table} USING gin (search)",
    ]
