"""What a guard is about: commands as they would really run, files, texts, fields, who acts."""

import fnmatch
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.guard.fast.guards import fits_command, fits_path, fits_word
from paige.guard.guards.trials import action_from, matches
from paige.guard.guards.values import Example, Guard, LearnedMatcher
from tests.guard.guard_values import bash, force_push

letters = st.text("ab*?/", max_size=12)


def about(**parts: object) -> Guard:
    return force_push(matcher=LearnedMatcher(**parts))  # type: ignore[arg-type]


@given(st.text("ab/.", max_size=12), letters)
def test_words_fit_as_patterns_of_the_shell_do(text: str, pattern: str) -> None:
    plain = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
    assert fits_word(text, pattern) == bool(re.fullmatch(plain, text, re.DOTALL))


@given(st.text("ab", max_size=8), st.text("ab*?", max_size=8))
def test_words_fit_as_the_standard_library_says(text: str, pattern: str) -> None:
    assert fits_word(text, pattern) == fnmatch.fnmatchcase(text, pattern)


@given(st.lists(st.sampled_from("ab"), min_size=1, max_size=6), st.lists(
    st.sampled_from(["a", "b", "*", "**"]), min_size=1, max_size=5))  # fmt: skip
def test_a_command_fits_when_it_begins_as_the_pattern_says(
    words: list[str], pattern: list[str]
) -> None:
    parts = {"a": "a,", "b": "b,", "*": "[ab],", "**": "(?:[ab],)*"}
    told = "".join(parts[each] for each in pattern)
    wanted = bool(re.match(told, "".join(f"{each}," for each in words)))
    assert fits_command(tuple(words), tuple(pattern)) == wanted


def test_an_odd_pattern_takes_no_longer_than_others() -> None:
    # Backtracking over every star would not end in the life of a person.
    assert not fits_word("a" * 3000, "a*" * 40 + "b")
    assert not fits_path("/p/" + "a/" * 200 + "x", "**/a/" * 20 + "b", "/p")


@pytest.mark.parametrize(
    ("path", "pattern", "fits"),
    [
        ("/p/src/a.py", "src/*.py", True),
        ("/p/src/x/a.py", "src/*.py", False),
        ("/p/src/x/y/a.py", "src/**/*.py", True),
        ("/p/src/a.py", "src/**/*.py", True),
        ("/p/deep/feature-list.json", "feature-list.json", True),
        ("/p/src/a.py", "/p/src/*", True),
        ("/elsewhere/src/a.py", "src/*", False),
        ("/elsewhere/src/a.py", "**/src/*", True),
        ("/p/src", "src/**", True),
        ("/p/srcs/a", "src/**", False),
    ],
)
def test_paths_begin_at_the_project(path: str, pattern: str, fits: bool) -> None:
    assert fits_path(path, pattern, "/p") is fits


@pytest.mark.parametrize(
    "command",
    [
        "git push --force",
        "/usr/bin/git push origin main --force",
        "sudo git push --force-with-lease",
        "bash -c 'git push origin --force'",
        "cd src && git push --force",
        "F=--force; git push $F",
        "true || env A=1 git push -u origin x --force",
        "xargs git push --force",
    ],
)
def test_a_command_is_found_however_it_is_started(command: str) -> None:
    assert matches(force_push(), bash(command))


@pytest.mark.parametrize(
    "command",
    ["git push", "echo git push --force", "git commit -m 'git push --force'", "gitx push --force",
     "grep -- --force push", ""],
)  # fmt: skip
def test_words_that_only_stand_there_are_no_command(command: str) -> None:
    assert not matches(force_push(), bash(command))


