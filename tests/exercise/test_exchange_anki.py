"""Anki packages: ours in the real Anki, the real Anki's here, and ours here again."""

import contextlib
import io
import sqlite3
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from paige.base.errors import BadInput, NotFound
from paige.exercise.exchange import anki_in
from paige.exercise.exchange.anki_in import read_apkg, read_collection
from paige.exercise.exchange.anki_out import NOTETYPE_IDS, deck_id, write_apkg
from paige.exercise.exchange.values import Card, Deck, FileImport, Review, ask
from tests.anki import ask_anki
from tests.exercise.exchange_decks import AWKWARD, NOW, apart, decks, full_deck

NOTES = """
put(given["package"])
told = {
    "notes": [[n.guid, *n.fields, *n.tags] for n in map(col.get_note, sorted(col.find_notes("")))],
    "cards": col.card_count(),
    "types": sorted({n.note_type()["name"] for n in map(col.get_note, col.find_notes(""))}),
    "decks": [d.name for d in col.decks.all_names_and_ids() if d.name != "Default"],
    "problems": col.fix_integrity()[0],
}
"""
RENDERED = """
put(given["package"])
told = [[c.question(), c.answer()] for c in map(col.get_card, sorted(col.find_cards("")))]
"""
SCHEDULES = """
put(given["package"])
told = {
    "cards": col.db.all(
        "select n.guid, c.ord, c.type, c.ivl, c.reps from cards c join notes n on n.id = c.nid"
    ),
    "reviews": col.db.all("select id, ease, ivl, time from revlog order by id"),
}
"""
MADE_BY_ANKI = """
deck = col.decks.id("Course::Unit 1")
def add(kind, *fields, tags=()):
    note = col.new_note(col.models.by_name(kind))
    note.fields[:len(fields)] = fields
    note.tags = list(tags)
    col.add_note(note, deck)
    return note
back = "x<br>y&nbsp;z<div>last</div>[sound:a.mp3]<img src='p.png'>"
add("Basic", "a &amp; <b>b</b>", back, tags=["t1", "t2::x"])
add("Basic (and reversed card)", "rumah", "house")
add("Basic (optional reversed card)", "satu", "one", "")
add("Basic (type in the answer)", "dua", "two")
add("Cloze", "{{c1::Paris}} is in {{c2::France::country}}", "Europe")
suspended = add("Basic", "left out", "for now")
col.sched.suspend_cards([c.id for c in suspended.cards()])
col.decks.set_current(deck)
told = {"answered": []}
for rating in (3, 4, 1, 2):
    card = col.sched.getCard()
    answer(card, rating)
    told["answered"].append([card.note().guid, card.ord, rating])
col.sched.set_due_date([suspended.cards()[0].id], "5")
col.sched.suspend_cards([suspended.cards()[0].id])
told["log"] = col.db.all("select id, ease, ivl, time from revlog where ease > 0 order by id")
told["guids"] = [col.get_note(n).guid for n in sorted(col.find_notes(""))]
export(given["old"], True)
export(given["new"], False)
"""


