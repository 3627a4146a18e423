"""`feedforward`: shows the teacher what is known before anything is written, and waits.

When the request means a class that has no profile, it first asks which one. What was shown is fixed
in the journal: the files may change while the question waits, the question does not.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from anyio import to_thread

from paige.agent import queries
from paige.agent.hooks import Hook, HookView, Proposal
from paige.agent.interactions import Choices, Interaction, Option, Reply
from paige.base.errors import NotFound, PaigeError
from paige.base.events import AddContext, Event, PreLoop
from paige.memory.documents.records import ENTRY, Use, entry_of
from paige.memory.event import Provenance
from paige.plan.class_names import recognise
from paige.plan.curriculum.library import load_all
from paige.plan.hooks.names import FEEDFORWARD
from paige.plan.known import (
    EARLIER,
    LESSON_LOG,
    OFTEN,
    Briefing,
    Fact,
    Response,
    Sources,
    gather,
    render_briefing,
    render_known,
)
from paige.plan.services import PlanServices, answer_time, briefing_of
from paige.plan.workspace import (
    TEACHER_FILES,
    Classes,
    curricula_for,
    find_class,
    read_classes,
)

NONE = "none"
_MARKS = {"memory": EARLIER, "misconceptions": OFTEN}
RESPONSES: dict[str, Response] = {
    "confirm": "confirmed",
    "modify": "modified",
    "dismiss": "dismissed",
}
OPTIONS = (
    Option("confirm", "Go on with this"),
    Option("modify", "Go on, with changes", wants_text=True),
    Option("dismiss", "Leave it aside and plan from the request alone"),
)


def feedforward(services: PlanServices) -> Hook:
    """The hook; it is required: nothing is written about a class unseen."""

    async def propose(view: HookView, event: Event) -> Proposal:
        assert isinstance(event, PreLoop)
        if view.nested:
            return None
        look = partial(_class, services, view.inputs.get("class_id"), event.prompt)
        found = await view.step("class", partial(to_thread.run_sync, look))
        earlier = briefing_of(view)
        if earlier is not None and found["class"] in (None, earlier.class_id):
            view.notes.update({"response": "earlier", "class": earlier.class_id})
            return None
        if found["ask"]:
            view.memo["asked"] = 1
            return _which(found)
        return await _surface(services, view, event, found["class"])

    async def resolve(view: HookView, event: Event, reply: Reply) -> Proposal:
        assert isinstance(event, PreLoop)
        if "shown" not in view.memo:
            chosen = None if reply.option == NONE else reply.option
            view.notes.update({"class_asked": True, "class_auto": reply.auto})
            if chosen:
                await view.step("session", partial(_note_class, services, view.session, chosen))
            return await _surface(services, view, event, chosen)
        return await _confirmed(services, view, reply)

    return Hook(FEEDFORWARD, ("pre_loop",), propose, resolve, required=True)


async def _surface(
    services: PlanServices, view: HookView, event: PreLoop, class_id: str | None
) -> Interaction:
    """The question whether what is known still holds."""

    async def collect() -> dict[str, Any]:
        wrong: Sequence[str] = ()
        if class_id and services.misconceptions is not None:
            wrong = await services.misconceptions(class_id)
        look = partial(_known, services, view, class_id, event.prompt, wrong)
        return await to_thread.run_sync(look)

    name = f"known/{class_id}" if class_id else "known"
    shown = await view.step(name, collect)
    view.memo["shown"] = shown
    view.memo["asked"] = view.memo.get("asked", 0) + 1
    title = f"What I know about {shown['class']}" if shown["class"] else "What I know"
    return Choices(title=title, text=shown["text"], options=OPTIONS)


async def _confirmed(services: PlanServices, view: HookView, reply: Reply) -> Proposal:
    shown = view.memo["shown"]
    response = RESPONSES[reply.option]
    said = reply.text.strip()
    class_id, items = shown["class"], list(shown["items"])
    if class_id is None and said:
        look = partial(_said_class, services, view, said)
        added = await view.step("said", partial(to_thread.run_sync, look))
        class_id, items = added["class"], [*items, *added["items"]]
    view.notes.update(
        {
            "response": response,
            "auto": reply.auto,
            "at": await answer_time(services, view, view.memo["asked"]),
            "class": class_id,
            "said": said,
            "surfaced": items,
            "memory": shown["memory"],
        }
    )
    known = tuple(f"{_MARKS.get(item['kind'], '')}{item['text']}" for item in items)
    return AddContext(text=render_briefing(Briefing(response, class_id, known, said)))


def _class(services: PlanServices, given: str | None, prompt: str) -> dict[str, Any]:
    """Which class a request is about, or that it must be asked."""
    classes = read_classes(services.documents)
    if profile := classes.find(given):
        return {"class": profile.id, "ask": False}
    found = recognise(prompt, classes.profiles)
    if not given and found.only:
        return {"class": found.only, "ask": False}
    meant = (given,) if given else (*found.unknown, *found.known)
    options = [{"id": each.id, "label": _label(each.id, classes)} for each in classes.profiles]
    return {"class": None, "ask": bool(meant and options), "meant": list(meant), "known": options}


def _label(class_id: str, classes: Classes) -> str:
    profile = classes.find(class_id)
    about = f"{profile.year} {profile.subject}".strip() if profile else ""
    return f"{class_id} ({about})" if about else class_id


def _which(found: Mapping[str, Any]) -> Choices:
    meant: list[str] = found["meant"]
    known = {each["id"] for each in found["known"]}
    unknown = [f"`{name}`" for name in meant if name not in known]
    if unknown:
        text = f"There is no profile of {' or '.join(unknown)}. For which class is it?"
    else:
        text = f"Several classes could be meant: {', '.join(meant)}. For which one is it?"
    # Without a class first: who says yes to everything has named no other class.
    options = [Option(NONE, "None of these: plan without a class profile")]
    options += [Option(each["id"], each["label"]) for each in found["known"] if each["id"] != NONE]
    return Choices(title="Which class is it for?", text=text, options=tuple(options))


def _known(
    services: PlanServices,
    view: HookView,
    class_id: str | None,
    prompt: str,
    misconceptions: Sequence[str],
) -> dict[str, Any]:
    """What is known, as it is shown and kept."""
    profile = find_class(services.documents, class_id)
    memory = _memory(services, view, profile.id if profile else None)
    library = load_all(services.documents)
    curricula = curricula_for(library, profile, prompt)
    found = gather(
        Sources(
            profile=profile,
            texts=_texts(services),
            curricula=curricula,
            memory=memory,
            misconceptions=misconceptions,
        )
    )
    wrong = [
        *(f"{each}. {each.hint}" for each in (profile.problems if profile else ())),
        *(each.sentence for curriculum in curricula for each in curriculum.problems),
    ]
    shown = profile.id if profile else None
    return {
        "class": shown,
        "text": render_known(found, class_id=shown, wrong=wrong),
        "items": [_dump(each) for each in found],
        "memory": list(memory),
    }


def _said_class(services: PlanServices, view: HookView, said: str) -> dict[str, Any]:
    """The class that the teacher names in a correction, with what is known about it."""
    only = recognise(said, read_classes(services.documents).profiles).only
    profile = find_class(services.documents, only)
    if profile is None:
        return {"class": None, "items": []}
    memory = _memory(services, view, profile.id)
    own = {path: text for path, text in memory.items() if path != ENTRY}
    found = gather(Sources(profile=profile, memory=own))
    return {"class": profile.id, "items": [_dump(each) for each in found]}


def _memory(services: PlanServices, view: HookView, class_id: str | None) -> dict[str, str]:
    """The memory documents that are surfaced; that they were read is noted."""
    if services.memory is None:
        return {}
    paths = [entry_of(class_id), f"classes/{class_id}/{LESSON_LOG}"] if class_id else []
    texts: dict[str, str] = {}
    for path in (*paths, ENTRY):
        use = Use(
            by=FEEDFORWARD,
            key=f"{view.run}:{view.path}:{path}",
            provenance=Provenance(view.session, view.run),
        )
        try:
            texts[path] = services.memory.documents.read(services.actor, path, use=use).content
        except PaigeError:  # none yet, or a class whose name no document can have
            continue
    return texts


def _texts(services: PlanServices) -> dict[str, str]:
    texts: dict[str, str] = {}
    for path in TEACHER_FILES:
        try:
            texts[path] = services.documents.read(path).text
        except NotFound:
            continue
    return texts


async def _note_class(services: PlanServices, session: str, class_id: str) -> str:
    write = partial(queries.update_session, class_id=class_id)
    await services.db.write(write, services.actor, session, now=services.now())
    return class_id


def _dump(known: Fact) -> dict[str, str]:
    return {"kind": known.kind, "text": known.text, "source": known.source}
