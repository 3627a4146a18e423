"""Writing one section anew: asks whoever answers the run, and checks what comes back.

An answer that cannot be read, or that breaks a rule, is asked for once more with the reasons; then
the section stays as it was. A provider that does not answer is a reason too, not the end of a run.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import anyio

from paige.agent.hooks import HookView
from paige.base.errors import PaigeError
from paige.models.local import LOCAL
from paige.models.messages import user_message
from paige.models.prompts import render, untrusted
from paige.models.requests import Request
from paige.plan.adjudicating import Judging, Wish, tried
from paige.plan.products import parts_of
from paige.plan.services import SECTION, SectionWish

SECONDS = 240.0
MAX_TOKENS = 6_000
TRIES = 2
_ALTERNATIVE = re.compile(r"<alternative>((?:(?!</?alternative>).)*+)</alternative>", re.S | re.I)
_FENCE = re.compile(r"^```(?:markdown|md)?\n(?P<text>.*)\n```$", re.S)
Check = Callable[[str], Sequence[str]]
"""What is wrong with a whole draft; nothing when it may be shown."""


@dataclass(frozen=True, slots=True)
class Written:
    """New texts for a section, or why there are none."""

    texts: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """The class a section is written for, and the text of its profile."""

    class_id: str | None
    profile: str


async def write_section(
    view: HookView, judging: Judging, wish: Wish, about: Subject, check: Check
) -> Written:
    """Texts that pass the checks, or the reason why not; journaled, so never paid for twice."""
    name = f"write/{judging.asked}/{wish.section}"
    faults: tuple[str, ...] = ()
    tries = 1 if view.source == LOCAL else TRIES
    for attempt in range(1, tries + 1):
        request = _request(judging, wish, about, faults)

        async def ask(request: Request = request, attempt: int = attempt) -> dict[str, str]:
            return await _ask(view, f"{name}/{attempt}", request)

        said = await view.step(f"{name}/{attempt}", ask)
        if "failed" in said:
            return Written(problem=said["failed"])
        try:
            texts = read_texts(said["text"], wish.alternatives)
        except ValueError as error:
            faults = (str(error),)
            continue
        faults = await anyio.to_thread.run_sync(_faults, judging, wish, texts, check)
        if not faults:
            return Written(texts)
    return Written(problem=" ".join(faults))


def read_texts(answer: str, alternatives: int) -> tuple[str, ...]:
    """The texts in an answer. Raises: ValueError when there are not as many as were asked for."""
    texts = _from_json(answer) or tuple(each.strip() for each in _ALTERNATIVE.findall(answer))
    if not texts and not alternatives:
        texts = (answer,)
    texts = tuple(_unfenced(text) for text in texts if text.strip())
    wanted = alternatives or 1
    if len(texts) < wanted:
        raise ValueError(f"The answer holds {len(texts)} texts, {wanted} were asked for.")
    return texts[:wanted]


def _from_json(answer: str) -> tuple[str, ...]:
    """The texts of the local engine, which answers with a value."""
    try:
        value = json.loads(answer)
        return tuple(str(text) for text in value["texts"])
    except (ValueError, TypeError, KeyError):
        return ()


def _unfenced(text: str) -> str:
    found = _FENCE.match(text.strip())
    return found["text"] if found else text.strip("\n")


def _faults(judging: Judging, wish: Wish, texts: Sequence[str], check: Check) -> tuple[str, ...]:
    found: list[str] = []
    for text in texts:
        try:
            found += check(tried(judging, wish, text))
        except PaigeError as error:
            found.append(f"{error.message}.")
    return tuple(dict.fromkeys(found))


async def _ask(view: HookView, name: str, request: Request) -> dict[str, str]:
    try:
        with anyio.fail_after(SECONDS):
            answer = await view.ask(name, request)
    except PaigeError as error:  # nobody answers, or local rules have nothing to say
        return {"failed": " ".join(filter(None, (f"{error.message}.", error.hint)))}
    except TimeoutError:
        return {"failed": f"Nobody answered within {SECONDS:g} seconds."}
    if answer.stop_reason == "refusal":
        return {
            "failed": f"The model refused: {answer.refusal or answer.text or 'no reason given'}."
        }
    return {"text": answer.text}


def _request(judging: Judging, wish: Wish, about: Subject, faults: tuple[str, ...]) -> Request:
    part = next(each for each in parts_of(judging.markdown) if each.id == wish.section)
    inputs = SectionWish(
        markdown=judging.markdown,
        section=wish.section,
        title=part.title,
        text=part.text,
        wish=wish.text,
        alternatives=wish.alternatives,
        class_id=about.class_id,
        faults=faults,
    )
    if wish.alternatives:
        number, said = str(wish.alternatives), wish.text and f"The teacher says: {wish.text}"
        task = render("plan/section-alternatives", number=number, wish=said)
    else:
        task = render("plan/section-wish", wish=wish.text)
    material = [
        untrusted("the lesson", judging.markdown),
        untrusted("the section", f"## {part.title}\n\n{part.text}"),
    ]
    if about.profile:
        material.insert(0, untrusted("the class profile", about.profile))
    if faults:
        again = "\n".join(f"- {fault}" for fault in faults)
        material.append(f"Your last text was not used:\n{again}\nWrite it so that this is right.")
    return Request(
        purpose=SECTION,
        messages=(user_message("\n\n".join(material)),),
        system=render("plan/section", task=task, title=part.title),
        max_tokens=MAX_TOKENS,
        inputs=inputs,
    )
