"""Reviews: of a kata's solution, where tests decide, and of the work in the active phase.

A model writes feedback and judges a level. Whether a kata is solved is not its decision when there
are tests: what they say stands, and so does what the syntax says about a constraint. The attempt is
stored with the judgement in one write; a review that fails stores nothing.
"""

import logging
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from anyio.to_thread import run_sync
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.errors import BadInput, NotFound
from paige.coach import queries
from paige.coach.answers import ReviewAnswer
from paige.coach.inquiry.constraint_checks import Verdict, check_constraint
from paige.coach.inquiry.disclosure import kept_back, secret_of
from paige.coach.inquiry.explanation import LARGEST
from paige.coach.inquiry.kata_runs import KataRun, run_kata
from paige.coach.inquiry.review_rules import PhaseWork, WorkInputs
from paige.coach.inquiry.services import Services, ask
from paige.coach.log.queries import recent_actions
from paige.coach.message_parts import Constraint as WireConstraint
from paige.coach.message_parts import FollowUp
from paige.coach.model import Review, Work
from paige.coach.prompts import REVIEW, make_call
from paige.coach.records import NO_SESSION, CoachSession, PhaseRow
from paige.learner.gaps import (
    LOWEST_LEVEL,
    Attempt,
    Constraint,
    best_level,
    chosen,
    newly_unlocked,
    with_same_constraints,
)
from paige.learner.queries import (
    GapRow,
    KataRow,
    add_attempt,
    get_gap,
    get_kata,
    stage_for,
)
from paige.learner.stages import Stage
from paige.models.local import LOCAL
from paige.sandbox.terms import RunTerms

logger = logging.getLogger(__name__)
NO_KATA = "Kata not found"
MOST_SAVED = 6  # files that were saved in the session and are read beside the unsaved changes
MOST_FILE_TEXT = 8_000


@dataclass(frozen=True, slots=True)
class KataContext:
    """A kata with what a review of it must know."""

    kata: KataRow
    gap: GapRow
    stage: Stage


@dataclass(frozen=True, slots=True)
class PhaseContext:
    """The active phase with what was done in it."""

    phase: PhaseRow
    saved: tuple[str, ...]
    tests: tuple[int, int] | None
    changed_since: bool
    stage: Stage


async def review(
    services: Services, actor: Actor, session: CoachSession | None, work: Work
) -> Review:
    """Review some work. Raises: BadInput, NotFound, ModelError."""
    if work.kata_id is None:
        return await _review_phase(services, actor, session, work)
    return await _review_kata(services, actor, session, work)


async def _review_kata(
    services: Services, actor: Actor, session: CoachSession | None, work: Work
) -> Review:
    assert work.kata_id is not None
    if len(work.code) > LARGEST:
        raise BadInput(
            f"The solution has {len(work.code):,} signs; at most {LARGEST:,} are reviewed",
            hint="Hand in the code of the kata alone.",
        )
    asked = await services.database.read(_find_kata, actor, work.kata_id)
    kata, now = asked.kata, services.now()
    terms = services.terms(actor)
    given = await terms.in_thread(partial(_examine, asked, work, now, terms))
    call = make_call(
        REVIEW,
        _kata_material(asked, given),
        inputs=given,
        session_id=session.id if session else None,
        holes={"dreyfus_stage": asked.stage},
    )
    called = await ask(services, actor, call)
    answer = settled(called.value, given, told_by_model=called.answered_by != LOCAL)
    titles = tuple(each.title for each in given.active)
    tried = Attempt(work.code, None, answer.level, answer.passed, titles)
    secret = secret_of(kata, now, attempts=(tried,))
    if secret is not None:
        feedback = await run_sync(kept_back, secret, answer.feedback, now)
        answer = answer.model_copy(update={"feedback": feedback})
    attempt = replace(tried, review=answer.feedback)
    unlocked = await services.database.write(_store, actor, kata.id, attempt)
    return _review_of(answer, called.model, unlocked)


def _find_kata(connection: Connection, actor: Actor, kata_id: str) -> KataContext:
    try:
        kata = get_kata(connection, actor, kata_id)
    except NotFound:
        hint = f"You have no kata `{kata_id}`; the dashboard lists those you have."
        raise NotFound(NO_KATA, hint=hint) from None
    gap = get_gap(connection, actor, kata.knowledge_gap_id)
    return KataContext(kata, gap, stage_for(connection, actor, gap.topic))


