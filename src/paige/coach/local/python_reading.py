"""Reads a piece of Python: what it defines, calls and imports.

A selection is often only a part of something: a body without its head, an `else` without its `if`.
So several ways to make it whole are tried before it is given up.
"""

import ast
import textwrap
from typing import cast

from paige.base import python_source

LARGEST = 100_000  # signs; a larger text is not taken apart
MOST_SIGNS = 60
Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


def parse_piece(code: str) -> ast.Module | None:
    """The tree of a piece of code, made whole if need be; `None` when it is no Python."""
    if len(code) > LARGEST:
        return None
    text = textwrap.dedent(code).strip("\n")
    body = textwrap.indent(text, "    ")
    ways = (
        text,
        f"{text}\n    pass",
        f"async def _():\n{body}",
        f"async def _():\n    while True:\n{textwrap.indent(text, '        ')}",
        f"if _:\n    pass\n{text}",
        f"try:\n    pass\n{text}",
    )
    for number, way in enumerate(ways):
        try:
            tree = python_source.parse(way)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return _unwrapped(tree, number)
    return None


def _unwrapped(tree: ast.Module, way: int) -> ast.Module:
    """The tree without what was put around it."""
    if way == 2:
        return ast.Module(cast("Function", tree.body[0]).body, [])
    if way == 3:
        loop = cast("ast.While", cast("Function", tree.body[0]).body[0])
        return ast.Module(loop.body, [])
    if way == 4:
        return ast.Module(cast("ast.If", tree.body[0]).orelse, [])
    return tree


def definitions(tree: ast.Module) -> list[Definition]:
    """The functions and classes a piece defines."""
    return [node for node in ast.walk(tree) if isinstance(node, Definition)]


def signature(node: Definition) -> str:
    """A definition as it is written, without its body; the name alone where that is long."""
    if isinstance(node, ast.ClassDef):
        inside = ", ".join(map(ast.unparse, node.bases))
        text = f"class {node.name}({inside})" if inside else f"class {node.name}"
    else:
        text = f"{node.name}({ast.unparse(node.args)})"
    return text if len(text) <= MOST_SIGNS else node.name


def called_names(tree: ast.Module) -> list[str]:
    """What a piece calls, in order, each once."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    calls.sort(key=lambda node: (node.lineno, node.col_offset))
    names = (ast.unparse(node.func) for node in calls)
    return list(dict.fromkeys(name for name in names if len(name) <= MOST_SIGNS))


def imported_modules(text: str) -> list[tuple[int, str]]:
    """What Python imports, as the number of leading dots and the dotted name."""
    tree = parse_piece(text)
    found: list[tuple[int, str]] = []
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            found += [(0, each.name) for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            found.append((node.level, base))
            found += [(node.level, f"{base}.{each.name}".strip(".")) for each in node.names]
    return list(dict.fromkeys(each for each in found if each[1]))
