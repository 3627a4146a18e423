"""The process that verifies when the hook has long answered: data, root, home, run, session.

How the checks ended is also a line for memory: what was recalled in that session is worth more, or
less. What an agent says of itself does not count there.
"""

import sys

from paige.base.clock import system_clock
from paige.base.errors import PaigeError
from paige.guard.completion.project_wishes import read_wishes
from paige.guard.completion.records import changing, read_record, record_path
from paige.guard.completion.verification import Verification, verify
from paige.guard.fast.place import Place
from paige.guard.fast.spool import note
from paige.guard.phases import IMPROVE, read_phases


def run_job(place: Place, run: str, session: str) -> Verification:
    """Verify a project and keep the result. Raises: PaigeError."""
    path = record_path(place)
    asked = read_wishes(place)
    done = verify(place.root, asked, read_record(path), run=run, now=system_clock)
    result = done.result
    with changing(path) as change:
        ran = {each.name for each in result.checks if each.status != "skipped"}
        good = {each.name for each in result.checks if each.status == "passed"}
        kept = [name for name in change.record.passed if name not in ran]
        files = done.tree.files if result.status == "passed" else change.record.files
        change.set(
            result=result, passed=(*kept, *sorted(good | (set(result.regressions)))), files=files
        )
        if change.record.running is not None and change.record.running.run == run:
            change.set(running=None)
    if session and result.status != "unknown" and IMPROVE in read_phases(place).at("stop"):
        line: dict[str, object] = {
            "event": "checked",
            "cwd": place.root,
            "success": result.status == "passed",
            "profile": result.profile,
            "retries": change.record.refused.get(session, 0),
        }
        note(place.data, "paige", session, line)
    return done


def main(arguments: list[str]) -> int:
    """Run as a module; faults go to the spool, as there is nobody to tell."""
    data, root, home, run, session = arguments
    place = Place(root, root, home, data, True)
    try:
        run_job(place, run, session)
    except (PaigeError, OSError) as error:
        reason = f"The checks of `{root}` failed inside: {error}"
        note(data, "paige", "checks", {"event": "fault", "host_event": "checks", "reason": reason})
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
