"""Folders of many shapes: the reference solution scores everything, the stub does not."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from textwrap import dedent

import pytest

from paige.exercise.grading import grade
from tests.depth import every_second

NOW = datetime(2026, 2, 22, 14, 30, tzinfo=UTC)


@dataclass(frozen=True)
class Shape:
    """An exercise: its solution, its stub, its tests, other files by name."""

    solution: str
    stub: str
    tests: str
    others: Mapping[str, str] = field(default_factory=dict)
    name: str = "task"


SHAPES: dict[str, Shape] = {
    "unittest methods": Shape(
        "def leap(year):\n    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)",
        "def leap(year):\n    pass",
        """
        import unittest
        from task import leap

        class LeapTest(unittest.TestCase):
            def test_common(self):
                self.assertIs(leap(2015), False)

            def test_century(self):
                self.assertIs(leap(1900), False)
                self.assertIs(leap(2000), True)
        """,
    ),
    "subtests and task marks": Shape(
        "def double(n):\n    return 2 * n",
        "def double(n):\n    return n",
        """
        import unittest
        import pytest
        from task import double

        class DoubleTest(unittest.TestCase):
            @pytest.mark.task(taskno=1)
            def test_double(self):
                for number, (given, expected) in enumerate(zip((0, 1, 2), (0, 2, 4)), 1):
                    with self.subTest(f"variation #{number}", given=given, expected=expected):
                        self.assertEqual(double(given), expected)
        """,
    ),
    "classes with state": Shape(
        """
        class Account:
            def __init__(self):
                self._balance = 0
                self.is_open = False

            def open(self):
                if self.is_open:
                    raise ValueError("account already open")
                self.is_open = True

            def deposit(self, amount):
                if not self.is_open:
                    raise ValueError("account not open")
                self._balance += amount

            @property
            def balance(self):
                return self._balance
        """,
        "class Account:\n    pass",
        """
        import unittest
        from task import Account

        class AccountTest(unittest.TestCase):
            def setUp(self):
                self.account = Account()
                self.account.open()

            def test_deposit(self):
                self.account.deposit(5)
                self.assertEqual(self.account.balance, 5)

            def test_message(self):
                with self.assertRaises(ValueError) as raised:
                    Account().deposit(1)
                self.assertEqual(type(raised.exception), ValueError)
                self.assertEqual(raised.exception.args[0], "account not open")
        """,
    ),
    "generators": Shape(
        """
        def seats(number):
            for index in range(number):
                yield f"{index // 4 + 1}{'ABCD'[index % 4]}"
        """,
        "def seats(number):\n    pass",
        """
        import inspect
        import unittest
        from task import seats

        class SeatsTest(unittest.TestCase):
            def test_is_generator(self):
                self.assertTrue(inspect.isgenerator(seats(3)))

            def test_some(self):
                self.assertEqual(list(seats(5)), ["1A", "1B", "1C", "1D", "2A"])
        """,
    ),
    "exceptions of their own": Shape(
        """
        class StackUnderflow(Exception):
            def __init__(self, message):
                super().__init__(message)
                self.message = message

        def pop(stack):
            try:
                return stack.pop()
            except IndexError as error:
                raise StackUnderflow("nothing left") from error
        """,
        """
        class StackUnderflow(Exception):
            pass

        def pop(stack):
            return stack.pop()
        """,
        """
        import unittest
        from task import StackUnderflow, pop

        class PopTest(unittest.TestCase):
            def test_empty(self):
                with self.assertRaisesRegex(StackUnderflow, "nothing left"):
                    pop([])
        """,
    ),
    "two files, one given by the exercise": Shape(
        """
        import io

        class Metered(io.BufferedRandom):
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)
                self.reads = 0

            def read(self, size=-1):
                self.reads += 1
                return super().read(size)
        """,
        "import io\nclass Metered(io.BufferedRandom):\n    pass",
        """
        import unittest
        from unittest.mock import patch
        from test_utils import ZEN, Raw
        from task import Metered

        class MeteredTest(unittest.TestCase):
            @patch("task.super", create=True, side_effect=AttributeError)
            def never_collected(self, mock):
                raise AssertionError

            def test_reads(self):
                with Metered(Raw(ZEN)) as file:
                    self.assertEqual(file.read(), ZEN)
                    self.assertEqual(file.reads, 1)
        """,
        {
            "test_utils.py": """
                import io
                ZEN = b"Beautiful is better than ugly."

                class Raw(io.BytesIO):
                    pass
                """
        },
    ),
    "a module of data beside it": Shape(
        """
        from categories_data import VEGAN

        def kind(dish):
            return "vegan" if dish in VEGAN else "other"
        """,
        "from categories_data import VEGAN\ndef kind(dish):\n    pass",
        """
        import unittest
        from task import kind
        from dishes_test_data import dishes

        class KindTest(unittest.TestCase):
            def test_kinds(self):
                for dish, expected in dishes:
                    with self.subTest(dish=dish):
                        self.assertEqual(kind(dish), expected)
        """,
        {
            "categories_data.py": "VEGAN = {'falafel', 'salad'}",
            "dishes_test_data.py": "dishes = [('salad', 'vegan'), ('steak', 'other')]",
        },
    ),
    "files of data": Shape(
        """
        import json
        from pathlib import Path

        def total():
            return sum(json.loads(Path("numbers.json").read_text())) + len(
                (Path(__file__).parent / "texts" / "a.txt").read_text().split()
            )
        """,
        "def total():\n    return 0",
        "from task import total\n\ndef test_total():\n    assert total() == 9",
        {"numbers.json": "[1, 2, 3]", "texts/a.txt": "one two three"},
    ),
    "parametrised": Shape(
        "def square(n):\n    return n * n",
        "def square(n):\n    return n + n",
        """
        import pytest
        from task import square

        @pytest.mark.parametrize(("given", "expected"), [(0, 0), (2, 4), (3, 9), (-1, 1)])
        def test_square(given, expected):
            assert square(given) == expected
        """,
    ),
    "fixtures of pytest": Shape(
        """
        def save(path, text):
            path.write_text(text)
            print("saved", input())
        """,
        "def save(path, text):\n    pass",
        """
        import builtins
        import pytest
        from task import save

        @pytest.fixture
        def place(tmp_path):
            return tmp_path / "a.txt"

        def test_save(place, capsys, monkeypatch):
            monkeypatch.setattr(builtins, "input", lambda *_: "now")
            save(place, "text")
            assert place.read_text() == "text"
            assert capsys.readouterr().out == "saved now\\n"
        """,
    ),
    "set up for class and module": Shape(
        "def add(a, b):\n    return a + b",
        "def add(a, b):\n    raise NotImplementedError",
        """
        import unittest
        from task import add

        def setUpModule():
            global BASE
            BASE = 10

        class AddTest(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                cls.other = 5

            def tearDown(self):
                self.addCleanup(lambda: None)

            def test_add(self):
                self.assertEqual(add(BASE, self.other), 15)
        """,
    ),
    "a stub that fails while it is loaded": Shape(
        "LIMIT = 40\ndef left(minutes):\n    return LIMIT - minutes",
        "def left(minutes):\n    pass",
        """
        import unittest
        try:
            from task import LIMIT, left
        except ImportError as error:
            raise ImportError(f"We could not find {error.name}") from None

        class LeftTest(unittest.TestCase):
            def test_limit(self):
                self.assertEqual(LIMIT, 40)

            def test_left(self):
                self.assertEqual(left(10), 30)
        """,
    ),
    "asynchronous tests": Shape(
        """
        import asyncio

        async def gather(numbers):
            async def one(n):
                await asyncio.sleep(0)
                return n * 2
            return await asyncio.gather(*map(one, numbers))
        """,
        "async def gather(numbers):\n    return []",
        """
        import asyncio
        import unittest
        from task import gather

        class GatherTest(unittest.IsolatedAsyncioTestCase):
            async def test_gather(self):
                self.assertEqual(await gather([1, 2]), [2, 4])

        def test_run():
            assert asyncio.run(gather([3])) == [6]
        """,
    ),
    "dataclasses, enums, named tuples": Shape(
        """
        from collections import namedtuple
        from dataclasses import dataclass, field
        from enum import Enum, auto
        from typing import NamedTuple

        Point = namedtuple("Point", "x y")
        Level = Enum("Level", "LOW HIGH")

        class Side(Enum):
            LEFT = auto()
            RIGHT = auto()

        class Pair(NamedTuple):
            one: int
            two: int = 2

        @dataclass(frozen=True, order=True)
        class Card:
            rank: int
            suit: str = "hearts"
            marks: list = field(default_factory=list, compare=False)
        """,
        """
        Point = Level = Side = Pair = Card = None
        """,
        """
        import pickle
        import unittest
        from task import Card, Level, Pair, Point, Side

        class ValuesTest(unittest.TestCase):
            def test_cards(self):
                self.assertEqual(Card(3), Card(3))
                self.assertLess(Card(2), Card(3))
                self.assertNotEqual(Card(3), Card(3, "spades"))

            def test_others(self):
                self.assertEqual(Point(1, 2), (1, 2))
                self.assertEqual(Pair(1), (1, 2))
                self.assertIs(Side(1), Side.LEFT)
                self.assertEqual(Level.LOW.name, "LOW")
                self.assertEqual(pickle.loads(pickle.dumps(Point(1, 2))), Point(1, 2))
        """,
    ),
    "deep recursion": Shape(
        """
        import sys

        def depth(nested):
            sys.setrecursionlimit(20_000)
            return 0 if not nested else 1 + depth(nested[0])
        """,
        "def depth(nested):\n    return depth(nested)",
        """
        import unittest
        from task import depth

        class DepthTest(unittest.TestCase):
            def test_depth(self):
                nested = []
                for _ in range(5000):
                    nested = [nested]
                self.assertEqual(depth(nested), 5000)
        """,
    ),
    "floats": Shape(
        "def ratio(a, b):\n    return a / b",
        "def ratio(a, b):\n    return a // b",
        """
        import unittest
        import pytest
        from task import ratio

        class RatioTest(unittest.TestCase):
            def test_almost(self):
                self.assertAlmostEqual(ratio(1, 3), 0.3333333, places=5)

        def test_approx():
            assert ratio(2, 3) == pytest.approx(0.66666, rel=1e-3)
        """,
    ),
    "equality written by hand": Shape(
        """
        import functools

        @functools.total_ordering
        class Clock:
            def __init__(self, hour, minute):
                self.minutes = (hour * 60 + minute) % 1440

            def __repr__(self):
                return f"Clock({self.minutes // 60}, {self.minutes % 60})"

            def __eq__(self, other):
                return self.minutes == other.minutes

            def __lt__(self, other):
                return self.minutes < other.minutes

            def __hash__(self):
                return hash(self.minutes)

        class Name:
            def __init__(self, name):
                self.name = name

            def __eq__(self, other):
                return self.name == (other if isinstance(other, str) else other.name)
        """,
        """
        class Clock:
            def __init__(self, hour, minute):
                pass

        Name = str
        """,
        """
        import unittest
        from task import Clock, Name

        class ClockTest(unittest.TestCase):
            def test_equal(self):
                self.assertEqual(Clock(15, 37), Clock(39, 37))
                self.assertNotEqual(Clock(1, 0), Clock(2, 0))
                self.assertEqual(len({Clock(1, 0), Clock(25, 0)}), 1)

            def test_text(self):
                self.assertEqual(repr(Clock(8, 0)), "Clock(8, 0)")
                self.assertEqual(Name("a"), "a")
        """,
    ),
    "threads": Shape(
        """
        from collections import Counter
        from concurrent.futures import ThreadPoolExecutor

        def letters(texts):
            with ThreadPoolExecutor(4) as pool:
                return sum(pool.map(Counter, texts), Counter())
        """,
        "def letters(texts):\n    return {}",
        """
        import threading
        import time
        import unittest
        from task import letters

        class LettersTest(unittest.TestCase):
            def test_letters(self):
                self.assertDictEqual(letters(["ab", "bc"]), {"a": 1, "b": 2, "c": 1})

            def test_many(self):
                threads = [threading.Thread(target=letters, args=(["x"],)) for _ in range(10)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                self.assertEqual(letters([]), {})
        """,
    ),
    "processes": Shape(
        """
        import multiprocessing

        def squares(numbers):
            with multiprocessing.Pool(2) as pool:
                return pool.map(abs, numbers)
        """,
        "def squares(numbers):\n    return None",
        "from task import squares\n\ndef test_squares():\n    assert squares([-1, 2]) == [1, 2]",
    ),
    "printing and logging": Shape(
        """
        import logging
        import traceback
        import warnings

        def noisy(n):
            print("working on", n)
            logging.getLogger("task").warning("still at it")
            warnings.warn("old", DeprecationWarning)
            try:
                raise ValueError("inner")
            except ValueError:
                text = traceback.format_exc()
            return n + 1 if "inner" in text else n
        """,
        "def noisy(n):\n    print('no')",
        """
        import unittest
        from task import noisy

        class NoisyTest(unittest.TestCase):
            def test_log(self):
                with self.assertLogs("task", level="WARNING") as logs, self.assertWarns(Warning):
                    self.assertEqual(noisy(1), 2)
                self.assertEqual(len(logs.output), 1)
        """,
    ),
    "mocks": Shape(
        "import random\ndef roll():\n    return random.randint(1, 6)",
        "def roll():\n    return 1",
        """
        import unittest
        from unittest import mock
        import random
        import task

        class RollTest(unittest.TestCase):
            def test_roll(self):
                with mock.patch("random.randint", return_value=4) as rolled:
                    self.assertEqual(task.roll(), 4)
                rolled.assert_called_once_with(1, 6)

            @mock.patch("builtins.print")
            def test_print(self, printed):
                print("x")
                printed.assert_called_once()
        """,
    ),
    "iterators and operators": Shape(
        """
        class Matrix:
            def __init__(self, rows):
                self.rows = rows

            def __iter__(self):
                return iter(self.rows)

            def __getitem__(self, index):
                return self.rows[index]

            def __add__(self, other):
                pairs = zip(self, other)
                return Matrix([[a + b for a, b in zip(x, y)] for x, y in pairs])

            def __len__(self):
                return len(self.rows)
        """,
        "class Matrix:\n    def __init__(self, rows):\n        self.rows = rows",
        """
        import unittest
        from task import Matrix

        class MatrixTest(unittest.TestCase):
            def test_add(self):
                self.assertEqual(list(Matrix([[1]]) + Matrix([[2]])), [[3]])
                self.assertEqual(len(Matrix([[1]])), 1)
                self.assertIn([1], Matrix([[1]]))
        """,
    ),
    "metaclasses and descriptors": Shape(
        """
        from abc import ABC, abstractmethod

        class Registry(type):
            names = []

            def __new__(mcs, name, bases, body, **options):
                made = super().__new__(mcs, name, bases, body)
                mcs.names.append(name)
                return made

            def __init__(cls, name, bases, body, **options):
                super().__init__(name, bases, body)

        class Positive:
            def __set_name__(self, owner, name):
                self.name = "_" + name

            def __get__(self, thing, owner=None):
                return getattr(thing, self.name, 0)

            def __set__(self, thing, value):
                if value < 0:
                    raise ValueError("negative")
                setattr(thing, self.name, value)

        class Shape(ABC):
            @abstractmethod
            def area(self): ...

        class Box(Shape, metaclass=type("Both", (Registry, type(Shape)), {}), loud=True):
            side = Positive()

            def area(self):
                return self.side**2
        """,
        "class Registry:\n    names = []\nclass Box:\n    side = 0",
        """
        import unittest
        from task import Box, Registry

        class BoxTest(unittest.TestCase):
            def test_box(self):
                box = Box()
                box.side = 3
                self.assertEqual(box.area(), 9)
                self.assertIn("Box", Registry.names)
                with self.assertRaises(ValueError):
                    box.side = -1
        """,
    ),
    "exec, eval and lambdas": Shape(
        """
        def evaluate(text):
            space = {}
            exec("def f(x):\\n    return x + 1", space)
            return eval(text, {"f": space["f"]})
        """,
        "evaluate = lambda text: None",
        "from task import evaluate\n\ndef test_eval():\n    assert evaluate('f(2) * 2') == 6",
    ),
    "other alphabets": Shape(
        "def grüße(name):\n    return f'Grüße, {name}! \U0001f600 שלום'",
        "def grüße(name):\n    return ''",
        "from task import grüße\n\ndef test_grüße():\n    assert grüße('Zoë').endswith('שלום')",
    ),
    "a helper of one's own": Shape(
        "from helper import twice\n\ndef quadruple(n):\n    return twice(twice(n))",
        "def quadruple(n):\n    return n",
        "from task import quadruple\n\ndef test_it():\n    assert quadruple(2) == 8",
        {"helper.py": "def twice(n):\n    return 2 * n"},
    ),
    "a folder with dashes and skipped tests": Shape(
        "def value():\n    return 7",
        "def value():\n    return 8",
        """
        import unittest
        import pytest
        from two_fer import value

        class ValueTest(unittest.TestCase):
            def test_value(self):
                self.assertEqual(value(), 7)

            @unittest.skip("extra credit")
            def test_later(self):
                self.fail()

            @unittest.expectedFailure
            def test_known(self):
                self.assertEqual(value(), 9)

        @pytest.mark.skipif(True, reason="not here")
        def test_other():
            assert False
        """,
        name="two_fer",
    ),
    "memory and time": Shape(
        """
        from functools import lru_cache
        import time

        @lru_cache(maxsize=None)
        def ways(n):
            return 1 if n < 2 else ways(n - 1) + ways(n - 2)
        """,
        "def ways(n):\n    return -1",
        """
        import time
        import unittest
        from task import ways

        class WaysTest(unittest.TestCase):
            def test_big(self):
                started = time.monotonic()
                self.assertEqual(ways(80), 37889062373143906)
                self.assertLess(time.monotonic() - started, 30)
                self.assertEqual(len([0] * 10**6), 10**6)
        """,
    ),
}


def lay_out(folder: Path, shape: Shape, text: str) -> Path:
    """Write an exercise in Exercism's layout."""
    tests = f"{shape.name}_test.py"
    config = {
        "authors": [],
        "files": {
            "solution": [f"{shape.name}.py"],
            "test": [tests],
            "example": [".meta/example.py"],
            "editor": [name for name in shape.others if name.startswith("test_")],
        },
        "blurb": "A task.",
    }
    files = {
        ".meta/config.json": json.dumps(config),
        ".meta/example.py": dedent(shape.solution),
        ".docs/instructions.md": "# Task",
        f"{shape.name}.py": dedent(text),
        tests: dedent(shape.tests),
        **{name: dedent(content) for name, content in shape.others.items()},
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", every_second(SHAPES))
def test_a_solution_passes_everything_and_a_stub_does_not(name: str, tmp_path: Path) -> None:
    shape = SHAPES[name]
    folder = lay_out(tmp_path / name.replace(" ", "-"), shape, shape.solution)
    done = grade(folder, now=NOW)
    assert done.gradable
    assert "was stopped" not in done.message, done.message
    assert done.score.percentage == 1.0, (done.message, done.tests)
    assert done.score.total >= 1
    assert done.fsrs_rating >= 2
    lay_out(folder, shape, shape.stub)
    stub = grade(folder, now=NOW)
    assert stub.gradable
    assert stub.score.percentage < 1.0, stub.tests
    assert stub.score.total == done.score.total
    assert stub.fsrs_rating <= 2
    assert stub.errors
    assert stub.message
