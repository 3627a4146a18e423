"""The gate on sentences with every named person marked.

`names_labelled.jsonl` has two halves. The rules were written while looking at `tune`; of `held`
only the figures were looked at. Rows marked `blind` were written before the gate's code was read.
"""

import json
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from paige.language.names.gate import NameGate, find_names

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "names_labelled.jsonl").read_text("utf-8").splitlines()
]


class Figures(NamedTuple):
    """How many of the people were found, and how many of those found are people."""

    recall: float
    precision: float


def places(row: dict[str, Any]) -> list[tuple[int, int]]:
    """Where the marked names stand, each searched after the one before."""
    found: list[tuple[int, int]] = []
    start = 0
    for name in row["names"]:
        start = row["text"].index(name, start)
        found.append((start, start + len(name)))
        start += len(name)
    return found


def figures(rows: list[dict[str, Any]]) -> Figures:
    """By name: a name counts as found when a span touches it."""
    hit = marked = right = spans = 0
    for row in rows:
        wanted = places(row)
        got = [(span.start, span.end) for span in find_names(row["text"])]
        hit += sum(any(a < end and start < b for a, b in got) for start, end in wanted)
        right += sum(any(a < end and start < b for start, end in wanted) for a, b in got)
        marked, spans = marked + len(wanted), spans + len(got)
    return Figures(hit / marked, right / spans)


@pytest.mark.parametrize("half", ["tune", "held"])
def test_pupils_and_colleagues_are_found_and_little_else_is(half: str) -> None:
    rows = [row for row in ROWS if row["half"] == half]
    recall, precision = figures(rows)
    assert recall >= 0.97, f"{half}: recall {recall:.3f}"
    assert precision >= 0.9, f"{half}: precision {precision:.3f}"


def test_there_are_enough_sentences_of_each_kind() -> None:
    assert len(ROWS) >= 300
    assert len({row["text"] for row in ROWS}) == len(ROWS)
    assert sum(row.get("blind", False) for row in ROWS) >= 100
    for half in ("tune", "held"):
        rows = [row for row in ROWS if row["half"] == half]
        assert sum(bool(row["names"]) for row in rows) >= 100
        assert sum(not row["names"] for row in rows) >= 100


@pytest.mark.parametrize(
    ("word", "person", "thing"),
    [
        ("Daisy", "Daisy drew the flowchart first.", "Daisy chains are the picture for lists."),
        ("Reed", "Reed plays with the cable.", "Reed beds are the ecosystem."),
        ("Carol", "Carol in the library keeps the keys.", "Carol singing takes a week."),
        ("Kenya", "Kenya brings a calculator every day.", "Kenya became independent in 1963."),
        ("Small", "Small asked about the trip.", "Small groups suit this class."),
    ],
)
def test_a_verb_tells_a_person_from_a_thing(word: str, person: str, thing: str) -> None:
    assert [span.text for span in find_names(person)] == [word]
    assert find_names(thing) == []


@pytest.mark.parametrize(
    "name", ["Arshnoor", "Sukhvinder", "Ruoqing", "Zhihong", "Dobromir", "Vyshnevska", "Hrytsenko"]
)
def test_names_on_no_list_are_known_by_how_they_are_built(name: str) -> None:
    assert [span.text for span in find_names(f"Gave the glossary to {name} again.")] == [name]


def test_initials_are_people_and_abbreviations_are_not() -> None:
    assert [span.text for span in find_names("K.L. refuses to read aloud.")] == ["K.L"]
    assert find_names("The U.K. map needs updating.") == []
    assert find_names("P.E. clashes with the maths slot.") == []


def test_thousands_of_lines_are_judged_as_fast_as_they_can_be_read() -> None:
    gate = NameGate()
    texts = [row["text"] for row in ROWS]
    gate.judge(texts[0])

    def spent(count: int) -> float:
        start = time.perf_counter()
        for text in (texts * 8)[:count]:
            gate.judge(text)
        return time.perf_counter() - start

    # Twice the lines cost about twice the time: nothing grows with what was judged before.
    once, twice = min(spent(2000) for _ in range(3)), min(spent(4000) for _ in range(3))
    assert twice < 4 * once
