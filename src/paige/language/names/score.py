"""Scores candidates for names of people: how name-like the words are, and what stands around them.

A score of 1 makes a name. A given name with a capital is enough by itself; a surname, an ordinary
word that is a name as well, or an unknown word needs somebody to be told something, to struggle, to
have a mother. Every part of a score has a reason, and the strongest one is shown.
None decides alone, except that nobody is called `Street` after a capital or stands behind the
theorem named after them.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from paige.language.names.clauses import SURE, are_taught, are_together, deed_after, is_like
from paige.language.names.lists import Kind, cue, kind_of, lists
from paige.language.names.tokens import NAMES, Run, Token

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
_CLASS = re.compile(
    r"\s*+(?:[,(]\s*+)?(?:(?:in|from|of)\s+)?(?:[1-6][A-Z]\b|S[1-6]\b|P[1-7]\b|Y(?:ear )?\d)"
)
_AGE = re.compile(r"\s*+[,(]\s*+(?:aged? )?\d{1,2}\s*+[,)]")
_NEED = re.compile(r" \((?:EAL|ASN|SEN|SEND|ADHD|ASD|BSL|VI|HI|EBD|FSM|LAC|IEP|dyslexi|autis)")
_YEAR = re.compile(r"\b1[0-9]\d\d\b")


Against = tuple[tuple[float, str], ...]


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
    if token.masked or token.low in cue("honorifics"):
        return None
    before = tokens[index - 1] if index else None
    titled = before is not None and before.low in cue("honorifics") and token.gap in (" ", ". ")
    if titled and _after_title(token):
        run = Run(index, _end_of(tokens, index), 0.0)
        run.add(1.5, f"a name after `{before.text}`" if before else "a title")
        return run
    if _is_initial(token) and token.shape != "lower":
        return _with_initials(tokens, index)
    if token.sort not in NAMES or (token.shape == "lower" and token.sort == "unknown"):
        return None
    if token.low in cue("nobody") or (token.shape == "lower" and token.low in cue("modals")):
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
    if not 2 <= len(letters) <= 3 or not dotted or not upper or letters in cue("abbreviations"):
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
        elif token.low in cue("particles") and _then_name(tokens, last):
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


def against_all(text: str, tokens: list[Token]) -> Against:
    """What the whole text says against each of its names: it tells of the past."""
    year = ((-1.0, "a year in history"),) if _YEAR.search(text) else ()
    history = any(token.low in cue("history") for token in tokens)
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
    if any(each.low in cue("pronouns") for each in tokens[run.last : run.last + 10]):
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
    if near in ("is", "was", "with", "to", "and", "by") and earlier in cue("to_whom") | cue(
        "roles"
    ):
        near = earlier
    if near == "of" and earlier in cue("roles"):
        near = earlier
    if (near == "for" and earlier in cue("suits")) or (near == "with" and earlier == "worked"):
        near = "help"
    if near in ("to", "for", "from") and _given_to(tokens, run):
        near = "give"
    if near in cue("called"):
        someone = any(each in cue("roles") or each in cue("someone") for each in before[1:])
        run.add(0.8 if someone else 0.3, f"after `{near}`")
    elif near in cue("roles") or near in cue("to_whom"):
        run.add(0.7, f"after `{near}`")
    elif near in cue("with"):
        run.add(0.2, f"after `{near}`")


def _given_to(tokens: list[Token], run: Run) -> bool:
    """`I gave the spare tablet to …`: the verb stands some words before."""
    for token in reversed(tokens[max(0, run.first - 8) : run.first]):
        if token.low in cue("handed"):
            return True
        if token.first:
            break
    return False


def _weigh_after(tokens: list[Token], run: Run, after: list[str]) -> None:
    head, tail = tokens[run.first], tokens[run.last - 1]
    if not after or tail.owns or tokens[run.last].gap.strip() not in ("", ",", "(", "."):
        return
    near, later = after[0], after[1] if len(after) > 1 else ""
    if near in cue("adverbs") and later in cue("does") | cue("may_do"):
        near = later
    named_only = tokens[run.last].gap.strip() in (",", "(") or (
        later == "up" and near in ("came", "comes", "come", "popped")  # in a talk
    )
    worth = 0.0 if named_only else _worth_of_verb(head, near)
    if near in cue("is") and later not in ("after", "at", "away", "for", "up"):
        worth = SURE if any(is_like(each, _kind(head)) for each in after[1:]) else 0.25
    elif near == "who":
        worth = 0.75
    elif near in cue("kin"):
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
    if verb in cue("does"):
        return 0.75
    if verb in cue("may_do"):
        return 0.3 if head.low in lists().terms else 0.75
    return 0.25 if verb in cue("maybe_does") else 0.0


def _weigh_possessive(tokens: list[Token], run: Run, after: list[str]) -> None:
    if not tokens[run.last - 1].owns:
        return
    own = [each.removesuffix("'s") for each in after[:2]]
    if not own:
        run.add(0.5, "has something")
    elif own[0] in cue("theirs") or (own[1:] and own[1] in cue("theirs") and own[1] != "needs"):
        run.add(0.75, "has something that people have")
    else:
        run.add(0.1, "has something")


def _weigh_against(tokens: list[Token], run: Run, before: list[str], after: list[str]) -> None:
    words = tokens[run.first : run.last]
    head, tail = words[0], words[-1]
    near = after[0].removesuffix("'s") if after and tokens[run.last].gap == " " else ""
    last = before[0] if before else ""
    unsure = head.sort.endswith("?") or head.sort == "unknown"
    if near in cue("places") and tokens[run.last].shape != "lower":
        run.add(-2.0, "a place")
    ranked = len(words) > 1 and head.low in cue("crowns")
    if ranked or (last in cue("ranks") and tokens[run.first - 1].shape == "cap"):
        run.add(-1.5, "a rank")
    if near in cue("laws") and (tail.owns or head.sort != "given"):
        run.add(-1.0, "a law")
    if near in cue("models") and not tail.owns and head.sort != "given":
        run.add(-1.0, "a model")
    if unsure and len(words) == 1:
        _weigh_ordinary(tokens, run, (last, near))


def _weigh_taught(tokens: list[Token], run: Run, after: list[str], told: Against) -> None:
    """Against authors, rulers and inventors who stand on no list."""
    before = _neighbours(tokens, run.first, -1)
    last, near = before[0] if before else "", after[0] if after else ""
    named = near in cue("taught") or (
        near in ("the", "a", "an") and set(after[1:3]) & cue("taught")
    )
    if last in cue("taught") or named:
        run.add(-1.2, "somebody who is taught")
    if last == "by" and before[1:2] and before[1] in cue("works"):
        run.add(-1.2, "an author")
    if any(each in cue("famous_for") for each in after[:2]):
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
        if near in cue("works") and not tail.owns:
            run.add(-0.6, "somebody whose work is used")
    elif any(token.low in cue("in_books") for token in tokens[run.first : run.last + 14]):
        run.add(-0.3, "somebody in a book")
    if tail.owns and (several or tail.sort != "given") and set(after[:3]) & cue("works"):
        run.add(-1.2, "an author")


def _weigh_ordinary(tokens: list[Token], run: Run, around: tuple[str, str]) -> None:
    """Against single words that mean something else as well."""
    last, near = around
    head = tokens[run.first]
    if head.low in cue("months") and (last in cue("in_time") or _is_date(tokens, run)):
        run.add(-1.0, "a time of the year")
    if last in cue("in_place") and head.sort != "unknown" and kind_of(head.low) == "place":
        run.add(-0.6, "a place")
    if last in cue("groups"):
        run.add(-0.6, "the name of a group")
    acting = any(worth >= SURE and reason.startswith("before") for worth, reason in run.reasons)
    if near in cue("things") and not head.owns and not acting:
        run.add(-0.7, "a thing")
    if near in cue("starts") and head.first and head.sort != "unknown" and not acting:
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
