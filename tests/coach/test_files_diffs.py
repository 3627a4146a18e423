"""Diffs of unsaved text: they can be applied, and never take long."""

import random
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.coach.files.project import ProjectFiles, unified_diff
from paige.coach.files.values import CursorPosition, PathDiff
from paige.language.line_steps import MAX_GAP, compare
from tests.conftest import NOON

HERE = CursorPosition(1, 1)


def test_a_diff_shows_what_changed_with_some_lines_around() -> None:
    old = "".join(f"line {number}\n" for number in range(1, 11))
    assert unified_diff("src/a.py", old, old.replace("line 5\n", "line five\n")) == (
        "--- a/src/a.py\n"
        "+++ b/src/a.py\n"
        "@@ -2,7 +2,7 @@\n"
        " line 2\n"
        " line 3\n"
        " line 4\n"
        "-line 5\n"
        "+line five\n"
        " line 6\n"
        " line 7\n"
        " line 8\n"
    )


def test_a_last_line_without_an_end_is_marked() -> None:
    assert unified_diff("a", "one\ntwo", "one\ntwo\n") == (
        "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+two\n"
    )


def test_changes_far_apart_have_their_own_parts() -> None:
    old = [f"{number}\n" for number in range(40)]
    new = [*old[:3], "x\n", *old[4:30], "y\n", *old[30:]]
    diff = unified_diff("a", "".join(old), "".join(new))
    assert [line for line in diff.split("\n") if line.startswith("@@")] == [
        "@@ -1,7 +1,7 @@",
        "@@ -28,6 +28,7 @@",
    ]


def test_a_file_that_is_not_there_is_compared_with_nothing() -> None:
    assert unified_diff("a", None, "one\n") == "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+one\n"
    assert unified_diff("a", None, "") == ""
    assert unified_diff("a", "one\n", "") == "--- a/a\n+++ b/a\n@@ -1 +0,0 @@\n-one\n"


def test_no_difference_is_no_diff() -> None:
    assert unified_diff("a", "same", "same") == ""
    assert unified_diff("a", "", "") == ""


