"""How risky a change is, and so how thoroughly it is verified and by whom."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from paige.guard.completion.values import PROFILES, Profile, Risk


class Choice(NamedTuple):
    """The profile, the risk it answers, and who verifies: the checks alone, or a judge as well."""

    profile: Profile
    risk: Risk
    verifier: str


def risk_of(changed: Sequence[str], table: Mapping[str, Any]) -> Risk:
    """The risk of changed files: what they are counts more than how many."""
    lowered = [path.replace("\\", "/").casefold() for path in changed]
    plain = [path for path in lowered if not path.endswith(tuple(table["low_suffixes"]))]
    if not plain:
        return "low"
    if any(part in path for path in plain for part in table["high_paths"]):
        return "high"
    if len(plain) > table["high_files"]:
        return "high"
    return "medium" if len(plain) > table["medium_files"] else "low"


def choose(
    wanted: str, changed: Sequence[str], table: Mapping[str, Any], judge: str, checks: Sequence[str]
) -> Choice:
    """What verifies a change: the profile that is asked for, or the one its risk deserves."""
    risk = risk_of(changed, table)
    profile: Profile = next((each for each in PROFILES if each == wanted), table[risk])
    judged = bool(judge) and "review" in checks
    return Choice(profile, risk, judge if judged else "checks")
