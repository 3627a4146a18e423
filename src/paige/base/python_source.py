"""Python sources as trees, from whatever thread.

CPython 3.11 and 3.12 keep the depth of a tree being built in one place for all threads: a second
`ast.parse` that begins before the first has ended raises `SystemError: AST constructor recursion
depth mismatch`. Libraries parse as well, to describe fields and signatures. So wherever this module
is imported, threads that parse wait for each other, whoever asked them to.
"""

import ast
import sys
from functools import wraps
from threading import RLock
from typing import Any


def parse(source: str | bytes) -> ast.Module:
    """The tree of a module. Raises: SyntaxError, ValueError, RecursionError, MemoryError."""
    return ast.parse(source)


def _build_one_tree_at_a_time() -> None:
    one, build = RLock(), ast.parse

    @wraps(build)
    def build_alone(*args: Any, **named: Any) -> Any:  # noqa: ANN401 - as the original
        with one:
            return build(*args, **named)

    ast.parse = build_alone


if sys.version_info < (3, 13):
    _build_one_tree_at_a_time()