def _examine(asked: KataContext, work: Work, now: datetime, terms: RunTerms) -> WorkInputs:
    """Everything that is known without a model: tests, constraints, earlier attempts."""
    kata = asked.kata
    active = chosen(kata.constraints, work.constraints)
    titles = [each.title for each in active]
    run = run_kata(
        work.code,
        kata.test_cases,
        now=now,
        scaffolding=kata.scaffolding_code,
        terms=terms,
    )
    return WorkInputs(
        code=work.code,
        scaffolding=kata.scaffolding_code,
        run=run,
        active=active,
        verdicts=tuple(check_constraint(work.code, c.title, c.description) for c in active),
        others=tuple(each for each in kata.constraints if each not in active),
        attempts=with_same_constraints(kata.user_attempts, titles),
        best_level=best_level(kata.user_attempts),
    )


def _kata_material(asked: KataContext, given: WorkInputs) -> dict[str, object]:
    kata = asked.kata
    return {
        "kata_description": f"{kata.title}\n\n{kata.description}",
        "instructor_notes": kata.instructor_notes,
        "active_constraints": [
            {"title": each.title, "description": each.description} for each in given.active
        ],
        "user_code": given.code,
        "previous_attempts": [_earlier(each) for each in given.attempts],
        "test_results": _results(given.run),
        "constraint_checks": [{"title": each.title, "kept": each.kept} for each in given.verdicts],
    }


def _earlier(attempt: Attempt) -> dict[str, object]:
    return {
        "code": attempt.code,
        "review": attempt.review,
        "level": attempt.level,
        "passed": attempt.passed,
    }


def _results(run: KataRun | None) -> dict[str, object] | None:
    if run is None:
        return None
    failures = [{"test": each.name, "message": each.message} for each in run.failures]
    return {"passed": run.passed, "total": run.total, "failures": failures, "said": run.in_words()}


def settled(answer: ReviewAnswer, given: WorkInputs, *, told_by_model: bool) -> ReviewAnswer:
    """The judgement that stands: tests and syntax overrule whoever reviewed."""
    run = given.run
    broken = [each.title for each in given.verdicts if each.kept is False]
    solved = answer.correct if run is None else run.all_passed
    passed = solved and not broken and (answer.passed or _proven(run, given.verdicts))
    level = answer.level
    if not solved and run is not None:
        level = min(level, given.best_level or LOWEST_LEVEL)  # what fails opens nothing new
    words = [answer.feedback]
    if told_by_model:
        words += _said_by_tests(run, broken)
    return answer.model_copy(
        update={
            "correct": solved,
            "passed": passed,
            "level": level,
            "feedback": "\n\n".join(words),
            "follow_up": _followed(answer.follow_up, passed=passed),
            "dreyfus_signal": answer.dreyfus_signal
            if passed or answer.dreyfus_signal != "advancing"
            else "stable",
        }
    )


def _proven(run: KataRun | None, verdicts: tuple[Verdict, ...]) -> bool:
    """Whether nothing is left to a reviewer: tests pass, and every constraint is seen to hold."""
    return run is not None and run.all_passed and all(each.kept for each in verdicts)


def _said_by_tests(run: KataRun | None, broken: list[str]) -> list[str]:
    said: list[str] = []
    if run is not None:
        first = next(iter(run.failures), None)
        more = f" `{first.name}`: {first.message}" if first else ""
        said.append(f"{run.in_words()}{more}")
    said += [f"The constraint “{title}” does not hold yet." for title in broken]
    return said


def _followed(follow_up: FollowUp | None, *, passed: bool) -> FollowUp | None:
    """A next step that fits what was decided; one that does not is left out."""
    if follow_up is None or (follow_up.type == "retry_hint") != passed:
        return follow_up
    if passed:
        return None
    return FollowUp(type="retry_hint", reason=follow_up.reason)


