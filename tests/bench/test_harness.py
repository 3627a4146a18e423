"""The bench harness: turns, medians, promises, and a results file that keeps the rest."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bench import harness
from bench.harness import Benchmark, Pair, Result, measure, save


def test_both_sides_take_turns_and_medians_make_the_ratio() -> None:
    calls: list[str] = []
    numbers = {"ours": iter([9.0, 1.0, 2.0, 90.0]), "reference": iter([9.0, 1.0, 1.0, 1.0])}

    def side(name: str) -> float:
        calls.append(name)
        return next(numbers[name])

    @contextmanager
    def prepare() -> Iterator[Pair]:
        yield Pair(lambda: side("ours"), lambda: side("reference"))

    result = measure(Benchmark("x", "ms", "lower", prepare, turns=3, warm_up=1))

    assert calls == ["ours", "reference"] * 4
    assert (result.ours, result.reference, result.ratio) == (2.0, 1.0, 2.0)


@pytest.mark.parametrize(
    ("better", "ratio", "kept"),
    [("lower", 1.6, True), ("lower", 1.61, False), ("higher", 1.6, True), ("higher", 1.59, False)],
)
def test_a_promise_is_kept_on_the_right_side(better: str, ratio: float, kept: bool) -> None:
    assert Result("x", ratio, 1.0, ratio, "ms", better, 1.6).kept is kept


def test_results_of_other_names_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "RESULTS", tmp_path / "results.json")
    save([Result("a", 1, 1, 1, "ms", "lower", None), Result("b", 1, 1, 1, "ms", "lower", None)])
    save([Result("b", 4, 2, 2, "ms", "lower", None)])

    entries = json.loads((tmp_path / "results.json").read_text())
    assert [(entry["name"], entry["ratio"]) for entry in entries] == [("a", 1), ("b", 2)]
    assert set(entries[0]) == {"name", "ours", "reference", "ratio", "unit", "better"}
