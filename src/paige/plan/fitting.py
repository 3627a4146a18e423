"""Whether a text fits a class: its form, what it speaks of, and how hard it is to read.

A lesson that has not the sections of one cannot be judged and has failed. Everything else is judged
by rules: topics by the age of the class, reading by the class's reading age.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from paige.plan.classes import ClassProfile
from paige.plan.lesson_faults import faults_in
from paige.plan.lesson_reading import missing_sections
from paige.plan.lesson_sections import SectionText, sections
from paige.plan.open_sections import MESSAGE, open_titles
from paige.plan.products import KEY, Product, parts_of
from paige.plan.readability import pupils_text, reading_of
from paige.plan.sensitive import DEFAULT_AGE, Mention, find_topics

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
        measured = reading_of(_joined(pupils_text(parts_of(markdown))), _keywords(markdown)).age
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


def _joined(parts: Sequence[SectionText]) -> str:
    return "\n\n".join(each.text for each in parts)
