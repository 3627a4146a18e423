"""Which room imports which: read from the code itself, and from the line that the linter checks."""

import ast
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "paige"
Edges = Mapping[tuple[str, str], int]


def layers() -> list[list[str]]:
    """The rooms in rows, the highest first, as `pyproject.toml` has them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    rows = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [row.split(" | ") for row in rows if not row.startswith("__")]


@cache
def edges() -> Edges:
    """How many imports lead from one room into another, those inside functions too."""
    counted: Counter[tuple[str, str]] = Counter()
    rooms = {room for row in layers() for room in row}
    for path in sorted(SOURCE.rglob("*.py")):
        room = path.relative_to(SOURCE).parts[0]
        if room not in rooms:
            continue
        for other in _rooms_in(ast.parse(path.read_text(encoding="utf-8"))):
            if other in rooms and other != room:
                counted[room, other] += 1
    return counted


def direct(all_edges: Edges) -> set[tuple[str, str]]:
    """The imports that no longer way implies: without them a room could not be reached."""
    below: dict[str, set[str]] = {}
    for room, other in all_edges:
        below.setdefault(room, set()).add(other)

    def reaches(start: str, goal: str) -> bool:
        return goal in below.get(start, ()) or any(
            reaches(step, goal) for step in below.get(start, ())
        )

    return {
        (room, other)
        for room, other in all_edges
        if not any(reaches(step, other) for step in below[room] - {other})
    }


def _rooms_in(tree: ast.AST) -> list[str]:
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            # `from paige.app import x` and `from paige import app` both name a room.
            alone = node.module == "paige"
            names += [f"paige.{each.name}" for each in node.names] if alone else [node.module]
        elif isinstance(node, ast.Import):
            names += [each.name for each in node.names]
    parts = (name.split(".") for name in names)
    return [each[1] for each in parts if each[0] == "paige" and len(each) > 1]
