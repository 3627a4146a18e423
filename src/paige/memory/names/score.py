"""Scores candidates for names of people: how name-like the words are, and what stands around them.

A score of 1 makes a name. A given name with a capital is enough by itself; a surname, an ordinary
word that is a name as well, or an unknown word needs somebody to be told something, to struggle, to
have a mother. Every part of a score has a reason, and the strongest one is shown.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from paige.memory.names import cues
from paige.memory.names.lists import lists
from paige.memory.names.tokens import NAMES, Token

ENOUGH = 1.0
_JOINED = re.compile(r"(?i)\s*(?:,|&|/|\+|,?\s*\b(?:and|or|n|und|et|y|i)\b)\s*")
_CLASS = re.compile(
    r"\s*[,(]?\s*(?:(?:in|from|of)\s+)?(?:[1-6][A-Z]\b|S[1-6]\b|P[1-7]\b|Y(?:ear )?\d)"
)
_AGE = re.compile(r"\s*[,(]\s*(?:aged? )?\d{1,2}\s*[,)]")
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


@dataclass(slots=True)
class Run:
    """Words that stand together and may be one name: `tokens[first:last]`."""

    first: int
    last: int
    score: float
    reasons: list[tuple[float, str]] = field(default_factory=list)

    def add(self, worth: float, reason: str) -> None:
        self.score += worth
        self.reasons.append((worth, reason))

    @property
    def reason(self) -> str:
        told = sorted((each for each in self.reasons if each[0] > 0), key=lambda each: -each[0])
        return ", ".join(reason for _, reason in told[:2])


def find_runs(text: str, tokens: list[Token]) -> list[Run]:
    """All runs that score enough, in order."""
    runs: list[Run] = []
    index = 0
    while index < len(tokens):
        run = _run_at(tokens, index)
        if run is None:
            index += 1
            continue
        index = run.last
        runs.append(run)
        _weigh(text, tokens, run)
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
        return None
    name = tokens[last]
    if name.shape not in ("cap", "upper") or name.sort not in NAMES:
        return None
    plain = not dotted and tokens[index].text in "AI"
    worth = {"surname": 1.2, "given": 1.1, "surname?": 1.0, "given?": 0.9}.get(name.sort, 0.9)
    run = Run(index, last + 1, 0.0)
    run.add(worth - (0.6 if plain else 0.0 if dotted else 0.2), "an initial and a surname")
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
    return token.sort in NAMES or token.sort == "figure" or len(token.text) == 1


def _then_name(tokens: list[Token], index: int) -> bool:
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    return after is not None and after.gap == " " and after.shape == "cap" and after.sort in NAMES


def _worth(words: Sequence[Token]) -> tuple[float, str]:
    named = [word for word in words if len(word.text) > 1 and word.sort in (*NAMES, "figure")]
    head = words[0]
    if len(named) < 2:
        worth = _ALONE[head.sort][head.shape]
        if head.first and head.sort in ("given?", "surname?") and head.shape == "cap":
            worth -= 0.2  # the capital is the sentence's
        if head.shape == "upper" and len(head.low) < 4:
            worth -= 0.4  # an abbreviation, as likely
        if head.shape == "lower" and head.sort == "given" and len(head.low) > 3:
            worth += 0.4  # hardly ever anything else
        return worth, _SAY[head.sort]
    sorts = ["surname" if word.sort == "figure" else word.sort for word in named]
    if "given" in sorts:
        return (1.0 if head.shape == "lower" else 1.4), "a given name and a surname"
    return max(_PAIRS.get(pair, 0.3) for pair in pairwise(sorts)), "a full name"


def _weigh(text: str, tokens: list[Token], run: Run) -> None:
    """Add what stands around a run."""
    before = _neighbours(tokens, run.first, -1)
    after = _neighbours(tokens, run.last, 1)
    _weigh_before(tokens, run, before)
    _weigh_after(tokens, run, after)
    _weigh_possessive(tokens, run, after)
    _weigh_against(tokens, run, before, after)
    head, tail = tokens[run.first], tokens[run.last - 1]
    if any(each.low in cues.PRONOUNS for each in tokens[run.last : run.last + 10]):
        run.add(0.45, "`he` or `she` follows")
    rest = text[tail.end : tail.end + 16]
    if head.shape != "lower" and (_CLASS.match(rest) or _AGE.match(rest)):
        run.add(0.5, "a class or an age follows")
    if re.match(r", [A-Z]\b\.?(?!\w)", rest) and tail.sort in ("surname", "surname?", "unknown"):
        run.add(0.6, "an initial follows")


def _neighbours(tokens: list[Token], index: int, step: int) -> list[str]:
    """The next words of the same sentence in one direction, nearest first."""
    found: list[str] = []
    if step < 0:
        while index > 0 and len(found) < 3 and not tokens[index].first:
            index -= 1
            found.append(tokens[index].low)
        return found
    while index < len(tokens) and len(found) < 3 and not tokens[index].first:
        found.append(tokens[index].low if not tokens[index].owns else tokens[index].low + "'s")
        index += 1
    return found


def _weigh_before(tokens: list[Token], run: Run, before: list[str]) -> None:
    if not before or tokens[run.first].gap.strip() not in ("", ",", "(", '"', "“", "'"):
        return
    near, earlier = before[0], before[1] if len(before) > 1 else ""
    if near in ("is", "was", "with", "to", "and") and earlier in cues.TO_WHOM | cues.ROLES:
        near = earlier
    if near in cues.CALLED:
        someone = any(each in cues.ROLES or each in cues.SOMEONE for each in before[1:])
        run.add(0.8 if someone else 0.3, f"after `{near}`")
    elif near in cues.ROLES or near in cues.TO_WHOM:
        run.add(0.7, f"after `{near}`")
    elif near in cues.WITH:
        run.add(0.2, f"after `{near}`")


def _weigh_after(tokens: list[Token], run: Run, after: list[str]) -> None:
    head, tail = tokens[run.first], tokens[run.last - 1]
    if not after or tail.owns or tokens[run.last].gap.strip() not in ("", ",", "("):
        return
    near, later = after[0], after[1] if len(after) > 1 else ""
    if near in cues.ADVERBS and later in cues.DOES | cues.MAY_DO:
        near = later
    named_only = tokens[run.last].gap.strip() or later == "up"  # `came up` in a talk
    worth = 0.0 if named_only else _worth_of_verb(head, near)
    if near in cues.IS:
        worth = 0.75 if any(each in cues.IS_LIKE for each in after[1:]) else 0.25
    elif near == "who":
        worth = 0.75
    elif near in cues.KIN:
        worth = 1.2
    if worth:
        run.add(worth, f"before `{near}`")
    if head.shape == "lower" and near in ("to", "that", "off", "about", "if"):
        run.add(0.25, "is told something")


def _worth_of_verb(head: Token, verb: str) -> float:
    if verb in cues.DOES:
        return 0.75
    if verb in cues.MAY_DO:
        return 0.3 if head.low in lists().terms else 0.75
    return 0.25 if verb in cues.MAYBE_DOES else 0.0


def _weigh_possessive(tokens: list[Token], run: Run, after: list[str]) -> None:
    if not tokens[run.last - 1].owns:
        return
    if any(each.removesuffix("'s") in cues.THEIRS for each in after[:2]):
        run.add(0.75, "has something that people have")
    else:
        run.add(0.1, "has something")


def _weigh_against(tokens: list[Token], run: Run, before: list[str], after: list[str]) -> None:
    words = tokens[run.first : run.last]
    head, tail = words[0], words[-1]
    near = after[0].removesuffix("'s") if after and tokens[run.last].gap == " " else ""
    last = before[0] if before else ""
    unsure = head.sort.endswith("?") or head.sort == "unknown"
    if near in cues.PLACES and tokens[run.last].shape != "lower":
        run.add(-2.0, "a place")
    if last in cues.RANKS and tokens[run.first - 1].shape == "cap":
        run.add(-1.5, "a rank")
    if near in cues.LAWS and (tail.owns or head.sort != "given"):
        run.add(-1.0, "a law")
    if near in cues.MODELS and not tail.owns and head.sort != "given":
        run.add(-1.0, "a model")
    if last in cues.TAUGHT or near in cues.TAUGHT or (after[1:2] and after[1] in cues.TAUGHT):
        run.add(-1.2, "somebody who is taught")
    if len(words) > 1 and near in cues.WORKS and not tail.owns:
        run.add(-0.6, "somebody whose work is used")
    if last == "by" and before[1:2] and before[1] in cues.WORKS:
        run.add(-1.2, "an author")
    if unsure and len(words) == 1:
        _weigh_ordinary(tokens, run, (last, near))


def _weigh_ordinary(tokens: list[Token], run: Run, around: tuple[str, str]) -> None:
    """Against single words that mean something else as well."""
    last, near = around
    head = tokens[run.first]
    terms = lists().terms
    if head.low in cues.MONTHS and (last in cues.IN_TIME or _is_date(tokens, run)):
        run.add(-1.0, "a time of the year")
    if head.low in terms and last in cues.IN_PLACE and head.sort != "unknown":
        run.add(-0.6, "a place")
    if last in cues.GROUPS:
        run.add(-0.6, "the name of a group")
    if near in cues.THINGS and not head.owns:
        run.add(-0.7, "a thing")
    if near in cues.STARTS and head.first and head.sort != "unknown":
        run.add(-0.5, "an ordinary word")
    if last in ("the", "a", "an", "this", "each", "every", "no", "our", "some", "your", "its"):
        run.add(-0.4, "an ordinary word")


def _is_date(tokens: list[Token], run: Run) -> bool:
    after = tokens[run.last].gap if run.last < len(tokens) else ""
    return any(each.isdigit() for each in after) or any(
        each.isdigit() for each in tokens[run.first].gap
    )


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
    if left.score < ENOUGH and right.score < ENOUGH and _both_given(first, second):
        for run in (left, right):
            run.add(0.6, "beside another given name")
    for one, other in ((left, right), (right, left)):
        if one.score >= ENOUGH > other.score and tokens[other.first].shape != "lower":
            other.add(0.8, "in a list of names")


def _both_given(first: Token, second: Token) -> bool:
    """Two given names side by side are people, unless both could be places or seasons."""
    if first.shape == "lower" or second.shape == "lower":
        sorts = {first.sort, second.sort}
        return "given" in sorts and sorts <= {"given", "given?"}
    terms = lists().terms
    named = all(each.sort in ("given", "given?") for each in (first, second))
    return named and second.shape == "cap" and not (first.low in terms or second.low in terms)
