"""What each kind of item needs, and where its answer goes."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from paige.base.errors import BadInput
from paige.exercise.code_exercise import CodeTest, find_language
from paige.exercise.rubric import parse_rubric
from paige.exercise.values import IMAGE_CRITERIA, Bloom, Domain, ImageKind
from paige.exercise.worksheet.values import BLANK
from paige.study.courses.fields import (
    accepted,
    as_text,
    needed_text,
    number_of,
    object_of,
    raw_text,
    shown,
    text_of,
    texts_of,
)
from paige.study.courses.values import Direction, ItemCode, ItemKind, ReplCase, Turn

Fields = Mapping[str, object]
LEAST_DISTRACTORS, LEAST_PAIRS, LEAST_ORDERED, LEAST_POINTS, LEAST_TURNS = 2, 3, 3, 2, 2
_READY = (".meta/config.json", "exercise.")
_IMAGES: Mapping[Domain, ImageKind] = {
    "language": "script",
    "technical": "diagram",
    "conceptual": "diagram",
    "interview": "diagram",
}


class Course(NamedTuple):
    """What an item takes from its course when it does not say it."""

    domain: Domain
    code_language: str


class Kind(NamedTuple):
    """A kind: its usual level, and what reads the fields that only it has."""

    bloom: Bloom
    read: Callable[[Fields, Course], dict[str, Any]]


def _answers(fields: Fields, _course: Course) -> dict[str, Any]:
    return {"answers": accepted(_needed(fields, "answer"), "answer")}


def _translate(fields: Fields, course: Course) -> dict[str, Any]:
    given = text_of(fields, "direction", "to")
    directions: tuple[Direction, ...] = ("to", "from")
    for direction in directions:
        if direction == given:
            return {**_answers(fields, course), "direction": direction}
    raise BadInput(f"`direction` is `{shown(given)}`", hint="Use to or from.")


def _cloze(fields: Fields, _course: Course) -> dict[str, Any]:
    gaps = needed_text(fields, "prompt").count(BLANK)
    if not gaps:
        raise BadInput("`prompt` of a cloze has no gap", hint=f"Write `{BLANK}` where it is.")
    given = _needed(fields, "answer")
    listed = given if isinstance(given, list) and gaps > 1 else [given]
    if len(listed) != gaps:
        raise BadInput(
            f"`prompt` has {gaps} gaps and `answer` has {len(listed)}",
            hint="Write a list with an answer for each gap.",
        )
    blanks = tuple(accepted(each, "answer") for each in listed)
    return {"blanks": blanks, "answers": blanks[0] if gaps == 1 else ()}


def _choice(fields: Fields, _course: Course) -> dict[str, Any]:
    answers = texts_of({"answer": _needed(fields, "answer")}, "answer")
    wrong = texts_of(fields, "distractors")
    if len(wrong) < LEAST_DISTRACTORS:
        raise BadInput(
            f"A choice needs at least {LEAST_DISTRACTORS} `distractors`",
            hint="Add wrong answers that somebody could believe.",
        )
    _all_different((*answers, *wrong), "choices")
    return {"answers": answers}


def _match(fields: Fields, _course: Course) -> dict[str, Any]:
    given = _needed(fields, "answer")
    listed = list(given.items()) if isinstance(given, Mapping) else given
    pairs: list[tuple[str, str]] = []
    for each in listed if isinstance(listed, list) else ():
        if not isinstance(each, list | tuple) or len(each) != 2:
            raise BadInput(f"`answer` has `{shown(each)}`, which is not a pair", hint=_PAIRS)
        left, right = (as_text(side, "answer") for side in each)
        if not left or not right:
            raise BadInput("`answer` has an empty side", hint=_PAIRS)
        pairs.append((left, right))
    if len(pairs) < LEAST_PAIRS:
        raise BadInput(f"A match needs at least {LEAST_PAIRS} pairs in `answer`", hint=_PAIRS)
    _all_different([left for left, _ in pairs], "left sides")
    rights = [right for _, right in pairs]
    _all_different([*rights, *texts_of(fields, "distractors")], "right sides")
    return {"pairs": tuple(pairs)}


_PAIRS = 'Write {"left": "right", \u2026}.'


def _categorise(fields: Fields, _course: Course) -> dict[str, Any]:
    groups = object_of(fields, "answer")
    if len(groups) < 2:
        raise BadInput(
            "`answer` needs two categories or more", hint='Write {"category": ["thing"], \u2026}.'
        )
    pairs = [
        (thing, category.strip()) for category in groups for thing in texts_of(groups, category)
    ]
    if len({category for _, category in pairs}) < len(groups):
        raise BadInput("A category in `answer` has nothing in it", hint="Take it out.")
    _all_different([thing for thing, _ in pairs], "things")
    return {"pairs": tuple(pairs)}


def _order(fields: Fields, _course: Course) -> dict[str, Any]:
    # A sentence may have the same word twice, so these need not differ.
    given = _needed(fields, "answer")
    sequence = texts_of(fields, "answer") if isinstance(given, list) else ()
    if len(sequence) < LEAST_ORDERED:
        raise BadInput(
            f"`answer` is a list of {LEAST_ORDERED} or more",
            hint='Write ["first", "next", \u2026].',
        )
    return {"sequence": sequence}


def _true_false(fields: Fields, _course: Course) -> dict[str, Any]:
    given = _needed(fields, "answer")
    said = str(given).strip().lower()
    if said not in ("true", "false"):
        raise BadInput(f"`answer` is true or false, not `{shown(given)}`")
    if not text_of(fields, "explanation"):
        raise BadInput("`explanation` is missing", hint="Say why it is true or false.")
    return {"answers": (said,)}


def _code(fields: Fields, course: Course) -> dict[str, Any]:
    model = {"answers": texts_of(fields, "answer")}
    given = text_of(fields, "language", course.code_language)
    language = find_language(given)
    if language is None:
        raise BadInput(f"Paige does not know the programming language `{shown(given)}`")
    if "files" in fields:
        return {**model, "code": ItemCode(files=_files(fields), language=language.name)}
    for name in ("starter", "tests", "solution"):
        _needed(fields, name)
    tests, source = _tests(fields["tests"])
    if language.name != "python" and tests:
        raise BadInput(f"`tests` of {language.name} should be one text", hint="The whole file.")
    made = ItemCode(
        starter=raw_text(fields, "starter"),
        solution=raw_text(fields, "solution"),
        tests=tests,
        test_source=source,
        imports=texts_of(fields, "imports"),
        language=language.name,
    )
    return {**model, "code": made}


def _files(fields: Fields) -> dict[str, str]:
    given = object_of(fields, "files")
    made: dict[str, str] = {}
    for name in given:
        parts = name.split("/")
        if name.startswith(("/", "~")) or ".." in parts or "\\" in name or ":" in name or not name:
            raise BadInput(f"`files` has `{shown(name)}`, which leads out of the exercise's folder")
        made[name] = raw_text(given, name)
    if not any(name.startswith(_READY) for name in made):
        raise BadInput("`files` has no exercise", hint="Add `.meta/config.json` or `exercise.py`.")
    return made


def _tests(given: object) -> tuple[tuple[CodeTest, ...], str]:
    """Tests by name, or the whole file."""
    if isinstance(given, str):
        return (), given
    if isinstance(given, Mapping):
        listed: list[object] = [{"name": name, "body": body} for name, body in given.items()]
    else:
        listed = given if isinstance(given, list) else []
    tests: list[CodeTest] = []
    for each in listed:
        if not isinstance(each, Mapping):
            raise BadInput(f"`tests` has `{shown(each)}`", hint=_TESTS)
        name = needed_text(each, "name").removeprefix("test_")
        if not name.isidentifier() or not name.isascii() or name != name.lower():
            raise BadInput(
                f"`{shown(name)}` cannot be the name of a test",
                hint="Use small letters, digits and underscores.",
            )
        needed_text(each, "body")
        tests.append(CodeTest(name, raw_text(each, "body")))
    if not tests:
        raise BadInput("`tests` is empty", hint=_TESTS)
    _all_different([test.name for test in tests], "tests")
    return tuple(tests), ""


_TESTS = 'Write {"one": "assert double(1) == 2", \u2026}.'


def _repl(fields: Fields, course: Course) -> dict[str, Any]:
    printed = as_text(_needed(fields, "answer"), "answer")
    needed_text(fields, "solution")
    cases = [ReplCase(raw_text(fields, "starter"), printed)]
    more = fields.get("cases")
    for each in more if isinstance(more, list) else [] if more is None else [more]:
        if not isinstance(each, Mapping):
            raise BadInput(
                f"`cases` has `{shown(each)}`",
                hint='Write [{"starter": "\u2026", "answer": "\u2026"}].',
            )
        cases.append(ReplCase(raw_text(each, "starter"), needed_text(each, "answer")))
    given = text_of(fields, "language", course.code_language)
    language = find_language(given)
    if language is None:
        raise BadInput(f"Paige does not know the programming language `{shown(given)}`")
    code = ItemCode(
        starter=cases[0].starter,
        solution=raw_text(fields, "solution"),
        language=language.name,
        cases=tuple(cases),
    )
    return {"answers": (printed,), "code": code}


def _long_form(fields: Fields, _course: Course) -> dict[str, Any]:
    points = texts_of(fields, "points")
    if len(points) < LEAST_POINTS:
        raise BadInput(
            f"`points` lists {LEAST_POINTS} or more things the text must address",
            hint='Write ["\u2026", "\u2026"].',
        )
    rubric = object_of(fields, "rubric")
    return {
        "answers": texts_of(fields, "answer"),
        "points": points,
        "reference": texts_of(fields, "reference") or points,
        "rubric": parse_rubric(rubric) if rubric else None,
        "min_words": round(number_of(fields, "min_words", least=0, most=5000) or 0),
    }


def _image(fields: Fields, course: Course) -> dict[str, Any]:
    reference = texts_of(fields, "reference")
    if not reference:
        raise BadInput("`reference` is missing", hint="Say what should be seen on the photo.")
    given = text_of(fields, "image", _IMAGES[course.domain])
    for kind in IMAGE_CRITERIA:
        if kind == given:
            return {"answers": texts_of(fields, "answer"), "reference": reference, "image": kind}
    raise BadInput(f"`image` is `{shown(given)}`", hint="Use script, diagram or math.")


def _dialogue(fields: Fields, _course: Course) -> dict[str, Any]:
    given = fields.get("script")
    turns: list[Turn] = []
    for each in given if isinstance(given, list) else ():
        if not isinstance(each, Mapping):
            raise BadInput(f"`script` has `{shown(each)}`", hint=_SCRIPT)
        expected = accepted(_needed(each, "expect"), "expect")
        turns.append(Turn(needed_text(each, "say"), expected, text_of(each, "hint")))
    if len(turns) < LEAST_TURNS:
        raise BadInput(f"`script` is a list of {LEAST_TURNS} turns or more", hint=_SCRIPT)
    return {"answers": texts_of(fields, "answer"), "script": tuple(turns)}


_SCRIPT = 'Write [{"say": "\u2026", "expect": "\u2026", "hint": "\u2026"}, \u2026].'


def _needed(fields: Fields, name: str) -> object:
    value = fields.get(name)
    if value is None or value == "" or value == [] or value == {}:
        raise BadInput(f"`{name}` is missing", hint=f'Add "{name}".')
    return value


def _all_different(texts: list[str] | tuple[str, ...], what: str) -> None:
    # Capitals count: in a programming language they are another word.
    plain = [" ".join(text.split()) for text in texts]
    twice = next((text for at, text in enumerate(texts) if plain[at] in plain[:at]), None)
    if twice is not None:
        raise BadInput(f"Two {what} are the same: `{shown(twice)}`", hint="Change one of them.")


KINDS: Mapping[ItemKind, Kind] = {
    "translate": Kind("remember", _translate),
    "cloze": Kind("remember", _cloze),
    "choice": Kind("remember", _choice),
    "match": Kind("remember", _match),
    "order": Kind("understand", _order),
    "categorise": Kind("understand", _categorise),
    "true_false": Kind("understand", _true_false),
    "error": Kind("apply", _answers),
    "short": Kind("understand", _answers),
    "define": Kind("remember", _answers),
    "predict": Kind("understand", _answers),
    "code": Kind("apply", _code),
    "repl": Kind("apply", _repl),
    "long_form": Kind("analyze", _long_form),
    "image": Kind("apply", _image),
    "role_play": Kind("apply", _dialogue),
    "socratic": Kind("understand", _dialogue),
}
