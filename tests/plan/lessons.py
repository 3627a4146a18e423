"""Lessons for tests: one written by hand, and any lesson at all."""

import datetime as dt

from hypothesis import strategies as st

from paige.plan.lessons.lesson import (
    Activity,
    Adaptation,
    Check,
    Claim,
    Cycle,
    Keyword,
    Lesson,
    Question,
    tidy,
)
from paige.plan.lessons.text import block, one_line

STRUCTURE = (
    "# ",
    "## Notes",
    "### Practice",
    "- ",
    "1. ",
    "```",
    "~~~",
    "\\",
    "**",
    "[x] ",
    "Answer:",
)
_pieces = st.one_of(
    st.sampled_from(STRUCTURE), st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
)
texts = st.lists(_pieces, min_size=1, max_size=6).map("".join)
lines = texts.map(one_line).filter(bool)
blocks = st.lists(texts, min_size=1, max_size=5).map("\n".join).map(block)
minutes = st.integers(0, 999)
_codes = st.from_regex(r"\A[A-Z]{3,4} [0-4]-[0-9]{2}[a-z]\Z")
_files = st.from_regex(r"\Acurriculum/[a-z0-9-]{1,12}\.md\Z")


def _many(values: st.SearchStrategy, most: int = 4) -> st.SearchStrategy:
    return st.lists(values, max_size=most).map(tuple)


claims = st.builds(
    Claim,
    code=_codes,
    quote=lines,
    file=_files,
    start=st.integers(1, 999),
    end=st.integers(1, 999),
    edition=st.sampled_from(["", "2017-03"]),
)
_questions = st.builds(Question, blocks, lines)
_checks = st.builds(Check, blocks, lines, _many(lines))
_activities = st.builds(Activity, minutes, blocks, _many(_questions))
_cycles = st.builds(Cycle, lines, minutes, blocks, blocks, blocks, _many(_checks))
any_lessons = st.builds(
    Lesson,
    title=lines,
    class_id=lines,
    year=lines,
    subject=lines,
    level=lines,
    minutes=minutes,
    outcome=lines,
    success_criteria=_many(lines),
    curriculum=_many(claims),
    prior_knowledge=_many(lines),
    key_points=_many(lines),
    keywords=_many(st.builds(Keyword, lines, lines)),
    misconceptions=_many(lines),
    starter=_activities,
    cycles=st.lists(_cycles, min_size=1, max_size=3).map(tuple),
    exit_check=_activities,
    differentiation=_many(st.builds(Adaptation, lines, lines)),
    resources=_many(lines),
    homework=st.none() | blocks,
    notes=_many(lines),
    date=st.none() | st.dates(),
    source=st.sampled_from(["local", "anthropic", "openai"]),
).map(tidy)


def loops_lesson() -> Lesson:
    """A whole lesson without a fault."""
    return Lesson(
        title="Counting loops",
        class_id="3B",
        year="S3",
        subject="Computing Science",
        level="Third",
        minutes=50,
        date=dt.date(2026, 11, 16),
        outcome="I can use a fixed loop to repeat code a known number of times.",
        success_criteria=("I can say how often a loop runs.", "I can write a loop that counts."),
        curriculum=(
            Claim(
                "TCH 3-15a",
                "choose tools to design, build, evaluate",
                "curriculum/cfe-computing.md",
                12,
                14,
                "2017-03",
            ),
        ),
        prior_knowledge=("Variables hold a value.",),
        key_points=("A loop repeats.", "The counter changes.", "The body is indented."),
        keywords=(Keyword("iteration", "Doing the same steps again."),),
        misconceptions=("Pupils may think the counter starts at 1. In Python it starts at 0.",),
        starter=Activity(5, "On mini whiteboards.", (Question("What is a variable?", "A name"),)),
        cycles=(
            Cycle(
                "Reading a loop",
                40,
                "A loop repeats its body.",
                "```python\n# say hello\nfor i in range(3):\n    print(i)\n```",
                "Predict, then run.",
                (
                    Check("How often does `range(3)` repeat?", "3 times", ("2 times", "4 times")),
                    Check(
                        "What does this print first?\n\n```python\nfor i in range(2):\n"
                        "    print(i)\n```",
                        "0",
                        ("1", "2"),
                    ),
                ),
            ),
        ),
        exit_check=Activity(5, "", (Question("Why use a loop?", "To save writing"),)),
        differentiation=(Adaptation("EAL", "A flowchart first."),),
        resources=("Mini whiteboards",),
        homework="Find three loops at home.",
        notes=("Composed without a model.",),
    )
