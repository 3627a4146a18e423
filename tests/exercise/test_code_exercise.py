"""Code exercises as files, ours and Exercism's."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput, NotFound
from paige.exercise.code_exercise import (
    CodeExercise,
    CodeTest,
    parse_header,
    render_code_exercise,
    split_hints,
)
from paige.exercise.code_folder import looks_like_code_folder, read_code_folder

EXERCISE = CodeExercise(
    title="Implementing Binary Search",
    concept_id="binary-search",
    instructions=(
        "Implement the binary_search function below. It should return the index\n"
        "of the target value in a sorted list, or -1 if not found.\n"
        "\n"
        "Do NOT use Python's built-in bisect module."
    ),
    hints=(
        "What are the boundaries of your search space?",
        "How do you calculate the midpoint?",
        "How do you decide which half to search next?",
    ),
    starter=(
        "def binary_search(arr: list, target: int) -> int:\n"
        '    """Return the index of target in sorted list arr, or -1 if not found."""\n'
        "    # YOUR CODE HERE\n"
        "    pass\n"
    ),
    solution=(
        "def binary_search(arr, target):\n    return arr.index(target) if target in arr else -1\n"
    ),
    tests=(
        CodeTest("found_middle", "assert binary_search([1, 3, 5, 7, 9], 5) == 2"),
        CodeTest("empty_list", "assert binary_search([], 5) == -1"),
    ),
    imports=("binary_search",),
)
TASK = '''\
#!/usr/bin/env python3
"""
Exercise: Implementing Binary Search
Concept: binary-search
Bloom Level: apply

Instructions:
    Implement the binary_search function below. It should return the index
    of the target value in a sorted list, or -1 if not found.

    Do NOT use Python's built-in bisect module.

Hints (read only if stuck):
    1. What are the boundaries of your search space?
    2. How do you calculate the midpoint?
    3. How do you decide which half to search next?
