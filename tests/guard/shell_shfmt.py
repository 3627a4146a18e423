"""The commands that shfmt finds in a script: another parser to compare with."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

SHFMT = Path(sys.executable).with_name("shfmt")


def commands_by_shfmt(scripts: list[str]) -> list[list[list[str]] | None]:
    """The literal words of every simple command of each script; nothing where it is no script."""
    if not scripts:
        return []
    tree = _tree("\n".join(f"{each}\n" for each in scripts))
    if tree is None:
        if len(scripts) == 1:
            return [None]
        half = len(scripts) // 2
        return commands_by_shfmt(scripts[:half]) + commands_by_shfmt(scripts[half:])
    starts = [1]
    for each in scripts:
        starts.append(starts[-1] + each.count("\n") + 2)
    found: list[list[list[str]] | None] = [[] for _ in scripts]
    for line, words in _calls(tree):
        at = max(index for index, start in enumerate(starts[:-1]) if start <= line)
        rows = found[at]
        assert rows is not None
        rows.append(words)
    return found


def _tree(script: str) -> dict[str, Any] | None:
    done = subprocess.run(
        [SHFMT, "-ln", "bash", "-tojson"],
        input=script.encode("utf-8", "replace"), capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    return json.loads(done.stdout) if done.returncode == 0 else None


def _calls(node: Any) -> list[tuple[int, list[str]]]:
    """Line and words of the calls below a node, as far as the words are literal."""
    found: list[tuple[int, list[str]]] = []
    stack = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, list):
            stack += each
        elif isinstance(each, dict):
            if each.get("Type") == "CallExpr" and each.get("Args"):
                words = [_literal(arg) for arg in each["Args"]]
                name = words[0]
                if name:
                    found.append((each["Pos"]["Line"], [name, *(one or "" for one in words[1:])]))
            stack += each.values()
    return found


def _literal(word: dict[str, Any]) -> str | None:
    made = ""
    for part in word.get("Parts", ()):
        value = part.get("Value", "")
        if (part.get("Type") == "Lit" and not any(sign in value for sign in "\\~*?[{\n")) or (
            part.get("Type") == "SglQuoted" and not part.get("Dollar")
        ):
            made += value
        else:
            return None
    return made or None
