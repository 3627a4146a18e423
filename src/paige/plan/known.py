"""What Paige knows before it plans: the class, the teacher, the curriculum, earlier sessions.

A pure summary of texts. Every item says where it comes from, because the teacher is asked whether
it still holds. What the teacher confirmed is one block of context in the conversation, written for
a model; `read_briefing` reads it back, so that local rules work from the same words.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from paige.agent.library.prompt import neutral
from paige.language.words import sentences
from paige.memory.documents.records import entry_of
from paige.models.messages import Message
from paige.plan.classes import ClassProfile, Need
from paige.plan.curriculum.values import Curriculum
from paige.plan.handout.notes import is_about_worksheet, newest_first
from paige.plan.lessons.text import one_line, shortened

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
_LONGEST = 240
_LONGEST_WORKSHEET = 480


@dataclass(frozen=True, slots=True)
class Fact:
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


def gather(sources: Sources) -> tuple[Fact, ...]:
    """Everything that is worth showing, the class first; of each kind not too much."""
    found = [
        *_of_class(sources.profile),
        *(Fact("misconceptions", _short(each), LEARNERS) for each in sources.misconceptions),
        *_of_teacher(sources.texts or {}),
        *_of_curriculum(sources.curricula, sources.profile),
        *_of_memory(sources.memory or {}, sources.profile),
    ]
    return tuple(
        item
        for kind in HEADS
        for item in [each for each in found if each.kind == kind][: MOST[kind]]
    )


def render_known(known: Sequence[Fact], *, class_id: str | None, wrong: Sequence[str] = ()) -> str:
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


def _of_class(profile: ClassProfile | None) -> list[Fact]:
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
    lines += [" ".join(sentences(one_line(profile.ability))[:2])] if profile.ability else []
    lines += [_need(each) for each in profile.needs]
    lines += [f"What works: {each}" for each in profile.works[:4]]
    if profile.taught:
        lines.append(f"Taught so far: {'; '.join(profile.taught[-5:])}.")
    return [Fact("class", _short(line), profile.path) for line in lines]


def _need(need: Need) -> str:
    about = f" ({need.about})" if need.about else ""
    return f"{need.kind}{about}: {need.what}" if need.kind else need.what


def _of_teacher(texts: Mapping[str, str]) -> list[Fact]:
    """The items under headings that speak of preferences; without such headings the first ones."""
    found: list[Fact] = []
    for path, text in texts.items():
        chosen = _items(text, _PREFER) or _items(text, None)
        found += [Fact("teacher", _short(item), path) for item in chosen[:_OF_EACH]]
    return found


def _of_curriculum(curricula: Sequence[Curriculum], profile: ClassProfile | None) -> list[Fact]:
    found: list[Fact] = []
    for file in curricula:
        level = profile.level if profile else ""
        rows = [each for each in file.outcomes if not level or each.level.startswith(level)]
        unsure = sum(not each.verified for each in rows)
        at = f" at {level} level" if level and rows else ""
        edition = f", edition {file.edition}" if file.edition else ""
        doubt = f"; {unsure} of them unverified" if unsure else ""
        text = f"{file.subject or file.name}{edition}: {len(rows)} outcomes{at}{doubt}."
        found.append(Fact("curriculum", text, file.path))
    return found


def _of_memory(memory: Mapping[str, str], profile: ClassProfile | None) -> list[Fact]:
    """Notes about the class first, what must not be overlooked before the rest.

    What the latest worksheets showed comes next: it is what a lesson can take up.
    """
    own = entry_of(profile.id) if profile else ""
    found: list[Fact] = []
    for path, text in memory.items():
        items = _items(text, None)
        if path.endswith(f"/{LESSON_LOG}"):
            items = [f"Planned: {item}" for item in items[-3:]]
        for item in items:
            # Where it comes from, the question and the right answer belong together.
            most = _LONGEST_WORKSHEET if is_about_worksheet(item) else _LONGEST
            found.append(Fact("memory", shortened(item, most), path))
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


def _short(text: str) -> str:
    return shortened(text, _LONGEST)


SOURCE = "feedforward"
"""The hook whose context this is; the loop writes it as `<context from='feedforward'>`."""
EARLIER = "Earlier: "
"""How an item begins that comes from memory."""
OFTEN = "Often wrong: "
"""How an item begins that five learners of the class or more get wrong."""
Response = Literal["confirmed", "modified", "dismissed"]
_BLOCK = re.compile(
    rf"<context from='{SOURCE}'>\n(?P<text>(?:(?!<context from=).)*?)\n</context>", re.S
)
_TAG = re.compile(r"<(?=[^A-Za-z<>]{0,16}context\b)", re.I)
_CLASS = "Class: "
_HEADS: dict[Response, str] = {
    "confirmed": "The teacher has confirmed this:",
    "modified": "The teacher has confirmed this, with changes:",
    "dismissed": "The teacher set aside what is known. Plan from the request alone.",
}
_SAID = "The teacher adds, and this comes first:"
_KNOWN = "What is known:"


@dataclass(frozen=True, slots=True)
class Briefing:
    """The class, what was surfaced about it, and what the teacher said to that."""

    response: Response
    class_id: str | None = None
    known: tuple[str, ...] = ()
    said: str = ""


def render_briefing(briefing: Briefing) -> str:
    """The block's text; what was set aside is not in it."""
    parts = [_HEADS[briefing.response]]
    if briefing.class_id:
        parts.append(f"{_CLASS}{briefing.class_id}")
    if briefing.said.strip():
        parts += [_SAID, *(f"> {line}" for line in briefing.said.strip().splitlines())]
    if briefing.known and briefing.response != "dismissed":
        parts += [_KNOWN, *(f"- {one_line(item)}" for item in briefing.known)]
    # What a file or a memory says must not end the block, nor begin another one.
    return neutral(_TAG.sub("&lt;", "\n".join(parts)))


def read_briefing(messages: Iterable[Message]) -> Briefing | None:
    """The newest briefing in a conversation, or nothing."""
    found = [
        match["text"]
        for message in messages
        if message.role == "user"
        for match in _BLOCK.finditer(message.text)
    ]
    return _read(found[-1].split("\n")) if found else None


def _read(lines: list[str]) -> Briefing:
    response: Response = "confirmed"
    for name, head in _HEADS.items():
        response = name if lines[0] == head else response
    class_id = next((line.removeprefix(_CLASS) for line in lines if line.startswith(_CLASS)), None)
    said = "\n".join(line[2:] for line in lines if line.startswith("> "))
    start = lines.index(_KNOWN) if _KNOWN in lines else len(lines)
    known = tuple(line[2:] for line in lines[start:] if line.startswith("- "))
    return Briefing(response, class_id, known, said)
