"""Turns what a teacher says into notes to remember: one fact a line, nobody named."""

import re
from collections.abc import Iterable, Sequence

from paige.memory.names.gate import NameGate
from paige.plan.classes import ClassProfile
from paige.plan.local.brief import Brief
from paige.plan.recognising import recognise

MOST_WORDS = 25
SOMEBODY = "one pupil"
NOTHING = "There is nothing to remember in this: say one thing that will still be true in a month."
ALL_KNOWN = "All of this is remembered already."
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|;\s+")
_REMEMBER = re.compile(
    r"^\W*(?:please\s+)?(?:can you\s+|could you\s+)?(?:remember|note|keep in mind|save|store|add)"
    r"(?:\s+(?:that|this|down|to (?:the )?memory))*\b[:,\s]*",
    re.I,
)
_FOR_CLASS = re.compile(r"^(?:for|about|in|with)\s+(?:class\s+)?\S+\s*[:,-]\s*", re.I)
_ABOUT_TEACHER = re.compile(
    r"\b(?:i|i'm|my)\b(?! (?:class|group|lot|\d))|\b(?:worksheets?|plans?) (?:should|must)\b", re.I
)
_WORDS = re.compile(r"\w+")


def compose_notes(brief: Brief, names: NameGate) -> str:
    """The notes as the memory keeper writes them: `- [class 3B] text`, or why there are none."""
    known = {_folded(line.text) for line in brief.remembered}
    notes: list[str] = []
    repeated = False
    for class_id, text in _facts(brief, names):
        if _folded(text) in known:
            repeated = True
            continue
        scope = f"class {class_id}" if class_id else "teacher"
        notes.append(f"- [{scope}] {text}")
    if notes:
        return "\n".join(dict.fromkeys(notes))
    return ALL_KNOWN if repeated else NOTHING


def _facts(brief: Brief, names: NameGate) -> Iterable[tuple[str, str]]:
    """Each sentence with the class it is about; a class once named is meant until another is."""
    current = brief.class_id
    for sentence in _SENTENCE.split(brief.request):
        named = recognise(sentence, brief.classes).known
        current = named[0] if named else current
        text = _without_order(sentence, brief.classes)
        if len(_WORDS.findall(text)) < 3:
            continue
        about = "" if _ABOUT_TEACHER.search(text) and not named else current
        yield about, _sentence(_anonymous(text, names, brief.classes))


def _without_order(sentence: str, classes: Sequence[ClassProfile]) -> str:
    text = _REMEMBER.sub("", sentence.strip())
    head = _FOR_CLASS.match(text)
    if head and recognise(head[0], classes).known:
        text = text[head.end() :]
    return text


def _anonymous(text: str, names: NameGate, classes: Sequence[ClassProfile]) -> str:
    """The text without names; the letter of a class is no initial of the name after it."""
    searched = text
    for profile in classes:
        pattern = rf"(?<![\w-]){re.escape(profile.id)}(?!\w)"
        searched = re.sub(pattern, "x" * len(profile.id), searched, flags=re.I)
    for span in reversed(names.find(searched)):
        text = f"{text[: span.start]}{SOMEBODY}{text[span.end :]}"
    return text


def _sentence(text: str) -> str:
    words = " ".join(text.split()).strip(" -*")
    if len(words.split()) > MOST_WORDS:
        words = " ".join(words.split()[:MOST_WORDS]) + " …"
    words = words[:1].upper() + words[1:]
    return words if words.endswith((".", "!", "?", "…")) else f"{words}."


def _folded(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))
