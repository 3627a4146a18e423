"""What `paige coach observe --jsonl` answers: whether the observer would speak, by its rules."""

import sys
from collections.abc import Mapping
from typing import Any

import click

from paige.base.errors import BadInput
from paige.coach.observer.rules import judge
from paige.coach.observer.trace import read_trace
from paige.doors.frame.batch import answer_lines


@click.command()
@click.option("--jsonl", is_flag=True, help="One JSON object a line on stdin and stdout.")
def observe(*, jsonl: bool) -> int:
    """Judge traces: phase, actions and moment in; signal, confidence and should_nudge out."""
    if not jsonl:
        raise BadInput("This command reads lines", hint="Say `--jsonl` and write them to stdin.")
    return 1 if answer_lines(sys.stdin.buffer, sys.stdout, judge_trace) else 0


def judge_trace(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Judge `{"phase", "actions", "now", "dreyfus_stage"?}`. Raises: BadInput."""
    said = judge(read_trace(asked))
    return {
        "signal": said.signal,
        "confidence": said.confidence,
        "should_nudge": said.should_nudge,
    }
