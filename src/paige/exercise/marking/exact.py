"""Marks what has one right value: numbers, quantities, dates, letters, true or false, code output.

Each function answers with a mark, or with nothing when the accepted answer is of another kind.
Numbers, quantities and dates may be written anyhow: `12`, `twelve` and `12.0` are one number;
`50 %` is `0.5`; `5 km` is `5000 m`; `5/1/2024` may be the fifth of January or the first of May.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from paige.exercise.marking.feedback import expected, quoted, right
from paige.exercise.marking.lexicon import ClosedLists
from paige.exercise.values import AnswerMark
from paige.language.english import read_number
from paige.language.words import runs

_PARTS = {"half": 0.5, "quarter": 0.25, "third": 1 / 3}
_SIGNS = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}
_CURRENCY = re.compile(r"^(-?)\s*([$£€]|rm|usd|eur|gbp|myr)\s*(.+)$")
_NUMBER = re.compile(
    r"^(?P<sign>[-+]?)(?P<body>\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)"
    r"(?:e(?P<e>[-+]?\d+)| ?[x*] ?10 ?\^ ?(?P<ten>[-+]?\d+))?"
)
_FRACTION = re.compile(r"^([-+]?)(?:(\d+) )?(\d+) ?/ ?(\d+)")
_DATE = (
    re.compile(r"^(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})$"),
    re.compile(r"^(?P<d>\d{1,2})[/.-](?P<m>\d{1,2})[/.-](?P<y>\d{4})$"),
    re.compile(
        r"^(?P<d>\d{1,2})(?:st|nd|rd|th|er|\.)? (?:of |de )?(?P<n>[^\W\d]+)"
        r"(?:,? (?:de )?(?P<y>\d{4}))?$"
    ),
    re.compile(r"^(?P<n>[^\W\d]+) (?P<d>\d{1,2})(?:st|nd|rd|th)?(?:,? (?P<y>\d{4}))?$"),
)
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


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in the first unit of its kind; `decimals` is how exactly it was written."""

    value: float
    kind: str = ""
    decimals: int = 0
    given: float = 0.0  # the number as written, before its unit

    def equals(self, other: "Quantity") -> bool:
        """Whether both are the same amount, their units apart."""
        return math.isclose(self.value, other.value, rel_tol=1e-9, abs_tol=1e-12)


def quantity(text: str, lists: ClosedLists) -> Quantity | None:
    """The quantity that a text is, or nothing if it is anything else."""
    text = text.strip().lower().rstrip(".!?").strip()
    for sign, written in _SIGNS.items():
        text = text.replace(sign, f" {written}")
    text = " ".join(text.replace("\u2212", "-").replace("\u00d7", "x").split())
    money = _CURRENCY.match(text)
    if money:
        text = f"{money[1]}{money[3]} {money[2]}"
    try:
        found = _fraction(text) or _figure(text) or _words(text)
    except (OverflowError, ValueError):
        return None  # `1e999` is larger than any amount
    if found is None or not math.isfinite(found[0]):
        return None
    value, decimals, rest = found
    return _with_unit(value, decimals, rest.strip(), lists)


def _with_unit(value: float, decimals: int, rest: str, lists: ClosedLists) -> Quantity | None:
    if not rest:
        return Quantity(value, "", decimals, value)
    if rest in {"%", "percent", "per cent"}:
        return Quantity(value / 100, "", decimals + 2, value)
    unit = lists.units.get(rest) or lists.units.get(rest.replace(" per ", "/").replace(" ", "-"))
    if unit is None:
        return None
    return Quantity(value * unit[1], unit[0], decimals, value)


def _fraction(text: str) -> tuple[float, int, str] | None:
    match = _FRACTION.match(text)
    if match is None or not int(match[4]):
        return None
    value = int(match[2] or 0) + int(match[3]) / int(match[4])
    return (-value if match[1] == "-" else value), 9, text[match.end() :]


