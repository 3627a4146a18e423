"""What runs at other servers tell while they go on, for the windows of this one.

The words of an answer come in pieces that say where they begin. This keeps what was written so far,
so that who opens a window in the middle gets all of it, and passes on only words that fit: a server
that came in the middle of an answer waits for the next one.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from weakref import WeakKeyDictionary

from pydantic import ValidationError

from paige.app.plan_streams import units
from paige.base.actor import Actor
from paige.plan.messages import PlanDelta, PlanRunChanged, PlanStep
from paige.plan.sessions import PlanWriting
from paige.store.bus import Bus
from paige.store.ephemeral import EphemeralMessage
from paige.store.messages import Message
from paige.store.queries import StoredEvent

MOST_ANSWERS = 512
KINDS: Mapping[str, type[Message]] = {PlanDelta.topic: PlanDelta, PlanStep.topic: PlanStep}
_Key = tuple[str, str, str]
Deliver = Callable[[Message, Actor], None]


class RemoteStreams:
    """Answers that are being written at other servers."""

    def __init__(self) -> None:
        self._writings: OrderedDict[_Key, PlanWriting] = OrderedDict()

    def writing(self, run: str, actor: Actor) -> PlanWriting | None:
        """What another server writes in a run of this person, as far as it is known."""
        return self._writings.get(_key(run, actor))

    def take(self, passed: EphemeralMessage, deliver: Deliver) -> None:
        """Hear a message of another server; what fits goes to the windows of its person."""
        kind = KINDS.get(passed.topic)
        if kind is None:
            return  # a newer server says more than this one knows
        try:
            message = kind.model_validate(passed.payload)
        except ValidationError:
            return
        if isinstance(message, PlanStep):  # tools are used when an answer is complete
            self._writings.pop(_key(message.run, passed.actor), None)
        if not isinstance(message, PlanDelta) or self._fits(message, passed.actor):
            deliver(message, passed.actor)

    def end(self, event: StoredEvent) -> None:
        """Forget an answer when an event says that its run does not go on."""
        if event.topic == PlanRunChanged.topic and event.payload.get("state") != "running":
            actor = Actor(event.tenant, event.person or "")
            self._writings.pop(_key(str(event.payload.get("run")), actor), None)

    def _fits(self, delta: PlanDelta, actor: Actor) -> bool:
        key = _key(delta.run, actor)
        before = self._writings.get(key)
        same = before is not None and (before.step, before.attempt) == (delta.step, delta.attempt)
        known = before.text if before is not None and same else ""
        if delta.start != units(known):
            return False
        self._writings[key] = PlanWriting(delta.step, delta.attempt, known + delta.text)
        self._writings.move_to_end(key)
        if len(self._writings) > MOST_ANSWERS:
            self._writings.popitem(last=False)
        return True


_FOLLOWING: WeakKeyDictionary[Bus, RemoteStreams] = WeakKeyDictionary()


def following(bus: Bus) -> RemoteStreams:
    """What the server of this bus knows of the others."""
    return _FOLLOWING.setdefault(bus, RemoteStreams())


def _key(run: str, actor: Actor) -> _Key:
    return actor.tenant, actor.person, run
