"""Writes a curriculum as a CASE 1.1 package, the exchange format of 1EdTech for standards.

A package has a document, items and associations. Levels and organisers are items too, and every
item is a child of the one it stands under; `precedes` carries progression. Identifiers are made
from framework, subject, edition and code: the same outcome has the same identifier every time.
What CASE has no field for (grade, misconceptions, assessment) goes into `extensions`.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import NAMESPACE_URL, UUID, uuid5

from paige.plan.curriculum.values import Curriculum, Outcome

CASE_VERSION = "1.1"
EXTENSION = "paige"
Json = dict[str, object]


@dataclass(slots=True)
class _Package:
    """Items and associations while they are gathered."""

    root: str
    changed: str
    document: Json
    items: list[Json] = field(default_factory=list)
    associations: list[Json] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)

    def identifier(self, *parts: str) -> str:
        return str(uuid5(UUID(self.root), "\0".join(parts)))

    def link(self, identifier: str) -> Json:
        return {
            "title": self.titles[identifier],
            "identifier": identifier,
            "uri": _uri(identifier),
        }

    def add(self, identifier: str, kind: str, statement: str, **more: object) -> None:
        self.titles[identifier] = str(more.get("humanCodingScheme", statement))
        item: Json = {
            "identifier": identifier,
            "uri": _uri(identifier),
            "CFDocumentURI": self.link(self.root),
            "CFItemType": kind,
            "fullStatement": statement,
            "language": "en-GB",
            "lastChangeDateTime": self.changed,
        }
        self.items.append({**item, **{key: value for key, value in more.items() if value}})

    def join(self, kind: str, origin: str, destination: str, sequence: int | None = None) -> None:
        identifier = self.identifier("association", kind, origin, destination)
        self.associations.append(
            {
                "identifier": identifier,
                "uri": _uri(identifier),
                "CFDocumentURI": self.link(self.root),
                "associationType": kind,
                "originNodeURI": self.link(origin),
                "destinationNodeURI": self.link(destination),
                **({} if sequence is None else {"sequenceNumber": sequence}),
                "lastChangeDateTime": self.changed,
            }
        )


def write_case(curriculum: Curriculum, *, now: datetime) -> str:
    """The package as JSON text; `now` is when it is said to have changed."""
    package = _opened(curriculum, now)
    parents: dict[tuple[str, ...], str] = {}
    for number, outcome in enumerate(curriculum.outcomes, 1):
        parent = package.root
        for kind, name, place in _above(outcome):
            if place not in parents:
                identifier = package.identifier(kind, *place)
                parents[place] = identifier
                package.add(identifier, kind, name)
                package.join("isChildOf", identifier, parent, len(parents))
            parent = parents[place]
        identifier = package.identifier("outcome", outcome.code)
        _add_outcome(package, identifier, outcome, curriculum)
        package.join("isChildOf", identifier, parent, number)
    _add_progression(package, curriculum)
    return json.dumps(
        {
            "CFDocument": package.document,
            "CFItems": package.items,
            "CFAssociations": package.associations,
        },
        ensure_ascii=False,
        indent=2,
    )


def _opened(curriculum: Curriculum, now: datetime) -> _Package:
    names = (curriculum.framework, curriculum.subject, curriculum.edition)
    root = str(uuid5(NAMESPACE_URL, "urn:paige:curriculum:" + "\0".join(names)))
    changed = now.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    title = f"{curriculum.framework}: {curriculum.subject}"
    package_uri = _uri(str(uuid5(UUID(root), "package")))
    document: Json = {
        "identifier": root,
        "uri": _uri(root),
        "CFPackageURI": {
            "title": title,
            "identifier": package_uri.removeprefix("urn:uuid:"),
            "uri": package_uri,
        },
        "caseVersion": CASE_VERSION,
        "creator": "Paige",
        "title": title,
        "version": curriculum.edition,
        "subject": [curriculum.subject],
        "description": curriculum.about or curriculum.source,
        "language": "en-GB",
        "adoptionStatus": "Draft",
        "lastChangeDateTime": changed,
        "extensions": {
            EXTENSION: {
                "framework": curriculum.framework,
                "also": list(curriculum.also),
                "source": curriculum.source,
                "about": curriculum.about,
                "codes": "own" if curriculum.own_labels else "official",
            }
        },
    }
    return _Package(root, changed, document, titles={root: title})


def _above(outcome: Outcome) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """What an outcome stands under: type, name, and the place that tells it from others."""
    if outcome.level:
        yield "Level", outcome.level, (outcome.level,)
    if outcome.organiser:
        yield "Organiser", outcome.organiser, (outcome.level, outcome.organiser)


def _add_outcome(
    package: _Package, identifier: str, outcome: Outcome, curriculum: Curriculum
) -> None:
    edition = outcome.edition if outcome.edition != curriculum.edition else ""
    known = {each.code for each in curriculum.outcomes}
    extension = {
        "grade": outcome.grade,
        # What another file holds has no item here to point at.
        "from": [code for code in outcome.progression_from if code not in known],
        "to": [code for code in outcome.progression_to if code not in known],
        "misconceptions": list(outcome.misconceptions),
        "assessment": list(outcome.assessment),
        "notes": list(outcome.notes),
        "edition": edition,
    }
    package.add(
        identifier,
        "Outcome",
        outcome.about,
        humanCodingScheme=outcome.code,
        conceptKeywords=list(outcome.topics),
        notes=" ".join(outcome.notes),
        extensions={EXTENSION: {key: value for key, value in extension.items() if value}},
    )


def _add_progression(package: _Package, curriculum: Curriculum) -> None:
    known = {each.code: package.identifier("outcome", each.code) for each in curriculum.outcomes}
    pairs = dict.fromkeys(
        pair
        for each in curriculum.outcomes
        for pair in (
            *((before, each.code) for before in each.progression_from),
            *((each.code, after) for after in each.progression_to),
        )
    )
    for before, after in pairs:
        if before in known and after in known:
            package.join("precedes", known[before], known[after])


def _uri(identifier: str) -> str:
    return f"urn:uuid:{identifier}"