def _figure(text: str) -> tuple[float, int, str] | None:
    match = _NUMBER.match(text)
    if match is None:
        return None
    body = match["body"]
    if re.fullmatch(r"\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?", body):
        body = body.replace(",", "").replace(" ", "")
    body = body.replace(",", ".")
    value = float(body) * 10.0 ** int(match["e"] or match["ten"] or 0)
    decimals = len(body.partition(".")[2])
    return (-value if match["sign"] == "-" else value), decimals, text[match.end() :]


def _words(text: str) -> tuple[float, int, str] | None:
    """A number in English words, and what follows it."""
    words = text.replace("-", " ").split()
    minus = bool(words) and words[0] in {"minus", "negative"}
    words = words[1:] if minus else words
    value, used = (_PARTS[words[0]], 1) if words and words[0] in _PARTS else read_number(words)
    if not used:
        return None
    return float(-value if minus else value), 0, " ".join(words[used:])


Date = tuple[int | None, int, int]  # year, month, day


def dates(text: str, lists: ClosedLists) -> frozenset[Date]:
    """The days that a text may mean; empty if it is no date."""
    text = " ".join(text.strip().lower().rstrip(".!?").replace(",", ", ").split()).replace(
        " ,", ","
    )
    for form in _DATE:
        match = form.match(text)
        if match is not None:
            return _read_date(match.groupdict(), lists)
    return frozenset()


def _read_date(parts: dict[str, str | None], lists: ClosedLists) -> frozenset[Date]:
    written = parts.get("y")
    year = int(written) if written else None
    day = int(parts["d"] or 0)
    if parts.get("n"):
        month = lists.months.get((parts["n"] or "").rstrip("."))
        return frozenset({(year, month, day)} if month and 1 <= day <= 31 else ())
    month = int(parts["m"] or 0)
    both = {(year, month, day), (year, day, month)}
    return frozenset((y, m, d) for y, m, d in both if 1 <= m <= 12 and 1 <= d <= 31)


def _correct(alternative: str) -> AnswerMark:
    return AnswerMark("correct", 1.0, right(alternative, ()), None, alternative)


def _wrong(said: str, alternative: str) -> AnswerMark:
    return AnswerMark("incorrect", 0.0, said, None, alternative)


def mark_letter(alternative: str, answer: str) -> AnswerMark | None:
    """A letter of a choice."""
    wanted = _LETTER.match(alternative.strip())
    if wanted is None:
        return None
    chosen = _CHOSEN.match(answer.strip())
    letter = wanted[1].upper()
    if len(_letters(answer)) > 1:
        return _wrong(f"You chose several letters, and one is asked for: {letter}.", alternative)
    if chosen is None or _ARTICLE_FIRST.match(answer.strip()):
        return _wrong(
            f"The answer is the letter {letter}; {quoted(answer)} names no letter.", alternative
        )
    if chosen[1].upper() == letter:
        return AnswerMark("correct", 1.0, f"Correct: the letter is {letter}.", None, alternative)
    return _wrong(f"You chose {chosen[1].upper()}; the right letter is {letter}.", alternative)


def _letters(answer: str) -> set[str]:
    """The letters at the beginning of an answer that are chosen: of `B or C`, of `A B C`."""
    words = [word for word in runs(answer.casefold()) if word not in _CALLED]
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


def mark_truth(alternative: str, answer: str, lists: ClosedLists) -> AnswerMark | None:
    """True or false, yes or no; what follows the first word is not marked."""
    wanted = lists.truth.get(alternative.strip().strip(".!").casefold())
    if wanted is None:
        return None
    words = runs(answer.casefold())
    given = lists.truth.get(words[0]) if words else None
    if words[:1] == ["not"] and len(words) > 1 and words[1] in lists.truth:
        given = not lists.truth[words[1]]
    after = next((word for word in words[1:] if word not in _JOINED), "")
    if given is not None and lists.truth.get(after, given) is not given:
        return _wrong(f"It cannot be both: the answer is {quoted(alternative)}.", alternative)
    if given is wanted:
        return AnswerMark("correct", 1.0, f"Correct: {quoted(alternative)}.", None, alternative)
    if given is None:
        return _wrong(f"This needs a plain {quoted(alternative)} or its opposite.", alternative)
    return _wrong(f"It is the other way round: the answer is {quoted(alternative)}.", alternative)


