"""What to remember of a session, by rules: what was worked on, what was hard, what went well."""

from dataclasses import dataclass

from paige.coach.answers import MemoryNote, MemorySummaryAnswer

MOST_GAPS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteInputs:
    """A session that has ended."""

    issue: str
    completed: tuple[str, ...]
    total: int
    alone: tuple[str, ...]
    gaps: tuple[tuple[str, str, str], ...]
    """Topic, severity and evidence."""


def note_session(inputs: NoteInputs) -> MemorySummaryAnswer:
    """A few sentences that make sense without the session; none when nothing was done."""
    on = f"on \u201c{inputs.issue}\u201d" if inputs.issue else "without an issue"
    notes: list[MemoryNote] = []
    for topic, severity, evidence in inputs.gaps[:MOST_GAPS]:
        text = f"Had trouble with {topic} while working {on}: {evidence}"
        importance = "high" if severity != "low" else "medium"
        notes.append(MemoryNote(content=text, tags=[topic, "gap"], importance=importance))
    if inputs.completed:
        steps = "; ".join(inputs.completed[:4])
        text = (
            f"Worked {on} and finished {len(inputs.completed)} of {inputs.total} phases: {steps}."
        )
        notes.append(MemoryNote(content=text, tags=["session"], importance="medium"))
    if inputs.alone and len(inputs.alone) < len(inputs.completed):
        text = f"Needed no help for: {'; '.join(inputs.alone[:3])} ({on.removeprefix('on ')})."
        notes.append(MemoryNote(content=text, tags=["strength"], importance="low"))
    return MemorySummaryAnswer(memories=notes)
