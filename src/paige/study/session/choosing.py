"""From where a session stands to the exercise it gives next: which kind, and what it should be."""

from collections.abc import Mapping

from paige.exercise.values import Modality
from paige.learner.progress import Progress
from paige.study.courses.values import CourseConcept, Override
from paige.study.matrix import shipped_matrix
from paige.study.plan_values import COMPREHENSIVE, PlanItem
from paige.study.remediation import Remediation, aimed
from paige.study.selection import Choice, Purpose, Situation, select_modality
from paige.study.session.context import SessionContext
from paige.study.session.state import SessionState
from paige.study.struggle import is_struggling
from paige.study.values import Past, Wanted

_RECENT = 10
"""So many of the last exercises decide about variety and shares."""
_PURPOSES: Mapping[str, Purpose] = {"new": "practice", "review": "review", "assess": "assess"}


def recent_modalities(
    progress: Mapping[str, Progress], most: int = _RECENT
) -> tuple[Modality, ...]:
    """The modalities of the last exercises of a course, the newest last."""
    done = [each for known in progress.values() for each in known.exercise_history]
    return tuple(each.modality for each in sorted(done, key=lambda each: each.at)[-most:])


def situation_of(
    context: SessionContext,
    state: SessionState,
    item: PlanItem,
    progress: Mapping[str, Progress],
    remedy: Remediation,
    without: frozenset[Modality] = frozenset(),
) -> Situation:
    """Everything the choice of a modality depends on. `without` could not be made."""
    course = context.course
    concept = course.concept(item.concept_id)
    known = progress.get(item.concept_id)
    overrides = course.config.overrides
    if state.kind == "quiz":
        overrides = {**overrides, **_quiz_override(context, concept, item)}
    return Situation(
        domain=course.domain,
        bloom=item.bloom,
        concept_type=concept.concept_type,
        purpose=_PURPOSES[item.type],
        overrides=overrides,
        weights={**course.config.weights, **dict.fromkeys(without, 0.0)},
        possible=context.exercises.possible(course, item.concept_id),
        preferred=context.profile.preferred,
        avoided=context.profile.avoided,
        recent=recent_modalities(progress),
        session=state.tried,
        performance=known.modality_performance if known else {},
        struggling=is_struggling(known),
        remedies=remedy.modalities,
        minutes_left=state.minutes_left,
    )


def _quiz_override(
    context: SessionContext, concept: CourseConcept, item: PlanItem
) -> dict[str, Override]:
    """What a quiz wants for a concept, as a course would say it."""
    table, kind = shipped_matrix(), concept.concept_type
    whole = item.minutes >= COMPREHENSIVE
    wanted = table.quiz_unit if whole else table.quiz(context.course.domain, kind)
    own = context.course.config.overrides.get(kind)
    return {kind: Override(wanted, own.secondary if own else None)} if kind else {}


def choose(
    situation: Situation, asked_for: Modality | None, without: frozenset[Modality]
) -> Choice:
    """The modality of the next exercise: the one somebody asked for, or the selected one."""
    choice = select_modality(situation)
    if asked_for is None or asked_for in without or asked_for not in situation.possible:
        return choice
    return Choice(asked_for, choice.modality, None, ("You asked for it",))


def wanted(
    item: PlanItem,
    choice: Choice,
    progress: Mapping[str, Progress],
    history: tuple[Past, ...],
    remedy: Remediation,
) -> Wanted:
    """What the next exercise should be."""
    known = progress.get(item.concept_id)
    wish = Wanted(
        concept_id=item.concept_id,
        modality=choice.modality,
        bloom=item.bloom,
        history=history,
        known=frozenset(name for name, each in progress.items() if each.card is not None),
        manner=choice.manner,
        is_new=item.type == "new",
        mastery=known.mastery_score if known else 0.0,
    )
    return aimed(wish, remedy)


def may_be_asked_for(context: SessionContext, concept: CourseConcept) -> tuple[Modality, ...]:
    """The modalities a learner may ask for."""
    possible = context.exercises.possible(context.course, concept.id)
    weights = context.course.config.weights
    return tuple(sorted(each for each in possible if weights.get(each) != 0))
