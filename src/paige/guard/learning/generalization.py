"""What several refused calls have in common, as matchers, the most specific first.

The calls are looked at the way the hook's matcher does: the commands the shell engine found, the
files that would change, the text that would be written. A command becomes the words all of them
have in the same order, with `**` for what stands between; files become the folder and the ending
they share; of the text only a piece stays that all of them have. A matcher that all calls would
meet may still be too wide: whoever chooses one tries it on what was allowed.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from paige.guard.fast.guards import MAIN, MANY, Action
from paige.guard.guards.values import LearnedMatcher
from paige.guard.learning.settings import ProposalLimits
from paige.guard.tools import MCP, OTHER, SHELL

_PIECES = re.compile(r"[\n,;{}\[\]]+")
_WORDS = re.compile(r"[a-z]{3,}")
_MOST_WORDS = 60
_MOST_TEXT = 20_000
_MOST_PIECES = 400
_MOST_PIECE = 120
_MOST_TRIED = 3
_LEAST_PART = 3  # letters two words share before that is worth a glob


@dataclass(frozen=True, slots=True)
class Case:
    """Who acts in the calls, which facts make them right, and words that say what was wrong."""

    agent: str
    role: str
    unless: tuple[str, ...]
    about: str


def matchers(
    actions: Sequence[Action], case: Case, limits: ProposalLimits
) -> tuple[LearnedMatcher, ...]:
    """Matchers that are made from what all the actions share, the most specific first."""
    base = _base(actions, case)
    if not actions[0].tool:
        return (replace(base, tools=()),)  # a stop has nothing but who stops
    found: list[LearnedMatcher] = []
    paths = common_paths(actions)
    telling, others = common_pieces(actions, case.about, limits.least_text)
    if paths:
        # What would be written and where says more than the words of a command.
        found += [replace(base, paths=paths, contains=(piece,)) for piece in telling]
        found.append(replace(base, paths=paths))
        found += [replace(base, paths=paths, contains=(piece,)) for piece in others]
    found += [replace(base, command=each) for each in common_commands(actions, limits.least_words)]
    if not paths and not any(each.kind == SHELL for each in actions):
        found += [replace(base, contains=(piece,)) for piece in (*telling, *others)]
    return tuple(found) if case.agent != MAIN or case.role else _for_anybody(found)


def common_commands(actions: Sequence[Action], least: int) -> list[tuple[str, ...]]:
    """Beginnings of commands that every action has, one for each program they share."""
    if not all(each.commands for each in actions):
        return []
    per_action = [{_program(words): _plain(words) for words in each.commands} for each in actions]
    shared = set.intersection(*(set(each) for each in per_action))
    found: list[tuple[str, ...]] = []
    for program in sorted(shared - {""}):
        # Sorted, so that the same calls give the same words in whatever order they come.
        calls = sorted({each[program] for each in per_action})
        made = _generalised(calls)
        if sum("*" not in word for word in made) >= least:
            found.append(made)
    return sorted(found, key=lambda made: (-len(made), made))


def common_paths(actions: Sequence[Action]) -> tuple[str, ...]:
    """One pattern that a file of every action fits; nothing when they share too little."""
    listed = [[_relative(path, each.place.root) for path in each.paths] for each in actions]
    if not all(listed):
        return ()
    same = set.intersection(*(set(each) for each in listed))
    if same:
        return (min(same),)
    parts = sorted({tuple(each[0].split("/")) for each in listed})
    start = _common_start([each[:-1] for each in parts])
    name = common_word([each[-1] for each in parts])
    if not start and (name == "*" or not name.strip("*.")):
        return ()
    deep = any(len(each) != len(start) + 1 for each in parts)
    return ("/".join((*start, *((MANY,) if deep or not start else ()), name)),)


def common_pieces(
    actions: Sequence[Action], about: str, least: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Pieces of text that every action has: those that speak of what was wrong, and others."""
    texts = [each.text[:_MOST_TEXT] for each in actions]
    shortest = min(texts, key=lambda text: (len(text), text))
    named = set(_WORDS.findall(about.lower()))
    found: list[tuple[int, int, str]] = []
    for piece in list(dict.fromkeys(_pieces(shortest)))[:_MOST_PIECES]:
        if least <= len(piece) <= _MOST_PIECE and all(piece in text for text in texts):
            spoken = len(named & set(_WORDS.findall(piece.lower())))
            found.append((-spoken, len(piece), piece))
    found.sort()
    telling = tuple(piece for spoken, _, piece in found if spoken)
    others = sorted((piece for spoken, _, piece in found if not spoken), key=len, reverse=True)
    return telling[:_MOST_TRIED], tuple(others[:_MOST_TRIED])


