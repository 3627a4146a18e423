"""What should still be known of a session in a month: asked for, and handed to the memory."""

from paige.base.actor import Actor
from paige.coach.local.notes import NoteInputs
from paige.coach.prompting import MEMORY_SUMMARY, make_call
from paige.coach.thinking.gaps import FoundGaps
from paige.coach.thinking.services import Noted, Services
from paige.coach.thinking.session_record import SessionRecord
from paige.models.calls import call_api


async def remember_session(
    services: Services, actor: Actor, record: SessionRecord, found: FoundGaps
) -> int:
    """Sum a session up and remember it; how many memories can be found now. Raises: ModelError."""
    issue = record.session.issue_title or ""
    call = make_call(
        MEMORY_SUMMARY,
        {
            "transcript": record.transcript,
            "issue": issue,
            "phases": [
                {"title": phase.title, "description": phase.description}
                for phase in record.completed
            ],
            "gaps": [{"topic": gap.topic, "severity": gap.severity} for gap in found.met],
        },
        inputs=NoteInputs(
            issue=issue,
            completed=tuple(phase.title for phase in record.completed),
            total=len(record.phases),
            alone=tuple(phase.title for phase in record.completed if record.hints_in(phase) == 0),
            gaps=tuple((gap.topic, gap.severity, gap.evidence) for gap in found.met),
        ),
        session_id=record.session.id,
    )
    answer = (await call_api(services.models, actor, call)).value
    notes = [
        Noted(note.content, tuple(note.tags), note.importance)
        for note in answer.memories
        if note.content.strip()
    ]
    return await services.memories.add(actor, notes, record.session.id)
