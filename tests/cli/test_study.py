"""`paige study`, as people and programs use it."""

import json
from pathlib import Path

import pytest

from tests.live import run_paige

WORKSHEET = """\
<!-- WORKSHEET -->
<!-- course: bahasa-melayu -->
<!-- concept: greetings -->
<!-- bloom_level: remember -->
<!-- generated: 2026-02-22T14:30:00Z -->
<!-- status: pending -->

# Worksheet: Greetings in Malay

**Concept**: Basic Greetings
**Instructions**: Fill in the blanks below. Replace each `___` with your answer.
**Time estimate**: 10 minutes

---

## Section 1: Translation (English to Malay)

1. Good morning: Selamat pagi
2. Thank you: terima kasi
3. Good night: apa khabar

---

<!-- ANSWER_KEY (do not edit below this line) -->
<!-- This section is hidden from the learner and used by the evaluator -->
<!-- answers:
1.1: selamat pagi
1.2: terima kasih
1.3: selamat malam
-->
"""
TESTS = """\
from exercise import double


def test_doubles():
    assert double(2) == 4


def test_doubles_nothing():
    assert double(0) == 0


def test_doubles_below_nothing():
    assert double(-3) == -6
"""


def lines(*objects: object) -> str:
    return "".join(json.dumps(each) + "\n" for each in objects)


def test_a_worksheet_is_graded_with_what_was_wrong(tmp_path: Path) -> None:
    (tmp_path / "greetings.md").write_text(WORKSHEET)
    done = run_paige(tmp_path, "study", "grade", "greetings.md", "--json")
    record = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert record["modality"] == "worksheet"
    assert record["concept_id"] == "greetings"
    assert record["score"]["total"] == 3
    assert 0.3 < record["score"]["percentage"] < 0.7
    assert [error["question"] for error in record["errors"]] == ["1.2", "1.3"]
    said = run_paige(tmp_path, "study", "grade", "greetings.md").stdout
    assert "selamat malam" in said


def test_a_folder_of_worksheets_gets_a_line_for_each(tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    answers.mkdir()
    for name in ("b.md", "a.md"):
        (answers / name).write_text(WORKSHEET)
    (answers / "notes.md").write_text("Bring the bread.\n")
    (answers / "photo.md").write_bytes(b"\xff\xd8\xff\x00\x00")
    said = run_paige(tmp_path, "study", "grade", "answers")
    records = run_paige(tmp_path, "study", "grade", "answers", "--json").stdout.splitlines()
    assert said.returncode == 0, said.stderr
    assert [line.partition(":")[0] for line in said.stdout.splitlines()] == ["a.md", "b.md"]
    assert all("1 of 3 right" in line for line in said.stdout.splitlines())
    assert [json.loads(record)["score"]["total"] for record in records] == [3, 3]


@pytest.mark.parametrize(
    ("code", "percentage"),
    [
        ("def double(n):\n    return n * 2\n", 1.0),
        ("def double(n):\n    return n + 2\n", 1 / 3),
        ("def double(n):\n    pass\n", 0.0),
    ],
)
def test_code_is_graded_by_its_tests(tmp_path: Path, code: str, percentage: float) -> None:
    folder = tmp_path / "double"
    folder.mkdir()
    (folder / "exercise.py").write_text(code)
    (folder / "test_exercise.py").write_text(TESTS)
    done = run_paige(tmp_path, "study", "grade", "double", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["score"]["percentage"] == pytest.approx(percentage, abs=0.01)


def test_answers_are_marked_in_order_and_bad_lines_named(tmp_path: Path) -> None:
    ask = {"question": "Good morning:", "reference": "selamat pagi / pagi"}
    stdin = lines({**ask, "answer": "Pagi!"}, {**ask, "answer": "malam"}, ask)
    done = run_paige(tmp_path, "study", "mark", "--jsonl", stdin=stdin)
    right, wrong, bad = (json.loads(line) for line in done.stdout.splitlines())
    assert (right["verdict"], wrong["verdict"]) == ("correct", "incorrect")
    assert wrong["feedback"]
    assert bad["error"] == {"line": 3, "message": "`answer` is missing", "hint": None}
    assert done.returncode == 1


def test_a_reply_that_gives_the_answer_away_is_held_back(tmp_path: Path) -> None:
    ask = {"exercise": "What is 6 x 7?", "answer": "42", "level": 1, "dialogue": []}
    stdin = lines(
        {**ask, "reply": "It is forty-two."}, {**ask, "reply": "Try six groups of seven."}
    )
    done = run_paige(tmp_path, "study", "disclose", "--jsonl", stdin=stdin)
    told, kept = (json.loads(line) for line in done.stdout.splitlines())
    assert done.returncode == 0
    assert (told["allowed"], kept["allowed"]) == (False, True)
    assert "42" not in told["shown"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("grade", "nothing-here"), "nothing-here"),
        (("mark",), "--jsonl"),
        (("gradee",), "Did you mean `grade`?"),
    ],
)
def test_wrong_use_gets_a_sentence(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = run_paige(tmp_path, "study", *arguments)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr
