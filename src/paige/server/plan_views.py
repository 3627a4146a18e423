"""From the Plan door's inside values to what the REST API sends."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from paige.server import plan_wire as wire

if TYPE_CHECKING:  # these rooms are imported late, see `plan_mount`
    from paige.agent.records import GateRow
    from paige.app.plan_lessons import LessonItem, OpenLesson
    from paige.app.plan_overview import Offered, Overview
    from paige.app.plan_proposals import Pending
    from paige.app.plan_streams import Writing
    from paige.app.plan_workspace import Lines, Listed, OpenFile, Trouble
    from paige.plan.classes import ClassProfile
    from paige.plan.evidence import Checked
    from paige.plan.said import Said
    from paige.plan.sessions import SeenRun, SeenSession, SeenTranscript

IsWriting = Callable[[str], "Writing | None"]


def overview_of(overview: "Overview") -> wire.PlanOverview:
    """The door at a glance."""
    return wire.PlanOverview(
        commands=[_command(each) for each in overview.commands],
        classes=[_class(each) for each in overview.classes],
        problems=problems_of(overview.troubles),
        provider=overview.provider,
        local=overview.local,
        waiting=overview.waiting,
    )


def problems_of(troubles: Iterable["Trouble"]) -> list[wire.PlanProblem]:
    """What is wrong with files."""
    return [wire.PlanProblem.model_validate(each) for each in troubles]


def file_of(listed: "Listed") -> wire.PlanFile:
    """A file in the tree."""
    return wire.PlanFile.model_validate(listed)


def text_of(opened: "OpenFile") -> wire.PlanText:
    """A file with its text."""
    document = opened.document
    return wire.PlanText(
        path=document.path,
        kind=opened.kind,
        text=document.text,
        version=document.version,
        problems=problems_of(opened.troubles),
    )


def session_of(seen: "SeenSession") -> wire.PlanSession:
    """A session in a list."""
    item = seen.item
    named = item.plugin and item.command
    return wire.PlanSession(
        id=item.id,
        title=item.title,
        command=f"{item.plugin}:{item.command}" if named else None,
        class_id=item.class_id,
        state=seen.state,
        status=seen.status,
        started_at=item.started_at,
        updated_at=item.updated_at,
        branch_of=None if seen.origin is None else wire.PlanOrigin.model_validate(seen.origin),
    )


def transcript_of(seen: "SeenTranscript", writing: IsWriting) -> wire.PlanTranscript:
    """A session with its runs; `writing` tells what is being written in one."""
    return wire.PlanTranscript(
        session=session_of(seen.session),
        total=seen.total,
        first=seen.first,
        runs=[_run(each, writing(each.row.id)) for each in seen.runs],
        branches={
            run: [wire.PlanPlace(session=each.session, run=each.id) for each in places]
            for run, places in seen.branches.items()
        },
    )


def gate_of(row: "GateRow") -> wire.PlanGate:
    """A question with its answer."""
    return wire.PlanGate(
        run=row.run_id,
        gate=row.gate,
        revision=row.revision,
        hook=hook_of(row.gate),
        interaction=row.interaction,
        reply=row.reply,
        opened_at=row.opened_at,
        answered_at=row.answered_at,
    )


def hook_of(gate: str) -> str:
    """Which hook asks; else `permission`, `lost` or `unknown`, for what the loop itself asks."""
    *_, last = f"/{gate}".split("/hook/")
    parts = gate.split("/")
    if last != f"/{gate}" and not last.endswith("/ask"):
        return last.split("/")[1]
    if parts[-1] == "ask":
        return "permission"
    return "lost" if "lost" in parts else "unknown"


def lesson_of(opened: "OpenLesson") -> wire.PlanLesson:
    """A lesson with its evidence."""
    return wire.PlanLesson(
        path=opened.document.path,
        title=opened.item.title,
        class_id=opened.item.class_id,
        text=opened.document.text,
        version=opened.document.version,
        source=opened.source,
        sections=[wire.PlanSection.model_validate(each) for each in opened.sections],
        evidence=[_evidence(each) for each in opened.evidence],
        faults=problems_of(opened.troubles),
    )


def lesson_item_of(item: "LessonItem") -> wire.PlanLessonItem:
    """A lesson in a list."""
    return wire.PlanLessonItem.model_validate(item)


def lines_of(lines: "Lines") -> wire.PlanLines:
    """Lines of a file."""
    return wire.PlanLines(
        path=lines.path,
        first=lines.first,
        start=lines.start,
        end=lines.end,
        lines=list(lines.lines),
    )


def proposal_of(pending: "Pending") -> wire.PlanProposal:
    """A proposal that waits."""
    return wire.PlanProposal.model_validate(pending)


def _command(offered: "Offered") -> wire.PlanCommand:
    plugin, command = offered.found
    return wire.PlanCommand(
        name=command.name,
        plugin=plugin.name,
        full_name=offered.found.full_name,
        description=command.description,
        local=offered.local,
    )


def _class(profile: "ClassProfile") -> wire.PlanClass:
    return wire.PlanClass(
        id=profile.id,
        year=profile.year or None,
        subject=profile.subject or None,
        level=profile.level or None,
        minutes=profile.minutes,
    )


def _run(seen: "SeenRun", writing: "Writing | None") -> wire.PlanRun:
    row = seen.row
    return wire.PlanRun(
        id=row.id,
        session=row.session_id,
        number=row.number,
        prompt=row.prompt,
        state=seen.state,
        status=row.status,
        # It was interrupted once and goes on by now: that is no news any more.
        reason=row.reason if seen.state in ("ended", "interrupted") else None,
        output=row.output,
        source=seen.source,
        turns=row.turns,
        cost_usd=row.cost_usd,
        lesson=seen.lesson,
        created_at=row.created_at,
        said=[_said(each) for each in seen.said],
        writing=None if writing is None else wire.PlanWriting.model_validate(writing),
        gates=[gate_of(each) for each in seen.gates],
    )


def _said(said: "Said") -> wire.PlanSaid:
    tools = [
        wire.PlanToolCall(
            name=each.name, input=dict(each.input), result=each.result, failed=each.failed
        )
        for each in said.tools
    ]
    return wire.PlanSaid(role=said.role, text=said.text, tools=tools)


def _evidence(checked: "Checked") -> wire.PlanEvidence:
    pointer = checked.pointer
    return wire.PlanEvidence(
        code=pointer.code,
        file=pointer.path,
        start=pointer.start,
        end=pointer.end,
        quote=pointer.quote,
        line=pointer.at_line,
        edition=checked.edition or None,
        grade=checked.grade,
        valid=checked.valid,
        reason=checked.reason or None,
        verified=checked.verified,
    )
