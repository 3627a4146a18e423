"""The parts of a worksheet: items become rows, rows of one form become a block.

A row has one line with its blanks and one line of the key. Some items are a table of their own:
what is matched, sorted into groups, or brought into order.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from paige.exercise.worksheet.key import ALTERNATIVES
from paige.exercise.worksheet.lines import straighten
from paige.exercise.worksheet.values import BLANK
from paige.study.courses.values import Course, Item, ItemKind, Word
from paige.study.generation.material import is_sentence
from paige.study.generation.questions import known_words, shuffled, similar_words, wrong_answers
from paige.study.generation.words import language_name, lettered, one_line, plain
from paige.study.values import ExerciseRequest, Question

MATCHED = 4
"""So many words are in a table to match; beside them stand two that fit none."""
SPARE = 2
_POSITIONS = ("1st", "2nd", "3rd", *(f"{number}th" for number in range(4, 27)))
_ENDED = (":", "?", "!", ".", "\u2026", ")", "\u201d", '"', "`")
_BREAKS = re.compile(r"<!--|-->|_{3,}")
_TITLES: dict[ItemKind, tuple[str, str]] = {
    "cloze": ("Fill in the Blank", "Write what belongs into each gap."),
    "choice": ("Choose", "Write the letter of the right answer."),
    "error": ("Find the Error", "Each line has an error. Write it correctly."),
    "order": ("Put the Words in Order", "Write the sentence."),
    "true_false": ("True or False", "Say whether it is true or false, and why."),
    "define": ("Definitions", "Say in a sentence what it is."),
    "predict": ("What Comes Out?", "Work it out without running it."),
    "short": ("In Your Own Words", "Answer in a sentence or two."),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line to answer: its prompt with blanks, its line of the key, and the question behind."""

    prompt: str
    reference: str
    question: Question


@dataclass(frozen=True, slots=True)
class Block:
    """Rows of one form. With `choices` it is a table: every row wants the letter of one."""

    title: str
    rows: tuple[Row, ...]
    intro: str = ""
    choices: tuple[str, ...] = ()
    header: tuple[str, str, str] = ("Item", "", "Match")


@dataclass(frozen=True, slots=True)
class Maker:
    """What rows are made with."""

    course: Course
    wanted: ExerciseRequest
    others: tuple[Item, ...]
    rng: Random


def blocks_of(maker: Maker, items: Sequence[Item]) -> list[Block]:
    """The blocks of a worksheet with these items, in the order they are asked."""
    tabled, loose = _words_to_match(maker, items)
    made: list[Block] = []
    for direction in ("to", "from"):
        found = [each for each in loose if each.kind == "translate" and each.direction == direction]
        made += _block(_translation_title(maker.course, direction), "", _lines(maker, found))
    for kind, (title, intro) in _TITLES.items():
        found = [each for each in loose if each.kind == kind and _is_plain(each)]
        made += _block(_titled(maker.course, kind, title), intro, _lines(maker, found))
    made += [block for each in loose if not _is_plain(each) for block in _own_block(maker, each)]
    return [*made, *tabled]


def _is_plain(item: Item) -> bool:
    """Whether an item is one line among others of its kind."""
    if item.kind == "order":
        return is_sentence(item)
    if item.kind == "translate":
        return True
    return item.kind in _TITLES and "\n" not in item.prompt.strip() and not item.context


def _translation_title(course: Course, direction: str) -> str:
    languages = course.config.languages
    if languages is None:
        return "Translation"
    names = [language_name(languages.source), language_name(languages.target)]
    one, other = names if direction == "to" else reversed(names)
    return f"Translation ({one} to {other})"


def _titled(course: Course, kind: ItemKind, title: str) -> str:
    return "Fill in the Code" if kind == "cloze" and course.domain == "technical" else title


def _block(title: str, intro: str, rows: Iterable[Row]) -> list[Block]:
    listed = tuple(rows)
    return [Block(title, listed, intro)] if listed else []


def _lines(maker: Maker, items: Iterable[Item]) -> Iterator[Row]:
    for item in items:
        row = line_of(maker, item)
        if row is not None:
            yield row