@pytest.fixture(scope="module")
def made_by_anki(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    folder = tmp_path_factory.mktemp("anki")
    old, new = folder / "old.apkg", folder / "new.apkg"
    told = ask_anki(folder / "c.anki2", MADE_BY_ANKI, old=str(old), new=str(new))
    return {**told, "old": old, "new": new}


def saved(folder: Path, content: bytes) -> str:
    path = folder / "deck.apkg"
    path.write_bytes(content)
    return str(path)


def card_of(imported: FileImport, front: str) -> Card:
    return next(card for card in imported.cards if card.front == front)


def package(**files: bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        for name, data in files.items():
            made.writestr(name.replace("__", "."), data)
    return content.getvalue()


def collection(*statements: str) -> bytes:
    with sqlite3.connect(":memory:") as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        content = connection.serialize()
    connection.close()
    return content


# --- ours in the real Anki -----------------------------------------------------------------------


def test_anki_imports_our_package_and_a_second_import_adds_nothing(tmp_path: Path) -> None:
    path = saved(tmp_path, write_apkg(full_deck(), now=NOW))
    first = ask_anki(tmp_path / "c.anki2", NOTES, package=path)
    again = ask_anki(tmp_path / "c.anki2", NOTES, package=path)
    assert first == again
    assert [note[0] for note in first["notes"]] == ["m-1", "m-2", "m-3", "m-4"]
    assert first["notes"][0][1:] == [
        *("Selamat pagi", "good &lt;morning&gt; &amp; co", "formal", "greeting"),
    ]
    assert first["cards"] == 1 + 2 + 2 + 1
    assert first["decks"] == ["Malay", "Malay::Greetings"]
    assert first["types"] == ["Paige Basic", "Paige Basic (and reversed)", "Paige Cloze"]
    assert "rebuilt and optimized" in first["problems"]


def test_a_later_export_updates_the_notes_in_anki_instead_of_adding_others(tmp_path: Path) -> None:
    deck = full_deck()
    ask_anki(tmp_path / "c.anki2", NOTES, package=saved(tmp_path, write_apkg(deck, now=NOW)))
    edited = replace(deck, cards=(replace(deck.cards[0], back="hello"), *deck.cards[1:]))
    later = write_apkg(edited, now=NOW + timedelta(days=1))
    told = ask_anki(tmp_path / "c.anki2", NOTES, package=saved(tmp_path, later))
    assert len(told["notes"]) == 4
    assert told["notes"][0][2] == "hello"


def test_anki_shows_the_text_we_wrote_and_obeys_nothing_in_it(tmp_path: Path) -> None:
    text = "<b>x</b> & {{Front}} [sound:a.mp3]\nnext"
    deck = Deck("Signs", (Card("s-1", text, "back", note="<i>note</i>"),))
    path = saved(tmp_path, write_apkg(deck, now=NOW))
    ((question, answer),) = ask_anki(tmp_path / "c.anki2", RENDERED, package=path)
    assert "&lt;b&gt;x&lt;/b&gt; &amp; {{Front}}" in question
    assert "[anki:play" not in question
    assert "<br>next" in question
    assert "&lt;i&gt;note&lt;/i&gt;" in answer


def test_anki_goes_on_from_our_reviews(tmp_path: Path) -> None:
    path = saved(tmp_path, write_apkg(full_deck(), now=NOW))
    told = ask_anki(tmp_path / "c.anki2", SCHEDULES, package=path)
    schedules = {(guid, part): rest for guid, part, *rest in told["cards"]}
    assert schedules["m-4", 0] == [2, 11, 2]
    assert schedules["m-1", 0][0] == 0
    assert schedules["m-2", 1][0] == 1
    reviews = [review for card in full_deck().cards for review in card.history]
    expected = sorted((int(r.at.timestamp() * 1000), r.rating, r.duration_ms) for r in reviews)
    assert [(at, ease, time) for at, ease, _, time in told["reviews"]] == expected
    assert [interval for _, _, interval, _ in told["reviews"]] == [2, 11, -600]


def test_the_day_a_card_is_due_is_the_same_in_anki_and_here(tmp_path: Path) -> None:
    new = tmp_path / "back.apkg"
    program = SCHEDULES + "export(given['back'], False)"
    path = saved(tmp_path, write_apkg(full_deck(), now=NOW))
    ask_anki(tmp_path / "c.anki2", program, package=path, back=str(new))
    due = card_of(read_apkg(new), "Apa khabar?").due
    assert due is not None
    assert abs(due - NOW) <= timedelta(days=1)


def test_what_anki_exports_of_our_deck_is_our_deck(tmp_path: Path) -> None:
    back = tmp_path / "back.apkg"
    texts = [text for text in AWKWARD if "e\u0301" not in text]  # Anki composes accents
    extra = tuple(Card(f"x-{n}", text, text, note=text) for n, text in enumerate(texts))
    deck = replace(full_deck(), cards=(*full_deck().cards, *extra))
    path = saved(tmp_path, write_apkg(deck, now=NOW))
    program = "put(given['package']); export(given['back'], given['legacy']); told = None"
    for legacy in (True, False):
        names = {"package": path, "back": str(back), "legacy": legacy}
        ask_anki(tmp_path / f"{legacy}.anki2", program, **names)
        (found,) = read_apkg(back).decks
        assert found.name == deck.name
        assert [replace(card, due=None) for card in found.cards] == [
            replace(card, due=None) for card in deck.cards
        ]


# --- the real Anki's here ------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["old", "new"])
def test_a_package_of_the_real_anki_is_read_with_its_reviews(
    made_by_anki: dict[str, object], form: str
) -> None:
    path = made_by_anki[form]
    assert isinstance(path, Path)
    imported = read_apkg(path)
    assert [deck.name for deck in imported.decks] == ["Course::Unit 1"]
    assert [card.id for card in imported.cards] == made_by_anki["guids"]
    assert [card.kind for card in imported.cards] == [
        *("basic", "reversed", "basic", "basic", "cloze", "basic"),
    ]
    first = imported.cards[0]
    assert first.front == "a & b"
    assert first.back == "x\ny z\nlast\n(sound: a.mp3)(image: p.png)"
    assert first.tags == ("t1", "t2::x")
    assert (card_of(imported, "dua").back, card_of(imported, "satu").back) == ("two", "one")
    reviews = sorted(
        (round(each.at.timestamp() * 1000), each.rating, each.duration_ms)
        for card in imported.cards
        for each in card.history
    )
    log = made_by_anki["log"]
    assert isinstance(log, list)
    assert reviews == [(at, ease, time) for at, ease, _, time in log]
    assert len(reviews) == 4
    assert any("suspended" in remark for remark in imported.remarks)
    assert any("no answers" in remark for remark in imported.remarks)


def test_both_forms_of_a_package_say_the_same(made_by_anki: dict[str, object]) -> None:
    old, new = made_by_anki["old"], made_by_anki["new"]
    assert isinstance(old, Path)
    assert isinstance(new, Path)
    assert read_apkg(old) == read_apkg(new) == read_apkg(new.read_bytes())


def test_each_review_belongs_to_the_side_that_was_asked(made_by_anki: dict[str, object]) -> None:
    path, answered = made_by_anki["new"], made_by_anki["answered"]
    assert isinstance(path, Path)
    assert isinstance(answered, list)
    by_id = {card.id: card for card in read_apkg(path).cards}
    for guid, part, rating in answered:
        history = by_id[guid].history
        assert [review.rating for review in history if review.part == part] == [rating]


# --- ours here again -----------------------------------------------------------------------------


@given(decks())
def test_any_deck_survives_a_package(deck: Deck) -> None:
    assume(apart(deck))
    (found,) = read_apkg(write_apkg(deck, now=NOW)).decks
    assert found.name == deck.name
    assert [replace(card, due=None) for card in found.cards] == [
        replace(card, due=None) for card in deck.cards
    ]


@given(decks())
def test_the_same_deck_at_the_same_moment_is_the_same_package(deck: Deck) -> None:
    assert write_apkg(deck, now=NOW) == write_apkg(deck, now=NOW)


def test_several_decks_stay_apart_and_their_numbers_never_change() -> None:
    one, other = Deck("A", (Card("1", "f", "b"),)), Deck("B", (Card("2", "f", "b"),))
    assert [deck.name for deck in read_apkg(write_apkg([one, other], now=NOW)).decks] == ["A", "B"]
    assert deck_id("Malay::Greetings") == 313186287532
    assert NOTETYPE_IDS == {
        "basic": 1607392301101,
        "reversed": 1607392301102,
        "cloze": 1607392301103,
    }
    with pytest.raises(BadInput, match="same id"):
        write_apkg([one, replace(one, name="C")], now=NOW)


def test_reviews_in_the_same_millisecond_are_all_kept() -> None:
    history = (Review(NOW, 3, 1.0), Review(NOW, 4, 3.0))
    deck = Deck("D", (Card("1", "f", "b", history=history), Card("2", "g", "b", history=history)))
    found = read_apkg(write_apkg(deck, now=NOW))
    assert [len(card.history) for card in found.cards] == [2, 2]


def test_a_blank_inside_a_blank_is_a_card_of_its_own() -> None:
    deck = Deck("D", (Card("1", "{{c1::a {{c2::b}} c}}", "x", kind="cloze"),))
    (card,) = read_apkg(write_apkg(deck, now=NOW)).cards
    assert [ask(card.front, number) for number in (1, 2)] == [
        ("[...]", ("a b c",)),
        ("a [...] c", ("b",)),
    ]


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (Card("1", "no blank", "", kind="cloze"), "no blank"),
        (Card("", "front", "back"), "id"),
        (Card("1", " \n", "back"), "nothing on its front"),
        (Card("1", "f", "b", history=(Review(NOW, 5),)), "rating"),  # type: ignore[arg-type]
    ],
)
def test_a_card_nobody_could_use_is_named(card: Card, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        write_apkg(Deck("D", (card,)), now=NOW)


# --- files that are not what they should be ------------------------------------------------------


def test_broken_and_foreign_files_get_a_sentence(tmp_path: Path) -> None:
    whole = write_apkg(full_deck(), now=NOW)
    database = zipfile.ZipFile(io.BytesIO(whole)).read("collection.anki2")
    cases = {
        "not a package": b"hello",
        "not a package ": whole[: len(whole) // 2],
        "a zip, but": package(readme__txt=b"x"),
        "not an SQLite": package(collection__anki2=b"hello"),
        "damaged": package(collection__anki2=database[:4096] + b"\xff" * (len(database) - 4096)),
        "damaged: it cannot be unpacked": package(collection__anki21b=b"hello"),
        "newer Anki": package(meta=b"\x08\x09", collection__anki2=database),
        "no collection": package(collection__anki2=collection("create table x (y)")),
    }
    for said, content in cases.items():
        with pytest.raises(BadInput, match=said.strip()):
            read_apkg(content)
    with pytest.raises(NotFound):
        read_apkg(tmp_path / "nothing.apkg")


def test_a_package_that_unpacks_to_too_much_is_refused() -> None:
    zeros = io.BytesIO()
    with zipfile.ZipFile(zeros, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("collection.anki2", b"\0" * 3_000_000)
    with zipfile.ZipFile(zeros) as opened, pytest.raises(BadInput, match="larger than 1 MB"):
        read_collection(opened, most=2**20)


def test_a_compressed_collection_that_unpacks_to_too_much_is_refused() -> None:
    zstandard = pytest.importorskip("zstandard")
    bomb = package(collection__anki21b=zstandard.compress(b"\0" * 50_000_000))
    assert len(bomb) < 100_000
    with zipfile.ZipFile(io.BytesIO(bomb)) as opened, pytest.raises(BadInput, match="larger"):
        read_collection(opened, most=2**20)


def test_without_a_reader_of_the_compression_the_way_out_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(anki_in.importlib, "import_module", missing)
    with pytest.raises(Exception, match="cannot read") as raised:
        read_apkg(package(collection__anki21b=b"x"))
    assert "Support older Anki versions" in str(getattr(raised.value, "hint", ""))


def test_a_view_that_never_ends_is_not_looked_at() -> None:
    endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n"
    hostile = collection(
        "create table col (crt, ver, models, decks)",
        f"create view notes as {endless}",
        "create table cards (id)",
        "create table revlog (id)",
    )
    with pytest.raises(BadInput, match="no collection"):
        read_apkg(package(collection__anki2=hostile))


def test_odd_rows_are_left_out_and_counted() -> None:
    whole = write_apkg(full_deck(), now=NOW)
    content = zipfile.ZipFile(io.BytesIO(whole)).read("collection.anki2")
    connection = sqlite3.connect(":memory:")
    connection.deserialize(content)
    connection.execute("insert into revlog select 5, id, 0, 0, 0, 0, 0, 0, 4 from cards limit 1")
    connection.execute("update notes set flds = '<img>' || char(31) where guid = 'm-1'")
    connection.execute("delete from cards where nid = (select id from notes where guid = 'm-2')")
    connection.execute("update notes set guid = 'm-3' where guid = 'm-4'")
    connection.commit()
    imported = read_apkg(package(collection__anki2=connection.serialize()))
    connection.close()
    assert [str(problem) for problem in imported.problems] == ["The note `m-2` has no cards."]
    assert imported.cards[0].front == "(image: without a name)"
    assert len({card.id for card in imported.cards}) == len(imported.cards) == 3
    assert len(imported.remarks) == 3


WHOLE = write_apkg(full_deck(), now=NOW)
DATABASE = zipfile.ZipFile(io.BytesIO(WHOLE)).read("collection.anki2")
DAMAGE = st.lists(st.tuples(st.integers(0, 10**6), st.binary(min_size=1, max_size=8)), max_size=6)


def damaged(content: bytes, changes: list[tuple[int, bytes]]) -> bytes:
    made = bytearray(content)
    for place, data in changes:
        at = place % len(made)
        made[at : at + len(data)] = data
    return bytes(made)


@given(DAMAGE, st.booleans())
def test_a_damaged_package_is_read_or_refused_with_a_sentence(
    changes: list[tuple[int, bytes]], inside: bool
) -> None:
    content = package(collection__anki2=damaged(DATABASE, changes)) if inside else WHOLE
    with contextlib.suppress(BadInput):
        read_apkg(content if inside else damaged(content, changes))


@pytest.mark.parametrize(
    ("change", "reviews"),
    [
        ("update revlog set ivl = 'x'", None),
        ("update notes set flds = x'ff'", None),
        ("update cards set due = 5.5", 3),
        ("update revlog set id = id + 9000000000000000000", 0),
        ("update revlog set id = -id", 0),
        ("update revlog set ivl = 9000000000000000000", 3),
        ("update cards set due = 9000000000000000000, type = 2", 3),
        ("update col set models = '{}'", 3),
        ("update col set decks = '[]'", None),
    ],
)
def test_values_that_make_no_sense_do_no_harm(change: str, reviews: int | None) -> None:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(DATABASE)
    connection.execute(change)
    connection.commit()
    content = package(collection__anki2=connection.serialize())
    connection.close()
    if reviews is None:
        with pytest.raises(BadInput):
            read_apkg(content)
        return
    imported = read_apkg(content)
    assert sum(len(card.history) for card in imported.cards) == reviews
    assert write_apkg(imported.decks, now=NOW)
