"""How the guard judges collections of commands: what gets through, what is asked in vain.

    python -m bench.guard_cases [--data DIR] [--misses] [--json]

The cases lie outside the repository (`../shared/data/guard`): commands that must be denied, that
must not be allowed without a question, that are harmless; attacks with harmless twins; incidents.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paige.guard.rules.loader import EXAMPLE_PLACE, load_book
from paige.guard.shell.judge import judge

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data" / "guard"
RULES = ROOT / "src" / "paige" / "shipped" / "guard" / "rules"
# class: (decision that is wrong or wanted, limit in per cent, whether it is the most or the least)
LIMITS = {
    "must_deny": (("deny", 99.0, "least"), ("allow", 0.0, "most")),
    "must_not_auto_allow": (("allow", 0.5, "most"),),
    "harmless": (("deny", 2.0, "most"), ("ask", 10.0, "most")),
    "attack": (("allow", 0.0, "most"),),
    "twin": (("allow", 85.0, "least"),),
    "incident-deny": (("deny", 100.0, "least"),),
    "incident-ask": (("allow", 0.0, "most"),),
}
HARMLESS = "harmless"  # what peers call benign, and commands people use every day
Case = tuple[str, str]


def cases(folder: Path) -> Iterator[Case]:
    """Every case with its class."""
    for row in _rows(folder, "peer_cases*.jsonl"):
        yield HARMLESS if row["class"] == "benign" else row["class"], row["command"]
    for path in sorted(folder.glob("everyday*.txt")):
        for line in path.read_text("utf-8").split("\n"):
            if line.strip():
                yield HARMLESS, line
    for row in _rows(folder, "bypass*.jsonl"):
        yield ("twin" if row["must"] == "allow" else "attack"), row["command"]
    for row in _rows(folder, "incidents*.jsonl"):
        yield f"incident-{row['expected']}", row["command"]


def figures(decided: list[tuple[str, str, str, str]]) -> list[dict[str, Any]]:
    """Shares of decisions by class, beside the limits."""
    counted = Counter((kind, decision) for kind, decision, _, _ in decided)
    made = []
    for kind, limits in LIMITS.items():
        total = sum(count for (each, _), count in counted.items() if each == kind)
        if not total:
            continue
        for decision, limit, side in limits:
            share = 100 * counted[kind, decision] / total
            kept = share <= limit if side == "most" else share >= limit
            made.append(
                {
                    "class": kind,
                    "cases": total,
                    "decision": decision,
                    "per_cent": round(share, 2),
                    "limit": f"at {side} {limit}",
                    "kept": kept,
                }
            )
    return made


def misses(decided: list[tuple[str, str, str, str]]) -> Iterator[str]:
    """The cases behind a limit that is not kept in full."""
    wrong = {
        "must_deny": ("allow", "pass", "ask"),
        "must_not_auto_allow": ("allow",),
        HARMLESS: ("deny",),
        "attack": ("allow",),
        "twin": ("pass", "ask", "deny"),
        "incident-deny": ("allow", "pass", "ask"),
        "incident-ask": ("allow",),
    }
    for kind, decision, command, rule in sorted(decided):
        if decision in wrong.get(kind, ()):
            yield f"{kind}: {decision} by {rule}: {command!r}"


def main() -> int:
    """Judge every case and print the figures."""
    parser = argparse.ArgumentParser(prog="bench.guard_cases", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--misses", action="store_true", help="print the cases behind the figures")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    book = load_book(sorted(RULES.glob("*.toml"))).compiled
    found = list(cases(given.data))
    begun = time.perf_counter()
    judged = [(kind, judge(command, EXAMPLE_PLACE, book), command) for kind, command in found]
    took = time.perf_counter() - begun
    decided = [(kind, said.decision, command, said.rule) for kind, said, command in judged]
    made = figures(decided)
    if given.json:
        print(json.dumps({"figures": made, "commands_a_second": round(len(found) / took)}))
    else:
        for each in made:
            mark = "ok  " if each["kept"] else "MISS"
            print(
                f"{mark} {each['class']:20} {each['cases']:5} cases: {each['decision']:5} "
                f"{each['per_cent']:6.2f} % ({each['limit']} %)"
            )
        print(f"{len(found) / took:.0f} commands a second")
    if given.misses:
        print(*misses(decided), sep="\n")
    return 0 if all(each["kept"] for each in made) else 1


def _rows(folder: Path, pattern: str) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob(pattern)):
        for line in path.read_text("utf-8").split("\n"):
            if line.strip():
                yield json.loads(line)


if __name__ == "__main__":
    sys.exit(main())
