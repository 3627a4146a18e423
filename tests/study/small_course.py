"""Two small courses on disk, written as people write them, for the tests of sessions."""

import json
from pathlib import Path

from paige.store.documents import DirectoryDocuments
from paige.study.courses.catalogue import load_course
from paige.study.courses.values import Course

MALAY = "melayu"
PYTHON = "ular"
_WORDS = {
    "greetings": [
        ("selamat pagi", "good morning"),
        ("selamat petang", "good evening"),
        ("selamat malam", "good night"),
        ("terima kasih", "thank you"),
        ("apa khabar", "how are you"),
    ],
    "numbers": [
        ("satu", "one"),
        ("dua", "two"),
        ("tiga", "three"),
        ("empat", "four"),
        ("lima", "five"),
    ],
    "food": [
        ("nasi", "rice"),
        ("ikan", "fish"),
        ("ayam", "chicken"),
        ("air", "water"),
        ("roti", "bread"),
    ],
}
_MALAY_CONCEPTS = [
    {"id": "greetings", "title": "Greetings", "concept_type": "vocabulary", "bloom": "apply"},
    {
        "id": "numbers",
        "title": "Numbers",
        "concept_type": "vocabulary",
        "bloom": "understand",
        "prerequisites": ["greetings"],
    },
    {
        "id": "food",
        "title": "Food",
        "concept_type": "vocabulary",
        "bloom": "understand",
        "prerequisites": ["greetings"],
    },
    {
        "id": "prefix-ber",
        "title": "The prefix ber-",
        "concept_type": "grammar patterns",
        "bloom": "apply",
        "prerequisites": ["greetings"],
        "confused_with": ["prefix-me"],
    },
    {
        "id": "prefix-me",
        "title": "The prefix me-",
        "concept_type": "grammar patterns",
        "bloom": "apply",
        "prerequisites": ["greetings"],
    },
    {
        "id": "letters",
        "title": "A letter to a friend",
        "concept_type": "free composition",
        "bloom": "create",
        "prerequisites": ["food", "numbers"],
    },
]


def _short(concept: str, number: int, prompt: str, answer: str, bloom: str, **more: object) -> dict:
    return {
        "id": f"{concept}-{number}",
        "kind": "short",
        "bloom": bloom,
        "prompt": prompt,
        "answer": answer,
        "explanation": f"It is {answer}.",
        "hints": ["Think of the lesson.", "It is a short word.", "The lesson has one like it."],
        **more,
    }


def _malay_items() -> dict[str, list[dict]]:
    items: dict[str, list[dict]] = {name: [] for name in ("greetings", "numbers", "food")}
    for name, words in _WORDS.items():
        for number, (term, meaning) in enumerate(words, 1):
            asked = f"Which Malay words would you say for “{meaning}” when you meet somebody?"
            items[name].append(_short(name, number, asked, term, "understand"))
        for number, (term, meaning) in enumerate(words[:3], 20):
            asked = f"You want to say “{meaning}” in a shop; say it."
            items[name].append(_short(name, number, asked, term, "apply"))
    for prefix, verbs in (
        ("ber", ["berjalan", "berlari", "bermain", "bercakap", "berenang", "berehat"]),
        ("me", ["membaca", "menulis", "memasak", "membeli", "mencari", "menjual"]),
    ):
        concept = f"prefix-{prefix}"
        items[concept] = []
        for number, verb in enumerate(verbs, 1):
            root = verb.removeprefix(prefix)
            for level, start in (("understand", 0), ("apply", 20)):
                asked = f"Which verb is made of {prefix}- and the root in “{root}”? ({level})"
                items[concept].append(_short(concept, start + number, asked, verb, level))
    items["letters"] = [
        {
            "id": f"letters-{number}",
            "kind": "long_form",
            "bloom": "create",
            "prompt": f"Write a letter about {about}.",
            "points": ["who you are", "what you ate", "how many came"],
            "explanation": "A letter greets, tells and asks.",
        }
        for number, about in enumerate(("a meal", "a market", "a visit", "a feast"), 1)
    ] + [
        _short("letters", 10 + number, f"How does a letter {what}?", answer, "create")
        for number, (what, answer) in enumerate(
            [("begin", "with a greeting"), ("end", "with a farewell"), ("go on", "with news")]
        )
    ]
    return items


def _teaching(title: str, answer: str) -> str:
    return (
        f"{title}: what it is and how it is used, in two sentences.\n\n"
        f"## Worked example\n\nHere is one done for you.\n\n"
        f"## Check\n\nWhat was just taught about {title}, in one word?\n\nAnswer: {answer}\n"
    )


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def write_malay(root: Path, **config: object) -> None:
    """The course `melayu` below the teaching folder."""
    rows = [
        f"{term}\t{meaning}\t{concept}"
        for concept, words in _WORDS.items()
        for term, meaning in words
    ]
    settings = {
        "title": "Malay, small",
        "domain_type": "language",
        "languages": {"from": "en", "to": "ms"},
        "session": {"minutes": 25},
        **config,
    }
    files = {
        "config.json": json.dumps(settings),
        "concepts.json": json.dumps(_MALAY_CONCEPTS),
        "vocabulary.tsv": "\n".join(["term\tmeaning\tconcept", *rows]) + "\n",
    }
    for concept, items in _malay_items().items():
        files[f"items/{concept}.jsonl"] = "".join(json.dumps(each) + "\n" for each in items)
    for concept in _MALAY_CONCEPTS:
        title = str(concept["title"])
        files[f"teach/{concept['id']}.md"] = _teaching(title, title.split()[0].lower())
    _write(root / "courses" / MALAY, files)


