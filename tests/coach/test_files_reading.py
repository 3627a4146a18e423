"""Reading files: text, language, lines, encodings, and what is no text."""

import codecs
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput, NotFound
from paige.coach.files.languages import has_binary_name, language_of, listed
from paige.coach.files.project import ProjectFiles
from paige.coach.files.text_files import MAX_BYTES, TextFormat, count_lines, decode, newline_of
from paige.coach.files.values import CoachFile


def test_a_file_comes_with_its_text_its_language_and_its_lines(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one\ntwo\n")
    assert ProjectFiles(tmp_path).read("./a.py") == CoachFile(
        path="a.py", content="one\ntwo\n", language="python", line_count=2, binary=False, size=8
    )


def test_a_missing_file_is_not_found_and_named(tmp_path: Path) -> None:
    for path in ("gone.py", "gone/deep/a.py"):
        with pytest.raises(NotFound, match=f"There is no file `{path}` in the project"):
            ProjectFiles(tmp_path).read(path)


@pytest.mark.parametrize(
    ("text", "lines"), [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2), ("a\r\nb\r\n", 2)]
)
def test_lines_are_counted_as_people_do(text: str, lines: int) -> None:
    assert count_lines(text) == lines


def test_the_text_comes_as_it_is_on_the_disk(tmp_path: Path) -> None:
    (tmp_path / "mixed.txt").write_bytes("ä\r\nb\nc\rd\x0c\u2028e".encode())
    assert ProjectFiles(tmp_path).read("mixed.txt").content == "ä\r\nb\nc\rd\x0c\u2028e"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (codecs.BOM_UTF8 + b"x = 1\n", "x = 1\n"),
        (codecs.BOM_UTF16_LE + "h\u00e9\n".encode("utf-16-le"), "hé\n"),
        (codecs.BOM_UTF16_BE + "hé\n".encode("utf-16-be"), "hé\n"),
        (codecs.BOM_UTF8, ""),
        (b"", ""),
    ],
)
def test_a_byte_order_mark_is_understood_and_not_part_of_the_text(
    tmp_path: Path, data: bytes, text: str
) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    content = ProjectFiles(tmp_path).read("a.txt")
    assert (content.content, content.binary) == (text, False)


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0",
        b"text with a \0 in it",
        "café".encode("latin-1"),
        b"\xff\xfe\x00\xd8",  # UTF-16 with half of a character
        codecs.BOM_UTF32_LE + "x".encode("utf-32-le"),
        b"\xed\xa0\x80",
        b"\x80abc",
    ],
)
def test_what_is_no_text_comes_flagged_and_empty(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "thing").write_bytes(data)
    content = ProjectFiles(tmp_path).read("thing")
    assert (content.binary, content.content, content.line_count) == (True, "", 0)
    assert content.size == len(data)


@pytest.mark.parametrize("name", ["logo.png", "a.PDF", "lib.so", "data.sqlite", "x.tar.gz"])
def test_a_binary_file_is_told_by_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("looks like text")
    content = ProjectFiles(tmp_path).read(name)
    assert (content.binary, content.content) == (True, "")


@pytest.mark.parametrize("name", ["a.svg", "a.ts", "png", "Makefile", ".env", "a.lock"])
def test_text_files_do_not_have_binary_names(name: str) -> None:
    assert not has_binary_name(name)


def test_a_file_of_ten_mebibytes_is_read_and_a_larger_one_refused(tmp_path: Path) -> None:
    (tmp_path / "large.txt").write_bytes(b"x" * MAX_BYTES)
    (tmp_path / "larger.txt").write_bytes(b"x" * (MAX_BYTES + 1))
    files = ProjectFiles(tmp_path)
    assert files.read("large.txt").size == MAX_BYTES
    with pytest.raises(BadInput, match=r"`larger.txt` has 10485761 bytes.*10 MiB"):
        files.read("larger.txt")


def test_a_huge_file_is_refused_without_reading_it(tmp_path: Path) -> None:
    with open(tmp_path / "huge.txt", "wb") as file:
        file.truncate(2**40)
    with pytest.raises(BadInput, match="10 MiB"):
        ProjectFiles(tmp_path).read("huge.txt")
    with open(tmp_path / "huge.iso", "wb") as file:
        file.truncate(2**40)
    assert ProjectFiles(tmp_path).read("huge.iso").binary


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.py", "python"),
        ("a.TSX", "typescriptreact"),
        ("a.ts", "typescript"),
        ("a.d.ts", "typescript"),
        ("Dockerfile", "dockerfile"),
        ("Dockerfile.dev", "dockerfile"),
        ("Makefile", "makefile"),
        ("CMakeLists.txt", "cmake"),
        (".gitignore", "ignore"),
        (".env.local", "dotenv"),
        ("tsconfig.json", "jsonc"),
        ("package.json", "json"),
        ("go.mod", "go"),
        ("a.c++", "cpp"),
        ("notes", "plaintext"),
        ("a.unknown", "plaintext"),
        (".bashrc", "shellscript"),
        ("README.md", "markdown"),
    ],
)
def test_the_language_is_told_by_the_name(name: str, language: str) -> None:
    assert language_of(name) == language


def test_many_languages_are_known() -> None:
    assert len(listed("endings")) >= 60
    assert len({*listed("endings").values(), *listed("names").values()}) >= 60


@given(st.text(), st.sampled_from(["utf-8", "utf-16-le", "utf-16-be"]))
def test_a_text_survives_decoding_and_encoding(text: str, encoding: str) -> None:
    marks = {
        "utf-8": codecs.BOM_UTF8,
        "utf-16-le": codecs.BOM_UTF16_LE,
        "utf-16-be": codecs.BOM_UTF16_BE,
    }
    data = marks[encoding] + text.encode(encoding, "surrogatepass")
    decoded = decode(data)
    if decoded is not None and newline_of(decoded.text) == decoded.format.newline is None:
        assert decoded.format.encode(decoded.text) == data or "\ufeff" in text[:1]


@given(
    st.lists(st.sampled_from(["a", "\n", "\r\n", "b"])).map("".join),
    st.sampled_from(["\n", "\r\n"]),
)
def test_applying_line_ends_changes_nothing_else(text: str, newline: str) -> None:
    form = TextFormat("utf-8", b"", newline)
    applied = form.apply(text)
    assert applied.replace("\r\n", "\n") == text.replace("\r\n", "\n")
    assert applied.count(newline) == text.count("\n")
    assert form.apply(applied) == applied
    assert TextFormat("utf-8", b"", None).apply(text) == text
