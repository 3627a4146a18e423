"""Whether a text fits a class: its form, what it speaks of, and how hard it is to read.

A lesson that has not the sections of one cannot be judged and has failed. Everything else is judged
by rules: topics by the age of the class, reading by the class's reading age. The topics are data
(`shipped/plan/sensitive.toml`). One that a class is too young for is a fault; one it is old enough
for comes with a line for the teacher.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from paige.base.paths import shipped
from paige.language.words import sentences as sentences_of
from paige.language.words import words as words_of
from paige.plan.classes import ClassProfile
from paige.plan.lessons.faults import faults_in
from paige.plan.lessons.parser import missing_sections
from paige.plan.lessons.sections import MESSAGE, SectionText, open_titles, sections
from paige.plan.products import KEY, Product, parts_of

NEVER = 99
DEFAULT_AGE = 11
"""The age when nobody says which class it is: the youngest of a secondary school."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Something a lesson may speak of only from an age."""

    id: str
    name: str
    from_age: int
    words: re.Pattern[str]
    begins: frozenset[str]  # what one of its phrases begins with
    unless: re.Pattern[str] | None
    care: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a text speaks of a topic: the first words that say so, and their line."""

    topic: Topic
    words: str
    line: int

    def too_young(self, age: int) -> bool:
        """Whether a class of this age may not have it."""
        return age < self.topic.from_age


@lru_cache(maxsize=1)
def shipped_topics() -> tuple[Topic, ...]:
    """The topics Paige comes with."""
    return read_topics(shipped("plan/sensitive.toml").read_text("utf-8"))


def read_topics(text: str) -> tuple[Topic, ...]:
    """Topics from their file."""
    return tuple(
        Topic(
            id=each["id"],
            name=each["name"],
            from_age=each["from_age"],
            words=phrases_pattern(each["words"], joints="-"),
            begins=frozenset(words.split()[0].rstrip("*").casefold() for words in each["words"]),
            unless=phrases_pattern(each["unless"], joints="-") if each.get("unless") else None,
            care=each.get("care", ""),
        )
        for each in tomllib.loads(text)["topic"]
    )


def find_topics(text: str, topics: Sequence[Topic] | None = None) -> tuple[Mention, ...]:
    """Every topic a text speaks of, each where it does so first."""
    folded = text.casefold()
    # Most topics are nowhere in a text, which is found out much faster without their patterns.
    near = [
        topic
        for topic in (shipped_topics() if topics is None else topics)
        if any(each in folded for each in topic.begins)
    ]
    found = (_first(text, topic) for topic in near)
    return tuple(each for each in found if each is not None)


def _first(text: str, topic: Topic) -> Mention | None:
    excused = [match.span() for match in topic.unless.finditer(text)] if topic.unless else []
    for match in topic.words.finditer(text):
        inside = any(start <= match.start() and match.end() <= end for start, end in excused)
        if not inside:
            return Mention(topic, match[0], text.count("\n", 0, match.start()) + 1)
    return None


def phrases_pattern(phrases: Sequence[str], *, joints: str = "") -> re.Pattern[str]:
    """Any of some phrases, whatever space or line end stands between their words.

    `word*` is every word that begins so; `…` stands for up to four words. After one of the `joints`
    a phrase is part of a longer word.
    """
    return re.compile(rf"(?<![\w{joints}])(?:{'|'.join(map(_phrase, phrases))})(?!\w)", re.I)


def _phrase(phrase: str) -> str:
    parts: list[str] = []
    for word in phrase.split():
        if word == "…":
            parts.append(r"(?:\S+\s+){0,4}")
        else:
            ending = r"\w*" if word.endswith("*") else ""
            parts.append(re.escape(word.removesuffix("*")) + ending + r"\s+")
    return "".join(parts).removesuffix(r"\s+")


FEWEST_WORDS = 80
"""Below this the formula says nothing."""
_GRADE_TO_AGE = 5.0  # a first grade begins at six
_FENCE = re.compile(r"^ {0,3}(```|~~~).*?^ {0,3}\1[^\n]*$", re.S | re.M)
_LINK = re.compile(r"!?\[([^\[\]]*+)\]\([^()\n]{0,300}\)")
_CODE = re.compile(r"`[^`\n]*`")
_TAG = re.compile(r"<[^<>\n]*+>")
_MARKER = re.compile(r"^\s*(?:(?:[-*+>]|\d+[.)]|[a-hA-H][.)]|\[[ xX]?\])\s+)+")
_LABEL = re.compile(r"^\s*\*\*[^*\n]{1,40}\*\*:?\s*|^\s*[A-Z][\w ]{0,30}:\s+")
_NEUTRAL = "thing"
_ENOUGH = 200_000  # signs that say how hard the rest is


@dataclass(frozen=True, slots=True)
class TextMeasure:
    """What was counted in a text, and the age that comes of it."""

    letters: int
    words: int
    sentences: int

    @property
    def age(self) -> float | None:
        """The reading age in years; nothing when there is too little text."""
        if self.words < FEWEST_WORDS:
            return None
        letters = 100 * self.letters / self.words
        sentences = 100 * self.sentences / self.words
        return round(0.0588 * letters - 0.296 * sentences - 15.8 + _GRADE_TO_AGE, 1)


def reading_of(text: str, known: Iterable[str] = ()) -> TextMeasure:
    """Count a text; the `known` words (those a lesson explains) count as an ordinary word."""
    letters = words = sentences = 0
    for sentence in sentences_of(_neutral(prose(text[:_ENOUGH]), known)):
        # A number is no word that is hard to read.
        found = [count for word in words_of(sentence) if (count := sum(map(str.isalpha, word)))]
        letters += sum(found)
        words += len(found)
        sentences += bool(found)
    return TextMeasure(letters, words, sentences)


def prose(text: str) -> str:
    """A markdown text without what nobody reads as sentences."""
    text = _FENCE.sub("", text)
    text = _TAG.sub(" ", _CODE.sub(" ", _LINK.sub(r"\1", text)))
    lines = [line for line in text.split("\n") if not line.lstrip().startswith(("|", "#"))]
    return "\n".join(_LABEL.sub("", _MARKER.sub("", line)) for line in lines)


# What pupils hear, read or do; the other sections are for the teacher.
PUPILS = ("learning-outcome", "success-criteria", "starter", "learning-cycle", "exit-", "homework")


def pupils_text(sections: Iterable[SectionText]) -> list[SectionText]:
    """The sections written for pupils; all of them where none is marked so."""
    every = list(sections)
    return [each for each in every if each.id.startswith(PUPILS)] or every


def _neutral(text: str, known: Iterable[str]) -> str:
    words = sorted({word.strip() for word in known if word.strip()}, key=len, reverse=True)
    if not words:
        return text
    pattern = "|".join(re.escape(word) for word in words)
    return re.sub(rf"(?<!\w)(?:{pattern})(?:s|es|ed|ing)?(?!\w)", _NEUTRAL, text, flags=re.I)


HARDER = 2.0
"""So many years above the class's reading age are a flaw ..."""
TOO_HARD = 4.0
"""... and so many a fault: half the class could not read it alone."""
_SHOWN = 2


