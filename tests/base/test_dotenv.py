from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.base.setting_values import Entry, read_dotenv

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,12}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_characters="\r\n\0", exclude_categories=["Cs"]), max_size=30)


def written(folder: Path, text: str) -> Path:
    path = folder / ".env"
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("A=b", "b"),
        ("A = b ", "b"),
        ("export A=b", "b"),
        ("A=", ""),
        ("A= # a comment, so nothing is given", ""),
        ("A=#b", "#b"),
        ("A=b # comment", "b"),
        ("A=b#c", "b#c"),
        ("A='b # c' # comment", "b # c"),
        ('A="b c"', "b c"),
        ("A='b\"c'", 'b"c'),
        ("A=b=c", "b=c"),
        ("  A=b", "b"),
        ("A=''", ""),
    ],
)
def test_a_line_gives_its_value(tmp_path: Path, line: str, value: str) -> None:
    assert read_dotenv(written(tmp_path, f"{line}\n")) == [Entry("A", value, 1)]


def test_comments_blank_lines_and_windows_line_ends_count_as_lines(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeff# first\r\n\r\nA=1\r\nB=2\r\n")
    assert read_dotenv(path) == [Entry("A", "1", 3), Entry("B", "2", 4)]


def test_a_missing_file_has_no_entries(tmp_path: Path) -> None:
    assert read_dotenv(tmp_path / ".env") == []


@pytest.mark.parametrize("line", ["sk-ant-half-a-key", "1A=b", "=b", "A B=c", "export"])
def test_a_line_that_assigns_nothing_is_named_but_not_shown(tmp_path: Path, line: str) -> None:
    path = written(tmp_path, f"A=1\n{line}\n")
    with pytest.raises(BadInput) as caught:
        read_dotenv(path)
    assert caught.value.message == f"{path}:2: this line is not `NAME=value`"


@pytest.mark.parametrize("line", ["A='b", 'A="b', "A='b' c", "A='"])
def test_an_open_quote_is_named_with_its_line(tmp_path: Path, line: str) -> None:
    path = written(tmp_path, f"\n{line}\n")
    with pytest.raises(BadInput) as caught:
        read_dotenv(path)
    assert caught.value.message.startswith(f"{path}:2: the quote ")


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.write_bytes(b"A=\xff")])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, make) -> None:
    make(tmp_path / ".env")
    with pytest.raises(BadInput, match=r"\.env` cannot be read"):
        read_dotenv(tmp_path / ".env")


@given(values=st.lists(st.tuples(NAMES, TEXTS, st.sampled_from("'\""))))
def test_quoted_values_are_read_back_as_they_are(tmp_path: Path, values) -> None:
    values = [(name, text.replace(quote, ""), quote) for name, text, quote in values]
    lines = [f"{name}={quote}{text}{quote}" for name, text, quote in values]
    read = read_dotenv(written(tmp_path, "\n".join(lines)))
    assert read == [Entry(name, text, i) for i, (name, text, _) in enumerate(values, 1)]


@given(text=st.text(max_size=80))
def test_any_text_is_read_or_refused_with_a_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / ".env"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    refusal, entries = None, []
    try:
        entries = read_dotenv(path)
    except BadInput as error:
        refusal = error.message
    assert refusal is None or refusal.startswith((f"{path}:", f"`{path}` cannot be read"))
    assert all(entry.name and entry.line >= 1 for entry in entries)
