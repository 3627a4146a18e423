"""Measures how much of the evidence memory search finds: `python -m bench.memory_recall`.

A data set is a folder with `memories.jsonl` (the form of `paige memory import --jsonl`) and
`questions.jsonl` (`query`, `project`, `evidence`: the `meta.id` of the memories that answer it,
perhaps `category`). Recall is the share of a question's evidence among the first results, averaged
over the questions. No model is asked, so the figures are the same on every machine.

The folder of data sets is --data, or PAIGE_BENCH_DATA, or `../shared/data` beside the project.
Data sets that are not there are left out.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from bench.memory_index import Remembered, SmallIndex
from paige.base.tokens import count_tokens_bound

SETS = ("locomo", "longmemeval")
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
BUDGET = 1000  # tokens
_BESIDE = Path(__file__).parents[2] / "shared" / "data"
Search = Callable[["Asked"], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and the rows that answer it."""

    query: str
    project: str
    evidence: frozenset[int]
    category: str


@dataclass(frozen=True, slots=True)
class Line:
    """The recall of one way to search, over one group of questions."""

    data: str
    method: str
    group: str
    questions: int
    at_5: float
    at_10: float
    at_20: float
    budget_chars: float  # within the budget, a token being four characters
    budget_bound: float  # within the budget, by the upper bound that search keeps to


def read_set(folder: Path) -> tuple[list[Remembered], list[Asked]]:
    """The memories and questions of one data set."""
    memories = [
        Remembered(
            id=line["meta"]["id"],
            project=line["project"],
            session=line["session"],
            speaker=line.get("speaker") or "",
            at=datetime.fromisoformat(line["at"]),
            text=line["text"],
        )
        for line in _lines(folder / "memories.jsonl")
    ]
    rows = {(memory.project, memory.id): row for row, memory in enumerate(memories)}
    asked = [
        Asked(
            query=line["query"],
            project=line["project"],
            evidence=frozenset(rows[line["project"], id] for id in line["evidence"]),
            category=CATEGORIES.get(line.get("category", 0), "all"),
        )
        for line in _lines(folder / "questions.jsonl")
    ]
    return memories, asked


def measure(
    data: str, method: str, search: Search, asked: Sequence[Asked], memories: Sequence[Remembered]
) -> list[Line]:
    """One line for all questions, and one for every category if there are several."""
    chars = [len(memory.text) / 4 for memory in memories]
    bound = [count_tokens_bound(memory.text) for memory in memories]
    found = [_recalls(search(question), question.evidence, chars, bound) for question in asked]
    groups = {"all": found}
    for question, recalls in zip(asked, found, strict=True):
        if question.category != "all":
            groups.setdefault(question.category, []).append(recalls)
    return [
        Line(data, method, group, len(rows), *(sum(c) / len(rows) for c in zip(*rows, strict=True)))
        for group, rows in groups.items()
    ]


def _recalls(
    results: Sequence[int],
    evidence: frozenset[int],
    chars: Sequence[float],
    bound: Sequence[float],
) -> tuple[float, ...]:
    """The recall at 5, 10 and 20, and within the budget by both ways of counting."""
    tops = [
        results[:5],
        results[:10],
        results[:20],
        _within(results, chars),
        _within(results, bound),
    ]
    return tuple(len(evidence.intersection(top)) / len(evidence) for top in tops)


def _within(results: Sequence[int], tokens: Sequence[float]) -> list[int]:
    """The results that fit the budget, in their order; one that does not fit is left out."""
    kept: list[int] = []
    left: float = BUDGET
    for row in results[:200]:
        if tokens[row] <= left:
            kept.append(row)
            left -= tokens[row]
    return kept


def run(folders: Iterable[Path]) -> list[Line]:
    """All ways to search, over all data sets."""
    lines: list[Line] = []
    for folder in folders:
        memories, asked = read_set(folder)
        index = SmallIndex(memories)
        ways: dict[str, Search] = {
            "paige": lambda q, i=index: i.search(q.project, q.query),
            "paige, no vectors": lambda q, i=index: i.search(q.project, q.query, vectors=False),
            "vectors only": lambda q, i=index: i.by_meaning(q.project, q.query),
            "FTS5 bm25": lambda q, i=index: i.bare(q.project, q.query, limit=200),
        }
        for method, search in ways.items():
            lines += measure(folder.name, method, search, asked, memories)
    return lines


def main() -> int:
    """Measure and show; exit 2 when there is no data."""
    parser = argparse.ArgumentParser(prog="bench.memory_recall", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("PAIGE_BENCH_DATA", _BESIDE))
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    folders = [Path(arguments.data) / name for name in SETS]
    folders = [folder for folder in folders if (folder / "questions.jsonl").exists()]
    if not folders:
        print("There are no data sets there; name their folder with --data", file=sys.stderr)
        return 2
    lines = run(folders)
    if arguments.json:
        print(json.dumps([asdict(line) for line in lines], indent=1))
    else:
        _show(lines)
    return 0


def _show(lines: Sequence[Line]) -> None:
    print(f"{'':46}{'n':>5}{'@5':>7}{'@10':>7}{'@20':>7}{'1k/4':>7}{'1k':>7}")
    for line in lines:
        name = f"{line.data}  {line.method}  {line.group}"
        numbers = (line.at_5, line.at_10, line.at_20, line.budget_chars, line.budget_bound)
        print(f"{name:46}{line.questions:5}" + "".join(f"{number:7.3f}" for number in numbers))


def _lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    sys.exit(main())
