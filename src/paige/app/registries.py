"""What rooms add to runs: local engines and hooks; a room that has some is named here."""

from collections.abc import Mapping

from paige.agent.hooks import Hook
from paige.models.local import Registry


def local_engines() -> Registry:
    """The engines that answer without a model."""
    return Registry()


def lifecycle_hooks() -> Mapping[str, Hook]:
    """The hooks that agents may name."""
    return {}
