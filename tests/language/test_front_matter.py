import contextlib
import time

import pytest

from paige.base.errors import BadInput
from paige.language.front_matter import read_front_matter


def values(text: str) -> dict:
    return read_front_matter(f"---\n{text}\n---\n", "x.md").values


def refusal(text: str) -> BadInput:
    with pytest.raises(BadInput) as caught:
        read_front_matter(f"---\n{text}\n---\n", "x.md")
    return caught.value


def test_the_text_below_is_the_body_and_each_key_knows_its_line() -> None:
    read = read_front_matter(
        "---\nname: a\n# note\nlist:\n  - b\nlast: 1\n---\n\nBody\n---\n", "x.md"
    )
    assert read.values == {"name": "a", "list": ["b"], "last": 1}
    assert read.body == "Body\n---\n"
    assert [read.place(key) for key in read.values] == ["x.md:2", "x.md:4", "x.md:6"]
    assert read.place("unknown") == "x.md:1"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("text", "text"),
        ("two words # a comment", "two words"),
        ("a#b", "a#b"),
        ("# only a comment", None),
        ("", None),
        ("~", None),
        ("Null", None),
        ("true", True),
        ("FALSE", False),
        ("yes", "yes"),
        ("tRue", "tRue"),
        ("12", 12),
        ("-7", -7),
        ("007", "007"),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1.2.3", "1.2.3"),
        ("2026-03-02", "2026-03-02"),
        ("https://x.test/a", "https://x.test/a"),
        ("12:30", "12:30"),
        ('"a: b # c"', "a: b # c"),
        ('"\\n\\t\\"\\\\\\u00e9\\x41"', '\n\t"\\éA'),
        ("'it''s'", "it's"),
        ("'a' # comment", "a"),
        ('""', ""),
    ],
)
def test_a_scalar_means_what_yaml_says(written: str, value: object) -> None:
    assert values(f"key: {written}") == {"key": value}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("[]", []),
        ("[a, 'b, c', 3]", ["a", "b, c", 3]),
        ("[a, [b], {c: d}]", ["a", ["b"], {"c": "d"}]),
        ("[a,]", ["a"]),
        ('[a,\t"b"]', ["a", "b"]),
        ("{}", {}),
        ("{a: 1, 'b c': [x], \"d\":2}", {"a": 1, "b c": ["x"], "d": 2}),
        ("{a: }", {"a": None}),
        ("{true: 1, 2: b, ~: c}", {"true": 1, "2": "b", "~": "c"}),
        ("{url: http://x.test}", {"url": "http://x.test"}),
        ("[a, b] # comment", ["a", "b"]),
    ],
)
def test_a_collection_may_stand_on_one_line(written: str, value: object) -> None:
    assert values(f"key: {written}") == {"key": value}


def test_lists_and_mappings_nest() -> None:
    text = """
hooks:
  - name: first
    on:
    - stop
    - pre_tool
    with: {a: 1}
  - "quoted key": 1
    other: x
  -
    name: third
  - plain
  -
    - nested
top:
  middle:
    low: 1
  next:
same:
- a
-
- b
"""
    assert values(text) == {
        "hooks": [
            {"name": "first", "on": ["stop", "pre_tool"], "with": {"a": 1}},
            {"quoted key": 1, "other": "x"},
            {"name": "third"},
            "plain",
            ["nested"],
        ],
        "top": {"middle": {"low": 1}, "next": None},
        "same": ["a", None, "b"],
    }


@pytest.mark.parametrize(
    ("header", "lines", "text"),
    [
        ("|", ["a", "  b  ", "", "c"], "a\n  b  \n\nc\n"),
        ("|-", ["a", "b", "", ""], "a\nb"),
        ("|+", ["a", "", ""], "a\n\n\n"),
        ("| # with-a-comment", ["a"], "a\n"),
        ("|", ["", "# not a comment", "key: no key"], "\n# not a comment\nkey: no key\n"),
        ("|", [], ""),
        (">", ["a", "b", "", "c"], "a b\nc\n"),
        (">", ["a", "", "", "", "b"], "a\n\n\nb\n"),
        (">-", ["a", "b"], "a b"),
        (">", ["a", "  - b", "  - c", "d"], "a\n  - b\n  - c\nd\n"),
        (">", ["", "a"], "\na\n"),
    ],
)
def test_a_block_text_keeps_or_folds_its_lines(header: str, lines: list[str], text: str) -> None:
    block = "\n".join(f"  {line}" if line else "" for line in lines)
    # A key follows, so that the end of the text is seen too.
    assert values(f"key: {header}\n{block}\nnext: 1" if lines else f"key: {header}\nnext: 1") == {
        "key": text,
        "next": 1,
    }


