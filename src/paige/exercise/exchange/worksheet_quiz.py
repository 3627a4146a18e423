"""A worksheet with its key as a quiz, so that a learning platform can ask and mark it.

A table to match becomes one question, every other question one with blanks. What the key does not
answer cannot be marked by a machine and becomes an essay.
"""

from paige.exercise.exchange.values import Essay, FillIn, Matching, Quiz, QuizQuestion
from paige.exercise.worksheet.key import alternatives, key_parts
from paige.exercise.worksheet.values import Question, Section, Worksheet


def quiz_of(worksheet: Worksheet) -> Quiz:
    """The quiz of a worksheet; its questions are named as in the worksheet."""
    key = dict(worksheet.key or {})
    questions: list[QuizQuestion] = []
    for section in worksheet.sections:
        matching = _matching(section, key)
        if matching is not None:
            questions.append(matching)
        else:
            questions += [_question(section, each, key) for each in section.questions]
    name = f"{worksheet.course}/{worksheet.concept}/{worksheet.generated}"
    return Quiz(worksheet.title, tuple(questions), worksheet.instructions, name)


def _question(section: Section, question: Question, key: dict[str, str]) -> QuizQuestion:
    parts = key_parts(key.get(question.id, ""), question.blanks)
    answers = tuple(tuple(each for each in alternatives(part) if each) for part in parts)
    if section.matching or len(answers) != question.blanks or not all(answers):
        return Essay(id=question.id, prompt=question.prompt, lines=3)
    points = float(question.blanks)
    return FillIn(id=question.id, prompt=question.prompt, points=points, blanks=answers)


def _matching(section: Section, key: dict[str, str]) -> Matching | None:
    """The pairs of a table, when the key knows the letter of each."""
    letters = {choice.letter.upper(): choice.text for choice in section.choices}
    found = [key.get(question.id, "").strip().upper() for question in section.questions]
    if len(found) < 2 or not all(letter in letters for letter in found):
        return None
    prompts = [question.prompt for question in section.questions]
    pairs = tuple(zip(prompts, (letters[each] for each in found), strict=True))
    rest = tuple(text for letter, text in letters.items() if letter not in found)
    asked = section.intro or section.title or "Match each with what belongs to it."
    return Matching(
        id=str(section.number),
        prompt=asked,
        points=float(len(pairs)),
        pairs=pairs,
        distractors=rest,
    )
