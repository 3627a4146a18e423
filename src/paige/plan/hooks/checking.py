"""What the checks of a finished lesson have in common: how often it goes back, and when it ends.

A fault goes back to the model, at most twice in a run, then the run ends with the reasons. Local
rules would write the same again, so their first fault ends it. A flaw alone goes back once, because
a whole new lesson is dear, and never ends a run: the teacher is told.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from paige.agent.context import RunContext
from paige.agent.hooks import HookView
from paige.base.events import Abort, Decision, KeepWorking
from paige.models.local import LOCAL

MOST_RETURNS = 2
MOST_FOR_FLAWS = 1
MOST_SHOWN = 12
RETURNED = "[sent back by Paige]"


@dataclass(frozen=True, slots=True)
class Judged:
    """What a check found: `faults` a lesson may not have, `flaws` it had better not have."""

    faults: tuple[str, ...] = ()
    flaws: tuple[str, ...] = ()


def times_returned(context: RunContext) -> int:
    """How often a lesson of this run went back to the model."""
    return sum(
        message.role == "user" and message.text.count(RETURNED) > 0 for message in context.own
    )


def decide(view: HookView, rule: str, judged: Judged) -> Decision | None:
    """Let a lesson pass, send it back, or end the run."""
    view.notes.update({"faults": list(judged.faults), "flaws": list(judged.flaws)})
    most = MOST_RETURNS if judged.faults else MOST_FOR_FLAWS if judged.flaws else 0
    if view.source != LOCAL and times_returned(view.context) < most:
        return KeepWorking(reason=_returned(rule, (*judged.faults, *judged.flaws)))
    if judged.faults:
        return Abort(rule=rule, reason=" ".join(_sentence(each) for each in judged.faults))
    return None


def _returned(rule: str, reasons: Sequence[str]) -> str:
    shown = [f"- {_sentence(reason)}" for reason in reasons[:MOST_SHOWN]]
    more = [f"- And {len(reasons) - MOST_SHOWN} more."] if len(reasons) > MOST_SHOWN else []
    head = f"{RETURNED} `{rule}`: mend this and answer with the whole text again."
    return "\n".join([head, *shown, *more])


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."
