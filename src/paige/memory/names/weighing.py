"""Weighs what stands around a possible name: verbs, roles, possessions; places, laws, works, dates.

Each rule adds to or takes from the score of a run and gives a reason. None decides alone, except
that nobody is called `Street` after a capital or stands behind the theorem named after them.
"""

import re

from paige.memory.names import cues
from paige.memory.names.clauses import SURE, deed_after, is_like
from paige.memory.names.kinds import Kind, kind_of
from paige.memory.names.lists import lists
from paige.memory.names.runs import Run
from paige.memory.names.tokens import Token

_CLASS = re.compile(
    r"\s*+(?:[,(]\s*+)?(?:(?:in|from|of)\s+)?(?:[1-6][A-Z]\b|S[1-6]\b|P[1-7]\b|Y(?:ear )?\d)"
)
_AGE = re.compile(r"\s*+[,(]\s*+(?:aged? )?\d{1,2}\s*+[,)]")
_NEED = re.compile(r" \((?:EAL|ASN|SEN|SEND|ADHD|ASD|BSL|VI|HI|EBD|FSM|LAC|IEP|dyslexi|autis)")
_YEAR = re.compile(r"\b1[0-9]\d\d\b")


Against = tuple[tuple[float, str], ...]


def against_all(text: str, tokens: list[Token]) -> Against:
    """What the whole text says against each of its names: it tells of the past."""
    year = ((-1.0, "a year in history"),) if _YEAR.search(text) else ()
    history = any(token.low in cues.HISTORY for token in tokens)
    return (*year, (-0.8, "beside history")) if history else year


def weigh(text: str, tokens: list[Token], run: Run, told: Against) -> None:
    """Add what stands around a run, and what `against_all` found."""
    before = _neighbours(tokens, run.first, -1)
    after = _neighbours(tokens, run.last, 1)
    _weigh_before(tokens, run, before)
    _weigh_after(tokens, run, after)
    _weigh_possessive(tokens, run, after)
    _weigh_against(tokens, run, before, after)
    _weigh_taught(tokens, run, after, told)
    head, tail = tokens[run.first], tokens[run.last - 1]
    if any(each.low in cues.PRONOUNS for each in tokens[run.last : run.last + 10]):
        run.add(0.45, "`he` or `she` follows")
    rest = text[tail.end : tail.end + 16]
    if head.shape != "lower" and (_CLASS.match(rest) or _AGE.match(rest)):
        run.add(0.5, "a class or an age follows")
    if _NEED.match(rest):
        run.add(0.75, "a need follows")
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
    if near in ("is", "was", "with", "to", "and", "by") and earlier in cues.TO_WHOM | cues.ROLES:
        near = earlier
    if near == "of" and earlier in cues.ROLES:
        near = earlier
    if (near == "for" and earlier in cues.SUITS) or (near == "with" and earlier == "worked"):
        near = "help"
    if near in ("to", "for", "from") and _given_to(tokens, run):
        near = "give"
    if near in cues.CALLED:
        someone = any(each in cues.ROLES or each in cues.SOMEONE for each in before[1:])
        run.add(0.8 if someone else 0.3, f"after `{near}`")
    elif near in cues.ROLES or near in cues.TO_WHOM:
        run.add(0.7, f"after `{near}`")
    elif near in cues.WITH:
        run.add(0.2, f"after `{near}`")


def _given_to(tokens: list[Token], run: Run) -> bool:
    """`I gave the spare tablet to …`: the verb stands some words before."""
    for token in reversed(tokens[max(0, run.first - 8) : run.first]):
        if token.low in cues.HANDED:
            return True
        if token.first:
            break
    return False


def _weigh_after(tokens: list[Token], run: Run, after: list[str]) -> None:
    head, tail = tokens[run.first], tokens[run.last - 1]
    if not after or tail.owns or tokens[run.last].gap.strip() not in ("", ",", "(", "."):
        return
    near, later = after[0], after[1] if len(after) > 1 else ""
    if near in cues.ADVERBS and later in cues.DOES | cues.MAY_DO:
        near = later
    named_only = tokens[run.last].gap.strip() in (",", "(") or (
        later == "up" and near in ("came", "comes", "come", "popped")  # in a talk
    )
    worth = 0.0 if named_only else _worth_of_verb(head, near)
    if near in cues.IS and later not in ("after", "at", "away", "for", "up"):
        worth = SURE if any(is_like(each, _kind(head)) for each in after[1:]) else 0.25
    elif near == "who":
        worth = 0.75
    elif near in cues.KIN:
        worth = 1.2
    deed = deed_after(tokens, run.last, _kind(head))
    plain = head.shape == "lower" and head.sort != "given"
    if not named_only and not plain and deed.worth > worth:
        worth, near = deed
    if worth:
        run.add(worth, f"before `{near}`")
    if head.shape == "lower" and near in ("to", "that", "off", "about", "if"):
        run.add(0.25, "is told something")


def _kind(head: Token) -> Kind:
    if head.sort == "unknown" or len(head.text) == 1:
        return "unknown"
    return kind_of(head.low) if head.sort.endswith("?") else "thing"


