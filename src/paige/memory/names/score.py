"""Scores candidates for names of people: how name-like the words are, and what stands around them.

A score of 1 makes a name. A given name with a capital is enough by itself; a surname, an ordinary
word that is a name as well, or an unknown word needs somebody to be told something, to struggle, to
have a mother (`weighing.py`). Every part of a score has a reason, and the strongest one is shown.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from paige.memory.names import cues
from paige.memory.names.clauses import are_taught, are_together
from paige.memory.names.kinds import kind_of
from paige.memory.names.lists import lists
from paige.memory.names.runs import Run
from paige.memory.names.tokens import NAMES, Token
from paige.memory.names.weighing import against_all, weigh

ENOUGH = 1.0
_JOINED = re.compile(r"(?i)\.?\s*+(?:[&/+]|(?:,\s*+)?\b(?:and|or|n|und|et|y|i)\b|,)\s*+")
_ALONE = {
    "given": {"cap": 1.0, "upper": 0.8, "lower": 0.4, "none": 1.0},
    "given?": {"cap": 0.45, "upper": 0.25, "lower": 0.1, "none": 0.3},
    "surname": {"cap": 0.8, "upper": 0.5, "lower": 0.25, "none": 0.5},
    "surname?": {"cap": 0.2, "upper": 0.1, "lower": 0.0, "none": 0.1},
    "unknown": {"cap": 0.4, "upper": 0.1, "lower": 0.0, "none": 0.4},
}
_PAIRS = {
    ("given?", "surname"): 1.2, ("given?", "surname?"): 0.75, ("given?", "unknown"): 0.7,
    ("given?", "given?"): 0.6, ("surname", "surname"): 0.9, ("unknown", "surname"): 0.95,
    ("surname", "unknown"): 0.85, ("unknown", "unknown"): 0.5, ("unknown", "surname?"): 0.6,
    ("surname", "surname?"): 0.85, ("surname?", "surname"): 0.85, ("surname?", "surname?"): 0.3,
    ("surname?", "unknown"): 0.4, ("unknown", "given?"): 0.6, ("surname?", "given?"): 0.4,
    ("surname", "given?"): 1.0,
}  # fmt: skip
_SAY = {
    "given": "a given name",
    "given?": "a given name",
    "surname": "a surname",
    "surname?": "a surname",
    "unknown": "a name nobody knows",
}


def find_runs(text: str, tokens: list[Token]) -> list[Run]:
    """All runs that score enough, in order."""
    runs: list[Run] = []
    told = against_all(text, tokens)
    index = 0
    while index < len(tokens):
        run = _run_at(tokens, index)
        if run is None:
            index += 1
            continue
        index = run.last
        runs.append(run)
        weigh(text, tokens, run, told)
    _join_lists(text, tokens, runs)
    return [run for run in runs if run.score >= ENOUGH]


def _run_at(tokens: list[Token], index: int) -> Run | None:
    """The candidate that begins here, with what its words are worth."""
    token = tokens[index]
    if token.masked or token.low in cues.HONORIFICS:
        return None
    before = tokens[index - 1] if index else None
    titled = before is not None and before.low in cues.HONORIFICS and token.gap in (" ", ". ")
    if titled and _after_title(token):
        run = Run(index, _end_of(tokens, index), 0.0)
        run.add(1.5, f"a name after `{before.text}`" if before else "a title")
        return run
    if _is_initial(token) and token.shape != "lower":
        return _with_initials(tokens, index)
    if token.sort not in NAMES or (token.shape == "lower" and token.sort == "unknown"):
        return None
    if token.low in cues.NOBODY or (token.shape == "lower" and token.low in cues.MODALS):
        return None
    last = _end_of(tokens, index)
    run = Run(index, last, 0.0)
    run.add(*_worth(tokens[index:last]))
    return run


def _after_title(token: Token) -> bool:
    if token.shape == "lower":
        return token.sort in ("given", "surname", "given?", "surname?") and len(token.low) > 2
    return token.sort not in ("term", "word") or len(token.text) == 1


def _is_initial(token: Token) -> bool:
    return len(token.text) == 1


def _with_initials(tokens: list[Token], index: int) -> Run | None:
    """`J. Smith`, `J. K. Smith`, `J Smith`."""
    last = index + 1
    dotted = False
    while last < len(tokens) and tokens[last].gap in (". ", ".", " ") and last - index <= 3:
        dotted = dotted or tokens[last].gap.startswith(".")
        if not _is_initial(tokens[last]):
            break
        last += 1
    if last >= len(tokens) or tokens[last].gap not in (". ", ".", " ") or tokens[last].masked:
        return _only_initials(tokens, index, last)
    name = tokens[last]
    if name.shape not in ("cap", "upper") or name.sort not in NAMES:
        return _only_initials(tokens, index, last)
    plain = not dotted and tokens[index].text in "AI"
    worth = {"surname": 1.2, "given": 1.1, "surname?": 1.0, "given?": 0.9}.get(name.sort, 0.9)
    run = Run(index, last + 1, 0.0)
    run.add(worth - (0.6 if plain else 0.0 if dotted else 0.2), "an initial and a surname")
    return run


def _only_initials(tokens: list[Token], index: int, last: int) -> Run | None:
    """`K.L.`: two or three letters with dots, that are not a country or a subject."""
    letters = "".join(token.low for token in tokens[index:last])
    dotted = all(token.gap.startswith(".") for token in tokens[index + 1 : last])
    upper = all(token.text.isupper() for token in tokens[index:last])
    if not 2 <= len(letters) <= 3 or not dotted or not upper or letters in cues.ABBREVIATIONS:
        return None
    run = Run(index, last, 0.0)
    run.add(0.4, "initials")
    return run


def _end_of(tokens: list[Token], index: int) -> int:
    """Where a run of names that begins here ends: same line, only spaces, no possessive inside."""
    last = index + 1
    while last < len(tokens) and last - index < 5 and not tokens[last - 1].owns:
        token = tokens[last]
        if token.gap != " " or token.masked:
            break
        if _goes_on(tokens[index], token):
            last += 1
        elif token.low in cues.PARTICLES and _then_name(tokens, last):
            last += 2
        else:
            break
    return last


def _goes_on(head: Token, token: Token) -> bool:
    if head.shape == "lower":
        return token.shape == "lower" and token.sort == "surname" and head.sort == "given"
    if token.shape not in ("cap", "upper", "none"):
        return False
    if token.text == "I":
        return False
    return token.sort in NAMES or token.sort == "figure" or len(token.text) == 1


def _then_name(tokens: list[Token], index: int) -> bool:
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    return after is not None and after.gap == " " and after.shape == "cap" and after.sort in NAMES


def _worth(words: Sequence[Token]) -> tuple[float, str]:
    named = [word for word in words if len(word.text) > 1 and word.sort in (*NAMES, "figure")]
    head = words[0]
    if len(named) < 2:
        worth = _ALONE[head.sort][head.shape]
        if head.sort in ("given?", "surname?") and head.shape == "cap":
            worth += _of_capital(head)
        if head.shape == "upper" and len(head.low) < 4:
            worth -= 0.4  # an abbreviation, as likely
        if head.shape == "lower" and head.sort == "given" and len(head.low) > 3:
            worth += 0.4  # hardly ever anything else
        return worth, _SAY[head.sort]
    sorts = ["surname" if word.sort == "figure" else word.sort for word in named]
    if "given" in sorts:
        return (1.0 if head.shape == "lower" else 1.4), "a given name and a surname"
    return max(_PAIRS.get(pair, 0.3) for pair in pairwise(sorts)), "a full name"


def _of_capital(head: Token) -> float:
    """What a capital tells: less where the sentence begins, more where no word needs one."""
    kind = kind_of(head.low)
    if head.sort == "surname?":
        return 0.0 if not head.first else -0.2 if kind == "place" else 0.05
    if head.first:
        return -0.2
    return {"place": 0.0, "stuff": 0.15, "quality": 0.15}.get(kind, 0.35)


def _join_lists(text: str, tokens: list[Token], runs: list[Run]) -> None:
    """Names come in lists: one that is sure makes its neighbours likely, in both directions."""
    for order in (range(len(runs) - 1), range(len(runs) - 2, -1, -1)):
        for index in order:
            left, right = runs[index], runs[index + 1]
            gap = text[tokens[left.last - 1].end : tokens[right.first].start]
            if _JOINED.fullmatch(gap):
                _join(tokens, left, right)


def _join(tokens: list[Token], left: Run, right: Run) -> None:
    first, second = tokens[left.first], tokens[right.first]
    listed = left.first > 0 and tokens[left.first - 1].low in ("the", "our", "both")
    if left.score < ENOUGH and right.score < ENOUGH and not listed:
        if _both_given(first, second):
            for run in (left, right):
                run.add(0.6, "beside another given name")
        if first.shape == "cap" and second.shape == "cap" and are_together(tokens, right.last):
            for run in (left, right):
                run.add(0.75, "two who do something")
    if are_taught(tokens, right.last):
        for run in (left, right):
            run.add(-0.8, "two who are taught")
    for one, other in ((left, right), (right, left)):
        head = tokens[other.first]
        if one.score >= ENOUGH > other.score and (head.shape != "lower" or head.sort == "given"):
            other.add(0.8, "in a list of names")


def _both_given(first: Token, second: Token) -> bool:
    """Two given names side by side are people, unless both could be places or seasons."""
    if first.shape == "lower" or second.shape == "lower":
        sorts = {first.sort, second.sort}
        return "given" in sorts and sorts <= {"given", "given?"}
    terms = lists().terms
    named = all(each.sort in ("given", "given?") for each in (first, second))
    return named and second.shape == "cap" and not (first.low in terms and second.low in terms)
