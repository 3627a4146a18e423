"""Values that claim to be the right answer: a table of forgeries, in every way tests are run.

`apart` runs tests in another process than the code; `together` is for tests that replace parts of
the code, which need one process with it; `exercism` is that track's layout.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from textwrap import dedent

import pytest

from paige.exercise.code_folder import files_to_test, read_code_folder
from paige.exercise.grading import grade, read_tests
from paige.exercise.result import Result

NOW = datetime(2026, 2, 22, 14, 30, tzinfo=UTC)
TESTS = """
import pytest
from exercise import total

def test_two():
    assert total([1, 1]) == 2

def test_none():
    assert total([]) == 0

def test_many():
    assert [total([4]), total([5])] == [4, 5]

def test_about():
    assert total([7]) == pytest.approx(7)
"""
TOGETHER = TESTS.replace("def test_two():", "def test_two(monkeypatch):")
UNITTEST = """
import unittest
from exercise import total

class TotalTest(unittest.TestCase):
    def test_two(self):
        self.assertEqual(total([1, 1]), 2)

    def test_none(self):
        self.assertEqual(total([]), 0)

    def test_many(self):
        self.assertListEqual([total([4]), total([5])], [4, 5])

    def test_about(self):
        self.assertAlmostEqual(total([7]), 7, places=3)
