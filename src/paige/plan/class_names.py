"""Finding the classes that a request is about: `my 3B`, `class 2c`, `the S3 group`.

`Section 2A` and `3D shapes` are no classes, and a name that looks like a class but has no profile
is said to be unknown rather than guessed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from paige.plan.classes import ClassProfile

# What stands before a name that belongs to something else.
_OTHERS = re.compile(
    r"(?:\b(?:section|part|question|q|chapter|ch|figure|fig|table|task|exercise|ex|page|pg|step|"
    r"unit|appendix|room|version|option|paragraph|para|row|column|flat|block|example|problem|item|"
    r"activity|worksheet|topic|lesson|week|article|clause|type|vitamin|grade|model|platform|gate|"
    r"seat|book|volume|module|paper|level|phase|stage|slide|sheet|bus|no)s?[.:]?\s*|[#§]\s*)$",
    re.I,
)
# Dimensions, networks and resolutions look like classes.
_AMBIGUOUS = re.compile(r"[1-4]D|[2-6]G|[248]K", re.I)
_THINGS = re.compile(
    r"[\s-]+(?:shape|print|array|list|model|graphic|animat|design|vector|object|view|game|world|"
    r"space|draw|net|solid|cinema|video|coordinate|co-ordinate|geometr|trigonometr|pythagoras|"
    r"represent|image|film|art|sculpt|plan|map|matri|bucket|storage|batter)",
    re.I,
)
_NEAR = 100  # signs before a class that may say what it is
_CUE = re.compile(
    r"\b(?:for|with|my|our|teach|teaching|class|classes|group|groups|form|set|taking|see|have)\s+"
    r"(?:(?:my|our|the|a|class|group|form|set|year|all|of)\s+)*$",
    re.I,
)
_AFTER = re.compile(r"(?:['\u2019]?s)?\s+(?:class|group|pupils|lot|learners|students)\b", re.I)
_LINK = re.compile(r"(?:\s*(?:,|/|&|\+|\band\b|\bor\b))+\s*(?:(?:my|class|for|with)\s+)*", re.I)
_LIKE_A_CLASS = re.compile(r"(?<![\w.-])(?:1[0-3]|[1-9])[A-Z][1-9]?(?!\w|-\w)", re.I)
_YEAR = re.compile(r"(?<![\w-])(?P<year>[SP][1-7])(?P<set>[A-Z]\d?)?(?:s|['\u2019]s)?(?!\w)", re.I)
_LESSON_FILE = re.compile(r"\blessons/\d{4}-\d{2}-\d{2}-(?P<rest>[^/\s]+)", re.I)


@dataclass(frozen=True, slots=True)
class ClassMentions:
    """The classes a text names, each once, in its order: those with a profile, and the others."""

    known: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def only(self) -> str | None:
        """The class the text is about, when that is beyond doubt."""
        return self.known[0] if len(self.known) == 1 else None


class _Mention(NamedTuple):
    start: int
    end: int
    known: tuple[str, ...]
    unknown: str = ""


def recognise(prompt: str, known: Sequence[ClassProfile]) -> ClassMentions:
    """The classes that a request names."""
    mentions = [*_files(prompt, known), *_names(prompt, known)]
    taken = [(mention.start, mention.end) for mention in mentions]
    if not mentions:
        mentions += _years(prompt, known)
        taken += [(mention.start, mention.end) for mention in mentions]
    mentions += _strangers(prompt, taken)
    mentions.sort()
    found = dict.fromkeys(name for mention in mentions for name in mention.known)
    strange = dict.fromkeys(mention.unknown for mention in mentions if mention.unknown)
    return ClassMentions(tuple(found), tuple(strange))


def _files(prompt: str, known: Sequence[ClassProfile]) -> Iterator[_Mention]:
    """Classes in the names of saved lessons: `lessons/2026-03-02-3B-loops.md`."""
    for match in _LESSON_FILE.finditer(prompt):
        rest = match["rest"].casefold()
        for profile in known:
            if rest.startswith(f"{profile.id.casefold()}-"):
                yield _Mention(match.start(), match.end(), (profile.id,))


def _names(prompt: str, known: Sequence[ClassProfile]) -> Iterator[_Mention]:
    """Classes called by their names; the longest name that fits counts."""
    free = prompt
    for profile in sorted(known, key=lambda each: -len(each.id)):
        pattern = re.compile(rf"(?<![\w-]){re.escape(profile.id)}(?!\w|-\d)", re.I)
        for match in list(pattern.finditer(free)):
            if _is_class(prompt, match, plain=not any(map(str.isdigit, profile.id))):
                yield _Mention(match.start(), match.end(), (profile.id,))
            free = free[: match.start()] + "\0" * len(match[0]) + free[match.end() :]


def _is_class(prompt: str, match: re.Match[str], *, plain: bool) -> bool:
    """Whether a known name means the class here; an ordinary word needs more than its name."""
    before, after = prompt[: match.start()], prompt[match.end() :]
    if _OTHERS.search(before):
        return False
    if _AMBIGUOUS.fullmatch(match[0]) or plain:
        return not _THINGS.match(after) and bool(
            _CUE.search(before[-_NEAR:]) or _AFTER.match(after)
        )
    return True


def _years(prompt: str, known: Sequence[ClassProfile]) -> Iterator[_Mention]:
    """`the S3 group`: every class of that year, or an unknown one."""
    for match in _YEAR.finditer(prompt):
        before, after = prompt[: match.start()], prompt[match.end() :]
        if _THINGS.match(after) or not (_CUE.search(before[-_NEAR:]) or _AFTER.match(after)):
            continue
        year, letter = match["year"].upper(), (match["set"] or "").upper()
        named = f"{year[1:]}{letter}" if letter else ""
        ids = tuple(
            profile.id
            for profile in known
            if (profile.id.upper() == named if named else profile.year.upper().startswith(year))
        )
        yield _Mention(match.start(), match.end(), ids, "" if ids else f"{year}{letter}")


def _strangers(prompt: str, taken: Sequence[tuple[int, int]]) -> Iterator[_Mention]:
    """What looks like a class and is none that is known."""
    ends = {end for _, end in taken}
    for match in _LIKE_A_CLASS.finditer(prompt):
        start, end = match.span()
        if any(start < other_end and other_start < end for other_start, other_end in taken):
            continue
        before, after = prompt[:start], prompt[end:]
        linked = any(_LINK.fullmatch(prompt[other:start]) for other in ends if other <= start)
        cued = linked or _CUE.search(before[-_NEAR:]) or _AFTER.match(after)
        if cued and not _OTHERS.search(before) and not _THINGS.match(after):
            ends.add(end)
            yield _Mention(start, end, (), match[0].upper())