def mark_date(alternative: str, answer: str, lists: ClosedLists) -> AnswerMark | None:
    """A day, however it is written."""
    wanted = dates(alternative, lists)
    if not wanted:
        return None
    given = dates(answer, lists)
    if wanted & given:
        return _correct(alternative)
    if not given:
        return _wrong(
            f"{quoted(answer)} does not give the day. {expected(alternative)}", alternative
        )
    days = {(month, day) for _, month, day in wanted} & {(month, day) for _, month, day in given}
    if days and any(year is None for year, _, _ in wanted):
        return _correct(alternative)
    if days and all(year is None for year, _, _ in given):
        said = f"Day and month are right; the year is missing. {expected(alternative)}"
        return AnswerMark("partial", 0.6, said, None, alternative)
    return _wrong(f"{_date_difference(wanted, given)} {expected(alternative)}", alternative)


def _date_difference(wanted: frozenset, given: frozenset) -> str:
    years = {one[0] for one in wanted} & {one[0] for one in given}
    months = {one[1] for one in wanted} & {one[1] for one in given}
    days = {one[2] for one in wanted} & {one[2] for one in given}
    parts = (("year", years), ("month", months), ("day", days))
    wrong = " and ".join(name for name, same in parts if not same)
    return f"The {wrong or 'date'} is not right."


def mark_quantity(alternative: str, answer: str, lists: ClosedLists) -> AnswerMark | None:
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


def _compare(wanted: Quantity, given: Quantity, alternative: str, answer: str) -> AnswerMark:
    known = expected(alternative)
    same_kind = wanted.kind == given.kind
    bare = not wanted.kind or not given.kind
    equal = wanted.equals(given) if same_kind else wanted.given == given.given and bare
    if equal and (same_kind or not wanted.kind):
        return _correct(alternative)
    if equal:
        said = f"The number is right; the unit is missing. {known}"
        return AnswerMark("partial", 0.6, said, None, alternative)
    if not same_kind and not bare:
        return _wrong(f"The unit does not fit. {known}", alternative)
    rounded = _rounding(wanted, given)
    if rounded == "finer":
        return _correct(alternative)
    if rounded == "coarser":
        said = f"Rounded too far: {quoted(answer)} is close. {known}"
        return AnswerMark("partial", 0.7, said, None, alternative)
    if wanted.given == given.given:
        said = f"The number is right, but not in this unit. {known}"
        return AnswerMark("incorrect", 0.2, said, None, alternative)
    near = f"{quoted(answer)} is not the right amount."
    off = "off_by_one" if _off_by_one(wanted, given) else None
    return AnswerMark("incorrect", 0.0, f"{near} {known}", off, alternative)


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


def mark_code(alternative: str, answer: str) -> AnswerMark:
    """Code or its output: signs and case count, spaces and the kind of quotation marks do not."""
    wanted, given = _code_key(alternative), _code_key(answer)
    if wanted == given:
        return _correct(alternative)
    known = expected(alternative)
    if wanted.casefold() == given.casefold():
        said = f"Only capital and small letters differ, and in code they count. {known}"
        return AnswerMark("partial", 0.8, said, "syntax_error", alternative)
    if re.sub(r"[^\w.+-]", "", wanted) == re.sub(r"[^\w.+-]", "", given):
        said = f"The values are right; brackets, quotation marks or commas are not. {known}"
        return AnswerMark("partial", 0.6, said, "syntax_error", alternative)
    return _wrong(f"{quoted(answer)} is not it. {known}", alternative)


def _code_key(text: str) -> str:
    text = text.strip().strip("`").replace("“", '"').replace("”", '"').replace("\u2019", "'")
    text = text.replace('"', "'").rstrip(";")
    return _INNER.sub("", text)
