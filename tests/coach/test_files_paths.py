"""Paths are checked before anything touches the disk."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput, PaigeError, Refused
from paige.coach.files.project_path import (
    belongs_to_git,
    can_be_shown,
    parse,
    parse_below,
    shown,
)


@pytest.mark.parametrize(
    ("given_path", "key"),
    [
        ("a.py", "a.py"),
        ("src/a.py", "src/a.py"),
        ("./src//a.py", "src/a.py"),
        ("src/./a.py/", "src/a.py"),
        ("src/../a.py", "a.py"),
        ("src/deep/../../a.py", "a.py"),
        ("with space/ä ö 日本.md", "with space/ä ö 日本.md"),
        ("...", "..."),
        ("..a/b..", "..a/b.."),
        ("~/x", "~/x"),
        ("%2e%2e/x", "%2e%2e/x"),
        ("$HOME/x", "$HOME/x"),
        ("name:with:colons", "name:with:colons"),
        ("👩‍💻.txt", "👩‍💻.txt"),
    ],
)
def test_a_path_has_one_form(given_path: str, key: str) -> None:
    assert parse(given_path).text == key
    assert parse(key).text == key


@pytest.mark.parametrize(
    "path", ["..", "../x", "a/../../x", "a/../..", "./../x", "/", "/etc/passwd", "//x/y", "C:x"]
)
def test_a_path_that_leads_out_is_refused_and_says_so(path: str) -> None:
    with pytest.raises(Refused, match="is outside the project") as refusal:
        parse(path)
    assert refusal.value.hint == "Only files of the project can be used."


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("", "empty"),
        (".", "is the project folder"),
        ("a/..", "is the project folder"),
        ("a\0b", "NUL"),
        ("a\nb", r"U\+000A"),
        ("a\x1bb", r"U\+001B"),
        ("a\u2028b", r"U\+2028"),
        ("a\ud800b", "half of a character"),
        ("a\\b", "backslash"),
        ("a" * 256, "255 bytes"),
        ("ä" * 128, "255 bytes"),
        ("a/" * 600, "1024 characters"),
    ],
)
def test_a_path_that_cannot_be_used_is_bad_input(path: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        parse(path)


@pytest.mark.parametrize(
    "path", ["con", "NUL.txt", "a/COM1", "lpt9.md", "a.", "a ", "ab:stream", "a?", "a|b", "COM¹"]
)
def test_names_windows_takes_for_something_else_are_refused_there(path: str) -> None:
    with pytest.raises(BadInput, match="on Windows"):
        parse(path, windows=True)
    assert parse(path, windows=False).text == path


def test_an_absolute_path_below_the_project_is_made_relative() -> None:
    roots = ("/home/me/project", "/mnt/real")
    assert parse_below("/home/me/project/src/a.py", roots).text == "src/a.py"
    assert parse_below("/mnt/real//a.py", roots).text == "a.py"
    assert parse_below("/etc/hosts", ("/",)).text == "etc/hosts"
    with pytest.raises(BadInput, match="is the project folder"):
        parse_below("/home/me/project/", roots)


@pytest.mark.parametrize(
    "path",
    [
        "/home/me/project2/a.py",
        "/home/me/project/../other",
        "/home/me/project/../project/a.py",
        "/home/me",
        "/HOME/me/project/a.py",
        "//home/me/project/a.py",
    ],
)
def test_an_absolute_path_elsewhere_is_refused(path: str) -> None:
    with pytest.raises(Refused, match="is outside the project"):
        parse_below(path, ("/home/me/project",))


GIT = [".git", ".GIT", ".Git", ".git.", ".git ", ".git. .", "git~1", "GIT~1"]
GIT += [".g\u200cit", ".\uff47it", ".git::$INDEX_ALLOCATION", "\ufeff.git"]


@pytest.mark.parametrize("name", GIT)
def test_git_is_known_under_all_its_names(name: str) -> None:
    assert belongs_to_git(name)


@pytest.mark.parametrize("name", [".gitignore", ".github", "git", "x.git", ".gitattributes"])
def test_other_names_do_not_belong_to_git(name: str) -> None:
    assert not belongs_to_git(name)


def test_a_name_with_a_separator_or_a_control_character_cannot_be_shown() -> None:
    names = ["a.py", ".env", "日本", "a\\b", "a\nb", "C:", "\udcff", ".."]
    assert [name for name in names if can_be_shown(name)] == ["a.py", ".env", "日本"]


def test_a_message_never_repeats_what_would_do_something_in_a_terminal() -> None:
    assert shown("a\x1b[31mb") == "a�[31mb"
    assert shown("x" * 500) == "x" * 120 + "…"


@given(st.lists(st.sampled_from([*"ab./\\:~ \0\n", "..", "/..", "../", "C:"])).map("".join))
def test_what_is_accepted_stays_below_the_project(path: str) -> None:
    try:
        parts = parse(path).parts
    except PaigeError:
        return
    assert parts
    assert not {"", ".", ".."} & set(parts)
    assert not any("/" in part or "\\" in part or "\0" in part for part in parts)
    assert parse("/".join(parts)).parts == parts


@given(st.text(max_size=60))
def test_any_text_is_a_path_or_a_clear_refusal(path: str) -> None:
    try:
        said = parse(path).text
    except PaigeError as error:
        said = error.message
    assert said.encode()  # it can be sent
