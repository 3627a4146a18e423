"""`scope-check`: a request that is no lesson planning ends the run before anything is asked."""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache

from anyio import to_thread

from paige.agent.hooks import Hook, HookView, Proposal
from paige.base.events import Abort, Event, PreLoop
from paige.base.paths import shipped
from paige.plan.class_fit import NEVER, find_topics, phrases_pattern
from paige.plan.class_names import recognise
from paige.plan.hooks.names import SCOPE_CHECK
from paige.plan.services import PlanServices
from paige.plan.workspace import read_classes

WHAT_IT_DOES = "This assistant plans lessons: name a topic and a class, such as `iteration for 3B`"
_QUESTION = re.compile(
    r"\s*(?:what|who|whom|whose|when|where|why|which|how|is|are|was|were|does|do|did|can|could|"
    r"would|will|should|tell me|explain to me|define)\b[^\n]*\?\s*$",
    re.I,
)
_SUM = re.compile(r"[\s\d.,+*/^=()x\u00d7\u00f7-]+\??")
# Somebody is polite, and says nothing about a lesson.
_GREETING = re.compile(
    r"\W*(?:(?:hello|hi|hey|hiya|thanks|thank you|cheers|good (?:morning|afternoon|evening)|bye|"
    r"please|pls|paige|there|test|testing|ok|okay|yes|no)(?:\W+|$))+",
    re.I,
)
_CODE = re.compile(r"\b[A-Z]{3,4}\s?[0-4]-\d{2}[a-z]\b", re.I)


@dataclass(frozen=True, slots=True)
class Never:
    """A task that is no lesson planning, whatever else the request says."""

    words: re.Pattern[str]
    says: str


@dataclass(frozen=True, slots=True)
class ScopeWords:
    """The words that tell planning from other tasks."""

    planning: re.Pattern[str]
    never: tuple[Never, ...]
    elsewhere: re.Pattern[str]


@lru_cache(maxsize=1)
def shipped_scope() -> ScopeWords:
    """The words Paige comes with."""
    return read_scope(shipped("plan/scope.toml").read_text("utf-8"))


def read_scope(text: str) -> ScopeWords:
    """Scope words from their file."""
    data = tomllib.loads(text)
    never = tuple(Never(phrases_pattern(each["words"]), each["says"]) for each in data["never"])
    return ScopeWords(phrases_pattern(data["planning"]), never, phrases_pattern(data["elsewhere"]))


def out_of_scope(
    prompt: str, *, names_class: bool = False, words: ScopeWords | None = None
) -> str | None:
    """Why a request is not lesson planning; nothing when it may be."""
    known = words or shipped_scope()
    if not any(map(str.isalnum, prompt)):
        return "The request says nothing"
    for topic in find_topics(prompt):
        if topic.topic.from_age >= NEVER:
            return f"No lesson is planned about {topic.topic.name}"
    for never in known.never:
        if never.words.search(prompt):
            return never.says
    if names_class or known.planning.search(prompt) or _CODE.search(prompt):
        return None
    if _GREETING.fullmatch(prompt):
        return "The request says nothing about a lesson"
    if found := known.elsewhere.search(prompt):
        return f"`{' '.join(found[0].split())}` is not lesson planning"
    if _QUESTION.match(prompt) or _SUM.fullmatch(prompt):
        return "A general question is not lesson planning"
    return None


def scope_check(services: PlanServices) -> Hook:
    """The hook; it is required: a request that could not be judged is not let through."""

    async def propose(view: HookView, event: Event) -> Proposal:
        assert isinstance(event, PreLoop)
        if view.nested:  # an agent gave the task; the teacher's own request was judged before
            return None
        classes = await to_thread.run_sync(read_classes, services.documents)
        named = recognise(event.prompt, classes.profiles)
        going_on = bool(view.context.history)  # "shorter, please" is fine in a conversation
        reason = out_of_scope(event.prompt, names_class=bool(named.known) or going_on)
        view.notes["in_scope"] = reason is None
        if reason is None:
            return None
        return Abort(rule=SCOPE_CHECK, reason=f"{reason}. {WHAT_IT_DOES}.")

    return Hook(SCOPE_CHECK, ("pre_loop",), propose, required=True)
