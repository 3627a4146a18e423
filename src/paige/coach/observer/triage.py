"""Asks whether a person should be spoken to: a model, or the rules where there is none."""

from paige.base.actor import Actor
from paige.coach.answers import TriageAnswer
from paige.coach.observer.moment import Moment
from paige.coach.prompting import TRIAGE, make_call
from paige.models.calls import Models, call_api


async def ask_triage(models: Models, actor: Actor, session_id: str, moment: Moment) -> TriageAnswer:
    """One question, one answer. Raises: ProviderFailed, ApiRefused, ApiTruncated, BadAnswer."""
    call = make_call(TRIAGE, moment.context, inputs=moment.trace, session_id=session_id)
    return (await call_api(models, actor, call)).value
