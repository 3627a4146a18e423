"""Names of exercises and of their files: when, about what, of which kind."""

import re
from datetime import UTC, datetime

from paige.exercise.values import Modality

_SUFFIX: dict[Modality, str] = {
    "worksheet": "ws",
    "conversation": "cv",
    "code": "code",
    "long_form": "lf",
    "image_review": "img",
    "flashcard": "fc",
    "repl": "repl",
    "audio": "audio",
    "collaborative": "collab",
}


def stamp(moment: datetime) -> str:
    """A moment as it stands in names of files: `20260222T143000Z`."""
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def exercise_id(moment: datetime | str, concept_id: str, kind: Modality) -> str:
    """Such as `20260222T143000Z-greetings-ws`. A moment may be text of a file's header."""
    when = stamp(moment) if isinstance(moment, datetime) else re.sub(r"[^\dTZ]", "", moment)
    return "-".join(part for part in (when, slug(concept_id), _SUFFIX[kind]) if part)


def file_name(moment: datetime, concept_id: str) -> str:
    """The name of a worksheet's or a response's file."""
    return f"{stamp(moment)}-{slug(concept_id)}.md"


def slug(text: str) -> str:
    """Letters, digits and dashes, safe in any file system."""
    plain = re.sub(r"[^\w]+", "-", text.strip().lower()).strip("-_")
    return plain[:80] or "exercise"
