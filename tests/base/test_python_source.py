"""Trees of Python sources, from several threads at once."""

import ast
import gc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from paige.base import python_source

SOURCE = "value = " + " + ".join(f"(item[{number}] if True else [1, 2])" for number in range(60))


class _Loop:
    """Garbage whose end runs code, so that threads change in the middle of a tree."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        for _ in range(20):
            pass


@pytest.mark.parametrize("build", [python_source.parse, lambda text: ast.parse(text)])
def test_threads_that_parse_at_once_all_get_their_tree(
    build: Callable[[str], ast.Module],
) -> None:
    before = gc.get_threshold()
    together = Barrier(4)

    def parse(_: int) -> int:
        together.wait()
        sizes = set()
        for _ in range(40):
            garbage = [_Loop() for _ in range(30)]
            sizes.add(len(build(SOURCE).body))
            del garbage
        return sizes.pop()

    gc.set_threshold(20, 2, 2)
    try:
        with ThreadPoolExecutor(4) as threads:
            assert list(threads.map(parse, range(4))) == [1, 1, 1, 1]
    finally:
        gc.set_threshold(*before)
