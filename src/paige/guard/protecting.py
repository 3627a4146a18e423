"""What no tool may write: what Paige itself rests on, and secrets.

The quick look uses built-in modules only and says whether the slow one is needed.
"""

from paige.base.events import Deny
from paige.guard.fast.place import Place
from paige.guard.hearing import Outcome
from paige.guard.shell.targets import places_of
from paige.guard.tools import Change

# Some of these stand in every text that holds a secret; most texts have none of them.
_SIGNS = (
    "sk-", "AKIA", "ASIA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox",
    "AIza", "_live_", "_test_", "eyJ", "PRIVATE KEY", "://", "earer", "assw", "asscode", "ecret",
    "api_key", "apikey", "API_KEY", "access_key", "ACCESS_KEY", "oken", "OKEN", "ASSW", "SECRET",
    "api-key", "Api-Key", "API-KEY", "apiKey", "ApiKey", "accessKey", "AccessKey",
)  # fmt: skip
PROTECTED = "self-protection"
SECRETS = "secrets-in-writes"


def protected_change(
    changes: list[Change], place: Place, patterns: tuple[str, ...]
) -> Outcome | None:
    """A refusal when one of the files is what Paige rests on."""
    for change in changes:
        if "protected" in places_of(change.path, place, patterns):
            reason = (
                f"`{change.path}` is what Paige's gates rest on, so no agent may change it. "
                "Ask the person to edit it, or to run `paige install` or `paige uninstall`."
            )
            return Outcome(Deny(reason), PROTECTED)
    return None


def may_hold_secret(changes: list[Change]) -> bool:
    """Whether a closer look for secrets is worth it."""
    return any(sign in change.text for change in changes for sign in _SIGNS)
