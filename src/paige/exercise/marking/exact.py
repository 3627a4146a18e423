"""Marks what has one right value: numbers, quantities, dates, letters, true or false, code output.

Each function answers with a mark, or with nothing when the accepted answer is of another kind.
"""

import re
from collections.abc import Sequence

from paige.exercise.marking.closed_lists import ClosedLists
from paige.exercise.marking.quantities import Quantity, dates, quantity
from paige.exercise.marking.saying import expected, quoted, right
from paige.exercise.values import Marked

_LETTER = re.compile(r"^\(?([a-z])\)?[.):]?$", re.IGNORECASE)
_CHOSEN = re.compile(
    r"^(?:(?:option|answer|choice|letter)\s*+(?::\s*+)?)?\(?([a-z])\)?(?:[.):\s-]++.*+)?$",
    re.IGNORECASE,
)
_CALLED = frozenset({"option", "options", "answer", "answers", "choice", "letter", "letters"})
_JOINED = frozenset({"or", "and", "atau", "dan", "ou", "et", "oder", "und", "o", "y"})
_ARTICLE_FIRST = re.compile(r"^a\s+\w", re.IGNORECASE)
_CODE_SIGNS = re.compile(r"[\[\]{}<>=;_\\\n]|\w\([^()]*\)(?!\w)|\)\.|^['\"].*['\"]$")
_INNER = re.compile(r"\s+")


def mark_letter(alternative: str, answer: str) -> Marked | None:
    """A letter of a choice."""
    wanted = _LETTER.match(alternative.strip())
    if wanted is None:
        return None
    chosen = _CHOSEN.match(answer.strip())
    letter = wanted[1].upper()
    if len(_letters(answer)) > 1:
        said = f"You chose several letters, and one is asked for: {letter}."
        return Marked("incorrect", 0.0, said, None, alternative)
    if chosen is None or _ARTICLE_FIRST.match(answer.strip()):
        said = f"The answer is the letter {letter}; {quoted(answer)} names no letter."
        return Marked("incorrect", 0.0, said, None, alternative)
    if chosen[1].upper() == letter:
        return Marked("correct", 1.0, f"Correct: the letter is {letter}.", None, alternative)
    said = f"You chose {chosen[1].upper()}; the right letter is {letter}."
    return Marked("incorrect", 0.0, said, None, alternative)


def _letters(answer: str) -> set[str]:
    """The letters at the beginning of an answer that are chosen: of `B or C`, of `A B C`."""
    words = [word for word in re.findall(r"\w+", answer.casefold()) if word not in _CALLED]
    found: set[str] = set()
    for at, word in enumerate(words):
        if len(word) == 1 and not word.isdigit():
            found.add(word)
        elif word not in _JOINED:
            # A last `a` before other words is their article: `B) a verb`.
            return found - {"a"} if at > 1 and words[at - 1] == "a" else found
    return found


def is_choice(alternatives: Sequence[str], lists: ClosedLists) -> bool:
    """Whether one of few is asked for, so that naming several of them says nothing."""
    return any(
        _LETTER.match(each.strip()) or each.strip().strip(".!").casefold() in lists.truth
        for each in alternatives
    )


def mark_truth(alternative: str, answer: str, lists: ClosedLists) -> Marked | None:
    """True or false, yes or no; what follows the first word is not marked."""
    wanted = lists.truth.get(alternative.strip().strip(".!").casefold())
    if wanted is None:
        return None
    words = re.findall(r"\w+", answer.casefold())
    given = lists.truth.get(words[0]) if words else None
    if words[:1] == ["not"] and len(words) > 1 and words[1] in lists.truth:
        given = not lists.truth[words[1]]
    after = next((word for word in words[1:] if word not in _JOINED), "")
    if given is not None and lists.truth.get(after, given) is not given:
        said = f"It cannot be both: the answer is {quoted(alternative)}."
        return Marked("incorrect", 0.0, said, None, alternative)
    if given is wanted:
        return Marked("correct", 1.0, f"Correct: {quoted(alternative)}.", None, alternative)
    if given is None:
        said = f"This needs a plain {quoted(alternative)} or its opposite."
        return Marked("incorrect", 0.0, said, None, alternative)
    said = f"It is the other way round: the answer is {quoted(alternative)}."
    return Marked("incorrect", 0.0, said, None, alternative)


def mark_date(alternative: str, answer: str, lists: ClosedLists) -> Marked | None:
    """A day, however it is written."""
    wanted = dates(alternative, lists)
    if not wanted:
        return None
    given = dates(answer, lists)
    if wanted & given:
        return Marked("correct", 1.0, right(alternative, ()), None, alternative)
    if not given:
        said = f"{quoted(answer)} does not give the day. {expected(alternative)}"
        return Marked("incorrect", 0.0, said, None, alternative)
    days = {(month, day) for _, month, day in wanted} & {(month, day) for _, month, day in given}
    if days and any(year is None for year, _, _ in wanted):
        return Marked("correct", 1.0, right(alternative, ()), None, alternative)
    if days and all(year is None for year, _, _ in given):
        said = f"Day and month are right; the year is missing. {expected(alternative)}"
        return Marked("partial", 0.6, said, None, alternative)
    return Marked(
        "incorrect",
        0.0,
        f"{_date_difference(wanted, given)} {expected(alternative)}",
        None,
        alternative,
    )


