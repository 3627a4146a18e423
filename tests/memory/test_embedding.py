import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.memory.embedding import DIMENSIONS, SHIPPED, StaticEmbedder, split_words
from paige.memory.retrieval.question import NearWords

words = st.sampled_from(["river", "boat", "Zürich", "2024", "snake_case", "qzxv", "the", "?!", ""])
texts = st.one_of(st.text(max_size=60), st.lists(words, max_size=12).map(" ".join))


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return StaticEmbedder()


def test_words_are_lower_case_without_accents_and_punctuation() -> None:
    assert split_words("Café, déjà-vu! It's snake_case.") == [
        *("cafe", "deja", "vu", "it", "s", "snake", "case")
    ]


def test_a_chinese_character_is_a_word_of_its_own() -> None:
    assert split_words("学校 x") == ["学", "校", "x"]


def test_texts_about_the_same_thing_are_nearer_than_others(embedder: StaticEmbedder) -> None:
    dog, puppy, tax = embedder.embed(["my dog barks", "the puppy is loud", "income tax forms"])
    assert dog @ puppy > dog @ tax + 0.2


def test_a_text_without_words_is_all_zeros(embedder: StaticEmbedder) -> None:
    vectors = embedder.embed(["", "  ?! ", "word"])
    assert not vectors[:2].any()
    assert vectors[2].any()


def test_nothing_to_embed_gives_no_rows(embedder: StaticEmbedder) -> None:
    assert embedder.embed([]).shape == (0, DIMENSIONS)


@given(st.lists(texts, max_size=8))
def test_every_row_has_length_one_or_zero(texts: list[str]) -> None:
    vectors = StaticEmbedder().embed(texts)
    lengths = np.linalg.norm(vectors, axis=1)
    assert vectors.dtype == np.float32
    assert np.all((np.abs(lengths - 1) < 1e-5) | (lengths == 0))


@given(texts, st.lists(texts, max_size=6))
def test_the_same_text_gives_the_same_bytes_in_any_company(text: str, others: list[str]) -> None:
    alone = StaticEmbedder().embed([text])[0]
    among = StaticEmbedder().embed([*others, text, *others])[len(others)]
    assert alone.tobytes() == among.tobytes()


@given(st.lists(words, min_size=1, max_size=12))
def test_case_and_punctuation_do_not_change_a_vector(chosen: list[str]) -> None:
    plain, loud = StaticEmbedder().embed([" ".join(chosen), " ... ".join(chosen).upper()])
    assert np.allclose(plain, loud, atol=1e-5)


def test_more_words_than_are_remembered_do_not_change_a_vector(embedder: StaticEmbedder) -> None:
    before = embedder.embed(["an old lighthouse"])
    embedder.embed(
        [" ".join(f"w{n}" for n in range(start, start + 500)) for start in range(0, 40_000, 500)]
    )
    assert embedder.embed(["an old lighthouse"]).tobytes() == before.tobytes()


def test_threads_may_share_an_embedder(embedder: StaticEmbedder) -> None:
    given_texts = [f"note {n} about river {n % 7}" for n in range(200)]
    expected = embedder.embed(given_texts).tobytes()
    answers: list[bytes] = []
    shared = StaticEmbedder()
    threads = [
        threading.Thread(target=lambda: answers.append(shared.embed(given_texts).tobytes()))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 4


def test_what_is_shipped_stays_small_and_says_where_it_comes_from() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) <= 8_000_000
    assert "Apache" in (SHIPPED / "NOTICE").read_text(encoding="utf-8")
    assert "SHA-256" in (SHIPPED / "PROVENANCE.md").read_text(encoding="utf-8")


def test_related_words_are_others_with_a_like_meaning() -> None:
    near = NearWords().near("pets")
    assert "dogs" in near
    assert not {"pet", "pets"} & set(near)
    assert len(near) <= 10


@pytest.mark.parametrize("word", ["", "qzxv", "##ing", "日本", "Pets"])
def test_a_word_that_is_not_known_has_no_related_words(word: str) -> None:
    assert NearWords().near(word) == ()


def test_a_plural_that_is_not_known_has_the_related_words_of_its_singular() -> None:
    near = NearWords()
    assert near.near("hobbies") == near.near("hobby") != ()
    assert near.near("hikes") == near.near("hike") != ()