@dataclass(frozen=True, slots=True)
class Fit:
    """What was found: faults, flaws, topics that need care, and the reading age."""

    faults: tuple[str, ...] = ()
    flaws: tuple[str, ...] = ()
    topics: tuple[Mention, ...] = ()
    reading_age: float | None = None


def judge_fit(markdown: str, product: Product, profile: ClassProfile | None) -> Fit:
    """Judge a text for a class; without a class for the youngest of a secondary school."""
    if not markdown.strip():
        return Fit(faults=("The answer is empty",))
    formal, loose = _form(markdown, product)
    mentions = find_topics(markdown)
    age = (profile.age if profile else None) or DEFAULT_AGE
    young = [_too_young(each, profile, age) for each in mentions if each.too_young(age)]
    measured = None
    if product in ("lesson", "worksheet"):  # the others are read by teachers only
        text = "\n\n".join(each.text for each in pupils_text(parts_of(markdown)))
        measured = reading_of(text, _keywords(markdown)).age
    hard, hardish = _reading(markdown, measured, profile)
    return Fit(
        faults=(*formal, *young, *hard),
        flaws=(*loose, *hardish),
        topics=tuple(each for each in mentions if not each.too_young(age)),
        reading_age=measured,
    )


def care_lines(topics: Sequence[Mention]) -> tuple[str, ...]:
    """What a teacher is asked to think of."""
    return tuple(
        f"It touches on {each.topic.name} (line {each.line}). {each.topic.care}"
        for each in topics
        if each.topic.care
    )


def _form(markdown: str, product: Product) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is missing of the form, and what is not quite right in it."""
    match product:
        case "lesson":
            missing = tuple(
                f"The section `## {each}` is missing" for each in missing_sections(markdown)
            )
            return missing, () if missing else _loose(markdown)
        case "worksheet":
            missing = () if KEY.search(markdown) else ("The worksheet has no answer key",)
            return missing, ()
        case "document" | "talk":
            return (), ()


def _loose(markdown: str) -> tuple[str, ...]:
    left = open_titles(markdown)
    told = (f"Still open: {', '.join(left)}",) if left else ()
    return (*told, *(str(each) for each in faults_in(markdown) if each.message != MESSAGE))


def _too_young(mention: Mention, profile: ClassProfile | None, age: int) -> str:
    who = f"{profile.id} ({profile.year})" if profile and profile.year else f"pupils of {age}"
    about = (
        f"Line {mention.line}: `{' '.join(mention.words.split())}` is about {mention.topic.name}"
    )
    if mention.topic.from_age > 18:
        return f"{about}, which has no place in a lesson"
    return f"{about}, which is for ages from {mention.topic.from_age}, not for {who}"


def _reading(
    markdown: str, measured: float | None, profile: ClassProfile | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is too hard to read, and what is harder than it need be."""
    if measured is None or profile is None or profile.reading_age is None:
        return (), ()
    above = measured - profile.reading_age
    if above <= HARDER:
        return (), ()
    hardest = "; ".join(_hardest(markdown))
    where = f" Hardest: {hardest}." if hardest else ""
    said = (
        f"What pupils read is for a reading age of {measured:g}; {profile.id} reads at "
        f"{profile.reading_age}. Shorten the sentences and take plainer words.{where}"
    )
    return ((said,), ()) if above > TOO_HARD else ((), (said,))


def _hardest(markdown: str) -> list[str]:
    words = _keywords(markdown)
    ages = [
        (reading_of(each.text, words).age, each.title) for each in pupils_text(parts_of(markdown))
    ]
    known = sorted(((age, title) for age, title in ages if age is not None), reverse=True)
    return [f"`{title}` ({age:g})" for age, title in known[:_SHOWN]]


def _keywords(markdown: str) -> list[str]:
    """The words that the text explains: bold at the beginning of an item under `Keywords`."""
    found = next((each for each in sections(markdown) if each.id == "keywords"), None)
    lines = found.text.split("\n") if found else []
    return [line.split("**")[1] for line in lines if line.count("**") > 1]
