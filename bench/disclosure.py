"""Prints how well the disclosure gate does: `python -m bench.disclosure [--misses]`."""

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from paige.exercise.disclosure.requests import answer_request

CASES = Path(__file__).parents[1] / "tests" / "exercise" / "disclosure_cases"


@dataclass(frozen=True)
class Scripted:
    """One dialogue, and whether it is held back from development."""

    kind: str
    name: str
    request: dict[str, object]
    held_back: bool


def read_cases(name: str) -> list[Scripted]:
    """The dialogues of a file, a third of them held back, and of its `_more` file, none of them."""
    exercises = json.loads((CASES / "exercises.json").read_text(encoding="utf-8"))
    lines = (CASES / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    more = (CASES / f"{name}_more.txt").read_text(encoding="utf-8").splitlines()
    cases = [_case(line, exercises, at % 3 == 2) for at, line in enumerate(filter(None, lines))]
    return [*cases, *(_case(line, exercises, False) for line in filter(None, more))]


def _case(line: str, exercises: dict[str, dict[str, object]], held_back: bool) -> Scripted:
    kind, name, level, *said = (part.strip() for part in line.split(" ¦ "))
    turns = [(turn[0], turn[2:].strip().replace("\\n", "\n")) for turn in said]
    roles = {"L": "learner", "T": "tutor"}
    dialogue = [{"role": roles[role], "text": text} for role, text in turns if role in roles]
    reply = next(text for role, text in turns if role == "R")
    request = {**exercises[name], "level": int(level), "dialogue": dialogue, "reply": reply}
    return Scripted(kind, name, request, held_back)


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.disclosure", description=__doc__)
    parser.add_argument("--misses", action="store_true", help="show what went wrong, as developed")
    parser.add_argument("--held-back", action="store_true", help="with --misses: the others too")
    asked = parser.parse_args()
    answer_request({"answer": "x", "level": 1, "reply": "warm up, please", "exercise": "y?"})
    for name, wanted in (("leaks", False), ("honest", True)):
        _measure(name, wanted, misses=asked.misses, others=asked.held_back)
    return 0


def _measure(name: str, wanted: bool, *, misses: bool, others: bool) -> None:
    cases = read_cases(name)
    right: Counter[bool] = Counter()
    took: list[float] = []
    for case in cases:
        start = time.process_time()
        said = answer_request(case.request)
        took.append(time.process_time() - start)
        good = said["allowed"] is wanted
        right[case.held_back] += good
        if misses and not good and (others or not case.held_back):
            print(f"  {case.kind} {case.name} {case.request['level']}: {case.request['reply']!r}")
            print(f"      {said['reason']}")
    what = "keep the answer" if not wanted else "pass"
    for held_back in (False, True):
        total = sum(case.held_back is held_back for case in cases)
        share = 100 * right[held_back] / total
        which = "held back" if held_back else "developed"
        print(f"{name:11} {which} {right[held_back]:4}/{total} {what} ({share:.1f} %)")
    took.sort()
    middle, slowest = (1000 * took[at] for at in (len(took) // 2, -1))
    print(f"{name:11} a line: median {middle:.2f} ms, slowest {slowest:.1f} ms")


if __name__ == "__main__":
    sys.exit(main())
