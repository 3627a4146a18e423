"""Decides what the fast path cannot: everything that takes more than built-in modules.

It makes the compiled rules anew where they are missing or old, reads what the gates want to know,
runs them, and keeps what their answer means for later. Coding agents come here through their hooks,
Paige's own agents from their loop: what is refused to one is refused to the other.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from paige.base.clock import system_clock
from paige.guard.compiler import layer_folders, rules_for
from paige.guard.fast.place import Place
from paige.guard.fast_path import decide_quickly, has_judge
from paige.guard.gate_runner import Situation, run_gates
from paige.guard.gates import GATES
from paige.guard.gates.facts import look
from paige.guard.gates.learned import FACT as LEARNED
from paige.guard.gates.tester_completion import settle
from paige.guard.guards.lookup import look_at_guards
from paige.guard.hook_event import Heard, Outcome
from paige.guard.state.roles import Manners, read_manners

if TYPE_CHECKING:
    from paige.guard.spool_drain import Person

# What is done after the gates have answered, by event.
_AFTER: dict[str, tuple[Callable[[Situation, Outcome], None], ...]] = {
    "stop": (settle,),
    "subagent_stop": (settle,),
}


def manners_for(place: Place) -> Manners:
    """What roles may do at a place."""
    layers = [folder.parents[1] for folder in layer_folders(place)]
    return read_manners(layers, project=place.own)


def decide_slowly(heard: Heard, place: Place, person: "Person | None" = None) -> Outcome:
    """What is decided about an event that takes more than the fast path has.

    `person` is for whom a server asks.
    """
    now = system_clock()
    rules = rules_for(place)
    if place.apart:
        return _decide_apart(Situation(heard, place, "", rules, now, {}, person))
    manners = manners_for(place)
    seen = look(heard, place, rules, manners, heard.scene.role, now)
    facts = dict(seen.facts)
    if rules.get("guards"):
        facts[LEARNED] = look_at_guards(heard, place, rules, seen, now)
    situation = Situation(heard, place, seen.role, rules, now, facts, person)
    outcome = run_gates(situation, GATES.get(heard.event.name, ()))
    if heard.event.name == "permission_request" and has_judge(rules):
        from paige.guard.completion.permission import second_look  # noqa: PLC0415 - rarely wanted

        outcome = second_look(situation, outcome)
    for step in _AFTER.get(heard.event.name, ()):
        step(situation, outcome)
    if seen.role and seen.role != heard.scene.role:
        # Who acted is known here only; whoever learns from the line wants to know it, too.
        noted = {**outcome.noted, "role": seen.role}
        outcome = Outcome(outcome.decision, outcome.rule, outcome.context, outcome.notice, noted)
    return outcome


_APART = ("shell", "writes", "memory")


def _decide_apart(situation: Situation) -> Outcome:
    """What is decided for somebody without a right to this machine: no file of it is looked at."""
    quick = decide_quickly(situation.heard, situation.place, lambda _: situation.rules)
    gates = GATES.get(situation.heard.event.name, ())
    return quick or run_gates(situation, [each for each in gates if each[0] in _APART])