def test_windows_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    plain = "---\na: x\nb:\n  - |\n    y\n    z\n---\nBody\nmore\n"
    windows = "\ufeff" + plain.replace("\n", "\r\n")
    assert read_front_matter(windows, "x.md") == read_front_matter(plain, "x.md")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("a: 1\na: 2", 3, "the key `a` stands twice"),
        ("a: {b: 1, b: 2}", 2, "the key `b` stands twice"),
        ("a:\n\tb: 1", 3, "cannot start any token"),
        ("a: 1\n  b: 2", 3, "mapping values are not allowed"),
        ("a:\n    b: 1\n  c: 2", 4, "did not find expected key"),
        ("a: |\n    b\n  c", 4, "did not find expected key"),
        ("a: 1\n- b", 3, "did not find expected key"),
        ("just words", 2, "`just words` is not `key: value`"),
        ("- a", 2, "`- a` is not `key: value`"),
        ("<<: *a", 2, "anchors"),
        ("a:\n  - &x b\n  - *x", 3, "anchors"),
        ("a:\n  - !!set {}", 3, "tags"),
        ("a: > b", 2, "did not find expected comment or line break"),
        ("a: 'b\nc: d", 2, "unexpected end of stream"),
        ('a: "b" c', 2, "did not find expected key"),
        ('a: "\\q"', 2, "unknown escape character"),
        ("a: [b", 2, "did not find expected ',' or ']'"),
        ("a: {b: 1", 2, "did not find expected ',' or '}'"),
        ("b: 1\n? [a]\n: c", 3, "a key must be a word"),
        ("a: " + "9" * 5000, 2, "too many digits"),
        ("a: " + "[" * 20, 2, "levels are nested"),
    ],
)
def test_what_is_not_understood_is_named_with_file_and_line(
    text: str, line: int, says: str
) -> None:
    refused = refusal(text)
    assert refused.message.startswith(f"x.md:{line}: ")
    assert says in refused.message
    assert refused.hint


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("description: Use it when: a test fails", "Use it when: a test fails"),
        ('description: Reviews code. Examples: <a>user: "hi" it\'s</a>', None),
        ("argument-hint: [file] [--all]", "[file] [--all]"),
        ("paths: **/*.ts", "**/*.ts"),
        ("tools: *", "*"),
        ("handle: @someone", "@someone"),
        ("ends: with a colon:", "with a colon:"),
    ],
)
def test_a_line_that_no_yaml_reader_takes_is_the_text_that_stands_there(
    line: str, value: str | None
) -> None:
    key, _, written = line.partition(": ")
    found = values(f"name: x\n{line}\nlist: [a]")
    assert found == {"name": "x", key: value or written, "list": ["a"]}


def test_a_text_may_go_on_in_the_next_lines() -> None:
    assert values("a: one\n  two\n\n  three\nb: 'x\n  y'") == {"a": "one two\nthree", "b": "x y"}


@pytest.mark.parametrize("item", ["k:", "-"])
def test_nesting_has_a_limit_that_is_told_before_the_stack_ends(item: str) -> None:
    deep = "\n".join(" " * depth + item for depth in range(1000))
    assert "levels are nested" in refusal(f"a:\n{deep}").message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "x.md:1: there is no front matter"),
        ("# Title\n", "x.md:1: there is no front matter"),
        ("\n---\na: 1\n---\n", "x.md:1: there is no front matter"),
        ("---\na: 1\n", "x.md:1: the front matter is not closed"),
        ("---", "x.md:1: the front matter is not closed"),
        ("---\ra: 1\r---\r", "x.md:1: there is no front matter"),
    ],
)
def test_a_text_without_front_matter_is_told_so(text: str, says: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_front_matter(text, "x.md")
    assert caught.value.message == says
    assert caught.value.hint


def test_empty_front_matter_has_no_values() -> None:
    assert read_front_matter("---\n---\nBody", "x.md").values == {}
    assert read_front_matter("---\n# nothing\n...\nBody", "x.md").body == "Body"


@pytest.mark.parametrize(
    "make",
    [
        lambda n: "a" + " " * n + "b",
        lambda n: "a" + " b" * n,
        lambda n: "a: " + "x" * n,
        lambda n: "a: '" + "''" * n,
        lambda n: "a: [" + "b," * n,
        lambda n: "a: {" + "b:" * n,
        lambda n: "a: |\n" + "\n" * n + "  b\n" * n,
        lambda n: "a: >\n" + "  b\n" * n,
        lambda n: "a:\n" + "  - b\n" * n,
        lambda n: "".join(f"k{i}: v\n" for i in range(n)),
        lambda n: "a: " + "9" * n + "e",
        lambda n: '"' * n,
        lambda n: "a:" * n,
    ],
)
def test_a_long_hostile_text_is_read_in_linear_time(make) -> None:
    small, large = (min(_seconds(make(n)) for _ in range(3)) for n in (4_000, 32_000))
    # Eight times the text: linear is 8 times the work, quadratic would be 64 times.
    assert large < 24 * small + 0.02


def _seconds(text: str) -> float:
    start = time.process_time()
    with contextlib.suppress(BadInput):  # refusing must be quick too
        read_front_matter(f"---\n{text}\n---\n", "x.md")
    return time.process_time() - start
