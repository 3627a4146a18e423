"""`paige coach gaps`: what sessions showed to be missing, and when it comes back in Study."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime

import anyio
import click

from paige.app.coach_gaps import GapSeen, dump_gap, gaps_seen
from paige.cli.coach_commands import JSON, opened
from paige.doors.frame.console import process_console


@click.command()
@JSON
def gaps(*, as_json: bool) -> None:
    """List what sessions showed to be missing, with stages and dates of review."""
    with opened() as (app, _):
        found, now = anyio.run(gaps_seen, app), app.now()
    console = process_console()
    if as_json:
        console.give(json.dumps([dump_gap(each, now) for each in found], ensure_ascii=False))
        return
    for line in gap_lines(found, now):
        console.give(line)
    if not found:
        console.say("No gap is known yet; sessions show them when they end.")
    elif any(each.is_due(now) for each in found):
        console.say("`paige study review --course coach` asks what is due.")


def gap_lines(found: Sequence[GapSeen], now: datetime) -> Iterator[str]:
    """Each gap in two lines: what it is and where it came from, how far it is and what is next."""
    for each in found:
        gap, session = each.gap, each.session
        yield f"{'closed' if gap.addressed else 'open':6}  {gap.topic}"
        parts = [each.stage.replace("_", " "), _review(each, now)]
        if session is not None:
            issue = f" on “{session.issue_title}”" if session.issue_title else ""
            parts.append(f"from the session of {session.started_at:%Y-%m-%d}{issue}")
        yield f"        {', '.join(parts)}"


def _review(seen: GapSeen, now: datetime) -> str:
    if seen.due is None:
        return "not in Study yet"
    return "due in Study now" if seen.is_due(now) else f"next review on {seen.due:%Y-%m-%d}"
