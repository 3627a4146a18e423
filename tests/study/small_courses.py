"""Small courses of every domain, written to a folder and read as people's courses are."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from paige.store.documents import DirectoryDocuments
from paige.study.courses.catalogue import load_course
from paige.study.courses.values import Course

Line = Mapping[str, Any]

WORDS = [
    ("selamat pagi", "good morning", "greetings", "Selamat pagi, cikgu!", "Good morning, teacher!"),
    ("selamat petang", "good afternoon", "greetings", "Selamat petang, puan.", "Good afternoon."),
    ("selamat malam", "good night", "greetings", "Selamat malam, ibu.", "Good night, mother."),
    ("terima kasih", "thank you", "greetings", "Terima kasih, Ali.", "Thank you, Ali."),
    ("sama-sama", "you are welcome", "greetings", "", ""),
    ("apa khabar", "how are you", "greetings", "Apa khabar, Siti?", "How are you, Siti?"),
    ("selamat jalan", "goodbye to one who leaves", "greetings", "", ""),
    ("selamat tinggal", "goodbye to one who stays", "greetings", "", ""),
    ("jumpa lagi", "see you again", "greetings", "Jumpa lagi esok.", "See you again tomorrow."),
    ("tolong", "please", "greetings", "Tolong buka pintu.", "Please open the door."),
    ("maaf", "sorry", "greetings", "Maaf, saya lambat.", "Sorry, I am late."),
    ("ya", "yes", "greetings", "Ya, betul.", "Yes, that is right."),
    ("tidak", "no / not", "greetings", "Saya tidak tahu.", "I do not know."),
]
MALAY: Sequence[Line] = [
    {
        "id": "g-error",
        "kind": "error",
        "prompt": "Selamat pagi, kata Ali pada pukul sembilan malam.",
        "answer": "Selamat malam, kata Ali pada pukul sembilan malam.",
        "explanation": "At nine in the evening it is malam.",
    },
    {
        "id": "g-order",
        "kind": "order",
        "prompt": "I come from Malaysia.",
        "answer": ["saya", "berasal", "dari", "Malaysia"],
        "explanation": "Subject, verb, place.",
    },
    {
        "id": "g-cloze",
        "kind": "cloze",
        "prompt": "It is nine in the morning: Selamat ___, cikgu.",
        "answer": "pagi",
        "hints": ["Think of the time of day.", "Four letters.", "At night it would be malam."],
    },
    {
        "id": "g-not",
        "kind": "choice",
        "prompt": "Your host stays at home and you leave. Which do you NOT say?",
        "answer": "selamat jalan",
        "distractors": ["selamat tinggal", "terima kasih", "jumpa lagi"],
        "discrimination": True,
        "explanation": "Selamat jalan is for the one who leaves.",
    },
    {
        "id": "g-scene",
        "kind": "role_play",
        "bloom": "apply",
        "prompt": "You are at a stall and want to eat. I am the server.",
        "context": "A mamak restaurant in the evening",
        "script": [
            {"say": "Selamat petang! Nak makan apa?", "expect": "nasi lemak / saya nak nasi lemak"},
            {"say": "Minum?", "expect": "teh tarik / air kosong", "hint": "Name a drink."},
            {"say": "Ini dia.", "expect": "terima kasih"},
        ],
    },
    {
        "id": "g-photo",
        "kind": "image",
        "prompt": "Write selamat pagi and terima kasih by hand.",
        "reference": ["selamat pagi", "terima kasih"],
        "image": "script",
    },
    {
        "id": "g-long",
        "kind": "long_form",
        "bloom": "evaluate",
        "prompt": "When would you use a formal greeting, and when not?",
        "points": ["who is spoken to", "the time of day", "an example of each"],
        "reference": [
            "Teachers and elders are greeted formally",
            "The greeting changes with the time of day",
            "Selamat pagi to a teacher, apa khabar to a friend",
        ],
    },
]
ALGORITHMS: Sequence[Line] = [
    {
        "id": "b-code",
        "kind": "code",
        "prompt": "Return the position of target in the sorted list, or -1.",
        "starter": "def search(items, target):\n    # YOUR CODE HERE\n    pass\n",
        "solution": (
            "def search(items, target):\n    low, high = 0, len(items) - 1\n"
            "    while low <= high:\n        middle = (low + high) // 2\n"
            "        if items[middle] == target:\n            return middle\n"
            "        if items[middle] < target:\n            low = middle + 1\n"
            "        else:\n            high = middle - 1\n    return -1\n"
        ),
        "tests": {
            "found": "assert search([1, 3, 5], 3) == 1",
            "missing": "assert search([1, 3, 5], 4) == -1",
            "empty": "assert search([], 1) == -1",
        },
        "imports": ["search"],
        "hints": ["What are the borders?", "Compare the middle.", "Halve what is left."],
    },
    {
        "id": "b-double",
        "kind": "code",
        "prompt": "Return n times {n}.",
        "starter": "def times(n):\n    pass\n",
        "solution": "def times(n):\n    return n * {n}\n",
        "tests": {
            "one": "assert times(1) == {n}",
            "zero": "assert times(0) == 0",
            "two": "assert times(2) == {twice}",
        },
        "imports": ["times"],
        "params": {"n": [3, 4, 5], "twice": [6, 8, 10]},
    },
    {
        "id": "b-predict",
        "kind": "predict",
        "prompt": "How many steps does binary search take at most for 1000 items?",
        "answer": "10 / ten",
        "explanation": "2 to the power of 10 is 1024.",
    },
    {
        "id": "b-print",
        "kind": "predict",
        "context": "```python\nfor n in range(3):\n    print(n)\n```",
        "prompt": "What is the last line printed?",
        "answer": "2",
        "explanation": "range stops before 3.",
    },
    {
        "id": "b-true",
        "kind": "true_false",
        "prompt": "Binary search works on any list.",
        "answer": "false",
        "explanation": "The list has to be sorted, because half of it is thrown away each time.",
    },
    {
        "id": "b-define",
        "kind": "define",
        "prompt": "What is binary search?",
        "answer": "a search that halves a sorted list at every step",
    },
    {
        "id": "b-steps",
        "kind": "order",
        "prompt": "Bring the steps of binary search into order.",
        "answer": [
            "Set the borders to the whole list",
            "Look at the middle of what is left",
            "Throw away the half without the target",
            "Stop when the target is found or nothing is left",
        ],
    },
    {
        "id": "b-sort",
        "kind": "categorise",
        "prompt": "Which need a sorted list?",
        "answer": {"sorted": ["binary search", "bisect"], "any": ["linear search", "in"]},
    },
    {
        "id": "b-api",
        "kind": "cloze",
        "prompt": "from ___ import bisect_left",
        "answer": "bisect",
    },
    {
        "id": "b-choice",
        "kind": "choice",
        "prompt": "What happens to a target in the left half?",
        "answer": "the right half is thrown away",
        "distractors": ["the left half is thrown away", "the list is sorted", "it is not found"],
        "explanation": "The left half holds it.",
    },
    {
        "id": "b-socratic",
        "kind": "socratic",
        "prompt": "Why does the list have to be sorted?",
        "script": [
            {
                "say": "You look at the middle. What do you learn?",
                "expect": "it is too small or big",
            },
            {"say": "So which half can you leave out?", "expect": "the half without the target"},
        ],
    },
    {
        "id": "b-repl",
        "kind": "repl",
        "starter": "items = [1, 3, 5, 7]",
        "prompt": "Give the middle position of items.",
        "answer": "2",
        "solution": "len(items) // 2",
        "cases": [{"starter": "items = [1, 2]", "answer": "1"}],
    },
    {
        "id": "b-long",
        "kind": "long_form",
        "prompt": "Compare binary and linear search.",
        "points": ["time", "what the data must be like", "when to choose which"],
    },
    {
        "id": "b-far",
        "kind": "short",
        "prompt": "How would a tree help?",
        "answer": "it keeps the order while items are added",
        "needs": ["trees"],
    },
]
MEMORY: Sequence[Line] = [
    {
        "id": "m-match",
        "kind": "match",
        "prompt": "Which idea belongs to which finding?",
        "answer": {
            "spacing": "reviews far apart are kept longer",
            "testing": "recalling is better than reading again",
            "interleaving": "mixed problems are told apart better",
        },
        "distractors": ["long sessions are best"],
    },
    {
        "id": "m-time",
        "kind": "order",
        "prompt": "Bring the studies into order.",
        "answer": ["Ebbinghaus measures forgetting", "Bartlett studies stories", "Cepeda on gaps"],
    },
    {
        "id": "m-false",
        "kind": "true_false",
        "prompt": "Reading a text again is the best way to remember it.",
        "answer": "false",
        "explanation": "Recalling it from memory works better than reading it again.",
    },
    {
        "id": "m-short",
        "kind": "short",
        "prompt": "Why do spaced reviews work?",
        "answer": "each recall after some forgetting makes the memory last longer",
        "hints": ["What happens between reviews?", "Think of effort.", "Like training a muscle."],
    },
]
INTERVIEW: Sequence[Line] = [
    {
        "id": "i-star",
        "kind": "long_form",
        "prompt": "Tell me about a time you settled a conflict.",
        "points": ["Situation", "Task", "Action", "Result"],
    },
    {
        "id": "i-short",
        "kind": "short",
        "prompt": "What does an interviewer look for in a story?",
        "answer": "what you yourself did and what came of it",
    },
]


def write_course(
    root: Path,
    name: str,
    config: Mapping[str, Any],
    concepts: Sequence[Mapping[str, Any]],
    items: Mapping[str, Sequence[Line]],
) -> Path:
    """A course folder below a teaching folder."""
    folder = root / "courses" / name
    (folder / "items").mkdir(parents=True)
    (folder / "teach").mkdir()
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "concepts.json").write_text(json.dumps(list(concepts)))
    for concept, lines in items.items():
        text = "\n".join(json.dumps(line) for line in lines)
        (folder / "items" / f"{concept}.jsonl").write_text(text + "\n")
    return folder


def malay(root: Path) -> Course:
    """A language course."""
    config = {
        "title": "Malay",
        "domain_type": "language",
        "languages": {"from": "en", "to": "ms"},
    }
    concepts = [
        {"id": "greetings", "title": "Greetings", "concept_type": "vocabulary", "bloom": "apply"}
    ]
    folder = write_course(root, "malay", config, concepts, {"greetings": MALAY})
    rows = "\n".join("\t".join(row) for row in WORDS)
    (folder / "vocabulary.tsv").write_text(rows + "\n")
    (folder / "teach" / "greetings.md").write_text(
        "Greetings change with the time of day.\n\n## Worked example\n\nAt noon: selamat tengah "
        "hari.\n\n## Check\n\nWhat changes a greeting?\n\nAnswer: the time of day\n"
    )
    return read(root, "malay")


def algorithms(root: Path) -> Course:
    """A technical course."""
    config = {"title": "Algorithms", "domain_type": "technical"}
    concepts = [
        {"id": "search", "title": "Binary search", "concept_type": "implementation"},
        {"id": "trees", "title": "Trees", "prerequisites": ["search"], "taught": False},
    ]
    write_course(root, "algorithms", config, concepts, {"search": ALGORITHMS})
    return read(root, "algorithms")


def memory(root: Path) -> Course:
    """A conceptual course."""
    config = {"title": "Memory", "domain_type": "conceptual"}
    concepts = [{"id": "spacing", "title": "Spacing", "concept_type": "concepts/models"}]
    write_course(root, "memory", config, concepts, {"spacing": MEMORY})
    return read(root, "memory")


def interview(root: Path) -> Course:
    """A course for interviews."""
    config = {"title": "Interviews", "domain_type": "interview"}
    concepts = [{"id": "conflict", "title": "Conflict", "concept_type": "knowledge recall"}]
    write_course(root, "interview", config, concepts, {"conflict": INTERVIEW})
    return read(root, "interview")


def read(root: Path, name: str) -> Course:
    """A course that has nothing wrong with it."""
    course = load_course(DirectoryDocuments(root), name)
    assert not course.problems, course.problems
    return course
