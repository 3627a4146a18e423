"""Reading filled-in worksheets of a handout from files, each as well as it can be read.

A file is a worksheet, or a response file with lines such as `1.2: a for loop`. What is wrong with
one is said with its file and line, and the others are taken all the same.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from paige.base.errors import BadInput, NotFound, PaigeError
from paige.exercise.response import looks_like_response, read_response
from paige.exercise.worksheet.key import parse_key
from paige.exercise.worksheet.lines import decode
from paige.exercise.worksheet.parse import looks_like_worksheet, parse_worksheet
from paige.exercise.worksheet.values import Worksheet
from paige.plan.handout.values import Given, Handout, check_answers, file_mark, token_in

MOST_FILES = 500
MOST_BYTES = 256 * 1024
ENDINGS = (".md", ".markdown", ".txt")


@dataclass(frozen=True, slots=True)
class FileProblem:
    """What is wrong with a file: where, what, and what to do; `taken` when it counts anyway."""

    file: str
    line: int
    message: str
    fix: str = ""
    taken: bool = False

    def __str__(self) -> str:
        said = f"{self.file}:{self.line}: {self.message}."
        return f"{said} {self.fix}".strip()


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The answers of one file; `mark` is a token, or stands for the file."""

    file: str
    mark: str
    has_token: bool
    answers: Given


def list_files(folder: Path) -> list[Path]:
    """The files of a folder and the folders in it. Raises: NotFound, BadInput."""
    if not folder.is_dir():
        raise NotFound(
            f"There is no folder `{folder}`", hint="Name the folder with the worksheets."
        )
    found = sorted(_walk(folder))
    if not found:
        raise BadInput(
            f"`{folder}` has no worksheets in it",
            hint="They end with `.md`, `.markdown` or `.txt`.",
        )
    if len(found) > MOST_FILES:
        raise BadInput(
            f"`{folder}` has {len(found)} files; {MOST_FILES} are the most at once",
            hint="Split the folder.",
        )
    return found


def read_files(
    handout: Handout, worksheet: Worksheet, folder: Path, tokens: Sequence[str]
) -> tuple[list[ReadFile], list[FileProblem]]:
    """Everything in a folder that can be taken, and what is wrong. Raises: NotFound, BadInput."""
    read: dict[str, ReadFile] = {}
    problems: list[FileProblem] = []
    for path in list_files(folder):
        name = path.relative_to(folder).as_posix()
        try:
            text = _text(path)
            found, wrong = read_answers(handout, worksheet, name, text, tokens)
        except PaigeError as error:
            problems.append(FileProblem(name, 1, error.message, error.hint or ""))
            continue
        problems += wrong
        if found is None:
            continue
        if found.mark in read:
            other = read[found.mark].file
            message = f"its token `{found.mark}` is that of `{other}` too, which was taken"
            problems.append(FileProblem(name, 1, message, "Keep one of the two."))
            continue
        read[found.mark] = found
    return list(read.values()), problems


def read_answers(
    handout: Handout, worksheet: Worksheet, name: str, text: str, tokens: Sequence[str]
) -> tuple[ReadFile | None, list[FileProblem]]:
    """The answers in one text, and what is wrong with it. Raises: BadInput."""
    token = token_in(name, tokens) or token_in(text, tokens)
    if looks_like_response(text) and not looks_like_worksheet(text):
        given, problems = _of_response(worksheet, name, text)
    else:
        given, problems = _of_worksheet(worksheet, name, text)
    answers = check_answers(worksheet, given)
    if not answers:
        first = problems[0] if problems else FileProblem(name, 1, "no answer was found in it")
        fix = first.fix or f"It should be the worksheet “{handout.title}”, filled in."
        return None, [FileProblem(name, first.line, first.message, fix)]
    mark = token or file_mark(handout.salt, name)
    taken = [FileProblem(each.file, each.line, each.message, each.fix, True) for each in problems]
    return ReadFile(name, mark, token is not None, answers), taken


def _of_worksheet(
    worksheet: Worksheet, name: str, text: str
) -> tuple[dict[str, tuple[str, ...]], list[FileProblem]]:
    completed = parse_worksheet(text, template=worksheet)
    given = {each.question: each.parts for each in completed.answers.values() if each.answered}
    problems = [FileProblem(name, each.line, each.message, each.fix) for each in completed.problems]
    problems += [
        FileProblem(name, each.line, f"`{each.text[:80]}` was not counted as an answer")
        for each in completed.stray
    ]
    return given, problems


def _of_response(
    worksheet: Worksheet, name: str, text: str
) -> tuple[dict[str, tuple[str, ...]], list[FileProblem]]:
    written = read_response(text)
    if written.empty:
        return {}, [FileProblem(name, max(1, written.line), "nothing is written in it")]
    [*several] = worksheet.questions
    lines = written.text.split("\n")
    start = max(1, written.line)
    found = parse_key(enumerate(lines, start))
    if not found.answers and len(several) == 1:
        return {several[0].id: (written.text,)}, []
    known = {each.id: each.blanks for each in several}
    given = {id: _parts(answer, known[id]) for id, answer in found.answers.items() if id in known}
    problems = [
        FileProblem(name, line, f"`{odd[:80]}` says no question", "Write `1.2: your answer`.")
        for line, odd in found.odd
    ]
    problems += [
        FileProblem(name, start, f"there is no question {id}")
        for id in found.answers
        if id not in known
    ]
    return given, problems


def _parts(answer: str, blanks: int) -> tuple[str, ...]:
    parts = tuple(each.strip() for each in answer.split(";"))
    return parts if blanks > 1 and len(parts) == blanks else (answer,)


def _text(path: Path) -> str:
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise BadInput(f"it has {size} bytes; {MOST_BYTES} are the most")
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"it cannot be read: {error.strerror}") from error
    if b"\0" in data and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadInput("it is not a text", hint="Save it as markdown or plain text.")
    return decode(data)


def _walk(folder: Path) -> Iterator[Path]:
    """Plain files with a known ending, hidden ones and links left out."""
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in names:
            path = Path(root) / name
            if name.startswith(".") or not name.lower().endswith(ENDINGS):
                continue
            if path.is_file() and not path.is_symlink():
                yield path