"""
HONEST = "def total(numbers): return sum(numbers)"


def attempt(folder: Path, code: str, way: str) -> Result:
    """Grade some code as the solution."""
    texts = {"exercise.py": dedent(code), "test_exercise.py": TESTS if way == "apart" else TOGETHER}
    if way == "exercism":
        texts["test_exercise.py"] = UNITTEST
        config = {"files": {"solution": ["exercise.py"], "test": ["test_exercise.py"]}}
        (folder / ".meta").mkdir()
        (folder / ".meta" / "config.json").write_text(json.dumps(config))
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    found = read_tests(files_to_test(read_code_folder(folder)))
    assert bool(found.apart) == (way != "together")
    return grade(folder, now=NOW)


FORGERIES = {
    "equals every integer": """
        class Lie:
            def __eq__(self, other): return isinstance(other, int)
            def __hash__(self): return 0
        def total(numbers): return Lie()
        """,
    "equals every integer, and computes like one": """
        class Lie(float):
            def __eq__(self, other): return isinstance(other, (int, float, list))
            def __hash__(self): return 0
            def __sub__(self, other): return 0.0
            __rsub__ = __sub__
            def __le__(self, other): return True
            __ge__ = __lt__ = __gt__ = __le__
            def __abs__(self): return 0.0
        def total(numbers): return Lie(99.0)
        """,
    "an integer with an equality of its own": """
        class Lie(int):
            def __eq__(self, other): return True
            def __ne__(self, other): return False
            def __hash__(self): return 0
        def total(numbers): return Lie(99)
        """,
    "a text with an equality of its own": """
        class Lie(str):
            def __eq__(self, other): return not isinstance(other, str)
            def __hash__(self): return 0
            def __repr__(self): return "2"
        def total(numbers): return Lie("x")
        """,
    "equality that only the second look sees": """
        class Lie:
            seen = 0
            def __eq__(self, other):
                Lie.seen += 1
                return Lie.seen % 2 == 1
        def total(numbers): return Lie()
        """,
    "equality by a metaclass": """
        class Meta(type):
            def __eq__(cls, other): return True
            def __hash__(cls): return 0
            def __instancecheck__(cls, other): return True
        class Lie(metaclass=Meta):
            def __eq__(self, other): return True
        def total(numbers): return Lie
        """,
    "equality put on afterwards": """
        class Lie: pass
        Lie.__eq__ = lambda self, other: isinstance(other, int)
        def total(numbers): return Lie()
        """,
    "a class made without a statement": """
        import types
        def fill(space): space["__eq__"] = lambda self, other: isinstance(other, int)
        Lie = types.new_class("Lie", (), {}, fill)
        def total(numbers): return Lie()
        """,
    "a function that is a class": """
        class total:
            def __init__(self, numbers): pass
            def __eq__(self, other): return isinstance(other, int)
        """,
    "a class that lies about its name": """
        class Lie:
            def __eq__(self, other): return isinstance(other, int)
        Lie.__name__ = Lie.__qualname__ = "TestCase"
        def total(numbers): return Lie()
        """,
    "a class that lies about itself": """
        class Lie:
            @property
            def __class__(self): return int
            def __eq__(self, other): return isinstance(other, int)
        def total(numbers): return Lie()
        """,
    "a mock for anything": """
        from unittest import mock
        def total(numbers): return mock.ANY
        """,
    "a mock that was told to be equal": """
        import unittest.mock
        def total(numbers):
            made = unittest.mock.MagicMock()
            made.__eq__.return_value = True
            return made
        """,
    "a list that holds whatever one looks for": """
        class Lie(list):
            def __eq__(self, other): return True
            def __contains__(self, other): return True
        def total(numbers): return Lie()
        """,
    "equality that is no function": """
        class Lie:
            __eq__ = set(range(100)).__contains__
        def total(numbers): return Lie()
        """,
    "equality from a text, with the name of a part of Python": """
        import sys
        text = "class Lie:\\n    def __eq__(self, other): return isinstance(other, int)"
        exec(compile(text, sys.base_prefix + "/lib/own.py", "exec"))
        def total(numbers): return Lie()
        """,
    "equality that says it is honest": """
        class Lie:
            def __eq__(self, other): return isinstance(other, int)
            __eq__.honest = True
        def total(numbers): return Lie()
        """,
    "Python's own helper for tests": """
        def total(numbers):
            from test.support import ALWAYS_EQ
            return ALWAYS_EQ
        """,
    "about any number": """
        def total(numbers):
            import pytest
            return pytest.approx(0, abs=1e18)
        """,
    "leaves with success": "import os\ndef total(numbers): os._exit(0)",
    "leaves as tests that need one process do": "import os\ndef total(numbers): os._exit(87)",
    "leaves politely": "import sys\ndef total(numbers): sys.exit(0)",
    "waits for the end": """
        import atexit, os
        atexit.register(os._exit, 0)
        def total(numbers): return None
        """,
    "patches what is built in": """
        import builtins
        builtins.sum = builtins.len = builtins.isinstance = lambda *a: True
        def total(numbers): return None
        """,
    "patches pytest and the tests": """
        import sys
        def total(numbers):
            for name, module in list(sys.modules.items()):
                if "test" in name:
                    for key in list(vars(module)):
                        if key.startswith(("test_", "approx", "raises")):
                            setattr(module, key, lambda *a, **k: None)
            return None
        """,
    "writes modules that tests may load late": """
        for name in ("difflib", "pprint", "conftest", "_pytest", "secrets", "attr", "textwrap"):
            with open(f"{name}.py", "w") as file:
                file.write("import os; os._exit(0)")
        def total(numbers): return None
        """,
    "answers for the other process": """
        import json, os, struct
        def total(numbers):
            for fd in range(3, 64):
                data = json.dumps({"value": 99, "printed": ""}).encode()
                try: os.write(fd, struct.pack(">I", len(data)) + data)
                except OSError: pass
            return None
        """,
    "sends what is no value": """
        import os
        def total(numbers):
            for fd in range(3, 64):
                try: os.write(fd, b"\\0\\0\\0\\2{}" * 9)
                except OSError: pass
            return None
        """,
}
WAYS = ("apart", "together", "exercism")
CASES = [  # every run tries each forgery in one of the ways, in turn; the soak tries all
    pytest.param(name, way, marks=() if at % len(WAYS) == turn else pytest.mark.soak)
    for at, name in enumerate(FORGERIES)
    for turn, way in enumerate(WAYS)
]


@pytest.mark.parametrize(("name", "way"), CASES)
def test_a_forged_value_passes_no_test(name: str, way: str, tmp_path: Path) -> None:
    done = attempt(tmp_path, FORGERIES[name], way)
    passed = [(test.name, test.message) for test in done.tests if test.status == "passed"]

    assert passed == []
    assert (done.score.correct, done.score.total) == (0, 4)


@pytest.mark.parametrize("way", WAYS)
def test_an_honest_value_passes_in_every_way(way: str, tmp_path: Path) -> None:
    assert attempt(tmp_path, HONEST, way).score.percentage == 1.0


SHAPES = {
    "a generator": ("def f(n):\n    yield from range(n)", "assert list(f(3)) == [0, 1, 2]"),
    "a closure": ("def f(n): return lambda m: n + m", "assert f(2)(3) == 5"),
    "a list that is sorted in place": (
        "def f(held): held.sort()",
        "held = [2, 1]\n    assert f(held) is None and held == [1, 2]",
    ),
    "the same list": ("def f(held):\n    return held", "held = [1]\n    assert f(held) is held"),
    "a function as an argument": ("def f(g): return g(2)", "assert f(lambda n: n + 1) == 3"),
    "a named tuple": (
        "from collections import namedtuple\nP = namedtuple('P', 'x y')\ndef f(): return P(1, 2)",
        "assert f() == (1, 2) and f().x == 1",
    ),
    "large numbers": ("def f(n): return n ** 40", "assert f(1000) == 1000 ** 40"),
    "floats": ("def f(n): return n / 3", "assert f(1) == 1 / 3 and f(6) == 2"),
    "bytes and sets": (
        "def f(): return {b'a', frozenset({1})}",
        "assert f() == {b'a', frozenset([1])}",
    ),
    "printing": (
        "def f(): print('hello')",
        "f()\n    assert capsys.readouterr().out == 'hello\\n'",
    ),
    "a class whose attribute is set": (
        "class Alien:\n    made = 5\n    def __init__(self): Alien.made += 1",
        "Alien.made = 0\n    assert [Alien().made, Alien.made] == [1, 1]",
    ),
    "members of an enum": (
        "from enum import Enum, IntEnum\nclass Light(Enum):\n    RED = 1\n"
        "class Level(IntEnum):\n    LOW = 1\ndef f(): return Light.RED",
        "assert f() is Light.RED and isinstance(Level(1), int) and Level(1) + 1 == 2",
    ),
    "the same object": (
        "class Node: pass\ndef f(a, b):\n    a.next = b\n    return a",
        "a, b = Node(), Node()\n    assert f(a, b) is a and a.next is b",
    ),
    "a list of an own kind": (
        "class Stack(list):\n    def push(self, it): self.append(it)",
        "made = Stack()\n    made.push(1)\n    assert made == [1] and isinstance(made, list)",
    ),
    "lists that objects keep": (
        "class Item:\n    def __init__(self): self.tags = []",
        "items = [Item() for _ in range(150)]\n    for item in items: item.tags.append('x')\n"
        "    assert all(item.tags == ['x'] for item in items)",
    ),
    "a function with a count of its own": (
        "def f(): f.calls = getattr(f, 'calls', 0) + 1",
        "f()\n    f()\n    assert f.calls == 2 and f.__name__ == 'f'",
    ),
    "names that change": (
        "KNOWN, count = {}, 0\ndef f(name):\n    global count\n    count += 1\n"
        "    KNOWN[name] = count",
        "f('a')\n    KNOWN.clear()\n    f('b')\n"
        "    assert KNOWN == {'b': 2} == {'b': exercise.count}",
    ),
    "classes of Python itself": (
        "from decimal import Decimal\ndef f(it): return type(it)",
        "assert f(3) is int and isinstance(Decimal(1), f(Decimal(2)))",
    ),
    "classes below a class": (
        "class Animal: pass\nclass Dog(Animal): pass",
        "assert isinstance(Dog(), Animal) and issubclass(Dog, Animal)",
    ),
    "leaving a context": (
        "class Held:\n    def __enter__(self): return self\n"
        "    def __exit__(self, kind, error, trace):\n"
        "        return kind is ValueError and str(error) == 'x'",
        "with Held():\n        raise ValueError('x')",
    ),
    "views and mappings": (
        "from collections import ChainMap, defaultdict\ndef f(): return ChainMap({1: 2})\n"
        "def g(): return {1: 2}.keys()\ndef h(): return defaultdict(list)",
        "assert f() == {1: 2} and g() == {1} and h()[3] == []",
    ),
    "what goes to standard error": (
        "import sys\ndef f(): print('no', file=sys.stderr)",
        "f()\n    assert capsys.readouterr().err == 'no\\n'",
    ),
    "own numbers in the code itself, in one process": (
        "class Own:\n    def __eq__(self, other): return other == 5\n"
        "    def __add__(self, other): return other + 1\n"
        "def f(g): return g(Own() == 5) and Own() + 1",
        "assert f(lambda it: it) == 2",
    ),
    "an exception": (
        "def f(): raise ValueError('no value')",
        "with pytest.raises(ValueError, match='no value'):\n        f()",
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_honest_code_works_as_before(name: str, tmp_path: Path) -> None:
    code, body = SHAPES[name]
    argument = "capsys" if "capsys" in body else ""
    test = (
        f"import pytest, exercise\nfrom exercise import *\n\ndef test_it({argument}):\n    {body}\n"
    )
    (tmp_path / "exercise.py").write_text(code)
    (tmp_path / "test_exercise.py").write_text(test)

    done = grade(tmp_path, now=NOW)

    assert done.score.percentage == 1.0, done.tests


def test_a_class_that_the_tests_name_may_be_equal_to_a_plain_value_but_not_to_all(
    tmp_path: Path,
) -> None:
    honest = """
        class Money:
            def __init__(self, cents): self.cents = cents
            def __eq__(self, other): return self.cents == getattr(other, "cents", other)
        """
    test = "from exercise import Money\n\ndef test_it():\n    assert Money(5) == 5\n"
    (tmp_path / "test_exercise.py").write_text(test)
    (tmp_path / "exercise.py").write_text(dedent(honest))
    assert grade(tmp_path, now=NOW).score.correct == 1

    (tmp_path / "exercise.py").write_text(dedent(honest).replace("self.cents == ", "True or "))
    assert grade(tmp_path, now=NOW).score.correct == 0


@pytest.mark.parametrize(
    "strange",
    ["ValueError", "type('Own', (KeyError,), {})", "deep", "lambda: 1", "iter([1])", "f", "Lie"],
)
def test_no_value_of_the_code_makes_its_tests_run_together_with_it(
    strange: str, tmp_path: Path
) -> None:
    code = f"""
        import sys
        deep = []
        for _ in range(99): deep = [deep]
        class Lie(type): pass
        def g(): return {strange}
        def f(value=None): return "pytest" in sys.modules
        """
    test = "from exercise import f, g\n\ndef test_it():\n    assert f([[g()]]) is False\n"
    (tmp_path / "exercise.py").write_text(dedent(code))
    (tmp_path / "test_exercise.py").write_text(test)

    assert grade(tmp_path, now=NOW).score.correct == 1
