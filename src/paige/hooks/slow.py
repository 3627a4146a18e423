"""The hook's slow path: everything the fast path cannot decide with built-in modules.

It makes the compiled rules anew where they are missing or old, reads what the gates want to know,
and runs them.
"""

import os

from paige.base.clock import system_clock
from paige.guard.compiling import rules_for
from paige.guard.fast.place import Place
from paige.guard.gates import GATES
from paige.guard.gating import Situation, run_gates
from paige.guard.hearing import Heard, Outcome


def decide_slowly(heard: Heard, place: Place) -> Outcome:
    """What is decided about an event that takes more than the fast path has."""
    role = os.environ.get("AGENT_ROLE", "")
    rules = rules_for(place)
    situation = Situation(heard, place, role, rules, system_clock())
    return run_gates(situation, GATES.get(heard.event.name, ()))
