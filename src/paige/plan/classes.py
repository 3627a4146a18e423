"""Class profiles: what a teacher writes about a class, read with forgiveness.

A profile is markdown with front matter. Whatever can be read is used; whatever cannot is a problem
with its line and what to change, and never takes the rest of the file with it.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple, TypedDict

from paige.base.errors import BadInput, PaigeError
from paige.language.front_matter import FrontMatter, Value, read_front_matter
from paige.plan.curriculum.front import place_of
from paige.plan.curriculum.values import WorkspaceProblem

FOLDER = "classes"
KEYS = (
    "class",
    "year",
    "subject",
    "also",
    "curriculum",
    "level",
    "size",
    "minutes",
    "reading_age",
)
LEVELS = ("Early", "First", "Second", "Third", "Fourth", "Senior")
MINUTES = 50
"""How long a lesson is when a profile does not say."""
_LIMITS = {"size": (1, 100), "minutes": (5, 300), "reading_age": (4, 18)}
_YEAR = re.compile(r"(?P<stage>[PS])\s*(?P<number>[1-7])", re.I)
_AGE_BEFORE = {"P": 4, "S": 11}  # of the youngest in the year before the first
_HEADING = re.compile(r" {0,3}##(?!#)\s++(?P<title>[^\s#]*+(?:[\s#]++(?!$)[^\s#]++)*+)[\s#]*+$")
_ASIDE = re.compile(r" {0,3}(?:#(?!#)|<!--.*-->\s*$)")  # the title, or a note to whoever edits
_ITEM = re.compile(r"\s{0,3}[-*+]\s+(?P<text>.*\S)")
_NEED = re.compile(r"(?P<kind>[^:(]{1,40}?)\s*+(?:\((?P<about>[^)]*+)\)\s*+)?:\s*+(?P<what>.*\S)")
_PUPILS = re.compile(r"\b(\d{1,3})\b")
_MOST_FAULTS = 20
_SECTIONS = {
    "ability": "ability",
    "needs": "needs",
    "what works": "works",
    "taught so far": "taught",
}


@dataclass(frozen=True, slots=True)
class Need:
    """What some pupils of a class need: `EAL (2 pupils, Ukrainian): flowcharts before code`."""

    kind: str
    what: str
    about: str = ""
    pupils: int | None = None
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassProfile:
    """One class. What its file does not say is empty; `problems` say what it says wrongly."""

    id: str
    path: str
    year: str = ""
    subject: str = ""
    also: tuple[str, ...] = ()  # further subjects that the same teacher takes with this class
    curriculum: tuple[str, ...] = ()  # names of curriculum files, without `.md`
    level: str = ""
    size: int | None = None
    minutes: int = MINUTES
    reading_age: int | None = None
    ability: str = ""
    needs: tuple[Need, ...] = ()
    works: tuple[str, ...] = ()
    taught: tuple[str, ...] = ()
    problems: tuple[WorkspaceProblem, ...] = ()

    @property
    def age(self) -> int | None:
        """How old the youngest in the class may be: S1 begins at 11, P1 at 4."""
        return age_of_year(self.year)


def age_of_year(year: str) -> int | None:
    """The age of the youngest in a year such as `S3` or `P7`; nothing for another text."""
    found = _YEAR.search(year)
    if found is None:
        return None
    stage, number = found["stage"].upper(), int(found["number"])
    return None if stage == "S" and number > 6 else _AGE_BEFORE[stage] + number - 1


def class_path(class_id: str) -> str:
    """Where the profile of a class is."""
    return f"{FOLDER}/{class_id}.md"


def read_class(text: str, path: str) -> ClassProfile:
    """Read a profile; what is wrong with it is in its problems."""
    name = PurePosixPath(path).stem
    body = _body(text, path)
    front, faults = _front(text, path)
    keys = _Keys(front, path)
    return ClassProfile(
        id=keys.identity(name),
        path=path,
        year=keys.year(),
        subject=keys.text("subject"),
        also=keys.texts("also"),
        curriculum=keys.names("curriculum"),
        level=keys.level(),
        size=keys.number("size"),
        minutes=keys.number("minutes") or MINUTES,
        reading_age=keys.number("reading_age"),
        problems=tuple(
            sorted((*faults, *keys.problems, *body.problems), key=lambda each: each.line)
        ),
        **body.parts,
    )


def unreadable_class(path: str, error: PaigeError) -> ClassProfile:
    """The profile of a class whose file is no text: its name, and what is wrong."""
    return ClassProfile(id=PurePosixPath(path).stem, path=path, problems=(_placed(error, path),))


def _front(text: str, path: str) -> tuple[FrontMatter, list[WorkspaceProblem]]:
    """The front matter without the lines that cannot be read, and those lines as problems."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    problems: list[WorkspaceProblem] = []
    while len(problems) < _MOST_FAULTS:
        try:
            return read_front_matter("\n".join(lines), path), problems
        except BadInput as error:
            problem = _placed(error, path)
            problems.append(problem)
            line = problem.line - 1
            if line == 0 or not lines[line].strip():  # it has no beginning or no end
                break
            lines[line] = ""
    return FrontMatter({}, text, path), problems


class _Parts(TypedDict):
    """What stands below the front matter."""

    ability: str
    needs: tuple[Need, ...]
    works: tuple[str, ...]
    taught: tuple[str, ...]


class _Body(NamedTuple):
    parts: _Parts
    problems: list[WorkspaceProblem]