def _store(
    connection: Connection, actor: Actor, kata_id: str, attempt: Attempt
) -> tuple[Constraint, ...]:
    """Add the attempt after all others, and say which constraints are open now."""
    kata = add_attempt(connection, actor, kata_id, attempt)
    before = best_level(kata.user_attempts[:-1]) or LOWEST_LEVEL
    level = attempt.level or LOWEST_LEVEL
    return newly_unlocked(kata.constraints, before=before, after=level)


async def _review_phase(
    services: Services, actor: Actor, session: CoachSession | None, work: Work
) -> Review:
    if session is None:
        raise NotFound(NO_SESSION, hint="Start a session first, or hand in a kata.")
    asked = await services.database.read(_find_phase, actor, session)
    texts = await run_sync(lambda: {path: services.project_text(path) for path in asked.saved})
    phase = asked.phase
    given = WorkInputs(
        code=work.code,
        phase=PhaseWork(
            number=phase.number,
            title=phase.title,
            description=phase.description,
            expected_files=phase.expected_files,
            changed_files=tuple(dict.fromkeys((*asked.saved, *_paths_in(work.code)))),
            tests=asked.tests,
            # What is not saved was not there when the tests ran.
            changed_since=asked.changed_since or bool(work.code.strip()),
        ),
    )
    call = make_call(
        REVIEW,
        _phase_material(asked, work, {path: text or "" for path, text in texts.items()}),
        inputs=given,
        session_id=session.id,
        holes={"dreyfus_stage": asked.stage},
    )
    called = await ask(services, actor, call)
    assert given.phase is not None
    return _review_of(phase_settled(called.value, given.phase), called.model, ())


def phase_settled(answer: ReviewAnswer, phase: PhaseWork) -> ReviewAnswer:
    """The judgement that stands: no reviewer passes what no test has shown."""
    if not (answer.passed and phase.unproven):
        return answer
    hint = FollowUp(type="retry_hint", reason=phase.unproven)
    return answer.model_copy(update={"passed": False, "follow_up": hint})


def _find_phase(connection: Connection, actor: Actor, session: CoachSession) -> PhaseContext:
    phase = queries.active_phase(connection, actor, session.id)
    if phase is None:
        raise NotFound(
            "No phase is active, so there is nothing to hold the work against",
            hint="Let a coding CLI make a plan and begin a phase, or hand in a kata.",
        )
    since = phase.started_at or session.started_at
    types = ["file_save", "test_run"]
    done = recent_actions(connection, actor, session.id, limit=200, types=types)
    recent = [each for each in done if each.created_at >= since]
    saved = [str((each.data or {}).get("path")) for each in recent if each.action_type == types[0]]
    tests = next((each.data for each in recent if each.action_type == types[1]), None)
    newest = recent[0].action_type if recent else None
    return PhaseContext(
        phase=phase,
        saved=tuple(dict.fromkeys(saved))[:MOST_SAVED],
        tests=None if tests is None else (int(tests["passed"]), int(tests["failed"])),
        changed_since=newest == types[0],
        stage=stage_for(connection, actor, phase.title),
    )


def _paths_in(diff: str) -> list[str]:
    """The files that a diff changes."""
    named = [line[4:].split("\t")[0].strip() for line in diff.splitlines() if line[:4] == "+++ "]
    return [name.removeprefix("b/") for name in named if name != "/dev/null"]


def _phase_material(asked: PhaseContext, work: Work, texts: dict[str, str]) -> dict[str, object]:
    phase = asked.phase
    tests = asked.tests
    return {
        "kata_description": f"Phase {phase.number}: {phase.title}\n\n{phase.description}",
        "instructor_notes": "",
        "active_constraints": [],
        "user_code": work.code,
        "previous_attempts": [],
        "test_results": None if tests is None else {"passed": tests[0], "failed": tests[1]},
        "expected_files": list(phase.expected_files),
        "saved_files": {path: text[:MOST_FILE_TEXT] for path, text in texts.items()},
    }


def _review_of(answer: ReviewAnswer, model: str, unlocked: tuple[Constraint, ...]) -> Review:
    return Review(
        correct=answer.correct,
        feedback=answer.feedback,
        level=answer.level,
        passed=answer.passed,
        dreyfus_signal=answer.dreyfus_signal,
        follow_up=answer.follow_up,
        unlocked_constraints=tuple(WireConstraint.model_validate(each) for each in unlocked),
        model=model,
    )