def line_of(maker: Maker, item: Item) -> Row | None:
    """An item as one line; nothing when its text would break the file."""
    question = _question(item)
    match item.kind:
        case "cloze":
            prompt, references = _line(item.prompt), item.blanks
        case "true_false":
            because = (_line(item.explanation).replace(";", ","),)
            prompt = f"{_ended(item.prompt)} True or false? {BLANK} Because: {BLANK}"
            references = (item.answers, because)
        case "choice":
            prompt, question = _choice_line(maker, item, question)
            references = ((*question.key, *question.answers),)
        case "order":
            words = " / ".join(shuffled(item.sequence, maker.rng))
            prompt = f"{_asked(item.prompt)} {words} \u2192 {BLANK}"
            references = ((" ".join(item.sequence),),)
        case "error":
            prompt, references = f"{_line(item.prompt)} \u2192 {BLANK}", (item.answers,)
        case _:
            prompt, references = f"{_asked(item.prompt)} {BLANK}", (item.answers,)
    return _row(prompt, references, question)


def _row(prompt: str, references: Sequence[Sequence[str]], question: Question) -> Row | None:
    answers = [tuple(_line(each) for each in listed if each.strip()) for listed in references]
    broken = len(_BREAKS.sub("", prompt.replace(BLANK, ""))) != len(prompt.replace(BLANK, ""))
    texts = [text for listed in answers for text in listed]
    divided = any(
        ALTERNATIVES in text or (";" in text and len(answers) > 1) or _BREAKS.search(text)
        for text in texts
    )
    if broken or divided or not all(answers) or prompt.count(BLANK) != len(answers):
        return None
    reference = "; ".join(ALTERNATIVES.join(listed) for listed in answers)
    asked = replace(question, prompt=prompt, blanks=tuple(answers), answers=answers[0])
    return Row(prompt, reference, asked)


def _choice_line(maker: Maker, item: Item, question: Question) -> tuple[str, Question]:
    wrong = wrong_answers(item, maker.others, maker.rng, max(4 - len(item.answers), 2))
    offered = tuple(shuffled((item.answers[0], *wrong), maker.rng))
    letters = lettered(tuple(_line(each) for each in offered))
    key = tuple(letter for letter, text in letters if text == _line(item.answers[0]))
    listed = " ".join(f"({letter}) {text}" for letter, text in letters)
    made = replace(question, choices=offered, key=key, answers=(item.answers[0],))
    return f"{_ended(item.prompt)} {listed} {BLANK}", made


def _own_block(maker: Maker, item: Item) -> Iterator[Block]:
    """An item that needs room: a table, code above the line, an outline."""
    match item.kind:
        case "match":
            yield from _match_block(maker, item)
        case "categorise":
            things = tuple((thing, group) for thing, group in shuffled(item.pairs, maker.rng))
            groups = tuple(dict.fromkeys(sorted(group for _, group in item.pairs)))
            yield from _table(item, "Sort", things, groups, ("Thing", "", "Group"))
        case "order":
            listed = list(enumerate(item.sequence))
            things = tuple((text, _POSITIONS[at]) for at, text in shuffled(listed, maker.rng))
            places = _POSITIONS[: len(item.sequence)]
            yield from _table(item, "Put in Order", things, places, ("Step", "", "Place"))
        case "long_form":
            yield from _outline(item)
        case _:
            short = replace(item, prompt="Your answer:", context="")
            row = line_of(maker, short)
            whole = "\n\n".join(each for each in (item.context, item.prompt.strip()) if each)
            intro = straighten(whole)
            if row is not None and not _BREAKS.search(intro) and "\n#" not in f"\n{intro}":
                told = f"{item.prompt.strip()}\n\n{item.context}".strip()
                asked = replace(row.question, context=told)
                yield Block(_TITLES[item.kind][0], (replace(row, question=asked),), intro)


def _match_block(maker: Maker, item: Item) -> Iterator[Block]:
    choices = tuple(shuffled([*(right for _, right in item.pairs), *item.distractors], maker.rng))
    yield from _table(item, "Matching", item.pairs, choices, ("Item", "", "Match"))