@dataclass(slots=True)
class _Keys:
    """The front matter of one profile, read key by key; what is wrong is collected."""

    front: FrontMatter
    path: str
    problems: list[WorkspaceProblem] = field(default_factory=list)

    def __post_init__(self) -> None:
        for key in self.front.values:
            if key not in KEYS:
                close = difflib.get_close_matches(key, KEYS, n=1)
                fix = f"Did you mean `{close[0]}`?" if close else "Remove it, or write it below."
                self.wrong(key, f"the key `{key}` means nothing in a class profile", fix)

    def wrong(self, key: str, message: str, fix: str) -> None:
        """Note a problem at the line of a key."""
        self.problems.append(
            WorkspaceProblem(self.path, self.front.lines.get(key, 1), message, fix)
        )

    def identity(self, name: str) -> str:
        """The class is named by its file; a key may only repeat it."""
        given = self.text("class")
        if given and given.casefold() != name.casefold():
            message = f"`class` is `{given}`, but the file is `{name}.md`"
            self.wrong("class", message, f"Write `class: {name}`, or rename the file.")
        return name

    def text(self, key: str) -> str:
        """A text; a number is taken as one."""
        value = self._value(key)
        if value is None or isinstance(value, list | dict | bool):
            if value is not None:
                self.wrong(key, f"`{key}` is not a text", f"Write it on one line: `{key}: …`.")
            return ""
        return " ".join(str(value).split())

    def texts(self, key: str) -> tuple[str, ...]:
        """One text, or a list of them."""
        value = self._value(key)
        items = value if isinstance(value, list) else [] if value is None else [value]
        texts = [" ".join(item.split()) for item in items if isinstance(item, str) and item.strip()]
        if len(texts) < len(items):
            fix = f"Write one, or a list: `{key}: [one, two]`."
            self.wrong(key, f"`{key}` holds something that is no text", fix)
        return tuple(dict.fromkeys(texts))

    def names(self, key: str) -> tuple[str, ...]:
        """Names of files, without `.md` and folder."""
        stems = (PurePosixPath(item).name.removesuffix(".md") for item in self.texts(key))
        return tuple(dict.fromkeys(stem for stem in stems if stem))

    def number(self, key: str) -> int | None:
        """A whole number inside its limits."""
        value = self._value(key)
        if value is None:
            return None
        least, most = _LIMITS[key]
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            fix = f"Write a whole number from {least} to {most}."
            self.wrong(key, f"`{key}` is `{value}`", fix)
            return None
        return value

    def year(self) -> str:
        """The year group."""
        given = self.text("year")
        if given and age_of_year(given) is None:
            self.wrong("year", f"`year` is `{given}`", "Write P1 to P7 or S1 to S6.")
        return given

    def level(self) -> str:
        """The level as the curriculum names it."""
        given = self.text("level")
        if not given:
            return ""
        word = given.split()[0].capitalize()
        if word not in LEVELS:
            self.wrong("level", f"`level` is `{given}`", f"Choose one of {', '.join(LEVELS)}.")
            return ""
        return word

    def _value(self, key: str) -> Value:
        values: Mapping[str, Value] = self.front.values
        return values.get(key)


def _body(text: str, path: str) -> _Body:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    found: dict[str, list[tuple[int, str]]] = {
        "ability": [],
        "needs": [],
        "works": [],
        "taught": [],
    }
    begin = _after_front(lines)
    opening: list[tuple[int, str]] = []  # what stands above the first section
    here: list[tuple[int, str]] | None = opening if begin or not _is_fence(lines[0]) else None
    for number, line in enumerate(lines[begin:], begin + 1):
        if heading := _HEADING.match(line):
            here = found.get(_SECTIONS.get(heading["title"].casefold(), ""))
        elif here is not None and not _ASIDE.match(line):
            here.append((number, line))
    problems: list[WorkspaceProblem] = []
    needs = tuple(_need(number, item, path, problems) for number, item in _items(found["needs"]))
    parts = _Parts(
        ability=_joined(found["ability"]) or _joined(opening),
        needs=needs,
        works=tuple(item for _, item in _items(found["works"])),
        taught=tuple(item for _, item in _items(found["taught"])),
    )
    return _Body(parts, problems)


def _joined(lines: list[tuple[int, str]]) -> str:
    return "\n".join(line for _, line in lines).strip()


def _after_front(lines: list[str]) -> int:
    """How many lines the front matter takes, closed or not."""
    if not _is_fence(lines[0]):
        return 0
    ends = (at for at, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "..."))
    return next(ends, -1) + 1


def _is_fence(line: str) -> bool:
    return line.rstrip() == "---"


def _items(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The items of a list, each with its line; a line that goes on belongs to the item above."""
    open_item: tuple[int, str] | None = None
    for number, line in lines:
        if item := _ITEM.match(line):
            if open_item:
                yield open_item
            open_item = (number, item["text"])
        elif open_item and line.strip():
            open_item = (open_item[0], f"{open_item[1]} {line.strip()}")
    if open_item:
        yield open_item


def _need(number: int, item: str, path: str, problems: list[WorkspaceProblem]) -> Need:
    found = _NEED.fullmatch(item)
    if found is None:
        fix = "Write `- EAL (2 pupils): what helps them`."
        problems.append(
            WorkspaceProblem(path, number, f"`{item[:60]}` does not say who needs it", fix)
        )
        return Need("", item, line=number)
    about = found["about"] or ""
    pupils = _PUPILS.search(about)
    return Need(
        kind=found["kind"].strip(" *"),
        what=found["what"],
        about=about,
        pupils=int(pupils[1]) if pupils else None,
        line=number,
    )


def _placed(error: PaigeError, path: str) -> WorkspaceProblem:
    """A fault of whoever read the file as a problem."""
    line, message = place_of(error)
    return WorkspaceProblem(path, line, message, error.hint or "Look at this line.")
