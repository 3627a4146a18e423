"""What the memory of a class keeps of a worksheet: counts in sentences, and reading them back.

A note says which worksheet it comes from, what so many of so many got wrong, and how. It names
nobody and no token. Local rules read the sentences back and take the questions up again.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from paige.exercise.worksheet.values import Worksheet
from paige.language.names.gate import NameGate
from paige.plan.handout.counts import FEWEST, Counts, HandoutError
from paige.plan.handout.values import Handout
from paige.plan.lessons.text import one_line, shortened

MOST_ERRORS = 3
MOST_SECURE = 2
SECURE = 0.8
LONGEST_QUESTION = 160
LONGEST_ANSWER = 60
NO_SUBJECT = "lesson"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_SIGNS = re.compile(r"[\"“”]+|<!--|-->")
_HEAD = (
    r"In the (?:(?P<subject>[^“”()]{1,60}) )?worksheet of "
    r"(?P<day>\d{1,2}) (?P<month>[A-Z][a-z]{2}) (?P<year>\d{4}) \(handout (?P<handout>[\w-]+)\) "
)
_ERROR = re.compile(
    rf"{_HEAD}(?P<count>\d+) of (?P<total>\d+) got “(?P<asked>[^“”]+)” wrong"
    r"(?:, (?P<same>\d+) with “(?P<answer>[^“”]+)”)?\. Right: “(?P<right>[^“”]+)”\."
)
_ANY = re.compile(_HEAD)


@dataclass(frozen=True, slots=True)
class WorksheetNote:
    """What a class got wrong in a worksheet, as its memory says it."""

    day: date
    handout: str
    subject: str
    count: int
    total: int
    asked: str
    right: str
    answer: str = ""
    same: int = 0

    @property
    def source(self) -> str:
        """Where it comes from, in words."""
        return f"the worksheet of {spoken_day(self.day)} (handout {self.handout})"


def spoken_day(day: date) -> str:
    """Such as `12 Nov 2026`."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def subject_of(worksheet: Worksheet) -> str:
    """The subject of a worksheet in words, empty when it says none."""
    words = plain(worksheet.course.replace("-", " "), 60).replace("(", "").replace(")", "").lower()
    return "" if words == NO_SUBJECT else words


def notes_of(
    handout: Handout, worksheet: Worksheet, counts: Counts, names: NameGate
) -> tuple[str, ...]:
    """The sentences to propose for the memory of the class; nothing when nobody handed in."""
    if not counts.handed_in:
        return ()
    head = _head(handout, subject_of(worksheet))
    lines = [f"{head}{_overall(counts)}{_secure(counts, names)}"]
    for error in counts.errors if counts.enough else ():
        line = _error(head, counts, error, names)
        if line and len(lines) <= MOST_ERRORS:
            lines.append(line)
    return tuple(lines)


def read_note(text: str) -> WorksheetNote | None:
    """An error of a class that a line of memory tells of, or nothing."""
    found = _ERROR.fullmatch(text.strip())
    if found is None or (day := _date(found)) is None:
        return None
    return WorksheetNote(
        day=day,
        handout=found["handout"],
        subject=found["subject"] or "",
        count=int(found["count"]),
        total=int(found["total"]),
        asked=found["asked"],
        right=found["right"],
        answer=found["answer"] or "",
        same=int(found["same"] or 0),
    )


def is_about_worksheet(text: str) -> bool:
    """Whether a line of memory tells of a worksheet."""
    return _ANY.match(text.strip()) is not None


def newest_first(lines: Iterable[str]) -> list[str]:
    """Lines about worksheets, the latest worksheet first, in their order otherwise."""
    return sorted((each for each in lines if is_about_worksheet(each)), key=_day, reverse=True)


def to_take_up(lines: Iterable[str], subject: str) -> tuple[WorksheetNote, ...]:
    """What the newest worksheet of a subject showed; any subject when none is said."""
    notes = [note for each in lines if (note := read_note(each)) is not None]
    wanted = " ".join(re.sub(r"[^\w]+", " ", subject.lower()).split())
    own = [each for each in notes if not wanted or not each.subject or each.subject == wanted]
    own = [each for each in own if not each.asked.endswith("…")]  # half a question asks nothing
    if not own:
        return ()
    latest = max(own, key=lambda each: each.day)
    found = [each for each in own if each.handout == latest.handout]
    return tuple(sorted(found, key=lambda each: -each.count))


def plain(text: str, longest: int) -> str:
    """A text that can stand between quotation marks in one line of memory."""
    return shortened(one_line(_SIGNS.sub(" ", text)), longest).strip()


def _head(handout: Handout, subject: str) -> str:
    about = f"{subject} " if subject else ""
    day = spoken_day(handout.created_at.date())
    return f"In the {about}worksheet of {day} (handout {handout.id}) "


def _overall(counts: Counts) -> str:
    share = round(counts.share * 100)
    return f"{counts.handed_in} of {counts.tokens} answered, and {share}% was right."


def _secure(counts: Counts, names: NameGate) -> str:
    """What most could do."""
    most = sorted(counts.questions, key=lambda each: -each.right)
    stems = [
        f"“{stem}”"
        for each in most
        if each.right >= max(FEWEST, SECURE * counts.handed_in)
        and (stem := plain(each.asked, LONGEST_ANSWER))
        and not names.find(stem)
    ]
    return f" Most could do: {'; '.join(stems[:MOST_SECURE])}." if stems else ""


def _error(head: str, counts: Counts, error: HandoutError, names: NameGate) -> str:
    """The sentence about an error; empty when it would name somebody."""
    asked, right = plain(error.asked, LONGEST_QUESTION), plain(error.right, LONGEST_ANSWER)
    if not asked or not right or names.find(f"{asked} {right}"):
        return ""
    answer = plain(error.answer or "", LONGEST_ANSWER) if error.same >= FEWEST else ""
    told = "" if not answer or names.find(answer) else f", {error.same} with “{answer}”"
    count = f"{error.count} of {counts.handed_in}"
    return f"{head}{count} got “{asked}” wrong{told}. Right: “{right}”."


def _day(line: str) -> date:
    found = _ANY.match(line.strip())
    assert found is not None
    return _date(found) or date.min


def _date(found: re.Match[str]) -> date | None:
    try:
        return date(int(found["year"]), _MONTHS.index(found["month"]) + 1, int(found["day"]))
    except ValueError:
        return None