def _worth_of_verb(head: Token, verb: str) -> float:
    if verb in cues.DOES:
        return 0.75
    if verb in cues.MAY_DO:
        return 0.3 if head.low in lists().terms else 0.75
    return 0.25 if verb in cues.MAYBE_DOES else 0.0


def _weigh_possessive(tokens: list[Token], run: Run, after: list[str]) -> None:
    if not tokens[run.last - 1].owns:
        return
    own = [each.removesuffix("'s") for each in after[:2]]
    if not own:
        run.add(0.5, "has something")
    elif own[0] in cues.THEIRS or (own[1:] and own[1] in cues.THEIRS and own[1] != "needs"):
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
    ranked = len(words) > 1 and head.low in cues.CROWNS
    if ranked or (last in cues.RANKS and tokens[run.first - 1].shape == "cap"):
        run.add(-1.5, "a rank")
    if near in cues.LAWS and (tail.owns or head.sort != "given"):
        run.add(-1.0, "a law")
    if near in cues.MODELS and not tail.owns and head.sort != "given":
        run.add(-1.0, "a model")
    if unsure and len(words) == 1:
        _weigh_ordinary(tokens, run, (last, near))


def _weigh_taught(tokens: list[Token], run: Run, after: list[str], told: Against) -> None:
    """Against authors, rulers and inventors who stand on no list."""
    before = _neighbours(tokens, run.first, -1)
    last, near = before[0] if before else "", after[0] if after else ""
    named = near in cues.TAUGHT or (near in ("the", "a", "an") and set(after[1:3]) & cues.TAUGHT)
    if last in cues.TAUGHT or named:
        run.add(-1.2, "somebody who is taught")
    if last == "by" and before[1:2] and before[1] in cues.WORKS:
        run.add(-1.2, "an author")
    if any(each in cues.FAMOUS_FOR for each in after[:2]):
        run.add(-1.0, "somebody in history")
    beside = ((-0.8, "beside history"),) if _beside_figure(tokens, run) else ()
    for worth, reason in dict.fromkeys((*told, *beside)):
        run.add(worth, reason)
    _weigh_works(tokens, run, after)


def _beside_figure(tokens: list[Token], run: Run) -> bool:
    """Whether somebody who is taught stands in the same list: `Elizabeth I and Mary`."""
    for joint, other in ((run.first - 1, run.first - 2), (run.last, run.last + 1)):
        if 0 <= joint < len(tokens) and 0 <= other < len(tokens) and tokens[joint].low == "and":
            told = tokens[other]
            return told.low in lists().figures or (told.masked and told.shape == "cap")
    return False


def _weigh_works(tokens: list[Token], run: Run, after: list[str]) -> None:
    """Against people in books and those who wrote them."""
    tail, several = tokens[run.last - 1], run.last - run.first > 1
    near = after[0] if after else ""
    book = tokens[run.last + 1].low if run.last + 1 < len(tokens) else ""
    if near == "in" and book in lists().figures:
        run.add(-1.2, "somebody in a book")
    if several:
        if near in cues.WORKS and not tail.owns:
            run.add(-0.6, "somebody whose work is used")
    elif any(token.low in cues.IN_BOOKS for token in tokens[run.first : run.last + 14]):
        run.add(-0.3, "somebody in a book")
    if tail.owns and (several or tail.sort != "given") and set(after[:3]) & cues.WORKS:
        run.add(-1.2, "an author")


def _weigh_ordinary(tokens: list[Token], run: Run, around: tuple[str, str]) -> None:
    """Against single words that mean something else as well."""
    last, near = around
    head = tokens[run.first]
    if head.low in cues.MONTHS and (last in cues.IN_TIME or _is_date(tokens, run)):
        run.add(-1.0, "a time of the year")
    if last in cues.IN_PLACE and head.sort != "unknown" and kind_of(head.low) == "place":
        run.add(-0.6, "a place")
    if last in cues.GROUPS:
        run.add(-0.6, "the name of a group")
    acting = any(worth >= SURE and reason.startswith("before") for worth, reason in run.reasons)
    if near in cues.THINGS and not head.owns and not acting:
        run.add(-0.7, "a thing")
    if near in cues.STARTS and head.first and head.sort != "unknown" and not acting:
        run.add(-0.5, "an ordinary word")
    if last in ("the", "a", "an", "this", "each", "every", "no", "our", "some", "your", "its"):
        run.add(-0.4, "an ordinary word")
    if _in_title(tokens, run):
        run.add(-0.4, "a title")


def _in_title(tokens: list[Token], run: Run) -> bool:
    """Whether the ordinary words beside it have capitals as well."""
    around = [tokens[index] for index in (run.first - 1, run.last) if 0 <= index < len(tokens)]
    return any(
        each.shape == "cap" and each.sort in ("word", "term") and not each.first for each in around
    )


def _is_date(tokens: list[Token], run: Run) -> bool:
    after = tokens[run.last].gap if run.last < len(tokens) else ""
    return any(each.isdigit() for each in after) or any(
        each.isdigit() for each in tokens[run.first].gap
    )