def test_a_clean_or_missing_buffer_has_no_diff(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    (tmp_path / "a.py").write_text("one\n")
    assert files.diff("a.py") == ""
    files.write("a.py", "two\n", now=NOON)
    assert files.diff("a.py") == ""
    assert files.diff("gone.py") == ""
    assert files.diffs() == []


def test_the_diff_is_between_the_disk_and_the_buffer(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    (tmp_path / "a.py").write_text("one\n")
    files.update_buffer("a.py", "two\n", HERE, now=NOON)
    wanted = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+two\n"
    assert files.diff("./a.py") == wanted
    assert files.diffs() == [PathDiff("a.py", wanted)]
    (tmp_path / "a.py").write_text("two\n")  # someone else made the same change
    assert files.diff("a.py") == ""
    assert files.diffs() == []


def test_a_deleted_file_shows_the_whole_buffer_as_new(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    (tmp_path / "a.py").write_text("one\n")
    files.update_buffer("a.py", "one\n", HERE, now=NOON)
    (tmp_path / "a.py").unlink()
    assert files.diff("a.py") == "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+one\n"
    assert files.buffer("a.py") is not None


def test_line_ends_that_a_save_would_keep_are_no_difference(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    (tmp_path / "a.py").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    files.update_buffer("a.py", "one\ntwo\n", HERE, now=NOON)
    assert files.diff("a.py") == ""
    files.update_buffer("a.py", "one\nthree\n", HERE, now=NOON)
    assert files.diff("a.py") == "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"


def test_a_file_that_became_binary_has_no_diff(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    files.update_buffer("a.dump", "text\n", HERE, now=NOON)
    (tmp_path / "a.dump").write_bytes(b"\0\1\2")
    assert files.diff("a.dump") == ""


def test_one_file_that_cannot_be_read_does_not_hide_the_others(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    files.update_buffer("a.py", "x\n", HERE, now=NOON)
    files.update_buffer("b.py", "y\n", HERE, now=NOON)
    (tmp_path / "a.py").symlink_to("/etc/passwd")
    assert [each.path for each in files.diffs()] == ["b.py"]


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.txt", "one\ntwo\nthree\n", "one\n2\nthree\n"),
        ("a.txt", "one\ntwo", "one\ntwo\n"),
        ("a.txt", "one\ntwo\n", "one\ntwo"),
        ("a.txt", "one", "two"),
        ("with space/ä.txt", "one\n", "two\n"),
        ("a.txt", "a\x0cb\u2028c\rd\n", "a\x0cB\u2028c\rd\n"),
        ("a.txt", "mixed\r\nends\n", "mixed\nends\r\n"),
        ("a.txt", "one\n" * 5000 + "x\n", "one\n" * 4000 + "y\n" + "one\n" * 900),
        ("a.txt", "", "new\n"),
        ("a.txt", "old\n", ""),
        ("a.txt", "--- a\n+++ b\n", "+++ b\n--- a\n"),
    ],
)
def test_git_can_apply_a_diff(tmp_path: Path, path: str, old: str, new: str) -> None:
    place = tmp_path / path
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(old.encode())
    diff = unified_diff(path, old, new)
    subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        input=diff.encode(),
        cwd=tmp_path,
        check=True,
        timeout=60,
        env={
            "PATH": "/usr/bin:/bin:/usr/local/bin",
            "GIT_CEILING_DIRECTORIES": str(tmp_path.parent),
        },
    )
    assert place.read_bytes().decode() == new


LINES = st.lists(st.sampled_from(["a", "b", "c", "", "x\ry", "é"]), max_size=30)


@given(LINES, LINES, st.booleans(), st.booleans())
def test_a_diff_leads_from_one_text_to_the_other(
    before: list[str], after: list[str], ends_before: bool, ends_after: bool
) -> None:
    old = "\n".join(before) + "\n" * ends_before
    new = "\n".join(after) + "\n" * ends_after
    assert applied(old, unified_diff("a", old, new)) == new


@given(st.integers(min_value=0), st.integers(min_value=1, max_value=8))
def test_steps_lead_from_one_list_to_the_other_however_long_they_are(seed: int, kinds: int) -> None:
    choose = random.Random(seed)
    a = [str(choose.randrange(10**kinds)) for _ in range(choose.randrange(MAX_GAP * 2))]
    b = [line for line in a if choose.random() < 0.9]
    for _ in range(choose.randrange(50)):
        b.insert(choose.randrange(len(b) + 1), str(choose.randrange(10**kinds)))
    built: list[str] = []
    at_a = at_b = 0
    for step in compare(a, b):
        assert (step.a1, step.b1) == (at_a, at_b)
        at_a, at_b = step.a2, step.b2
        if step.tag == "equal":
            assert a[step.a1 : step.a2] == b[step.b1 : step.b2]
        built += b[step.b1 : step.b2] if step.tag != "equal" else a[step.a1 : step.a2]
    assert built == b
    assert (at_a, at_b) == (len(a), len(b))


def test_a_long_file_with_changes_at_both_ends_has_a_short_diff() -> None:
    lines = [f"line {number}\n" for number in range(50_000)]
    new = ["first\n", *lines[1:-1], "last\n"]
    diff = unified_diff("a", "".join(lines), "".join(new))
    assert diff.count("\n") == 2 + 2 * (1 + 2 + 3)


def test_lines_made_to_be_hard_to_compare_are_compared_in_bounded_work() -> None:
    # Every other line is alike, and each line occurs often: minutes of work for a plain comparison.
    old = "".join(f"{number % 50}\nold {number % 7}\n" for number in range(60_000))
    new = "".join(f"{number % 50}\nnew {number % 7}\n" for number in range(60_000))
    diff = unified_diff("a", old, new)
    assert applied(old, diff) == new


def applied(old: str, diff: str) -> str:
    """Apply a unified diff, checking every line that it names."""
    if not diff:
        return old
    body = diff.split("\n")[2:-1]
    lines = old.split("\n")
    if lines[-1] == "":
        lines.pop()
    result: list[str] = []
    at, end = 0, True
    for number, line in enumerate(body):
        sign, text = line[:1], line[1:]
        unended = body[number + 1 : number + 2] == ["\\ No newline at end of file"]
        if sign == "@":
            start, _, count = line.split(" ")[1][1:].partition(",")
            first = int(start) - (count != "0")
            result += lines[at:first]
            at = first
        elif sign in (" ", "-"):
            assert lines[at] == text
            at += 1
        if sign in (" ", "+"):
            result.append(text)
            end = not unended
    rest = lines[at:]
    if rest:
        end = old.endswith("\n")
    return "\n".join([*result, *rest]) + ("\n" if end and (result or rest) else "")
