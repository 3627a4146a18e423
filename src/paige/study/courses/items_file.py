"""`items/*.jsonl` of a course: an item a line, each read by itself."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from paige.base.errors import BadInput
from paige.exercise.values import bloom_level
from paige.learner.json_files import BrokenFile, StudyProblem
from paige.study.courses.fields import (
    as_text,
    concept_id,
    concept_ids,
    fewer,
    flag_of,
    item_id,
    json_object,
    misspelt,
    needed_text,
    number_of,
    problem_in,
    shown,
    text_of,
    texts_of,
)
from paige.study.courses.item_kinds import KINDS, Course
from paige.study.courses.values import ITEM_KINDS, Item, ItemKind

FOLDER = "items"
ENDING = ".jsonl"
MOST_HINTS = 3
MOST_VARIANTS = 200
_RECALLED = frozenset({"translate", "cloze", "error", "short", "define", "predict", "repl"})
_LEAST_TOLD = 4
_KNOWN = frozenset(
    {
        *("id", "concept", "kind", "title", "prompt", "answer", "bloom", "explanation", "hints"),
        *("context", "discrimination", "distractors", "direction", "needs", "minutes", "tags"),
        *("params", "starter", "tests", "solution", "imports", "language", "files", "cases"),
        *("points", "reference", "rubric", "min_words", "image", "script"),
    }
)


class ItemsFile(NamedTuple):
    """What was read from a file of items."""

    items: tuple[Item, ...]
    problems: tuple[StudyProblem, ...]


def concept_of(path: str) -> str:
    """The concept a file is about: its name up to the first dot."""
    return path.rpartition("/")[2].partition(".")[0]


def read_items(path: str, text: str, course: Course) -> ItemsFile:
    """The items in a file, with what is wrong in it."""
    items: list[Item] = []
    problems: list[StudyProblem] = []
    # Not `splitlines`: a text may hold a line separator that is no end of a line.
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip():
            continue
        try:
            fields = json_object(path, line, number)
        except BrokenFile as error:
            problems.append(error.problem)
            continue
        errors = list(misspelt(fields, _KNOWN))
        try:
            item = replace(_item(path, fields, course), path=path, line=number)
            items.append(item)
            errors += _revealing(item)
        except BadInput as error:
            errors.append(error)
        problems += [replace(problem_in(path, line, (), each), line=number) for each in errors]
    return ItemsFile(tuple(items), tuple(fewer(problems)))


def _revealing(item: Item) -> list[BadInput]:
    """What is wrong with hints that say the answer; short words may stand in them by chance."""
    for each in item.variants or (item,):
        answers = (*each.answers, *(answer for blank in each.blanks for answer in blank))
        for answer in answers if each.kind in _RECALLED else ():
            wanted = _plain(answer)
            told = any(f" {wanted} " in f" {_plain(hint)} " for hint in each.hints)
            if told and len(wanted) >= _LEAST_TOLD:
                said = f"`hints` give the answer away: `{shown(answer)}`"
                return [BadInput(said, hint="Help without saying it.")]
    return []


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _item(path: str, fields: Mapping[str, object], course: Course) -> Item:
    """An item, with its variants when it has parameters. Raises: BadInput."""
    given = text_of(fields, "id")
    name = item_id(given) if given else made_id(fields)
    chosen = _filled(fields)
    if not chosen:
        return _read(path, name, fields, course)
    variants = tuple(
        _read(path, item_id(f"{name}.{number}"), each, course)
        for number, each in enumerate(chosen, 1)
    )
    return replace(variants[0], id=name, variants=variants)


def made_id(fields: Mapping[str, object]) -> str:
    """An id for an item without one: the same while its text is the same."""
    asked = [fields.get(key) for key in ("kind", "prompt", "answer", "starter", "context")]
    text = json.dumps(asked, ensure_ascii=True, sort_keys=True)
    return f"i-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _read(path: str, name: str, fields: Mapping[str, object], course: Course) -> Item:
    kind = _kind(fields)
    level = text_of(fields, "bloom")
    hints = texts_of(fields, "hints")
    if len(hints) > MOST_HINTS:
        raise BadInput(f"`hints` has {len(hints)}; there are at most {MOST_HINTS}")
    return Item(
        id=name,
        concept_id=concept_id(text_of(fields, "concept") or concept_of(path)),
        kind=kind,
        prompt=needed_text(fields, "prompt"),
        title=text_of(fields, "title"),
        bloom=bloom_level(level) if level else KINDS[kind].bloom,
        distractors=texts_of(fields, "distractors"),
        explanation=text_of(fields, "explanation"),
        hints=hints,
        context=text_of(fields, "context"),
        discrimination=flag_of(fields, "discrimination"),
        needs=concept_ids(fields, "needs"),
        tags=texts_of(fields, "tags"),
        minutes=number_of(fields, "minutes", least=0.1, most=240),
        extra={key: value for key, value in fields.items() if key not in _KNOWN},
        **KINDS[kind].read(fields, course),
    )


def _kind(fields: Mapping[str, object]) -> ItemKind:
    given = needed_text(fields, "kind").lower().replace("-", "_")
    for kind in ITEM_KINDS:
        if kind == given:
            return kind
    raise BadInput(f"`kind` is `{shown(given)}`", hint=f"Use one of: {', '.join(ITEM_KINDS)}.")


def _filled(fields: Mapping[str, object]) -> list[dict[str, object]]:
    """The fields once for every set of parameters. Raises: BadInput."""
    given = fields.get("params")
    if given is None:
        return []
    if not isinstance(given, Mapping) or not given:
        raise BadInput(f"`params` is `{shown(given)}`", hint=_PARAMS)
    lists: dict[str, list[str]] = {}
    for name, values in given.items():
        if not name.isidentifier():
            raise BadInput(f"`{shown(name)}` cannot be the name of a parameter")
        if not isinstance(values, list) or not values:
            raise BadInput(f"`params` has `{shown(name)}` without a list of values", hint=_PARAMS)
        lists[name] = [as_text(value, name) for value in values]
    sizes = {len(values) for values in lists.values()}
    if len(sizes) > 1:
        raise BadInput("The lists in `params` are not equally long", hint=_PARAMS)
    if max(sizes) > MOST_VARIANTS:
        raise BadInput(f"`params` has {max(sizes)} variants; at most {MOST_VARIANTS} are read")
    rest = {key: value for key, value in fields.items() if key not in ("params", "id")}
    unused = [name for name in lists if f"{{{name}}}" not in json.dumps(rest, ensure_ascii=False)]
    if unused:
        raise BadInput(
            f"`params` has `{unused[0]}`, which stands nowhere", hint=f"Write {{{unused[0]}}}."
        )
    marks = re.compile(r"\{(" + "|".join(lists) + r")\}")
    return [
        {
            key: _with(value, marks, {name: values[at] for name, values in lists.items()})
            for key, value in rest.items()
        }
        for at in range(max(sizes))
    ]


_PARAMS = 'Write {"n": [1, 2], "double": [2, 4]}: values at the same place belong together.'


def _with(value: object, marks: re.Pattern[str], values: Mapping[str, str]) -> object:
    """A value with what the parameters stand for; what is put in is not looked at again."""
    if isinstance(value, str):
        return marks.sub(lambda found: values[found[1]], value)
    if isinstance(value, list):
        return [_with(each, marks, values) for each in value]
    if isinstance(value, Mapping):
        return {
            _with(key, marks, values): _with(each, marks, values) for key, each in value.items()
        }
    return value
