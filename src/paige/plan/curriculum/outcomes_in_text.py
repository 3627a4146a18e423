"""Finds outcomes in the text of a document: a code of Curriculum for Excellence and its statement.

Official tables put the code below the statement, lists put it before. Which of the two a document
does is seen from its lines. The words come out of a file by machine, so every row gets the grade
B- until a person has compared it with the document.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from paige.plan.curriculum.codes import CODE_IN_TEXT, clean, is_cfe_code, level_of, normal_code
from paige.plan.curriculum.values import Grade, Outcome, Problem

LEAST_WORDS = 3
_CODE = re.compile(rf"(?<![A-Za-z0-9])(?P<code>{CODE_IN_TEXT})(?![A-Za-z0-9])", re.I)
_HEADING = re.compile(r"#{1,6}\s+(?P<title>.*\S)")
_LEVEL = re.compile(r"(?:early|first|second|third|fourth)\s+level\b", re.I)
_BEGINS = re.compile(r"(?:I|My|When|While|Having|Through|By|As|To|Using|Working|In)\b")
_EDGES = " \t|:;,-/()[]"
_AREA_SUBJECTS = {
    "TCH": "Technologies",
    "MNU": "Numeracy",
    "MTH": "Mathematics",
    "LIT": "Literacy",
    "ENG": "English",
    "MLAN": "Modern Languages",
    "SOC": "Social Studies",
    "SCN": "Sciences",
    "HWB": "Health and Wellbeing",
    "EXA": "Expressive Arts",
    "RME": "Religious and Moral Education",
}


@dataclass(frozen=True, slots=True)
class _Mention:
    code: str
    line: int
    before: str
    after: str
    organiser: str


def find_outcomes(
    lines: Sequence[str], path: str, *, subject: str, edition: str, grade: Grade = "B-"
) -> tuple[list[Outcome], list[Problem]]:
    """The outcomes of a document, and the codes whose statement was not found."""
    plain = clean("\n".join(lines)).split("\n")
    mentions = list(_mentions(plain))
    after = sum(_enough(each.after) for each in mentions)
    led = after > 0 and after >= sum(_enough(each.before) for each in mentions)
    found: dict[str, Outcome] = {}
    problems: list[Problem] = []
    for at, mention in enumerate(mentions):
        words = _following(plain, mentions, at) if led else _preceding(plain, mentions, at)
        old = found.get(mention.code)
        if not _enough(words):
            if old is None:
                said = f"{mention.code} is named, but no statement was found beside it."
                problems.append(Problem(path, mention.line + 1, said))
            continue
        if old is None:
            found[mention.code] = _outcome(mention, words, path, subject, edition)
        elif words.casefold() != old.about.casefold():
            said = f"{mention.code} has a second statement; the first was taken."
            problems.append(Problem(path, mention.line + 1, said, "Compare them."))
    kept = [each for each in problems if not _settled(each, found)]
    return [replace(each, grade=grade) for each in found.values()], kept


def subject_of(outcomes: Sequence[str]) -> str:
    """The subject that most codes belong to."""
    areas = [code.split()[0] for code in outcomes]
    most = max(dict.fromkeys(areas), key=areas.count, default="")
    return _AREA_SUBJECTS.get(most, "")


def _mentions(lines: Sequence[str]) -> Iterator[_Mention]:
    organiser = ""
    for number, line in enumerate(lines):
        if heading := _HEADING.match(line):
            title = heading["title"]
            organiser = organiser if _LEVEL.search(title) or _CODE.search(title) else title
        matches = [each for each in _CODE.finditer(line) if is_cfe_code(each["code"])]
        ends = [each.start() for each in matches[1:]] + [len(line)]
        start = 0
        for match, end in zip(matches, ends, strict=False):  # without a code there is one end
            before, after = line[start : match.start()], line[match.end() : end]
            start = match.end()
            code = normal_code(match["code"])
            yield _Mention(code, number, before.strip(_EDGES), after.strip(_EDGES), organiser)


def _following(lines: Sequence[str], mentions: Sequence[_Mention], at: int) -> str:
    """The words after a code: the rest of its line and the lines that carry it on."""
    mention = mentions[at]
    parts = [mention.after]
    last = next((each.line for each in mentions[at + 1 :] if each.line > mention.line), len(lines))
    alone = at + 1 >= len(mentions) or mentions[at + 1].line > mention.line
    for line in lines[mention.line + 1 : last] if alone else ():
        if not line.strip() and not any(parts):
            continue
        if _ends(line):
            break
        parts.append(line.strip(_EDGES))
    return " ".join(" ".join(parts).split())


def _preceding(lines: Sequence[str], mentions: Sequence[_Mention], at: int) -> str:
    """The words before a code: up to the code or the empty line above."""
    mention = mentions[at]
    parts = [mention.before]
    above = max((each.line for each in mentions[:at]), default=-1)
    if above < mention.line:
        for line in reversed(lines[above + 1 : mention.line]):
            if not line.strip() and not any(parts):
                continue
            if _ends(line):
                break
            parts.append(line.strip(_EDGES))
    return " ".join(" ".join(_without_titles(parts[::-1])).split())


def _without_titles(lines: list[str]) -> list[str]:
    """The lines of a statement without titles above it: the text of a PDF has no empty lines."""
    while len(lines) > 1 and _is_title(lines[0], lines[1]):
        lines = lines[1:]
    return lines


def _is_title(line: str, after: str) -> bool:
    short = len(line.split()) <= 8 and not line.endswith((".", ",", ";", ":"))
    return short and not _BEGINS.match(line) and after[:1].isupper()


def _ends(line: str) -> bool:
    """Whether a line belongs to something else: empty, a heading, an item of its own."""
    return not line.strip() or bool(_HEADING.match(line)) or line.lstrip()[:2] in ("- ", "* ")


def _enough(words: str) -> bool:
    return len(words.split()) >= LEAST_WORDS


def _outcome(mention: _Mention, words: str, path: str, subject: str, edition: str) -> Outcome:
    return Outcome(
        code=mention.code,
        about=words,
        subject=subject,
        level=level_of(mention.code) or "",
        organiser=mention.organiser,
        grade="B-",
        edition=edition,
        path=path,
        start=mention.line + 1,
        end=mention.line + 1,
        about_end=mention.line + 1,
    )


def _settled(problem: Problem, found: dict[str, Outcome]) -> bool:
    """Whether a code without a statement got one elsewhere in the document."""
    missing = problem.message.endswith("no statement was found beside it.")
    return missing and problem.message.split(" is named,")[0] in found