def _date_difference(wanted: frozenset, given: frozenset) -> str:
    years = {one[0] for one in wanted} & {one[0] for one in given}
    months = {one[1] for one in wanted} & {one[1] for one in given}
    days = {one[2] for one in wanted} & {one[2] for one in given}
    parts = (("year", years), ("month", months), ("day", days))
    wrong = " and ".join(name for name, same in parts if not same)
    return f"The {wrong or 'date'} is not right."


def mark_quantity(alternative: str, answer: str, lists: ClosedLists) -> Marked | None:
    """A number, with or without a unit."""
    wanted = quantity(alternative, lists)
    if wanted is None:
        return None
    given = quantity(_after_equals(answer), lists)
    if given is None:
        return None
    return _compare(wanted, given, alternative, answer)


def _after_equals(answer: str) -> str:
    """What follows `x =`, `about` or `the answer is`."""
    text = answer.rsplit("=", 1)[-1] if answer.count("=") == 1 else answer
    return re.sub(r"^\s*(the answer is|answer:?|it is|it's|is)\s+", "", text, flags=re.IGNORECASE)


def _compare(wanted: Quantity, given: Quantity, alternative: str, answer: str) -> Marked:
    known = expected(alternative)
    same_kind = wanted.kind == given.kind
    bare = not wanted.kind or not given.kind
    equal = wanted.equals(given) if same_kind else wanted.given == given.given and bare
    if equal and (same_kind or not wanted.kind):
        return Marked("correct", 1.0, right(alternative, ()), None, alternative)
    if equal:
        said = f"The number is right; the unit is missing. {known}"
        return Marked("partial", 0.6, said, None, alternative)
    if not same_kind and not bare:
        return Marked("incorrect", 0.0, f"The unit does not fit. {known}", None, alternative)
    rounded = _rounding(wanted, given)
    if rounded == "finer":
        return Marked("correct", 1.0, right(alternative, ()), None, alternative)
    if rounded == "coarser":
        said = f"Rounded too far: {quoted(answer)} is close. {known}"
        return Marked("partial", 0.7, said, None, alternative)
    if wanted.given == given.given:
        said = f"The number is right, but not in this unit. {known}"
        return Marked("incorrect", 0.2, said, None, alternative)
    near = f"{quoted(answer)} is not the right amount."
    off = "off_by_one" if _off_by_one(wanted, given) else None
    return Marked("incorrect", 0.0, f"{near} {known}", off, alternative)


def _off_by_one(wanted: Quantity, given: Quantity) -> bool:
    whole = wanted.given.is_integer() and given.given.is_integer()
    return whole and abs(wanted.given - given.given) == 1


def _rounding(wanted: Quantity, given: Quantity) -> str:
    """Whether one is the other rounded; a finer answer is right, a coarser one partly."""
    if 0 < wanted.decimals < given.decimals and round(given.given, wanted.decimals) == wanted.given:
        return "finer"
    if wanted.decimals > given.decimals > 0 and (
        round(wanted.given, given.decimals) == given.given
    ):
        return "coarser"
    return ""


def is_code(question: str, alternative: str, lists: ClosedLists) -> bool:
    """Whether an accepted answer is code or what code prints."""
    signs = bool(_CODE_SIGNS.search(alternative.strip()))
    return signs and (
        bool(lists.code.search(question)) or "\n" in alternative or _dense(alternative)
    )


def _dense(text: str) -> bool:
    return text.strip()[:1] in {"[", "{"} or bool(
        re.search(r"\(\)|\w\.\w+\(|\w\(['\"\d]|==|=>|->|::", text)
    )


def mark_code(alternative: str, answer: str) -> Marked:
    """Code or its output: signs and case count, spaces and the kind of quotation marks do not."""
    wanted, given = _code_key(alternative), _code_key(answer)
    if wanted == given:
        return Marked("correct", 1.0, right(alternative, ()), None, alternative)
    known = expected(alternative)
    if wanted.casefold() == given.casefold():
        said = f"Only capital and small letters differ, and in code they count. {known}"
        return Marked("partial", 0.8, said, "syntax_error", alternative)
    if re.sub(r"[^\w.+-]", "", wanted) == re.sub(r"[^\w.+-]", "", given):
        said = f"The values are right; brackets, quotation marks or commas are not. {known}"
        return Marked("partial", 0.6, said, "syntax_error", alternative)
    return Marked("incorrect", 0.0, f"{quoted(answer)} is not it. {known}", None, alternative)


def _code_key(text: str) -> str:
    text = text.strip().strip("`").replace("“", '"').replace("”", '"').replace("\u2019", "'")
    text = text.replace('"', "'").rstrip(";")
    return _INNER.sub("", text)