def longest_shared(left: Sequence[str], right: Sequence[str]) -> tuple[str, ...]:
    """The most words two lists have in the same order."""
    lengths = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            if left[i] == right[j]:
                lengths[i][j] = lengths[i + 1][j + 1] + 1
            else:
                lengths[i][j] = max(lengths[i + 1][j], lengths[i][j + 1])
    made: list[str] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            made.append(left[i])
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return tuple(made)


def common_word(names: Sequence[str]) -> str:
    """One word for several: what they begin and end with, around a `*`."""
    if len(set(names)) == 1:
        return names[0]
    start = "".join(_common_start([tuple(each) for each in names]))
    ending = "".join(_common_start([tuple(reversed(each)) for each in names]))[::-1]
    room = min(len(each) for each in names)
    dot = ending.rfind(".")
    ending = ending[dot:] if dot >= 0 else ending if len(ending) >= _LEAST_PART else ""
    start = start if len(start) >= _LEAST_PART else ""
    if len(start) + len(ending) > room:
        start = ""
    return f"{start}*{ending}"


def _base(actions: Sequence[Action], case: Case) -> LearnedMatcher:
    # What a tool outside of the known kinds does is known by its name only.
    tools = {each.tool.lower() if each.kind in (MCP, OTHER) else each.kind for each in actions}
    named = case.agent not in ("", MAIN)
    return LearnedMatcher(
        tools=tuple(sorted(tools - {""})),
        agents=(case.agent,) if case.agent else (),
        roles=(case.role,) if case.role and not named else (),
        unless=case.unless,
    )


def _for_anybody(found: Iterable[LearnedMatcher]) -> tuple[LearnedMatcher, ...]:
    """Each matcher for whoever acts before the one for the main agent only.

    The main agent of a coding CLI is nobody in particular: what it must not do, an agent of Paige
    or a subagent must not do either, unless that would stop something that is fine.
    """
    return tuple(made for each in found for made in (replace(each, agents=()), each))


def _generalised(calls: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The words all calls share, with `*` for one word and `**` for several between them."""
    shared = reduce(longest_shared, calls)
    if shared[:1] != calls[0][:1]:
        return ()
    gaps = [_gaps(each, shared) for each in calls]
    made: list[str] = []
    for at, word in enumerate(shared):
        made.append(word)
        between = [each[at] for each in gaps]
        if at + 1 == len(shared) or not any(between):
            continue
        alone = all(len(each) == 1 for each in between)
        made.append(common_word([each[0] for each in between]) if alone else MANY)
    return tuple(made)


def _gaps(words: Sequence[str], shared: Sequence[str]) -> list[tuple[str, ...]]:
    """What stands behind each shared word, up to the next; the first place that fits is taken."""
    at, places = 0, []
    for word in shared:
        while words[at] != word:
            at += 1
        places.append(at)
        at += 1
    ends = [*places[1:], len(words)]
    return [tuple(words[place + 1 : end]) for place, end in zip(places, ends, strict=True)]


def _common_start(lists: Sequence[Sequence[str]]) -> tuple[str, ...]:
    made: list[str] = []
    for each in zip(*lists, strict=False):
        if len(set(each)) > 1:
            break
        made.append(each[0])
    return tuple(made)


def _pieces(text: str) -> Iterable[str]:
    return (each.strip() for each in _PIECES.split(text))


def _relative(path: str, root: str) -> str:
    base = root.rstrip("/") + "/"
    return path[len(base) :] if path.startswith(base) else path


def _program(words: Sequence[str]) -> str:
    return words[0].rpartition("/")[2]


def _plain(words: Sequence[str]) -> tuple[str, ...]:
    return (_program(words), *words[1:_MOST_WORDS])
