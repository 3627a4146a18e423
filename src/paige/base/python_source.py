"""Python sources as trees, from whatever thread.

CPython 3.11 and 3.12 keep the depth of a tree being built in one place for all threads: a second
`ast.parse` that begins before the first has ended raises `SystemError: AST constructor recursion
depth mismatch`. So one is built at a time, here and wherever a library builds one for us.
"""

import ast
from threading import RLock

ONE_TREE_AT_A_TIME = RLock()


def parse(source: str | bytes) -> ast.Module:
    """The tree of a module. Raises: SyntaxError, ValueError, RecursionError, MemoryError."""
    with ONE_TREE_AT_A_TIME:
        return ast.parse(source)
