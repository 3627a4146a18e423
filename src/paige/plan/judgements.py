"""A draft judged section by section: what is decided, what is asked next, what is to be written.

A value that goes on with every answer. Nothing here writes or asks: the hook does, and tells what
came of it. Only the sections a teacher speaks about change; all others stay to the letter.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from paige.agent.interactions import (
    Choices,
    Interaction,
    Option,
    PickedOption,
    Reply,
    Section,
    Sections,
)
from paige.base.errors import PaigeError
from paige.plan.lessons.lesson import Lesson
from paige.plan.lessons.parser import known_section, parse
from paige.plan.lessons.sections import SectionText, section_id, sections, split_minutes
from paige.plan.products import WHOLE, parts_of, with_part

FEWEST = 5
"""No part is made shorter than this to make room for another."""


def balanced(markdown: str, keep: str) -> str:
    """The lesson with its minutes adding up again; the part `keep` has the minutes it was given.

    The difference goes to the learning cycles, or comes from them, the longest first. Only headings
    change. A text that is no lesson, or whose minutes cannot be mended, comes back as it was.
    """
    lesson = parse(markdown)
    if not isinstance(lesson, Lesson):
        return markdown
    missing = lesson.minutes - lesson.planned_minutes
    if missing == 0:
        return markdown
    others = [
        each
        for each in sections(markdown)
        if known_section(each).startswith("learning-cycle-") and each.id != keep
    ]
    minutes = {each.id: split_minutes(each.title)[1] or 0 for each in others}
    for _ in range(abs(missing)):
        if not minutes:
            return markdown
        if missing > 0:
            chosen = min(minutes, key=lambda id: minutes[id])
            minutes[chosen] += 1
        else:
            chosen = max(minutes, key=lambda id: minutes[id])
            if minutes[chosen] <= FEWEST:
                return markdown
            minutes[chosen] -= 1
    lines = markdown.split("\n")
    for each in others:
        lines[each.start - 1] = _heading(each, minutes[each.id])
    return "\n".join(lines)


def _heading(section: SectionText, minutes: int) -> str:
    name, _ = split_minutes(section.title)
    return f"## {name} ({minutes} min)"


Verdict = Literal["accept", "revise", "alternatives", "edit", "choose", "keep"]
ALTERNATIVES = 2
KEEP = "keep"
REVISE = "revise"
EDIT = "edit"
OPTIONS = (
    Option("accept", "Accept"),
    Option(REVISE, "Revise: say what should change", wants_text=True),
    Option("alternatives", "Show alternatives"),
    Option(EDIT, "Write it yourself", wants_text=True),
)
_WISHES = ("revise", "alternatives")
_MOST_REMARKS = 8
_LINE = re.compile(r"\b[Ll]ine (\d+)")


@dataclass(frozen=True, slots=True)
class SectionDecision:
    """One decision of the teacher about one section, in which question, with which words."""

    section: str
    title: str
    decision: Verdict
    question: int
    text: str = ""
    auto: bool = False


@dataclass(frozen=True, slots=True)
class Wish:
    """A section that is to be written anew; `alternatives` asks for several texts at once."""

    section: str
    text: str = ""
    alternatives: int = 0


@dataclass(frozen=True, slots=True)
class Offer:
    """Alternatives of a section that the teacher will choose from."""

    section: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A section as it was drafted and as it was accepted, with what the teacher had said."""

    section: str
    title: str
    before: str
    after: str
    title_before: str = ""
    wishes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """A draft that is being judged."""

    draft: str
    markdown: str
    waiting: tuple[str, ...]
    offers: tuple[Offer, ...] = ()
    decided: tuple[SectionDecision, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()  # of a section: why a new text was not used
    remarks: tuple[str, ...] = ()  # on the whole draft
    asked: int = 0

    @property
    def done(self) -> bool:
        """Whether every section is decided."""
        return not self.waiting and not self.offers

    def title(self, id: str) -> str:
        """The title of a section as it stands now."""
        return next((each.title for each in parts_of(self.markdown) if each.id == id), id)


def begin(markdown: str, remarks: Sequence[str] = ()) -> Review:
    """A draft of which nothing is decided yet."""
    waiting = tuple(each.id for each in parts_of(markdown))
    return remarked(Review(markdown, markdown, waiting), remarks)


def remarked(judging: Review, remarks: Sequence[str]) -> Review:
    """With what the teacher should know while judging the draft as it is now."""
    return replace(judging, remarks=tuple(remarks[:_MOST_REMARKS]))


def question(judging: Review) -> Interaction:
    """What the teacher is asked next: alternatives first, then the sections still open."""
    if judging.offers:
        return _choice(judging, judging.offers[0])
    open_parts = [each for each in parts_of(judging.markdown) if each.id in judging.waiting]
    problems = dict(judging.problems)
    shown = tuple(
        Section(each.id, each.title, _with_problem(each.text, problems.get(each.id)))
        for each in open_parts
    )
    first = judging.asked == 0
    title = "Judge the draft, section by section" if first else "Judge what was written anew"
    return Sections(title=title, sections=shown, options=OPTIONS, text=_remarks(judging))


def asked(judging: Review) -> Review:
    """After a question was put."""
    return replace(judging, asked=judging.asked + 1)


def answered(judging: Review, reply: Reply) -> tuple[Review, tuple[Wish, ...]]:
    """After an answer: what is decided by it, and what is to be written."""
    if judging.offers:
        return _chosen(judging, judging.offers[0], reply)
    wishes: list[Wish] = []
    waiting: list[str] = []
    problems: list[tuple[str, str]] = []
    for id in judging.waiting:
        picked = reply.picked[id]
        judging = _noted(judging, id, picked, auto=reply.auto)
        if picked.option == EDIT:
            judging, problem = _edited(judging, id, picked.text)
            if problem:
                waiting.append(id)
                problems.append((id, problem))
        elif picked.option != "accept":
            waiting.append(id)
            several = ALTERNATIVES if picked.option == "alternatives" else 0
            wishes.append(Wish(id, picked.text.strip(), several))
    after = replace(judging, waiting=tuple(waiting), problems=tuple(problems), remarks=())
    return after, tuple(wishes)


def written(judging: Review, wish: Wish, texts: Sequence[str]) -> Review:
    """After a section was written anew: it is judged again, or chosen from the alternatives."""
    own = tuple(same_heading(judging, wish.section, text) for text in texts)
    if wish.alternatives:
        waiting = tuple(id for id in judging.waiting if id != wish.section)
        return replace(judging, waiting=waiting, offers=(*judging.offers, Offer(wish.section, own)))
    return replace(judging, markdown=_with(judging.markdown, wish.section, own[0]))


def failed(judging: Review, wish: Wish, reason: str) -> Review:
    """After a section could not be written anew: it stays as it is, and the teacher hears why."""
    return replace(judging, problems=(*judging.problems, (wish.section, reason)))


def reopened(judging: Review, faults: Sequence[str]) -> Review:
    """After the accepted draft turned out to be wrong: the sections concerned are judged again."""
    parts = parts_of(judging.markdown)
    problems: list[tuple[str, str]] = []
    for fault in faults:
        found = _LINE.search(fault)
        line = int(found[1]) if found else 0
        owner = next((each for each in parts if each.start <= line <= each.end), parts[0])
        problems.append((owner.id, fault))
    waiting = dict.fromkeys(id for id, _ in problems)
    return replace(judging, waiting=tuple(waiting), problems=tuple(problems))


def tried(judging: Review, wish: Wish, text: str) -> str:
    """The whole draft with this text in it. Raises: BadInput when it is not one section."""
    return with_part(judging.markdown, wish.section, same_heading(judging, wish.section, text))


def same_heading(judging: Review, id: str, text: str) -> str:
    """A new text under the section's own heading; only its minutes may have changed."""
    lines = text.strip("\n").split("\n")
    if id == WHOLE or not lines[0].startswith("## "):
        return text
    return text if section_id(lines[0][3:]) == id.rstrip() else "\n".join(lines[1:]).strip("\n")


def changes(judging: Review) -> tuple[Change, ...]:
    """What the teacher had changed, section by section."""
    before = {each.id: each for each in parts_of(judging.draft)}
    found: list[Change] = []
    for part in parts_of(judging.markdown):
        old = before.get(part.id)
        wishes = tuple(
            each.text
            for each in judging.decided
            if each.section == part.id and each.decision in _WISHES and each.text
        )
        if old is not None and ((old.title, old.text) != (part.title, part.text) or wishes):
            found.append(Change(part.id, part.title, old.text, part.text, old.title, wishes))
    return tuple(found)


def section_titles(markdown: str) -> list[str]:
    """The titles of a text's sections, in order."""
    return [each.title for each in sections(markdown)]


def _noted(judging: Review, id: str, picked: PickedOption, *, auto: bool = False) -> Review:
    verdict: Verdict = "accept"
    match picked.option:
        case "revise" | "alternatives" | "edit" | "keep":
            verdict = picked.option
        case "accept":
            pass
        case _:
            verdict = "choose"
    decided = SectionDecision(
        id, judging.title(id), verdict, judging.asked, picked.text.strip(), auto
    )
    return replace(judging, decided=(*judging.decided, decided))


def _edited(judging: Review, id: str, text: str) -> tuple[Review, str]:
    """The draft with a teacher's own text in it, or why that text cannot stand there."""
    try:
        markdown = _with(judging.markdown, id, same_heading(judging, id, text))
    except PaigeError as error:
        return judging, f"{error.message}. {error.hint or ''}".strip()
    return replace(judging, markdown=markdown), ""


def _chosen(judging: Review, offer: Offer, reply: Reply) -> tuple[Review, tuple[Wish, ...]]:
    picked = reply.picked[""]
    judging = _noted(judging, offer.section, picked, auto=reply.auto)
    judging = replace(judging, offers=judging.offers[1:])
    if picked.option == KEEP:
        return judging, ()
    if picked.option == REVISE:
        waiting = (*judging.waiting, offer.section)
        return replace(judging, waiting=waiting), (Wish(offer.section, picked.text.strip()),)
    text = offer.texts[int(picked.option) - 1]
    return replace(judging, markdown=_with(judging.markdown, offer.section, text)), ()


def _with(markdown: str, section: str, text: str) -> str:
    """The draft with another text for a section; the minutes of a lesson add up again."""
    return balanced(with_part(markdown, section, text), section)


def _choice(judging: Review, offer: Offer) -> Choices:
    """Alternatives side by side: the text as it is, then each of the others."""
    current = next(each for each in parts_of(judging.markdown) if each.id == offer.section)
    shown = [f"### As it is: {current.title}\n\n{current.text.strip()}"]
    shown += [_alternative(n, text) for n, text in enumerate(offer.texts, 1)]
    options = [Option(str(n), f"Alternative {n}") for n in range(1, len(offer.texts) + 1)]
    options += [
        Option(KEEP, "Keep it as it is"),
        Option(REVISE, "None of these: say what should change", wants_text=True),
    ]
    return Choices(
        title=f"Which one for “{current.title}”?",
        text="\n\n".join(shown),
        options=tuple(options),
    )


def _alternative(number: int, text: str) -> str:
    """One alternative under a heading of its own; its minutes are shown there when it has some."""
    first, _, rest = text.strip().partition("\n")
    if not first.startswith("## "):
        return f"### Alternative {number}\n\n{text.strip()}"
    return f"### Alternative {number}: {first[3:].strip()}\n\n{rest.strip()}"


def _with_problem(text: str, problem: str | None) -> str:
    return text if problem is None else f"[Not accepted yet: {problem}]\n\n{text}"


def _remarks(judging: Review) -> str:
    lines = [f"- {remark}" for remark in judging.remarks]
    return "\n".join(["Paige noticed:", *lines]) if lines else ""
