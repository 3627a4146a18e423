import pytest

from paige.memory.lifecycle.episodes import (
    Episode,
    episode_draft,
    episode_of,
    inputs_hash,
    shape_of,
    task_shape,
)
from tests.memory.life import SmallMemory, event

FIXED = Episode("Run tests in src/app.py", "pytest", "abc", "success", "clear the cache", 0.8)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Run tests in src/app.py", "run  tests in lib/other/thing.py!"),
        ("install 3 packages", "Install 12 packages"),
        ("open `a b c`", 'open "x"'),
        ("revert commit 4f2a91bc", "revert commit 99aa01d2"),
        ("build version 1.2.3", "build version 10.0.1"),
    ],
)
def test_tasks_that_differ_only_in_details_have_one_shape(one: str, other: str) -> None:
    assert task_shape(one) == task_shape(other)


def test_different_tasks_have_different_shapes() -> None:
    assert task_shape("add a test for login") != task_shape("add a test for logout")
    assert task_shape("don't stop") == "don t stop"


def test_the_same_inputs_have_one_hash_whatever_their_order() -> None:
    assert inputs_hash({"a": 1, "b": [2]}) == inputs_hash({"b": [2], "a": 1})
    assert inputs_hash({"a": 1}) != inputs_hash({"a": 2})
    assert inputs_hash({"a": 2**70, "b": "\ud83d"}) == inputs_hash({"b": "\ud83d", "a": 2**70})
    assert "secret" not in inputs_hash({"token": "secret"})


def test_an_episode_survives_being_remembered() -> None:
    memory = SmallMemory()
    memory.write([episode_draft(FIXED, project="p1", session="s1", trace="t1", evidence=("e0",))])
    stored = memory.events[0]
    assert episode_of(stored) == FIXED
    assert stored.text == "Run tests in src/app.py with pytest worked; fix: clear the cache"
    assert (stored.evidence, tuple(stored.provenance)) == (("e0",), ("s1", "t1"))


def test_what_has_no_ending_is_no_episode() -> None:
    assert episode_of(event(type="episode", outcome=None)) is None
    assert episode_of(event(type="note", outcome="success")) is None


def test_an_episode_with_odd_fields_is_still_read() -> None:
    odd = event(
        text="did it", type="episode", outcome="failure", payload={"tool": 3, "confidence": "x"}
    )
    assert episode_of(odd) == Episode("did it", "", None, "failure", None, 0.5)


def test_the_fix_is_part_of_the_shape() -> None:
    assert shape_of(FIXED) == ("run tests in <file>", "pytest", "clear the cache")
