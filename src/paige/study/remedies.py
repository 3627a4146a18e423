"""Which exercises work against which kind of error, from `shipped/study/remedies.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from paige.base.paths import shipped
from paige.exercise.values import Modality, modality
from paige.study.courses.values import ITEM_KINDS, Direction, Item, ItemKind


@dataclass(frozen=True, slots=True)
class Remedy:
    """What helps against one kind of error: kinds of items, modalities, and one direction."""

    kinds: tuple[ItemKind, ...]
    modalities: tuple[Modality, ...]
    says: str
    direction: Direction | None = None


@cache
def shipped_remedies() -> Mapping[str, Remedy]:
    """Every remedy by the name of its error."""
    table = tomllib.loads(shipped("study/remedies.toml").read_text(encoding="utf-8"))
    directions: tuple[Direction, ...] = ("to", "from")
    return {
        name: Remedy(
            kinds=tuple(kind for kind in ITEM_KINDS if kind in row["kinds"]),
            modalities=tuple(modality(each) for each in row["modalities"]),
            says=row["says"],
            direction=next((each for each in directions if each == row.get("direction")), None),
        )
        for name, row in table.items()
    }


def helps_against(item: Item, error_type: str) -> bool:
    """Whether an item works on a kind of error: it is tagged so, or of a kind that does."""
    if error_type in item.tags:
        return True
    remedy = shipped_remedies().get(error_type)
    if remedy is None or item.kind not in remedy.kinds:
        return False
    return remedy.direction is None or item.direction in (None, remedy.direction)
