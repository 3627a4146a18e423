"""A lesson on something Paige has no material about: an honest frame with places to fill in.

Times, routines, questions about thinking and the curriculum row are real; facts about the topic
are not invented. Every gap is marked, and the notes ask for what is missing.
"""

from paige.plan import lesson as limits
from paige.plan.evidence import check
from paige.plan.lesson import (
    LOCAL_SOURCE,
    Activity,
    Check,
    Cycle,
    Keyword,
    Lesson,
    Question,
    tidy,
)
from paige.plan.lesson_rendering import LOCAL_MARK, render
from paige.plan.local.adapting import adaptations
from paige.plan.local.brief import Brief
from paige.plan.local.choosing import Chosen, rows_for_words
from paige.plan.local.composing import (
    Frame,
    again_notes,
    assumptions,
    frame_of,
    memory_notes,
    starter_for,
)
from paige.plan.local.practice import join_practice, practice_minutes, task_line
from paige.plan.local.timing import cycles_for
from paige.plan.local.topics import Task

TO_FILL_IN = "[To fill in]"
THE_TOPIC = "the topic"
_LONGEST_NAME = 55


def scaffold(brief: Brief) -> Lesson:
    """The frame of a lesson on the words of a request.

    Words that would claim something about the curriculum are not repeated.
    """
    lesson = _scaffold(brief, _name(brief))
    if check(render(lesson), brief.library).ok:
        return lesson
    return _scaffold(brief, THE_TOPIC)


def _scaffold(brief: Brief, name: str) -> Lesson:
    chosen, fits = rows_for_words(
        brief.words, brief.library, brief.level, brief.curricula, brief.codes
    )
    own = chosen if fits else Chosen()
    count = cycles_for(brief.minutes, 2)
    frame = frame_of(brief, count)
    cycles = (_meaning(name, frame.cycles[0]), _using(name, frame.cycles[-1]))
    subject = chosen.outcomes[0].subject if chosen.outcomes else ""
    starter = _starter(brief, frame, name)
    return tidy(
        Lesson(
            title=f"Scaffold: {name}"[: limits.TITLE_LENGTH],
            class_id=brief.class_id,
            year=brief.profile.year if brief.profile else "",
            subject=subject or (brief.profile.subject if brief.profile else ""),
            level=brief.level or chosen.level,
            minutes=brief.minutes,
            outcome=f"I can say what {name} means and use it in an example of my own.",
            success_criteria=(
                f"I can say in my own words what {name} means.",
                "I can tell an example from something that is none.",
                "I can give an example of my own and say why it fits.",
            ),
            curriculum=chosen.claims,
            prior_knowledge=(f"{TO_FILL_IN} What pupils must know before they meet {name}",),
            resources=("Show-me boards", f"{TO_FILL_IN} Two examples of {name} to look at"),
            key_points=_key_points(name, own),
            keywords=(Keyword(name[:30], f"{TO_FILL_IN} what it means, in one plain sentence"),),
            misconceptions=_misconceptions(name, own),
            starter=starter,
            cycles=cycles[:count],
            exit_check=_exit(name, frame),
            differentiation=adaptations(brief.profile, None),
            notes=(*_notes(brief, name, chosen), *again_notes(brief, starter)),
            source=LOCAL_SOURCE,
        )
    )


def _name(brief: Brief) -> str:
    words = brief.words or THE_TOPIC
    if len(words) > _LONGEST_NAME:
        words = words[:_LONGEST_NAME].rsplit(" ", 1)[0]
    return words


def _key_points(name: str, chosen: Chosen) -> tuple[str, ...]:
    about = [f"The row this lesson serves says: {row.about}" for row in chosen.outcomes[:1]]
    points = (
        f"{TO_FILL_IN} The one thing about {name} that pupils should still know next month",
        f"{TO_FILL_IN} What is an example of {name}, and what only looks like one",
        f"{TO_FILL_IN} Where {name} is used, or why it matters",
    )
    return (*points, *about)


def _misconceptions(name: str, chosen: Chosen) -> tuple[str, ...]:
    known = [
        text
        for row in chosen.outcomes
        for text in row.misconceptions
        if len(text) <= limits.MISCONCEPTION_LENGTH
    ]
    return tuple(known[:2]) or (f"{TO_FILL_IN} The mistake that is most likely with {name}",)


