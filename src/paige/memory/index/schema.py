"""The tables of `index.db`, and what makes an existing file unusable for this version.

Nothing in here is precious: every row comes from the log, so there are no migrations. A file that
was made by another version, or with another way of writing words into the index, is thrown away
and made again.

- `memories`: one row for each memory that can be found, with its event; `row` numbers are never
  used twice.
- `words`: the full-text index. It keeps no text of its own; a row is taken out by naming exactly
  the words that were put in, which follow from the event.
- `blocks`: the numbers that ranking needs and the 1-bit codes, packed by 128 rows, so that a
  process reads a million of them in a moment. `vectors`: the exact vectors.
- `classes`: distinct combinations of rights, place and kind. A memory has one; what a reader may
  see is decided once for each class, never for each row.
- `facts`: which fact holds now. `recalls`: what was put into the prompts of a session.
- `others`: ids of events that are no memories. `gone`: ids that were forgotten or retracted.
- `later`: what is to happen to an id that is not here yet, because another log is read later.
"""

from hashlib import blake2b

from paige.memory.retrieval.indexed_text import indexed_text, length_of, told_of

VERSION = 1
BLOCK = 128  # memories in a block

TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE logs (
  number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, cursor INTEGER NOT NULL,
  last_id TEXT NOT NULL, events INTEGER NOT NULL, checksum INTEGER NOT NULL
);
CREATE TABLE memories (
  row INTEGER PRIMARY KEY, id TEXT NOT NULL, log INTEGER NOT NULL, seq INTEGER NOT NULL,
  type TEXT NOT NULL, scope TEXT NOT NULL, owner TEXT NOT NULL, project TEXT, session TEXT,
  position INTEGER, speaker TEXT, at REAL NOT NULL, importance REAL NOT NULL,
  accesses INTEGER NOT NULL DEFAULT 0, last_access REAL, tier TEXT NOT NULL DEFAULT 'hot',
  superseded_by TEXT, duplicate_of TEXT, fingerprint TEXT, length INTEGER NOT NULL,
  class INTEGER NOT NULL, body BLOB NOT NULL
);
CREATE UNIQUE INDEX memories_id ON memories (id);
CREATE INDEX memories_session ON memories (session) WHERE session IS NOT NULL;
CREATE INDEX memories_fingerprint ON memories (fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX memories_type ON memories (type, at) WHERE type NOT IN ('turn', 'note');
CREATE VIRTUAL TABLE words USING fts5 (
  body, marks, content = '', detail = column,
  tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TABLE blocks (
  block INTEGER PRIMARY KEY, version INTEGER NOT NULL, count INTEGER NOT NULL,
  checksum INTEGER NOT NULL, numbers BLOB NOT NULL, bits BLOB NOT NULL
);
CREATE INDEX blocks_version ON blocks (version);
CREATE TABLE vectors (row INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE TABLE classes (
  number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, marks TEXT NOT NULL
);
CREATE TABLE sessions (
  number INTEGER PRIMARY KEY, class INTEGER NOT NULL, session TEXT NOT NULL,
  last INTEGER NOT NULL, count INTEGER NOT NULL, UNIQUE (session, class)
);
CREATE TABLE speakers (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE facts (slot TEXT PRIMARY KEY, id TEXT NOT NULL, at REAL NOT NULL) WITHOUT ROWID;
CREATE INDEX facts_id ON facts (id);
CREATE TABLE recalls (
  session TEXT NOT NULL, text_hash TEXT NOT NULL, id TEXT NOT NULL, at REAL NOT NULL,
  PRIMARY KEY (session, text_hash)
) WITHOUT ROWID;
CREATE TABLE others (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE gone (id TEXT PRIMARY KEY, why TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE later (
  id TEXT NOT NULL, what TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (id, what)
) WITHOUT ROWID;
"""


def signature() -> str:
    """Changes with the tables and with the way words are written into the index."""
    sample = "I saw Łódź's café-owners: 3rd naïve co-op, 2026-03-02; readQuestion, 学生 don't_stop"
    written = (
        VERSION,
        TABLES,
        indexed_text(sample),
        length_of(sample),
        told_of(sample, "Zoë"),
    )
    return blake2b(repr(written).encode(), digest_size=16).hexdigest()
