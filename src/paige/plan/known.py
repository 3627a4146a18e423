"""What Paige knows before it plans: the class, the teacher, the curriculum, earlier sessions.

A pure summary of texts. Every item says where it comes from, because the teacher is asked whether
it still holds.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from paige.memory.documents.records import entry_of
from paige.plan.classes import ClassProfile, Need
from paige.plan.curriculum.values import Curriculum
from paige.plan.handout_notes import is_about_worksheet, newest_first
from paige.plan.lesson_text import shortened

Kind = Literal["class", "misconceptions", "teacher", "curriculum", "memory"]
HEADS: dict[Kind, str] = {
    "class": "From the class profile:",
    "misconceptions": "What five learners or more get wrong:",
    "teacher": "Your preferences:",
    "curriculum": "Curriculum:",
    "memory": "From earlier sessions:",
}
WRONG = "To put right in your files:"
MOST: dict[Kind, int] = {
    "class": 12,
    "misconceptions": 5,
    "teacher": 8,
    "curriculum": 4,
    "memory": 12,
}
LEARNERS = "what the learners of the class did"
LESSON_LOG = "lessons.md"
MOST_WRONG = 4
MOST_WORKSHEETS = 4
_OF_EACH = 4
_ITEM = re.compile(r"^\s{0,3}[-*+]\s+(?P<text>.*\S)\s*$")
_HEADING = re.compile(r"^ {0,3}#{1,6}\s++(?P<title>[^\s#]*+(?:[\s#]++(?!$)[^\s#]++)*+)[\s#]*+$")
_PREFER = re.compile(
    r"always|prefer|how i like|for every class|avoid|starters?|style|register", re.I
)
_URGENT = re.compile(
    r"safeguard|allerg|medical|epilep|danger|never\b|must not|EAL|ASN|dyslex", re.I
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_LONGEST = 240
_LONGEST_WORKSHEET = 480


@dataclass(frozen=True, slots=True)
class Known:
    """One thing that is known, and the file that says so."""

    kind: Kind
    text: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The texts a summary is made from; what is not there is empty."""

    profile: ClassProfile | None = None
    texts: Mapping[str, str] | None = None  # teacher.md, pedagogy.md
    curricula: Sequence[Curriculum] = ()
    memory: Mapping[str, str] | None = None  # memory documents by path
    misconceptions: Sequence[str] = ()  # of the class, a sentence each


def gather(sources: Sources) -> tuple[Known, ...]:
    """Everything that is worth showing, the class first; of each kind not too much."""
    found = [
        *_of_class(sources.profile),
        *(Known("misconceptions", _short(each), LEARNERS) for each in sources.misconceptions),
        *_of_teacher(sources.texts or {}),
        *_of_curriculum(sources.curricula, sources.profile),
        *_of_memory(sources.memory or {}, sources.profile),
    ]
    return tuple(
        item
        for kind in HEADS
        for item in [each for each in found if each.kind == kind][: MOST[kind]]
    )


def render_known(known: Sequence[Known], *, class_id: str | None, wrong: Sequence[str] = ()) -> str:
    """The summary as the teacher reads it; `wrong` is what to mend in their files."""
    parts: list[str] = []
    if class_id is None:
        parts.append("The request names no class that I know, so there is no profile to go by.")
    for kind, head in HEADS.items():
        items = [f"- {each.text}" for each in known if each.kind == kind]
        if items:
            parts.append("\n".join([head, *items]))
    if wrong:
        more = len(wrong) - MOST_WRONG
        rest = [f"- And {more} more: `paige doctor` names them."] if more > 0 else []
        parts.append("\n".join([WRONG, *(f"- {each}" for each in wrong[:MOST_WRONG]), *rest]))
    parts.append("Shall I go on with all of this?")
    return "\n\n".join(parts)


def _of_class(profile: ClassProfile | None) -> list[Known]:
    if profile is None:
        return []
    facts = [
        f"{profile.year} {profile.subject}".strip(),
        f"{profile.level} level" if profile.level else "",
        f"{profile.size} pupils" if profile.size else "",
        f"lessons of {profile.minutes} minutes",
        f"reading age {profile.reading_age}" if profile.reading_age else "",
    ]
    lines = [f"{profile.id}: {', '.join(fact for fact in facts if fact)}."]
    lines += [" ".join(_SENTENCE.split(profile.ability)[:2])] if profile.ability else []
    lines += [_need(each) for each in profile.needs]
    lines += [f"What works: {each}" for each in profile.works[:4]]
    if profile.taught:
        lines.append(f"Taught so far: {'; '.join(profile.taught[-5:])}.")
    return [Known("class", _short(line), profile.path) for line in lines]


def _need(need: Need) -> str:
    about = f" ({need.about})" if need.about else ""
    return f"{need.kind}{about}: {need.what}" if need.kind else need.what


def _of_teacher(texts: Mapping[str, str]) -> list[Known]:
    """The items under headings that speak of preferences; without such headings the first ones."""
    found: list[Known] = []
    for path, text in texts.items():
        chosen = _items(text, _PREFER) or _items(text, None)
        found += [Known("teacher", _short(item), path) for item in chosen[:_OF_EACH]]
    return found


def _of_curriculum(curricula: Sequence[Curriculum], profile: ClassProfile | None) -> list[Known]:
    found: list[Known] = []
    for file in curricula:
        level = profile.level if profile else ""
        rows = [each for each in file.outcomes if not level or each.level.startswith(level)]
        unsure = sum(not each.verified for each in rows)
        at = f" at {level} level" if level and rows else ""
        edition = f", edition {file.edition}" if file.edition else ""
        doubt = f"; {unsure} of them unverified" if unsure else ""
        text = f"{file.subject or file.name}{edition}: {len(rows)} outcomes{at}{doubt}."
        found.append(Known("curriculum", text, file.path))
    return found


def _of_memory(memory: Mapping[str, str], profile: ClassProfile | None) -> list[Known]:
    """Notes about the class first, what must not be overlooked before the rest.

    What the latest worksheets showed comes next: it is what a lesson can take up.
    """
    own = entry_of(profile.id) if profile else ""
    found: list[Known] = []
    for path, text in memory.items():
        items = _items(text, None)
        if path.endswith(f"/{LESSON_LOG}"):
            items = [f"Planned: {item}" for item in items[-3:]]
        found += [Known("memory", _remembered(item), path) for item in items]
    latest = newest_first(each.text for each in found)
    told = [each for text in dict.fromkeys(latest) for each in found if each.text == text]
    rest = [each for each in found if each.text not in set(latest)]
    rest.sort(key=lambda each: (not _URGENT.search(each.text), each.source != own))
    urgent = sum(bool(_URGENT.search(each.text)) for each in rest)
    return [*rest[:urgent], *told[:MOST_WORKSHEETS], *rest[urgent:]]


def _items(text: str, under: re.Pattern[str] | None) -> list[str]:
    """The items of a text's lists; with `under` only those below a heading that fits."""
    items: list[str] = []
    here, last = under is None, False
    for line in text.split("\n"):
        if heading := _HEADING.match(line):
            here, last = under is None or bool(under.search(heading["title"])), False
        elif here and (item := _ITEM.match(line)):
            items.append(item["text"].replace("**", ""))
            last = True
        elif last and line.startswith("  ") and line.strip():
            items[-1] += f" {line.strip()}"
        else:
            last = False
    return items


def _remembered(text: str) -> str:
    # Where it comes from, the question and the right answer belong together.
    return shortened(text, _LONGEST_WORKSHEET if is_about_worksheet(text) else _LONGEST)


def _short(text: str) -> str:
    return shortened(text, _LONGEST)
