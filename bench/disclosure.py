"""Prints how well the disclosure gate does: `python -m bench.disclosure [--misses]`."""

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from paige.exercise.disclosure.withheld import answer_request

DISGUISED = frozenset(("encoding", "splitting", "acrostic", "confirmation", "formula", "language"))
"""Kinds that hide the answer: in a cipher, letters, a game, a sum, another language's words.

The gate does not promise to find those.
"""
CASES = Path(__file__).parents[1] / "tests" / "exercise" / "disclosure_cases"


@dataclass(frozen=True)
class Scripted:
    """One dialogue."""

    kind: str
    name: str
    request: dict[str, object]


def read_cases(name: str) -> list[Scripted]:
    """The dialogues of a file, and of its `_more` file."""
    exercises = json.loads((CASES / "exercises.json").read_text(encoding="utf-8"))
    lines = (CASES / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    more = (CASES / f"{name}_more.txt").read_text(encoding="utf-8").splitlines()
    return [_case(line, exercises) for line in (*lines, *more) if line]


def _case(line: str, exercises: dict[str, dict[str, object]]) -> Scripted:
    kind, name, level, *said = (part.strip() for part in line.split(" ¦ "))
    turns = [(turn[0], turn[2:].strip().replace("\\n", "\n")) for turn in said]
    roles = {"L": "learner", "T": "tutor"}
    dialogue = [{"role": roles[role], "text": text} for role, text in turns if role in roles]
    reply = next(text for role, text in turns if role == "R")
    request = {**exercises[name], "level": int(level), "dialogue": dialogue, "reply": reply}
    return Scripted(kind, name, request)


def _group(case: Scripted) -> str:
    """What a dialogue is counted with: one that hides the answer, one that does not, a mixture."""
    if case.kind == "more":
        return "mixed"
    return "disguised" if case.kind in DISGUISED else "plain"


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.disclosure", description=__doc__)
    parser.add_argument("--misses", action="store_true", help="show what went wrong")
    asked = parser.parse_args()
    answer_request({"answer": "x", "level": 1, "reply": "warm up, please", "exercise": "y?"})
    for name, wanted in (("leaks", False), ("honest", True)):
        _measure(name, wanted, misses=asked.misses)
    return 0


def _measure(name: str, wanted: bool, *, misses: bool) -> None:
    cases = read_cases(name)
    right: Counter[str] = Counter()
    took: list[float] = []
    for case in cases:
        start = time.process_time()
        said = answer_request(case.request)
        took.append(time.process_time() - start)
        good = said["allowed"] is wanted
        right[_group(case)] += good
        if misses and not good:
            print(f"  {case.kind} {case.name} {case.request['level']}: {case.request['reply']!r}")
            print(f"      {said['reason']}")
    what = "pass" if wanted else "keep the answer"
    for group in dict.fromkeys(map(_group, cases)):
        total = sum(_group(case) == group for case in cases)
        share = 100 * right[group] / total
        print(f"{name:7} {group:9} {right[group]:4}/{total} {what} ({share:.1f} %)")
    took.sort()
    middle, slowest = (1000 * took[at] for at in (len(took) // 2, -1))
    print(f"{name:7} a line: median {middle:.2f} ms, slowest {slowest:.1f} ms")


if __name__ == "__main__":
    sys.exit(main())
