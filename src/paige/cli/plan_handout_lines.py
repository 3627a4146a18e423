"""What a class made of a worksheet, as lines for a person and as JSON."""

from collections.abc import Iterator, Sequence

from paige.app.class_answers import SeenHandout, Taken
from paige.base.clock import to_iso
from paige.plan.handout_counts import FEWEST, CommonError, Counts
from paige.plan.lesson_text import shortened

WIDTH = 20
LONGEST = 70


def counts_lines(seen: SeenHandout) -> Iterator[str]:
    """How it went, a bar for each question, then what several got wrong."""
    handout, counts = seen.handout, seen.counts
    state = "open" if seen.open else "closed"
    yield f"{handout.title} for {handout.class_id} ({handout.id}, {state})"
    share = f", {round(counts.share * 100)}% right" if counts.handed_in else ""
    yield f"{counts.handed_in} of {counts.tokens} handed in{share}"
    if not counts.enough:
        yield f"Single questions are shown from {FEWEST} worksheets on."
        return
    for each in counts.questions:
        filled = round(WIDTH * each.right / counts.handed_in)
        bar = "#" * filled + "." * (WIDTH - filled)
        asked = shortened(each.asked, LONGEST)
        yield f"{each.id:>5} {bar} {each.right:>3} of {counts.handed_in}  {asked}"
    for error in counts.errors:
        yield error_line(counts, error)


def error_line(counts: Counts, error: CommonError) -> str:
    """What several got wrong."""
    how = f", {error.same} with “{error.answer}”" if error.answer else ""
    return f"{error.count} of {counts.handed_in} got {error.question} wrong{how}"


def answers_json(
    seen: SeenHandout, taken: Taken | None, kept: Sequence[tuple[str, str]]
) -> dict[str, object]:
    """The same as one JSON object."""
    handout, counts = seen.handout, seen.counts
    told: dict[str, object] = {
        "id": handout.id,
        "class": handout.class_id,
        "title": handout.title,
        "open": seen.open,
        "closes_at": to_iso(handout.closes_at),
        "tokens": counts.tokens,
        "handed_in": counts.handed_in,
        "share": round(counts.share, 4),
        "questions": [
            {
                "id": each.id,
                "asked": each.asked,
                "right": each.right,
                "partly": each.partly,
                "wrong": each.wrong,
                "unanswered": each.unanswered,
            }
            for each in counts.questions
        ],
        "errors": [
            {
                "question": each.question,
                "count": each.count,
                "answer": each.answer or None,
                "same": each.same,
                "right": each.right,
                "error_type": each.error_type,
            }
            for each in counts.errors
        ],
        "memory": [{"decision": decision, "text": text} for decision, text in kept],
    }
    if taken is not None:
        told["taken"] = taken.taken
        told["problems"] = [
            {
                "file": each.file,
                "line": each.line,
                "message": each.message,
                "fix": each.fix,
                "taken": each.taken,
            }
            for each in taken.problems
        ]
    return told