"""


def binary_search(arr: list, target: int) -> int:
    """Return the index of target in sorted list arr, or -1 if not found."""
    # YOUR CODE HERE
    pass
'''


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def exercism(folder: Path, **files: list[str]) -> Path:
    listed = {
        "solution": ["two_fer.py"],
        "test": ["two_fer_test.py"],
        "example": [".meta/example.py"],
        **files,
    }
    return write(
        folder / "two-fer",
        {
            "two_fer.py": "def two_fer(name):\n    pass\n",
            "two_fer_test.py": "import two_fer\n",
            "data.csv": "a,b\n",
            ".meta/config.json": json.dumps({"files": listed, "blurb": "One for you."}),
            ".meta/example.py": "def two_fer(name='you'): ...\n",
            ".meta/tests.toml": "",
            ".docs/instructions.md": "# Instructions\n\nOne for X, one for me.\n",
            ".docs/instructions.append.md": "Mind the comma.\n",
            ".docs/hints.md": "# Hints\n\n## General\n\n- Read on.\n\n## 1. Names\n\n- A default\n"
            "  value helps.\n",
            ".approaches/config.json": "{}",
        },
    )


def test_the_task_file_is_the_documented_one() -> None:
    assert render_code_exercise(EXERCISE)["exercise.py"] == TASK


def test_the_tests_run_alone_fail_on_the_stub_and_pass_on_the_solution(tmp_path: Path) -> None:
    files = render_code_exercise(EXERCISE)
    write(tmp_path, files)
    run = [sys.executable, str(tmp_path / "test_exercise.py")]
    stub = subprocess.run(run, capture_output=True, text=True, timeout=60)
    assert "0/2 tests passed" in stub.stdout
    assert "FAIL: test_found_middle" in stub.stdout
    (tmp_path / "exercise.py").write_text(files["solution.py"], encoding="utf-8")
    solved = subprocess.run(run, capture_output=True, text=True, timeout=60)
    assert "2/2 tests passed" in solved.stdout
    assert solved.returncode == 0


def test_a_folder_of_ours_is_read_back(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "search",
        {
            **render_code_exercise(EXERCISE),
            "words.txt": "a\n",
            "20260101T000000Z/exercise.py": "old = 1\n",
            "__pycache__/exercise.pyc": "x",
        },
    )
    found = read_code_folder(folder)
    assert found.layout == "paige"
    assert found.language == "python"
    assert (found.solution, found.tests) == (("exercise.py",), ("test_exercise.py",))
    assert (found.hidden, found.reference) == (("solution.py",), ("solution.py",))
    assert found.data == ("words.txt",)
    assert found.concept_ids == ("binary-search",)
    assert found.title == "Implementing Binary Search"
    assert found.bloom_level == "apply"
    assert found.instructions == EXERCISE.instructions
    assert found.hints == EXERCISE.hints
    assert looks_like_code_folder(folder)


def test_a_folder_of_exercism_is_read(tmp_path: Path) -> None:
    found = read_code_folder(exercism(tmp_path))
    assert found.layout == "exercism"
    assert (found.solution, found.tests) == (("two_fer.py",), ("two_fer_test.py",))
    assert found.reference == (".meta/example.py",)
    assert set(found.hidden) == {
        ".approaches/config.json",
        ".meta/config.json",
        ".meta/example.py",
        ".meta/tests.toml",
    }
    assert found.data == ("data.csv",)
    assert found.concept_ids == ("two-fer",)
    assert found.title == "Two Fer"
    assert "One for X" in found.instructions
    assert "Mind the comma." in found.instructions
    assert found.hints == ("Read on.", "1. Names: A default value helps.")


def test_two_solution_files_and_an_exemplar_are_read(tmp_path: Path) -> None:
    folder = exercism(
        tmp_path,
        solution=["two_fer.py", "helper.py"],
        exemplar=[".meta/exemplar.py"],
        editor=["shared.py"],
        example=[],
    )
    write(folder, {"helper.py": "", "shared.py": "", ".meta/exemplar.py": ""})
    found = read_code_folder(folder)
    assert found.solution == ("two_fer.py", "helper.py")
    assert found.reference == (".meta/exemplar.py",)
    assert found.editor == ("shared.py",)


def test_the_track_gives_the_concepts(tmp_path: Path) -> None:
    folder = exercism(tmp_path / "exercises" / "practice")
    practice = [{"slug": "two-fer", "practices": ["strings", "functions"]}]
    (tmp_path / "config.json").write_text(json.dumps({"exercises": {"practice": practice}}))
    assert read_code_folder(folder).concept_ids == ("strings", "functions")
    (tmp_path / "config.json").write_text("not json")
    assert read_code_folder(folder).concept_ids == ("two-fer",)


def test_a_pair_of_files_named_alike_is_enough(tmp_path: Path) -> None:
    folder = write(tmp_path / "leap", {"leap.py": "", "leap_test.py": ""})
    found = read_code_folder(folder)
    assert (found.solution, found.tests) == (("leap.py",), ("leap_test.py",))
    assert found.concept_ids == ("leap",)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "is empty"),
        ({"notes.txt": ""}, "no code"),
        ({"exercise.py": ""}, "no tests for `exercise.py`"),
        ({"test_exercise.py": ""}, "could test"),
        ({".meta/config.json": "{"}, "not JSON: line 1"),
        ({".meta/config.json": "[]"}, "should hold an object"),
        ({".meta/config.json": "{}"}, "no `files`"),
        ({".meta/config.json": '{"files": {"solution": "a.py"}}'}, "list of names"),
        ({".meta/config.json": '{"files": {"solution": []}}'}, "names no solution file"),
        ({".meta/config.json": '{"files": {"solution": ["a.py"]}}'}, "should have a file `a.py`"),
        ({".meta/config.json": '{"files": {"solution": ["../a.py"]}}'}, "leads out of the folder"),
        ({".meta/config.json": '{"files": {"solution": ["/etc/x"]}}'}, "leads out of the folder"),
        (
            {
                "a.zz": "",
                "b.zz": "",
                ".meta/config.json": '{"files": {"solution": ["a.zz"], "test": ["b.zz"]}}',
            },
            "programming language",
        ),
    ],
)
def test_a_wrong_folder_gets_a_sentence(tmp_path: Path, files: dict, said: str) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    write(folder, files)
    with pytest.raises(BadInput, match=said):
        read_code_folder(folder)


def test_no_folder_and_a_file_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_code_folder(tmp_path / "none")
    (tmp_path / "exercise.py").write_text("")
    with pytest.raises(BadInput, match="is a file"):
        read_code_folder(tmp_path / "exercise.py")
    assert not looks_like_code_folder(tmp_path / "exercise.py")


@pytest.mark.parametrize("language", ["javascript", "ruby", "bash", "haskell", "php", "go"])
def test_other_languages_keep_their_header(language: str) -> None:
    made = render_code_exercise(replace(EXERCISE, language=language, test_source="check()"))
    name = next(name for name in made if name.startswith("exercise."))
    header = parse_header(made[name])
    assert header.title == EXERCISE.title
    assert header.concept_id == "binary-search"
    assert header.hints == EXERCISE.hints
    assert header.instructions == EXERCISE.instructions
    assert made[f"test_{name}"] == "check()\n"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"language": "klingon"}, "does not know"),
        ({"tests": ()}, "no tests"),
        ({"tests": (CodeTest("a b", "x"),)}, "plain letters"),
        ({"tests": (CodeTest("a", "x"), CodeTest("test_a", "x"))}, "different names"),
        ({"language": "go"}, "test_source"),
        ({"instructions": 'say """hello"""'}, "must not hold"),
    ],
)
def test_an_exercise_that_cannot_be_files_is_refused(change: dict, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        render_code_exercise(replace(EXERCISE, **change))


def test_hints_of_several_lines_are_one_hint() -> None:
    assert split_hints("1. one\n   more\n2) two\n- three\n") == ("one more", "two", "three")


@given(st.text(max_size=200))
def test_any_file_has_a_header_or_none(source: str) -> None:
    parse_header(source)
    parse_header(f'"""\n{source}\n"""\n')
