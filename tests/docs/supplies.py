"""What a reader has before a page begins: documents, decks, notes, a kata."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import anyio

from paige.app.application import open_app
from paige.app.coach_study import CoachInStudy
from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.base.settings import Settings
from paige.coach.inquiry.services import ToPractise
from paige.learner.gaps import Constraint, Gap
from paige.learner.queries import NewKata, insert_kata, katas, record_gap
from paige.store.engine import open_sqlite
from paige.store.migrate import migrate
from tests.cli.test_study import WORKSHEET
from tests.docs.reader import Reader
from tests.plan.curricula import a_package
from tests.plan.documents_made import MARKING, PAPER, outcomes_pdf, pdf, word
from tests.store.running import write

CART = """from src.prices import price_of


class Cart:
    def __init__(self):
        self.items = []

    def total(self):
        result = 0
        for item in self.items:
            result += price_of(item)
        return result

    def names(self):
        return [item["name"] for item in self.items]

    def add(self, item):
        self.items.append(item)
"""
ISSUE = {
    "number": 7,
    "title": "The total of an empty cart",
    "body": "An empty cart should cost nothing.",
    "labels": ["bug"],
    "assignees": [],
}
TRACK = {
    "config.json": {
        "language": "Python",
        "slug": "python",
        "blurb": "Small steps.",
        "concepts": [{"slug": "basics", "name": "Basics"}],
        "exercises": {
            "concept": [
                {
                    "slug": "one",
                    "name": "One",
                    "uuid": "u1",
                    "concepts": ["basics"],
                    "prerequisites": [],
                    "status": "active",
                }
            ],
            "practice": [],
        },
    },
    "concepts/basics/introduction.md": "# Basics\n\nBegin here.\n",
    "exercises/concept/one/one.py": "def f():\n    pass\n",
    "exercises/concept/one/one_test.py": (
        "import unittest\n\nfrom one import f\n\n\nclass OneTest(unittest.TestCase):\n"
        "    def test_one(self):\n        self.assertEqual(f(), 1)\n"
    ),
    "exercises/concept/one/.docs/instructions.md": "# One\n\nReturn 1.\n",
    "exercises/concept/one/.docs/hints.md": "## General\n\n- Look at `return`.\n",
    "exercises/concept/one/.meta/exemplar.py": "def f():\n    return 1\n",
    "exercises/concept/one/.meta/config.json": {
        "files": {
            "solution": ["one.py"],
            "test": ["one_test.py"],
            "exemplar": [".meta/exemplar.py"],
        }
    },
}
BINARY_SEARCH = """def find(items, wanted):
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < len(items) and items[low] == wanted else -1
"""
BINARY_SEARCH_TEST = """from exercise import find


def test_it_is_found():
    assert find([1, 3, 5], 3) == 1


def test_it_is_not_there():
    assert find([1, 3, 5], 4) == -1
"""
MEMORIES = {
    ".claude/projects/shop/memory/MEMORY.md": "# Shop\n\n- The tests need Redis\n",
    "project/memories.jsonl": {"text": "Likes short answers"},
}


def curriculum(reader: Reader) -> None:
    """Documents as teachers get them."""
    files = {
        "technologies-es-os.pdf": outcomes_pdf(),
        "specification.pdf": outcomes_pdf(),
        "n5-2024.pdf": pdf([PAPER.splitlines()]),
        "n5-2024-mi.docx": word(["# Marking instructions", MARKING]),
        "standards.json": json.dumps(a_package()).encode(),
    }
    for name, content in files.items():
        (reader.project / name).write_bytes(content)


def track(reader: Reader) -> None:
    """A small track of Exercism, and cards in two tables."""
    _write(reader.project / "python-track", TRACK)
    rows = [("selamat pagi", "good morning"), ("terima kasih", "thank you")]
    for name, between in (("words.csv", ","), ("words.tsv", "\t")):
        text = "".join(f"{front}{between}{back}\n" for front, back in rows)
        (reader.project / name).write_text(text, encoding="utf-8")


def exercises(reader: Reader) -> None:
    """A worksheet that somebody has filled in, and a folder with code."""
    folder = "exercises/binary-search"
    files = {
        "greetings.md": WORKSHEET,
        "answers/first.md": WORKSHEET,
        f"{folder}/exercise.py": BINARY_SEARCH,
        f"{folder}/test_exercise.py": BINARY_SEARCH_TEST,
    }
    _write(reader.project, files)


def memories(reader: Reader) -> None:
    """What other programs have remembered."""
    _write(reader.home, MEMORIES)


def shop(reader: Reader) -> None:
    """A project with an issue number 7."""
    place = reader.project / "issues.json"
    issues = [*json.loads(place.read_text(encoding="utf-8")), ISSUE]
    prices = "def price_of(item):\n    return item['price']\n"
    files = {"issues.json": issues, "src/cart.py": CART, "src/prices.py": prices}
    _write(reader.project, files)


def kata(reader: Reader) -> None:
    """A gap that a session showed, and a kata for it."""
    (reader.home / ".paige").mkdir()
    made = NewKata(
        title="Pages",
        description="`page(items, number, size)` returns one page.",
        scaffolding_code="def page(items, number, size):\n    ...\n",
        instructor_notes="Slices do not fail at the end.",
        test_cases=("assert page([1, 2, 3], 1, 2) == [1, 2]", "assert page([1], 2, 2) == []"),
        constraints=(Constraint("No special cases", "No `if` at all.", 1),),
    )
    gap = Gap(topic="off by one errors", severity="high", evidence="The last page was lost.")
    with closing(open_sqlite(reader.home / ".paige" / "paige.db")) as database:
        migrate(database)
        write(database, record_gap, Actor(), gap, gap_id="g1", now=system_clock())
        write(database, insert_kata, Actor(), "g1", made, kata_id="kata-pages")


def gap(reader: Reader) -> None:
    """The same gap as a session leaves it: Study knows of it, too."""
    kata(reader)
    settings = Settings(
        cwd=reader.project,
        given_data_dir=reader.home / ".paige",
        environ={"HOME": str(reader.home)},
    )
    with open_app(settings, strict=False) as app:
        own = anyio.run(lambda: app.database.read(katas, app.actor))[0]
        found = ToPractise(gap_id="g1", topic=own.topic, evidence="Seen.", kata=own.kata)
        anyio.run(CoachInStudy(settings, app.now).give, app.actor, "s1", [found])


SUPPLIES: dict[str, Callable[[Reader], None]] = {
    made.__name__: made for made in (curriculum, track, exercises, memories, shop, kata, gap)
}
"""By the name that a recipe gives."""


def _write(folder: Path, files: dict[str, object] | dict[str, str]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