def write_python(root: Path) -> None:
    """The course `ular` below the teaching folder: code, with tests."""
    concepts = [
        {"id": "loops", "title": "Loops", "concept_type": "implementation", "bloom": "apply"},
        {
            "id": "lists",
            "title": "Lists",
            "concept_type": "terminology",
            "bloom": "understand",
            "prerequisites": [],
        },
    ]
    loops = [
        {
            "id": f"loops-{number}",
            "kind": "code",
            "bloom": "apply",
            "prompt": f"Write `{name}(n)`: {what}.",
            "starter": f"def {name}(n):\n    pass\n",
            "solution": f"def {name}(n):\n    return {body}\n",
            "tests": {
                "nothing": f"assert {name}(0) == {values[0]}",
                "one": f"assert {name}(1) == {values[1]}",
                "some": f"assert {name}(4) == {values[2]}",
            },
            "explanation": "A loop adds one after the other.",
        }
        for number, (name, what, body, values) in enumerate(
            [
                ("total", "the sum of 1 to n", "sum(range(n + 1))", (0, 1, 10)),
                ("evens", "how many even numbers are below n", "(n + 1) // 2", (0, 1, 2)),
                ("double", "twice n, by adding", "n + n", (0, 2, 8)),
                ("square", "n times n, by adding", "n * n", (0, 1, 16)),
            ],
            1,
        )
    ] + [
        _short(
            "loops", 10 + number, f"What does a loop over {n} things do {n} times?", answer, level
        )
        for number, (n, answer, level) in enumerate(
            [
                (2, "its body", "remember"),
                (3, "the block", "remember"),
                (4, "the body", "understand"),
                (5, "the body", "apply"),
                (6, "its body", "apply"),
                (7, "the block", "apply"),
            ]
        )
    ]
    lists = [
        _short("lists", number, f"What is the word for {what}?", answer, level)
        for number, (what, answer, level) in enumerate(
            [
                ("one thing in a list", "element", "remember"),
                ("its place", "index", "remember"),
                ("how many there are", "length", "remember"),
                ("a part of a list", "slice", "remember"),
                ("adding at the end", "append", "understand"),
                ("putting in order", "sort", "understand"),
                ("turning around", "reverse", "understand"),
                ("joining two", "concatenation", "understand"),
            ],
            1,
        )
    ]
    files = {
        "config.json": json.dumps({"title": "Python, small", "domain_type": "technical"}),
        "concepts.json": json.dumps(concepts),
        "items/loops.jsonl": "".join(json.dumps(each) + "\n" for each in loops),
        "items/lists.jsonl": "".join(json.dumps(each) + "\n" for each in lists),
        "teach/loops.md": _teaching("Loops", "loops"),
        "teach/lists.md": _teaching("Lists", "lists"),
    }
    _write(root / "courses" / PYTHON, files)


def malay(root: Path, **config: object) -> Course:
    """The course `melayu`, written and read."""
    write_malay(root, **config)
    course = load_course(DirectoryDocuments(root), MALAY)
    assert not course.problems, course.problems
    return course


def python(root: Path) -> Course:
    """The course `ular`, written and read."""
    write_python(root)
    course = load_course(DirectoryDocuments(root), PYTHON)
    assert not course.problems, course.problems
    return course


FIVE = "lima"


def write_five(root: Path) -> None:
    """The course `lima`: five concepts, one for each kind of exercise."""
    kinds = [
        ("words", "Words", "terminology", "remember"),
        ("ideas", "Ideas", "concepts", "understand"),
        ("doubling", "Doubling", "implementation", "apply"),
        ("shape", "The shape of programs", "architecture", "analyze"),
        ("drawing", "Drawing a tree", "concepts", "understand"),
    ]
    concepts = [
        {"id": name, "title": title, "concept_type": kind, "bloom": bloom}
        for name, title, kind, bloom in kinds
    ]
    code = {
        "id": "doubling-1",
        "kind": "code",
        "bloom": "apply",
        "prompt": "Write `double(n)`: twice the number.",
        "starter": "def double(n):\n    pass\n",
        "solution": "def double(n):\n    return 2 * n\n",
        "tests": {
            "one": "assert double(1) == 2",
            "nothing": "assert double(0) == 0",
            "below": "assert double(-2) == -4",
        },
        "explanation": "Multiply by two.",
    }
    text = {
        "id": "shape-1",
        "kind": "long_form",
        "bloom": "analyze",
        "prompt": "Compare programs in one file with programs in many.",
        "points": ["how they are read", "how they are changed", "how they are tested"],
        "min_words": 20,
        "explanation": "Small parts are read, changed and tested by themselves.",
    }
    photo = {
        "id": "drawing-1",
        "kind": "image",
        "bloom": "understand",
        "prompt": "Draw a tree with three leaves.",
        "image": "diagram",
        "reference": ["a root", "three leaves"],
        "explanation": "A tree has one root.",
    }
    asked = [("one", "satu"), ("two", "dua"), ("three", "tiga"), ("four", "empat")]
    items: dict[str, list[dict]] = {
        name: [
            _short(name, 10 + number, f"What is the {word} word of {title}?", answer, bloom)
            for number, (word, answer) in enumerate(asked)
        ]
        for name, title, _, bloom in kinds
    }
    items["doubling"].append(code)
    items["shape"].append(text)
    items["drawing"].append(photo)
    files = {
        "config.json": json.dumps({"title": "Five", "domain_type": "technical"}),
        "concepts.json": json.dumps(concepts),
        **{f"teach/{name}.md": _teaching(title, name) for name, title, _, _ in kinds},
    }
    for name, listed in items.items():
        files[f"items/{name}.jsonl"] = "".join(json.dumps(each) + "\n" for each in listed)
    _write(root / "courses" / FIVE, files)
