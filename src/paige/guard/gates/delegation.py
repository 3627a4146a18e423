"""The gate over work that leading agents do themselves: a warning first, then a refusal.

Work is counted for each session and agent, from the last task it gave away. Files that leading
agents keep themselves, such as those in `.claude/`, do not count.
"""

from collections.abc import Mapping

from paige.base.events import Deny, PermissionRequest, PreTool
from paige.guard.fast.place import Place
from paige.guard.gate_runner import Situation
from paige.guard.gates.file_changes import Line, is_allowed_path, real
from paige.guard.hook_event import Outcome
from paige.guard.state.delegation import Tally
from paige.guard.state.roles import LEADING, Manners
from paige.guard.tools import AGENT, MCP, OTHER, WRITE, changes_of, kind_of, reads_of

RULE = "delegation"
FACT = "tally"


def gate(situation: Situation) -> Outcome | None:
    """A warning or a refusal, by how much a leading agent has done itself."""
    event = situation.heard.event
    tally = situation.facts.get(FACT)
    if not isinstance(event, PreTool | PermissionRequest) or situation.role not in LEADING:
        return None
    if not isinstance(tally, Tally):
        return None
    manners: Manners = situation.facts["manners"]
    return verdict(tally.work, manners.warn_at, manners.block_at)


def verdict(work: int, warn_at: int, block_at: int) -> Outcome | None:
    """What is said of the so-manieth piece of own work since the last delegation."""
    if work >= block_at:
        reason = (
            f"This would be piece {work} of work you do yourself without giving any away; at "
            f"{block_at} it is refused. Start an agent for it."
        )
        return Outcome(Deny(reason), RULE)
    if work >= warn_at:
        left = block_at - work
        words = (
            f"You have done {work} pieces of work yourself without giving any away. Delegate "
            f"the rest to an agent: after {left - 1} more it is refused."
        )
        return Outcome(None, RULE, context=words)
    return None


def is_work(
    event: PreTool, line: Line | None, place: Place, manners: Manners, links: Mapping[str, str]
) -> bool:
    """Whether a call counts as work of one's own."""
    kind = kind_of(event.tool)
    changes = [each.path for each in changes_of(event.tool, event.input)]
    if kind in (MCP, OTHER):
        kind = WRITE if changes else ""
    if kind not in manners.counted or kind == AGENT:
        return False
    paths = changes or reads_of(event.tool, event.input) or _searched(event)
    if line is not None:
        paths = _read_by(line)
    return not paths or not all(
        is_allowed_path(real(each, place, links), place.root, manners.allowed_paths)
        for each in paths
    )


def _searched(event: PreTool) -> list[str]:
    return [
        value
        for key in ("path", "dir_path", "directory")
        if isinstance(value := event.input.get(key), str)
    ]


def _read_by(line: Line) -> list[str]:
    """The files of a command that only reads; none when it may do more."""
    if line.unclear or not all(run.reads_only and not run.writes for run in line.runs):
        return []
    return [each for run in line.runs for each in run.words[1:] if not each.startswith("-")]
