"""An Exercism track as a course: its concepts, their texts, and every exercise as a code item.

A practice exercise names several concepts it practises. It goes to the one that is learned last, so
that the others are known by then; a concept that would have no exercise gets one that also
practises it. What no exercise of the track teaches is named in the course, not taught.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from paige.base.errors import BadInput, PaigeError
from paige.base.wire import storable
from paige.exercise.code_folder import CodeFolder
from paige.exercise.exchange.exercism_track import Track, TrackConcept, TrackExercise, code_of
from paige.learner.concepts import Concept, Graph, build_graph
from paige.study.courses.fields import shown
from paige.study.courses.items_file import MOST_HINTS
from paige.study.courses.writer import Addition, Record

FIRST = "first-steps"
MOST_FILE_BYTES = 512 * 2**10
_HIDDEN = (".approaches/", ".articles/")
_OTHER = re.compile(r"[^\w-]+")


@dataclass(frozen=True, slots=True)
class TrackPlan:
    """What a track adds to a course. `left_out` says which exercises were not taken, and why."""

    addition: Addition
    exercises: int
    left_out: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def plan_track(track: Track) -> TrackPlan:
    """A track as a course."""
    offered = [each for each in track.exercises if each.offered]
    graph = _graph(track, offered)
    left_out: list[str] = []
    items: dict[str, Record] = {}
    for exercise in offered:
        try:
            items[exercise.slug] = _item(exercise, code_of(exercise))
        except (PaigeError, OSError) as error:
            left_out.append(f"`{exercise.slug}`: {error}")
    chosen = [each for each in offered if each.slug in items]
    places = _places(chosen, graph)
    by_concept: dict[str, list[Record]] = {}
    for exercise in chosen:
        place = places[exercise.slug]
        needs = _needs(exercise, place, graph)
        record = {**items[exercise.slug], **({"needs": list(needs)} if needs else {})}
        by_concept.setdefault(place, []).append(record)
    addition = Addition(
        config=_config(track),
        concepts=tuple(_concepts(track, graph, first=FIRST in by_concept)),
        items={name: tuple(found) for name, found in by_concept.items()},
        teaching=dict(_teaching(track, graph)),
    )
    return TrackPlan(addition, len(chosen), tuple(left_out), track.remarks)


def _name(slug: str) -> str:
    """A slug as the id of a concept."""
    return _OTHER.sub("-", slug)[:80]


def _graph(track: Track, offered: Sequence[TrackExercise]) -> Graph:
    """The concepts that are taught, and those that somebody needs."""
    taught = {concept for each in offered for concept in each.concepts}
    kept = [each for each in track.concepts if each.slug in taught]
    needed = {need for each in kept for need in each.prerequisites} - taught
    kept += [each for each in track.concepts if each.slug in needed]
    return build_graph(
        Concept(
            _name(each.slug),
            each.name,
            tuple(_name(need) for need in each.prerequisites) if each.slug in taught else (),
            taught=each.slug in taught,
        )
        for each in kept
    )


def _places(exercises: Sequence[TrackExercise], graph: Graph) -> dict[str, str]:
    """The concept of each exercise."""
    turn = {name: number for number, name in enumerate(graph.order)}
    places: dict[str, str] = {}
    for each in exercises:
        own = [_name(slug) for slug in each.concepts]
        known = [name for name in own if name in graph.concepts]
        if each.kind == "concept" and known:
            places[each.slug] = known[0]
            continue
        about = [*map(_name, each.practices)], [*map(_name, each.prerequisites)]
        practised, needed = ([name for name in names if name in turn] for names in about)
        # One that only names what nobody can reach waits there with it.
        taught = [name for names in about for name in names if _taught(name, graph)]
        hopeless = taught[0] if taught else FIRST
        places[each.slug] = max(practised or needed, key=lambda name: turn[name], default=hopeless)
    _share_out(exercises, graph, places)
    return places


def _taught(name: str, graph: Graph) -> bool:
    return name in graph.concepts and graph.concepts[name].taught


def _share_out(exercises: Sequence[TrackExercise], graph: Graph, places: dict[str, str]) -> None:
    """Give concepts without an exercise one of those that are also about them."""
    for name, concept in graph.concepts.items():
        if not concept.taught or name in places.values():
            continue
        crowded = list(places.values())
        for each in exercises:
            about = {_name(slug) for slug in (*each.concepts, *each.practices)}
            if name in about and crowded.count(places[each.slug]) > 1:
                places[each.slug] = name
                break


def _needs(exercise: TrackExercise, place: str, graph: Graph) -> tuple[str, ...]:
    """What has to be known for an exercise besides what comes before its concept."""
    before = graph.before(place) if place in graph.concepts else frozenset()
    named = [*exercise.prerequisites, *exercise.practices, *exercise.concepts]
    found = dict.fromkeys(_name(slug) for slug in named)
    turn = set(graph.order)
    return tuple(name for name in found if name in turn and name != place and name not in before)


def _config(track: Track) -> Record:
    return {
        "title": track.language,
        "description": " ".join(track.blurb.split()),
        "domain_type": "technical",
        "exercise_config": {
            "modality_weights": {"code": 0.6, "conversation": 0.3, "long_form": 0.1},
        },
    }


def _concepts(track: Track, graph: Graph, *, first: bool) -> Iterator[Record]:
    if first:
        about = {"concept_type": "syntax/apis", "bloom": "apply"}
        yield {"id": FIRST, "title": "First steps", **about}
    blurbs = {_name(each.slug): each.blurb for each in track.concepts}
    for concept in graph.concepts.values():
        blurb = " ".join(blurbs.get(concept.id, "").split())
        yield {
            "id": concept.id,
            "title": concept.title,
            **({"prerequisites": list(concept.prerequisites)} if concept.prerequisites else {}),
            "concept_type": "implementation",
            "bloom": "apply",
            **({"description": blurb} if blurb else {}),
            **({} if concept.taught else {"taught": False}),
        }


def _teaching(track: Track, graph: Graph) -> Iterator[tuple[str, str]]:
    for each in track.concepts:
        name = _name(each.slug)
        if not _taught(name, graph):
            continue
        text = _without_title(each.introduction or each.about)
        if text:
            yield name, f"# {each.name}\n\n{text}\n{_links(each)}"


def _without_title(text: str) -> str:
    first, _, rest = text.partition("\n")
    return (rest if first.startswith("# ") else text).strip()


def _links(concept: TrackConcept) -> str:
    if not concept.links:
        return ""
    lines = "\n".join(f"- [{words}]({address})" for words, address in concept.links)
    return f"\n## Read on\n\n{lines}\n"


def _item(exercise: TrackExercise, folder: CodeFolder) -> Record:
    files = _files(folder)
    prompt = folder.instructions.strip() or exercise.blurb or exercise.name
    tags = [exercise.kind]
    tags += [f"difficulty-{exercise.difficulty}"] if exercise.difficulty else []
    return {
        "id": exercise.slug.replace("+", "-"),
        "kind": "code",
        "bloom": "apply",
        "title": exercise.name,
        "prompt": storable(prompt),
        **({"hints": list(folder.hints[:MOST_HINTS])} if folder.hints else {}),
        "tags": tags,
        "language": folder.language,
        "files": files,
    }


def _files(folder: CodeFolder) -> Mapping[str, str]:
    """The files of an exercise that a learner or its tests need, as text."""
    names = {".meta/config.json", *folder.solution, *folder.tests, *folder.editor, *folder.data}
    names |= {name for name in (*folder.hidden, *folder.reference) if not name.startswith(_HIDDEN)}
    docs = folder.path / ".docs"
    names |= (
        {f".docs/{each.name}" for each in sorted(docs.glob("*.md"))} if docs.is_dir() else set()
    )
    return {name: _text(folder.path / name) for name in sorted(names)}


def _text(path: Path) -> str:
    """The text of a file. Raises: BadInput when it is none."""
    data = path.read_bytes()
    if len(data) > MOST_FILE_BYTES:
        raise _unfit(path, f"larger than {MOST_FILE_BYTES // 2**10} KB")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _unfit(path, "not text") from error
    if "\0" in text:
        raise _unfit(path, "not text")
    return text


def _unfit(path: Path, why: str) -> BadInput:
    return BadInput(f"its file `{shown(path.name)}` is {why}")
