"""A step of a session as a person reads it in a terminal."""

from collections.abc import Iterator
from pathlib import Path

from paige.study.selection import shown
from paige.study.session.summary import StudySummary
from paige.study.session.view import StudyStep

RULE = "-" * 60
_TYPES = {"new": "New", "review": "Recall", "assess": "One step further"}


def step_lines(seen: StudyStep) -> Iterator[str]:
    """What there is to see at this step; paths are given whole."""
    yield from told_lines(seen)
    match seen.stage:
        case "nothing":
            return
        case "over":
            if seen.summary is not None:
                yield from summary_lines(seen.summary)
            return
        case "teach":
            yield from header(seen)
            for part in seen.lesson or ():
                yield part
                yield ""
        case "check":
            yield f"A question about it: {seen.question}"
        case "exercise":
            yield from exercise_lines(seen)
        case _:
            return


def told_lines(seen: StudyStep) -> Iterator[str]:
    """What was said about the last answer, and files that need a hand."""
    for problem in seen.problems:
        yield str(problem)
    yield from seen.says
    if seen.advice:
        yield seen.advice


def header(seen: StudyStep) -> Iterator[str]:
    """Where in the session this is."""
    item = seen.item
    if item is None:
        return
    opening = "Before anything new: " if item.opening else ""
    left = f"{seen.minutes_left:.0f} minutes left"
    yield RULE
    yield f"{opening}{_TYPES[item.type]}: {item.title} ({item.number} of {item.of}, {left})"
    yield RULE


def exercise_lines(seen: StudyStep) -> Iterator[str]:
    """The exercise, or the question of it that is asked now."""
    given, root = seen.exercise, Path(seen.root)
    if given is None:
        return
    if given.instead or not given.questions or given.questions[0].id == "1":
        yield from header(seen)
        yield f"[{shown(given.modality)}] {given.why[-1] if given.why else ''}".rstrip()
        yield ""
    yield given.body
    for path in given.open:
        yield f"File: {root / path}"
    for question in given.questions:
        if question.audio:
            yield f"Listen: {root / question.audio}"
    if given.run:
        file = given.file or ""
        yield f"Try it: {given.run.replace(file, str(root / file))}"
    if given.offer is not None and given.instead:
        yield f"If you like, do it as {shown(given.offer)}: /instead {given.offer}"


def summary_lines(summary: StudySummary) -> Iterator[str]:
    """What a session came to."""
    yield RULE
    yield from summary.says
    for each in summary.exercises:
        help_ = f", {each.hints_used} hints" if each.hints_used else ""
        help_ = ", answer shown" if each.answer_shown else help_
        when = f", again {each.due:%a %d %b}" if each.due else ""
        yield f"  {each.concept}  {shown(each.modality)}  {each.share:.0%}{help_}{when}"


def how_to_answer(seen: StudyStep) -> Iterator[str]:
    """How a program, or somebody without a terminal, goes on."""
    match seen.expects:
        case "nothing":
            return
        case "go_on":
            yield "Go on: paige study next --done"
        case "file" | "folder":
            yield "When it is ready: paige study next --done"
        case "image" | "voice":
            yield "Hand it in: paige study next --file PATH, or leave it out: --skip"
        case "recall":
            yield "Answer: paige study next --answer TEXT, or turn the card: --done"
        case "self_check":
            yield "Judge it yourself: paige study next --rate right, partly or wrong"
        case _:
            yield "Answer: paige study next --answer TEXT (also --hint, --give-up, --skip, --stop)"
