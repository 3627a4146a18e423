"""What is different for some pupils: the needs of the class first, then those of the topic."""

import re
from collections.abc import Sequence

from paige.plan.classes import ClassProfile, Need
from paige.plan.lesson import Adaptation
from paige.plan.local.topics import Topic

_PUPILS = re.compile(r"^\s*\d+\s*(?:pupils?|learners?)?\s*,?\s*", re.I)
SUPPORT = "Begin with the Start task and keep the worked example in view; help is taken away later."
STRETCH = "Go to the Stretch task when two Core tasks are right; explain your way to a partner."


def adaptations(profile: ClassProfile | None, topic: Topic | None) -> tuple[Adaptation, ...]:
    """One adaptation for each need of the class, and always one for support and for stretch."""
    needs = profile.needs if profile else ()
    found = [_adapted(need, needs, topic) for need in needs]
    kinds = {_kind(need) for need in needs}
    if not kinds & {"asn", "support"}:
        what = topic.asn if topic and topic.asn else ""
        found.append(Adaptation("Support", f"{what} {SUPPORT}".strip()))
    if "stretch" not in kinds:
        what = topic.stretch if topic and topic.stretch else ""
        found.append(Adaptation("Stretch", f"{what} {STRETCH}".strip()))
    return tuple(found)


def label_of(need: Need, needs: Sequence[Need]) -> str:
    """`EAL`; where a class has two needs of one kind, what tells them apart: `ASN (hearing)`."""
    kind = need.kind or "Support"
    same = [each for each in needs if _kind(each) == _kind(need)]
    about = _PUPILS.sub("", need.about).split(",")[0].strip()
    return f"{kind} ({about})" if len(same) > 1 and about else kind


def _adapted(need: Need, needs: Sequence[Need], topic: Topic | None) -> Adaptation:
    first = next(each for each in needs if _kind(each) == _kind(need)) is need
    own = {"eal": "eal", "asn": "asn", "stretch": "stretch"}.get(_kind(need))
    special = str(getattr(topic, own)) if topic is not None and own and first else ""
    words = (
        f"The words {_listed([each.word for each in topic.words])} with a picture or gloss before "
        "the first task."
        if topic is not None and _kind(need) == "eal" and first
        else ""
    )
    what = " ".join(part for part in (_sentence(need.what), special, words) if part)
    return Adaptation(label_of(need, needs), what)


def _kind(need: Need) -> str:
    return need.kind.casefold().split("(")[0].strip()


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)