def test_a_file_is_the_same_whichever_tool_writes_it() -> None:
    guard = about(paths=("src/**",))
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** End Patch"
    for example in (
        Example(tool="Write", input={"file_path": "/home/u/project/src/a.py", "content": "x"}),
        Example(tool="Edit", input={"file_path": "src/../src/a.py", "new_string": "x"}),
        Example(tool="apply_patch", input={"command": ["apply_patch", patch]}),
        Example(tool="create", input={"path": "src/deep/b.py", "file_text": "x"}),
        Example(tool="mcp__files__write_file", input={"path": "src/a.py", "content": "x"}),
        bash("echo x > src/a.py"),
        bash("cd src && echo x >> a.py"),
    ):
        assert matches(guard, example), example
    assert not matches(guard, Example(tool="Write", input={"file_path": "docs/a.md"}))
    assert not matches(guard, Example(tool="Read", input={"file_path": "src/a.py"}))
    assert not matches(guard, bash("cat src/a.py"))
    assert not matches(guard, bash("make > /dev/null 2>&1"))


def test_a_command_with_paths_is_about_the_files_it_names() -> None:
    guard = about(command=("sed", "-i"), paths=("src/**",))
    assert matches(guard, bash("sed -i s/a/b/ src/a.py"))
    assert matches(guard, bash("cd src; sed -i s/a/b/ ../src/a.py"))
    assert matches(guard, bash("cd src && sed -i s/a/b/ a.py"))
    assert not matches(guard, bash("sed -i s/a/b/ docs/a.md"))
    assert not matches(guard, bash("sed s/a/b/ src/a.py"))


def test_fields_have_to_be_the_same_and_of_the_same_kind() -> None:
    guard = about(fields={"replace_all": True})
    assert matches(guard, Example(tool="Edit", input={"file_path": "a", "replace_all": True}))
    assert not matches(guard, Example(tool="Edit", input={"file_path": "a", "replace_all": 1}))
    assert not matches(guard, Example(tool="Edit", input={"file_path": "a"}))
    deep = about(fields={"todo.status": "done"})
    assert matches(deep, Example(tool="x", input={"todo": {"status": "done"}}))


def test_all_texts_have_to_stand_in_what_is_written() -> None:
    guard = about(contains=('"tested": true', "F-1"))
    edits = [{"new_string": '"F-1"'}, {"new_string": '"tested": true'}]
    assert matches(guard, Example(tool="MultiEdit", input={"file_path": "a", "edits": edits}))
    assert not matches(guard, Example(tool="Write", input={"file_path": "a", "content": "F-1"}))


def test_who_acts_counts() -> None:
    guard = about(tools=("write",), agents=("coding-*",), roles=("musician",))
    given = {"file_path": "a.py", "content": "x"}
    assert matches(guard, Example(tool="Write", input=given, agent="coding-agent", role="musician"))
    assert not matches(guard, Example(tool="Write", input=given, agent="tester", role="musician"))
    assert not matches(guard, Example(tool="Write", input=given, agent="coding-agent"))
    assert matches(about(agents=("main",)), bash("ls"))


def test_a_fact_silences_a_guard() -> None:
    guard = about(contains=("tested",), unless=("evidence",))
    given = {"file_path": "feature-list.json", "content": "tested"}
    assert matches(guard, Example(tool="Write", input=given))
    assert not matches(guard, Example(tool="Write", input=given, facts=("evidence",)))


def test_a_guard_before_tools_also_answers_for_the_permission() -> None:
    action = action_from("permission_request", bash("git push --force"))
    from paige.guard.fast.guards import meets  # noqa: PLC0415
    from paige.guard.guards.trials import compiled  # noqa: PLC0415

    assert meets(compiled(force_push()), action)
    assert not meets(compiled(force_push(event="permission_request")), action_from(
        "pre_tool", bash("git push --force")))  # fmt: skip


def test_powershell_is_met_by_its_words() -> None:
    guard = about(command=("Remove-Item", "**", "-Recurse"))
    assert matches(guard, Example(tool="powershell", input={"command": "Remove-Item x -Recurse"}))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(anything, st.sampled_from(["Bash", "Write", "apply_patch", "x", "mcp__a__b", "shell"]))
def test_no_input_breaks_the_matcher(value: object, tool: str) -> None:
    given_input = value if isinstance(value, dict) else {"command": value, "edits": value}
    matches(about(paths=("src/**",), fields={"a.b": 1}), Example(tool=tool, input=given_input))
    matches(about(contains=("x",)), Example(tool=tool, input=given_input))