def _starter(brief: Brief, frame: Frame, name: str) -> Activity:
    starter = starter_for(brief, None, frame)
    own = (
        Question(f"Write down everything you know about {name}.", "own answers; keep them"),
        Question(f"Write one question you have about {name}.", "own questions; keep them"),
    )
    questions = (*starter.questions[: max(0, len(starter.questions) - 1)], *own[:1])
    if len(questions) < len(own):
        questions = own
    return Activity(starter.minutes, starter.instructions, questions)


def _meaning(name: str, minutes: int) -> Cycle:
    tasks = (
        ("Start", Task(f"Finish the sentence: {name} means …", "compare with the board")),
        ("Core", Task("Sort the examples: which fit, which do not?", "as shown, with a reason")),
        ("Core", Task("Write one more that fits.", "a partner checks it against the meaning")),
        ("Stretch", Task("Write one that nearly fits. What is missing?", "own answers")),
    )
    return Cycle(
        title=f"What {name} means",
        minutes=minutes,
        explanation=(
            f"{TO_FILL_IN} What {name} means, in two or three short sentences.\n\n"
            "Draw a square with four fields on the board: what it means, what is always true of "
            "it, an example, and something that is no example. Fill the fields together, one at a "
            "time."
        ),
        worked_example=(
            f"{TO_FILL_IN} One example of {name}, worked through aloud.\n\n"
            "1. Read the meaning again.\n"
            "2. Compare the example with it, part by part.\n"
            "3. Say: it fits, because … Then do the same with one that does not fit."
        ),
        practice=_practice(minutes, tasks),
        checks=(
            Check(
                f"What makes something an example of {name}?",
                "it fits the whole meaning",
                ("it has the word in it", "it stood on the board"),
            ),
            Check(
                f"What shows best that you have understood {name}?",
                "a new example of your own",
                ("the sentence by heart", "a neat copy of the board"),
            ),
        ),
    )


def _using(name: str, minutes: int) -> Cycle:
    tasks = (
        ("Start", Task("Go through the worked example again with a partner.", "as shown")),
        ("Core", Task(f"{TO_FILL_IN} A task that uses {name}, like the example.", "to fill in")),
        ("Core", Task(f"{TO_FILL_IN} The same with one thing changed.", "to fill in")),
        ("Stretch", Task("Make a task of this kind for your partner.", "the partner solves it")),
    )
    return Cycle(
        title=f"Using {name}",
        minutes=minutes,
        explanation=(
            f"{TO_FILL_IN} How {name} is used, step by step.\n\n"
            "Say each step aloud and why it is there. Then let pupils say the steps to a partner."
        ),
        worked_example=f"{TO_FILL_IN} A whole example with every step written out.",
        practice=_practice(minutes, tasks),
        checks=(
            Check(
                "You meet a case that you are not sure about. What comes first?",
                "compare it with the meaning",
                ("ask someone for the answer", "guess and go on to the next"),
            ),
            Check(
                "Your example and your partner's example differ. What follows from that?",
                "both of them may be right",
                ("one of them must be wrong", "the meaning must be wrong"),
            ),
        ),
    )


def _practice(minutes: int, tasks: tuple[tuple[str, Task], ...]) -> str:
    head = f"About {practice_minutes(minutes)} minutes. Alone first, then with a partner."
    return join_practice(head, [task_line(level, task) for level, task in tasks])


def _exit(name: str, frame: Frame) -> Activity:
    questions = (
        Question(f"What does {name} mean? One sentence, from memory.", "the meaning on the board"),
        Question(f"Give an example of {name} and say why it fits.", "own example with a reason"),
    )
    return Activity(frame.exit, "Alone, on paper, boards away.", questions)


def _notes(brief: Brief, name: str, chosen: Chosen) -> tuple[str, ...]:
    return (
        f"{LOCAL_MARK}. Paige has no material on {name}, so this is a scaffold: no facts were made "
        "up.",
        f"Please add what is marked {TO_FILL_IN}: the meaning of {name}, a worked example, tasks "
        "with answers, and the likeliest mistake. With a model, Paige can draft these too.",
        *chosen.remarks,
        *_unknown_codes(brief),
        *memory_notes(brief),
        *assumptions(brief, None),
    )


def _unknown_codes(brief: Brief) -> tuple[str, ...]:
    if all(brief.library.named(code) for code in brief.codes):
        return ()
    return ("A code you named stands in no curriculum file, so nothing is claimed for it.",)
