"""A course with one item of every kind, as people write it, and ways to put courses on disk."""

import json
from pathlib import Path

from paige.base.errors import Unavailable
from paige.store.documents import DirectoryDocuments, Document
from paige.study.courses.catalogue import load_course
from paige.study.courses.values import Course

TIDES = "tides"
ITEMS: tuple[dict, ...] = (
    {"kind": "translate", "prompt": "high water", "answer": "air pasang", "direction": "to"},
    {"kind": "cloze", "prompt": "___ pulls ___.", "answer": ["the moon", ["water", "the sea"]]},
    {"kind": "choice", "prompt": "Which?", "answer": "moon", "distractors": ["sun", "wind"]},
    {"kind": "match", "prompt": "Match.", "answer": {"a": "1", "b": "2", "c": "3"}},
    {"kind": "order", "prompt": "Order.", "answer": ["low", "rising", "high"]},
    {"kind": "categorise", "prompt": "Sort.", "answer": {"in": ["sea"], "out": ["sand", "rock"]}},
    {"kind": "true_false", "prompt": "So?", "answer": False, "explanation": "No."},
    {"kind": "error", "prompt": "The water come.", "answer": "The water comes."},
    {"kind": "short", "prompt": "Why?", "answer": "the moon pulls / because of the moon"},
    {"kind": "define", "prompt": "ebb", "answer": "falling water"},
    {"kind": "predict", "prompt": "What is printed?", "context": "print(6 / 2)", "answer": 3.0},
    {
        "kind": "code",
        "prompt": "Write `mean`.",
        "starter": "def mean(xs):\n    ...\n",
        "tests": {"one": "assert mean([2]) == 2", "edge_none": "assert mean([]) == 0"},
        "solution": "def mean(xs):\n    return sum(xs) / len(xs) if xs else 0\n",
        "imports": ["mean"],
    },
    {
        "kind": "long_form",
        "prompt": "Explain.",
        "points": ["moon", "sun"],
        "reference": ["The moon pulls.", "So does the sun."],
        "min_words": 50,
    },
    {"kind": "image", "prompt": "Draw.", "reference": "a wave", "image": "diagram"},
    {
        "kind": "role_play",
        "prompt": "At the harbour.",
        "script": [
            {"say": "When is high water?", "expect": "at six / six o'clock", "hint": "An hour."},
            {"say": "And low water?", "expect": ["at noon"]},
        ],
    },
    {
        "kind": "socratic",
        "prompt": "Tides.",
        "script": [{"say": "Who pulls?", "expect": "moon"}, {"say": "What?", "expect": "water"}],
    },
    {
        "kind": "repl",
        "prompt": "The last.",
        "starter": "xs = [1, 2]",
        "answer": 2,
        "solution": "xs[-1]",
        "cases": [{"starter": "xs = [5]", "answer": "5"}],
    },
)
CONCEPTS = (
    {"id": "moon", "title": "The moon", "concept_type": "concepts/models", "bloom": "understand"},
    {"id": "tides", "prerequisites": ["moon"], "unit": "Water", "confused_with": ["moon"]},
)
TEACH = """\
# The moon

It pulls.

## How far

```markdown
## Worked example
```

## Worked example

Full moon: in line.

## Worked example 2

Half moon: across.

## Check

What pulls?

Answer: the moon / moon
Because: it is near.
"""

VOCABULARY = "bulan\tmoon / month\tmoon\tBulan penuh.\tA full moon.\nair\twater\ttides\n"


def lines(*objects: object) -> str:
    """A line of JSON for each."""
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)


def tides() -> dict[str, str]:
    """The files of a course with everything in it."""
    items = [{"id": f"t-{each['kind']}", **each} for each in ITEMS]
    return {
        "config.json": json.dumps({"title": "Tides", "domain_type": "conceptual"}),
        "concepts.json": json.dumps(CONCEPTS, indent=1),
        "teach/moon.md": TEACH,
        "items/moon.jsonl": lines(*items[:3]),
        "items/tides.jsonl": lines(*items[3:10]),
        "items/tides.more.jsonl": lines(*items[10:]),
        "vocabulary.tsv": VOCABULARY,
        "prompts/worksheet.md": 'About "{concept_name}": {n} items.',
    }


def put_course(root: Path, name: str, files: dict[str, str] | dict[str, bytes]) -> None:
    """Write the files of a course below the teaching folder."""
    for path, content in files.items():
        place = root / "courses" / name / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())


def loaded(root: Path, files: dict[str, str], name: str = TIDES) -> Course:
    """A course, written and read; nothing is shipped."""
    put_course(root, name, files)
    return read(root, name)


def read(root: Path, name: str = TIDES) -> Course:
    """A course of the teaching folder."""
    return load_course(DirectoryDocuments(root), name)


def said(course: Course) -> list[str]:
    """The problems of a course, without the folder."""
    return [str(each).removeprefix(f"courses/{course.name}/") for each in course.problems]


class Failing(DirectoryDocuments):
    """The disk is full after so many writes."""

    def __init__(self, root: Path, writes: int) -> None:
        super().__init__(root)
        self.writes = writes

    def write(self, path: str, text: str, *, base: str) -> Document:
        self.writes -= 1
        if self.writes < 0:
            raise Unavailable("The disk is full")
        return super().write(path, text, base=base)
