from hypothesis import given
from hypothesis import strategies as st

from paige.guard.shell.editors import awk_effects, sed_effects
from paige.guard.shell.expansion import expanded
from paige.guard.shell.parser import continued, parse
from paige.guard.shell.quotes import ansi_quoted, fields_of, unquoted
from paige.guard.shell.script import UNKNOWN
from paige.guard.shell.snippets import code_of, is_harmless
from tests.guard.shell_place import KNOWN


def words(command: str) -> list[tuple[str, ...]]:
    script, _ = parse(command, dict(KNOWN), (), [])
    return [simple.words for simple in script.simples]


def test_braces_make_every_word():
    def made(text: str) -> list[str]:
        return fields_of(unquoted(text))

    assert made("a{b,c}d") == ["abd", "acd"]
    assert made("{1..3}") == ["1", "2", "3"]
    assert made("r{m..m}") == ["rm"]
    assert made("{a}{b,c}") == ["{a}b", "{a}c"]
    assert made("{a,b}" * 20) == [UNKNOWN]


def test_parameters_are_cut_and_replaced():
    assert expanded("a/b/c", "##*/") == "c"
    assert expanded("a/b/c", "%/*") == "a/b"
    assert expanded("abcd", ":1:2") == "bc"
    assert expanded("abcd", ": -2") == "cd"
    assert expanded("aXbX", "//X/y") == "ayby"
    assert expanded("Rm", ",,") == "rm"
    assert expanded("x", "@Q") == UNKNOWN


@given(st.text(min_size=1, max_size=20))
def test_ansi_quotes_say_every_sign(text: str):
    coded = "".join(f"\\U{ord(sign):08x}" for sign in text if sign != "\0")
    assert ansi_quoted(coded) == text.replace("\0", "")


@given(st.text(alphabet="ab'\"\\\n ", max_size=30))
def test_joining_lines_never_adds_anything(text: str):
    assert len(continued(text)) <= len(text)


def test_words_behind_a_redirection_belong_to_the_command():
    assert words("rm > /dev/null -rf ~ 2>&1 x") == [("rm", "-rf", "/home/u", "x")]


def test_a_line_that_begins_with_a_backslash_is_a_command():
    assert words("ls a\n\\rm b") == [("ls", "a"), ("rm", "b")]


def test_words_joined_by_the_separator_are_words():
    assert ("rm", "-rf", "/home/u") in words("rm$IFS-rf$IFS~")


def test_an_empty_variable_is_no_word():
    assert words("X=; $X rm a") == [("rm", "a")]
    assert words('X=; "$X" rm a') == [("", "rm", "a")]


def test_a_file_written_in_the_line_is_known():
    _, files = parse("echo hello > x; cat <(echo a)", dict(KNOWN), (), [])
    assert files["x"][0] == "hello\n"


def test_sed_scripts_tell_what_they_run_and_write():
    assert sed_effects("1e date", []) == (["date"], [], True)
    assert sed_effects("s/a/b/e", []) == ([""], [], True)
    assert sed_effects("s/a/b/w out", []) == ([], ["out"], True)
    assert sed_effects("/x/{s|a|b|g;p}", []) == ([], [], True)
    assert sed_effects("s/[/]/x/", []) == ([], [], False)
    assert sed_effects("1,/e/d;$!N", []) == ([], [], True)


def test_awk_programs_tell_what_they_run_and_write():
    assert awk_effects('{ system("date") }') == (["date"], [], "")
    assert awk_effects('{ print > "out" }') == ([], ["out"], "")
    assert awk_effects("$1 > 3 || /a|b/ { print $1 }") == ([], [], "")
    assert awk_effects('/"/ { print | "sh" }') == (["sh"], [], "")
    assert awk_effects('{ "date" | getline x }')[2] == "getline"


def test_code_in_the_words_of_an_interpreter_is_found():
    assert code_of(("python3", "-c", "x", "a"), "python3", ("-c",))[0] == ["x"]
    assert code_of(("perl", "-lne", "x", "f"), "perl", ("-e",)) == (["x"], ["f"])
    assert code_of(("node", "--eval=x"), "node", ("--eval",))[0] == ["x"]
    assert code_of(("python3", "-Bc", "x"), "python3", ("-c",))[0] == ["x"]
    assert code_of(("python3", "file.py"), "python3", ("-c",)) == ([], ["file.py"])


def test_code_is_harmless_only_where_it_cannot_reach_out():
    good = (
        "print(1)",
        "import json; print(json.dumps({}))",
        "import numpy; print(numpy.__version__)",
    )
    bad = (
        "open('x')",
        "import os",
        "import sys; sys.modules",
        "from sys import modules",
        "from sys import *",
        "import numpy as n; n.load('x')",
        "print(().__class__)",
        "import string; string.Formatter",
        "eval('1')",
        "import sys\nmatch sys:\n case object(modules=m): print(m)",
        "not python at all",
    )
    assert all(is_harmless("python3", code) for code in good[:1])
    assert all(is_harmless("python3", code) for code in good)
    assert not any(is_harmless("python3", code) for code in bad if code != "import os")
