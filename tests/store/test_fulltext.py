import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlalchemy import Column, Connection, MetaData, Table, Text, delete, insert, update

from paige.base.actor import Actor
from paige.store.engine import Database
from paige.store.fulltext import create_index, matching
from tests.store.running import read, write

ME = Actor()
NOTES = Table(
    "notes",
    MetaData(),
    Column("id", Text, primary_key=True),
    Column("tenant", Text, nullable=False, server_default="local"),
    Column("title", Text),
    Column("body", Text),
)


@pytest.fixture
def notes(db: Database) -> Database:
    """A database with a searchable table."""

    def make(connection: Connection) -> None:
        NOTES.create(connection)
        create_index(connection, "notes", ("title", "body"))

    write(db, make)
    return db


def put(database: Database, **texts: str) -> None:
    rows = [{"id": name, "body": text} for name, text in texts.items()]
    write(database, Connection.execute, insert(NOTES), rows)


def found(database: Database, words: str, actor: Actor = ME) -> list[str]:
    def ask(connection: Connection) -> list[str]:
        return [row.id for row in connection.execute(matching(connection, NOTES, actor, words))]

    return read(database, ask)


@pytest.mark.db
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Une école à Montréal", "ecole"),
        ("Une ecole", "ÉCOLE"),
        ("ÉCOLE NORMALE", "école"),
        ("Une école", "e\u0301cole"),
        ("Une e\u0301cole", "école"),
        ("tiếng Việt", "tieng viet"),
        ("Ağaç", "agac"),
        ("Страна ШКОЛА", "школа"),
        ("fractions", "FRACT"),
        ("the quick brown fox", "fox quick"),
        ("the quick brown fox", "quick bro"),
        ("see src/paige/store.py", "paige"),
        ("write to ann@school.test", "school"),
        ("read https://school.test/page?x=1", "page"),
        ("call snake_case_name()", "case"),
        ("call snake_case_name()", "snake_case"),
        ("a well-known fact", "known"),
        ("a <b>bold</b> word", "bold"),
        ("it costs -5 or 3.14", "5"),
        ("it's Ann's", "ann"),
    ],
)
def test_words_are_found_whatever_their_case_accents_and_neighbours(
    notes: Database, text: str, words: str
) -> None:
    put(notes, hit=text, miss="nothing of the kind")
    assert found(notes, words) == ["hit"]


@pytest.mark.db
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the quick brown fox", "qui fox"),  # only the last word may be a beginning
        ("the quick brown fox", "quick cat"),
        ("the quick brown fox", "uick"),
        ("the quick brown fox", ""),
        ("the quick brown fox", " - ' \" * "),
        ("the quick brown fox", "_"),
        ("or and not near", "cat OR near"),
    ],
)
def test_what_is_not_there_is_not_found(notes: Database, text: str, words: str) -> None:
    put(notes, miss=text)
    assert found(notes, words) == []


@pytest.mark.db
def test_every_accented_latin_letter_is_found_by_its_plain_one(notes: Database) -> None:
    letters = {}
    for letter in map(chr, (*range(0xC0, 0x180), *range(0x1EA0, 0x1EFA))):
        plain, *accents = unicodedata.normalize("NFD", letter)
        if accents:
            letters[letter] = plain.lower()
    assert len(letters) > 180
    put(notes, **{f"n{ord(letter)}": f"q{letter}z{ord(letter)}" for letter in letters})

    def ask(connection: Connection) -> list[str]:
        return [
            letter
            for letter, plain in letters.items()
            if not connection.execute(
                matching(connection, NOTES, ME, f"q{plain}z{ord(letter)}")
            ).all()
        ]

    assert read(notes, ask) == []


@pytest.mark.db
def test_changes_and_deletions_are_followed(notes: Database) -> None:
    put(notes, a="apple", b="banana")
    write(notes, Connection.execute, update(NOTES).where(NOTES.c.id == "a").values(body="cherry"))
    assert (found(notes, "apple"), found(notes, "cherry")) == ([], ["a"])
    write(notes, Connection.execute, delete(NOTES).where(NOTES.c.id == "b"))
    assert found(notes, "banana") == []
    put(notes, b="banana again")
    assert found(notes, "banana") == ["b"]


@pytest.mark.db
def test_rows_that_were_there_before_the_index_are_found(db: Database) -> None:
    write(db, NOTES.create)
    put(db, old="apple")
    write(db, create_index, "notes", ("title", "body"))
    assert found(db, "apple") == ["old"]


@pytest.mark.db
def test_every_column_is_searched_and_none_is_needed(notes: Database) -> None:
    rows = [{"id": "a", "title": "apple", "body": None}, {"id": "b", "title": None, "body": "pie"}]
    write(notes, Connection.execute, insert(NOTES), rows)
    assert (found(notes, "apple"), found(notes, "pie")) == (["a"], ["b"])


@pytest.mark.db
def test_tenants_do_not_find_each_others_rows(notes: Database) -> None:
    rows = [{"id": f"of {tenant}", "tenant": tenant, "body": "apple"} for tenant in ("a", "b")]
    write(notes, Connection.execute, insert(NOTES), rows)
    assert found(notes, "apple", Actor("a")) == ["of a"]
    assert found(notes, "apple", Actor("b")) == ["of b"]
    assert found(notes, "apple") == []


@pytest.mark.db
def test_the_row_that_says_it_more_often_comes_first(notes: Database) -> None:
    put(
        notes, once="apple and pears and plums and more", often="apple apple apple apple", no="pear"
    )
    assert found(notes, "apple") == ["often", "once"]


@pytest.mark.db
def test_a_very_long_text_is_kept_and_its_beginning_is_found(notes: Database) -> None:
    words = " ".join(f"word{number:x}" for number in range(250_000))
    put(notes, long=f"apple {words}", endless="y" * 100_000)
    assert found(notes, "apple") == ["long"]


SIGNS = [
    "\"'*():^-+&|!<>{}[]~\\/%_;,.?#@$`= \t\n\0:*",
    "AND",
    "OR",
    "NOT",
    "NEAR(",
    "a:*",
    '"',
    "é",
]
QUERIES = st.text(max_size=40) | st.lists(st.sampled_from([*SIGNS[0], *SIGNS])).map("".join)


@pytest.mark.db
@given(words=QUERIES)
@example(words="x" * 100_000)
@example(words="x " * 100_000)
@example(words="\ud83d\ude00 ² ª ① ﷺ")
@example(words="a\0b")
@example(words="')); DROP TABLE notes; --")
def test_no_query_text_is_an_error(db: Database, words: str) -> None:
    def attempt(connection: Connection) -> None:
        if not connection.dialect.has_table(connection, "notes"):
            NOTES.create(connection)
            create_index(connection, "notes", ("title", "body"))
            connection.execute(insert(NOTES), {"id": "a", "body": "apple"})
        connection.execute(matching(connection, NOTES, ME, words)).all()

    write(db, attempt)
    assert found(db, "apple") == ["a"]


@pytest.mark.parametrize("name", ["no-tes", "notes; DROP TABLE x", "Notes", "", "notes\n"])
def test_an_index_is_made_only_for_plain_names(sqlite_db: Database, name: str) -> None:
    with pytest.raises(ValueError, match="is not a plain name"):
        write(sqlite_db, create_index, name, ("body",))
    with pytest.raises(ValueError, match="is not a plain name"):
        write(sqlite_db, create_index, "notes", ("body", name))
