"""How somebody likes to learn: what they say, and what their results say.

Both stand beside each other in the profile; what a person says is never changed by what was found
out about them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from paige.base.errors import BadInput
from paige.exercise.values import MODALITIES, Modality, modality
from paige.learner.progress import Progress

SHORTEST_SESSION, LONGEST_SESSION = 5, 240
ENOUGH_ATTEMPTS = 3
"""Fewer attempts in a modality say nothing about it."""
_PROFILE = {"learning_preferences"}
_PREFERENCES = {"session_duration_minutes", "explanation_style", "modality_preferences"}
_MODALITIES = {"preferred", "avoided", "auto_detected"}
_DETECTED = {"highest_performance", "lowest_performance", "most_engaged"}


@dataclass(frozen=True, slots=True)
class DetectedPreferences:
    """What results say about modalities; nothing where they say nothing."""

    highest_performance: Modality | None = None
    lowest_performance: Modality | None = None
    most_engaged: Modality | None = None
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is known about how somebody learns. Raises: BadInput when a value makes no sense."""

    session_duration_minutes: int = 25
    explanation_style: str = "examples_first"
    preferred: tuple[Modality, ...] = ()
    avoided: tuple[Modality, ...] = ()
    auto_detected: DetectedPreferences = DetectedPreferences()
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)
    preferences_extra: Mapping[str, object] = field(default_factory=dict, hash=False)
    modalities_extra: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not SHORTEST_SESSION <= self.session_duration_minutes <= LONGEST_SESSION:
            raise BadInput(
                f"`session_duration_minutes` is {self.session_duration_minutes}",
                hint=f"Use {SHORTEST_SESSION} to {LONGEST_SESSION} minutes.",
            )
        both = [name for name in self.preferred if name in self.avoided]
        if both:
            raise BadInput(
                f"`{both[0]}` is both `preferred` and `avoided`",
                hint="Take it out of one of the two.",
            )


def dump_profile(profile: Profile) -> dict[str, object]:
    """The profile as JSON values."""
    found = profile.auto_detected
    return {
        "learning_preferences": {
            "session_duration_minutes": profile.session_duration_minutes,
            "explanation_style": profile.explanation_style,
            "modality_preferences": {
                "preferred": list(profile.preferred),
                "avoided": list(profile.avoided),
                "auto_detected": {
                    "highest_performance": found.highest_performance,
                    "lowest_performance": found.lowest_performance,
                    "most_engaged": found.most_engaged,
                    **found.extra,
                },
                **profile.modalities_extra,
            },
            **profile.preferences_extra,
        },
        **profile.extra,
    }


def load_profile(record: Mapping[str, object]) -> Profile:
    """The profile in a record; what is left out has its usual value. Raises: BadInput."""
    preferences = _mapping(record, "learning_preferences")
    modalities = _mapping(preferences, "modality_preferences")
    found = _mapping(modalities, "auto_detected")
    minutes = preferences.get("session_duration_minutes", 25)
    if not isinstance(minutes, int) or isinstance(minutes, bool):
        raise BadInput(f"`session_duration_minutes` should be a number, not `{minutes!r}`")
    return Profile(
        session_duration_minutes=minutes,
        explanation_style=str(preferences.get("explanation_style") or "examples_first"),
        preferred=_names(modalities, "preferred"),
        avoided=_names(modalities, "avoided"),
        auto_detected=DetectedPreferences(
            _name(found, "highest_performance"),
            _name(found, "lowest_performance"),
            _name(found, "most_engaged"),
            _others(found, _DETECTED),
        ),
        extra=_others(record, _PROFILE),
        preferences_extra=_others(preferences, _PREFERENCES),
        modalities_extra=_others(modalities, _MODALITIES),
    )


def detect(progress: Iterable[Progress]) -> DetectedPreferences:
    """What the results of all concepts say: where it goes best, worst, and what is used most.

    Best and worst need enough attempts, and are never the same modality.
    """
    attempts: dict[Modality, int] = {}
    points: dict[Modality, float] = {}
    last: dict[Modality, datetime] = {}
    for concept in progress:
        for name, one in concept.modality_performance.items():
            attempts[name] = attempts.get(name, 0) + one.attempts
            points[name] = points.get(name, 0.0) + one.attempts * one.avg_score
            last[name] = max(last.get(name, one.last_used), one.last_used)
    used: list[Modality] = [name for name in MODALITIES if attempts.get(name)]
    mean = {name: round(points[name] / attempts[name], 6) for name in used}
    ranked: list[Modality] = [name for name in used if attempts[name] >= ENOUGH_ATTEMPTS]
    ranked.sort(key=lambda name: mean[name])
    differs = len(ranked) > 1 and mean[ranked[0]] < mean[ranked[-1]]
    engaged = max(used, key=lambda name: (attempts[name], last[name]), default=None)
    return DetectedPreferences(
        highest_performance=ranked[-1] if ranked else None,
        lowest_performance=ranked[0] if differs else None,
        most_engaged=engaged,
    )


def _name(record: Mapping[str, object], key: str) -> Modality | None:
    value = record.get(key)
    return None if value is None else modality(str(value))


def _names(record: Mapping[str, object], key: str) -> tuple[Modality, ...]:
    value = record.get(key) or []
    if not isinstance(value, list):
        raise BadInput(f"`{key}` should be a list of modalities, not `{value!r}`")
    return tuple(dict.fromkeys(modality(str(each)) for each in value))


def _mapping(record: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = record.get(key)
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return value
    raise BadInput(f"`{key}` should be an object, not `{value!r}`")


def _others(record: Mapping[str, object], known: set[str]) -> dict[str, object]:
    return {name: value for name, value in record.items() if name not in known}
