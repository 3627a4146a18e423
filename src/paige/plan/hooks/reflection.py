"""`reflection-prompt` and `confidence`: what a teacher makes of a draft, before judging it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from anyio import to_thread

from paige.agent.hooks import Hook, HookView, Proposal
from paige.agent.interactions import Choices, Option, Questions, Reply
from paige.base.events import Event, PostLoop
from paige.plan.class_fit import care_lines, find_topics
from paige.plan.classes import ClassProfile
from paige.plan.hooks.names import CONFIDENCE, REFLECTION
from paige.plan.known import EARLIER
from paige.plan.lessons.sections import find_section
from paige.plan.lessons.text import shortened
from paige.plan.services import PlanServices, answer_time, briefing_of, class_of, product_in
from paige.plan.workspace import find_class

MOST_QUESTIONS = 5
MOST_NEEDS = 2
_LONGEST = 160
SKIP = "skip"
LABELS = (
    "1: not at all",
    "2: a little",
    "3: half and half",
    "4: fairly",
    "5: completely",
)
OPTIONS = (
    *(Option(label[0], label) for label in LABELS),
    Option(SKIP, "I would rather not say"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What is reflected on."""

    command: str
    markdown: str
    profile: ClassProfile | None = None
    remembered: Sequence[str] = ()  # what was surfaced from earlier sessions
    care: Sequence[str] = ()  # topics that need thought


def reflection_questions(draft: Draft) -> tuple[str, ...]:
    """At most five questions, the outcome first."""
    questions = [
        _outcome(draft),
        *_needs(draft),
        *(f"{each} Is that in order for this class?" for each in draft.care[:1]),
        _challenge(draft),
        *_remembered(draft),
    ]
    return tuple(questions[:MOST_QUESTIONS])


def _outcome(draft: Draft) -> str:
    for_class = f" for {draft.profile.id}" if draft.profile else ""
    match draft.command.rpartition(":")[2]:
        case "worksheet":
            return f"Does this practise exactly what you want practised{for_class}?"
        case "unit-overview":
            return f"Does the sequence lead{for_class} to the task at its end?"
        case "refine-lesson":
            return "Is the change you asked for there, and is everything else as it was?"
        case "cover-lesson":
            return "Could a colleague from another subject teach this after two minutes of reading?"
        case _:
            found = find_section(draft.markdown, "learning-outcome")
            said = _short(found.text) if found and found.text.strip() else ""
            outcome = f" (“{said}”)" if said else ""
            return f"Is this the learning outcome you want{for_class}{outcome}?"


def _needs(draft: Draft) -> list[str]:
    needs = draft.profile.needs if draft.profile else ()
    named = [need for need in needs if need.kind][:MOST_NEEDS]
    return [
        f"Does it answer the {need.kind} need in the profile ({_short(need.what)})?"
        for need in named
    ]


def _challenge(draft: Draft) -> str:
    if draft.profile and draft.profile.ability:
        about = _short(draft.profile.ability.split(". ")[0].rstrip("."))
        return f"Is the challenge right for this range of ability ({about})?"
    return "Is the challenge right for the range of ability in the room?"


def _remembered(draft: Draft) -> list[str]:
    if not draft.remembered:
        return []
    return [f"From earlier sessions: “{_short(draft.remembered[0])}” Does the plan respect that?"]


def _short(text: str) -> str:
    return shortened(text, _LONGEST)


TITLE = "Before you judge it"


TEXT = "In your own words; an empty answer is fine. The draft follows:"


def reflection_prompt(services: PlanServices) -> Hook:
    """The hook; a fault of it is recorded and does not keep the teacher from the draft."""

    async def propose(view: HookView, event: Event) -> Proposal:
        assert isinstance(event, PostLoop)
        if view.nested or product_in(services, view, event.output) == "talk":
            return None
        ask = partial(_questions, services, view, event.output)
        view.memo["questions"] = await view.step("questions", partial(to_thread.run_sync, ask))
        text = f"{TEXT}\n\n{event.output.strip()}"
        return Questions(title=TITLE, questions=tuple(view.memo["questions"]), text=text)

    async def resolve(view: HookView, event: Event, reply: Reply) -> Proposal:
        asked = view.memo["questions"]
        answers = zip(asked, reply.texts, strict=True)
        view.notes.update(
            {
                "answers": [{"question": each, "answer": answer} for each, answer in answers],
                "auto": reply.auto,
                "at": await answer_time(services, view, 1),
            }
        )
        return None

    return Hook(REFLECTION, ("post_loop",), propose, resolve)


def _questions(services: PlanServices, view: HookView, markdown: str) -> list[str]:
    briefing = briefing_of(view)
    draft = Draft(
        command=services.command,
        markdown=markdown,
        profile=find_class(services.documents, class_of(view, markdown)),
        remembered=[
            item.removeprefix(EARLIER)
            for item in (briefing.known if briefing else ())
            if item.startswith(EARLIER)
        ],
        care=care_lines(find_topics(markdown)),
    )
    return list(reflection_questions(draft))


def rating_of(reply: Reply) -> int | None:
    """The rating a person gave; none was given by someone who skipped it or was not there."""
    return None if reply.auto or reply.option == SKIP else int(reply.option)


def confidence(services: PlanServices) -> Hook:
    """The hook."""

    async def propose(view: HookView, event: Event) -> Proposal:
        assert isinstance(event, PostLoop)
        if view.nested or product_in(services, view, event.output) == "talk":
            return None
        return Choices(
            title="How sure are you that this draft will work in your class?", options=OPTIONS
        )

    async def resolve(view: HookView, event: Event, reply: Reply) -> Proposal:
        view.notes.update(
            {
                "rating": rating_of(reply),
                "auto": reply.auto,
                "at": await answer_time(services, view, 1),
            }
        )
        return None

    return Hook(CONFIDENCE, ("post_loop",), propose, resolve)