def _table(
    item: Item,
    title: str,
    things: Sequence[tuple[str, str]],
    choices: tuple[str, ...],
    header: tuple[str, str, str],
) -> Iterator[Block]:
    letters = {text: letter for letter, text in lettered(choices)}
    rows = [_table_row(_question(item), left, letters[right], choices) for left, right in things]
    whole = _line(item.prompt)
    if all(row is not None for row in rows) and len(choices) <= 26 and not _BREAKS.search(whole):
        kept = tuple(row for row in rows if row is not None)
        shown = tuple(_line(each) for each in choices)
        if not any(_BREAKS.search(each) for each in shown):
            yield Block(title, kept, whole, shown, header)


def _table_row(question: Question, left: str, letter: str, choices: tuple[str, ...]) -> Row | None:
    prompt = _line(left)
    if _BREAKS.search(prompt) or not prompt:
        return None
    right = choices[ord(letter) - ord("A")]
    asked = replace(question, prompt=prompt, answers=(right,), key=(letter,), choices=choices)
    return Row(prompt, letter, asked)


def _outline(item: Item) -> Iterator[Block]:
    """An answer in note form: one line for each point it has to address."""
    own = item.reference if len(item.reference) == len(item.points) else item.points
    rows = [
        _row(f"{_asked(point)} {BLANK}", ((held,),), _question(item))
        for point, held in zip(item.points, own, strict=True)
    ]
    kept = tuple(row for row in rows if row is not None)
    if kept and not _BREAKS.search(item.prompt):
        yield Block("Outline", kept, _line(item.prompt))


def _words_to_match(maker: Maker, items: Sequence[Item]) -> tuple[list[Block], list[Item]]:
    """A table of words taken out of the items, when there are enough of them."""
    known = {word.id: word for word in maker.course.words_of(maker.wanted.concept_id)}
    asked = [each for each in items if each.kind == "translate" and _word(each, known)]
    if len(asked) < MATCHED + 2:
        return [], list(items)
    taken = asked[1 : 1 + MATCHED]
    words = [word for each in taken if (word := _word(each, known))]
    on_sheet = {word.id for each in items if (word := _word(each, known))}
    free = [
        word
        for word in known_words(maker.course, maker.wanted.concept_id, maker.wanted.known)
        if word.id not in on_sheet and not _same_meaning(word, words)
    ]
    near = {each.id: each for word in words for each in similar_words(maker.course, word, free, 1)}
    more = {each.id: each for word in words for each in similar_words(maker.course, word, free, 3)}
    spare = list({**near, **more}.values())[:SPARE]
    meanings = [_line(word.meaning) for word in (*words, *spare)]
    if len({plain(each) for each in meanings}) < len(meanings):
        return [], list(items)
    choices = tuple(shuffled(meanings, maker.rng))
    letters = {text: letter for letter, text in lettered(choices)}
    rows = [
        _table_row(_question(item), word.term, letters[_line(word.meaning)], choices)
        for item, word in zip(taken, words, strict=True)
    ]
    if not all(rows) or any(_BREAKS.search(each) for each in choices):
        return [], list(items)
    kept = tuple(row for row in rows if row is not None)
    intro = "Write the letter of what each word means. Some letters are left over."
    header = ("Word", "", "Meaning")
    block = Block("Matching", kept, intro if spare else intro.split(". ")[0] + ".", choices, header)
    return [block], [each for each in items if each not in taken]


def _word(item: Item, known: dict[str, Word]) -> Word | None:
    return known.get(item.id.rpartition(".")[0]) if item.id.endswith((".to", ".from")) else None


def _same_meaning(word: Word, words: Sequence[Word]) -> bool:
    own = {plain(each) for each in word.meanings}
    return any(own & {plain(each) for each in other.meanings} for other in words)


def _line(text: str) -> str:
    """A text on one line, with the plain signs to which a file that comes back is brought."""
    return one_line(straighten(text))


def _question(item: Item) -> Question:
    return Question(
        id="",
        prompt=item.prompt,
        kind=item.kind,
        item_id=item.id,
        explanation=item.explanation,
        hints=item.hints,
        context=item.context,
        discrimination=item.discrimination,
        direction=item.direction,
        answers=item.answers,
    )


def _asked(text: str) -> str:
    """A prompt on one line that ends so that an answer can follow."""
    line = _line(text)
    return line if line.endswith(_ENDED) else f"{line}:"


def _ended(text: str) -> str:
    """A statement or question on one line with its full stop."""
    line = _line(text)
    return line if line.endswith(_ENDED) else f"{line}."
