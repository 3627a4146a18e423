"""Gives a project its goal and its features without an agent."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from paige.base.clock import Clock
from paige.base.ids import new_id
from paige.guard.state.evidence_files import machine_key
from paige.guard.state.features import write_features
from paige.guard.state.files import Damaged
from paige.orchestra.running.project_files import conducting, read_list, read_state, write_state
from paige.orchestra.state_files import features_from, items_from
from paige.orchestra.values import Open, State


def new_run(now: Clock, randomness: Callable[[int], bytes]) -> str:
    """The id of a run of the orchestra."""
    return new_id(now(), randomness(10)).replace("-", "")[-12:]


def add_features(
    root: Path,
    data: Path,
    goal: str,
    items: tuple[Open, ...],
    *,
    now: Clock,
    randomness: Callable[[int], bytes],
) -> State:
    """Keep a goal and put features behind those there are; ids that are there stay as they are.

    Raises: Damaged, Conflict when another process conducts the project.
    """
    with conducting(root, now()):
        key = machine_key(data)
        listed = read_list(root)
        if isinstance(listed, Damaged):
            raise listed
        kept = read_state(root, key).state or State(run=new_run(now, randomness))
        there = kept.items or items_from(listed or (), {})
        known = {each.id.casefold() for each in there}
        fresh = tuple(each for each in items if each.id.casefold() not in known)
        state = replace(kept, goal=goal or kept.goal, items=(*there, *fresh))
        if state.phase == "all_complete" and fresh:
            state = replace(state, phase="session_start")
        if state.items:
            write_features(root, features_from(state, listed or ()))
        write_state(root, state, now(), key)
        return state
