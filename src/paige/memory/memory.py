"""One memory: the log, its only way in, the index, the documents and the jobs, put together.

Everybody outside this room uses this object; `setup.py` makes its parts. It is synchronous: files
and an embedded index; a server calls it in threads. Whatever was just remembered, by this process
or another, is found by the next search.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from paige.base.actor import Actor
from paige.base.errors import BadInput, NotFound, PaigeError, Refused
from paige.memory.access import Reader, may_read
from paige.memory.event import AgentRef, Draft, Event, Provenance, Scope, draft_of
from paige.memory.index.index import NewestMemories
from paige.memory.intake.admission import Writer
from paige.memory.intake.broker import RememberResult, reader_of
from paige.memory.intake.drafts import adopt
from paige.memory.lifecycle.maintenance import (
    Limits,
    MaintenanceReport,
    Trigger,
    current_book,
    cycle_stats,
    maintain,
)
from paige.memory.lifecycle.outcomes import Outcome, outcome_draft
from paige.memory.lifecycle.policies import PolicyBook, PolicyWeights
from paige.memory.lifecycle.profile import Profile, profile_of
from paige.memory.lifecycle.retention import Forget, ForgetPlan, forget, plan_forgetting
from paige.memory.lifecycle.stats import MemoryLog, MemoryOverview, MemoryStats
from paige.memory.lifecycle.summaries import Summariser
from paige.memory.retrieval.answer import render_recalled
from paige.memory.search_values import Ask, Result, SearchAnswer
from paige.memory.setup import Parts

PROMPT_TOKENS = 1_500
"""What recalled memories may take of a prompt."""


class Trouble(NamedTuple):
    """Something `verify` found, and what to do."""

    where: str
    what: str
    fix: str


class MemoryDetail(NamedTuple):
    """A memory with what came before and after it, and where it was used."""

    event: Event
    line: Mapping[str, Any]  # as it stands in the log, with its place in the chain
    earlier: tuple[Event, ...]
    later: tuple[Event, ...]
    recalls: tuple[Event, ...]


def _worth(weights: PolicyWeights) -> dict[str, float]:
    """What a memory is worth in itself, beside a relevance of one."""
    found = asdict(weights)
    relevance = found.pop("relevance")
    return {name: value / relevance for name, value in found.items()}


class Memory(Parts):
    """What was said, learned and decided; it may be shared between threads."""

    # --- in ---

    def remember(self, drafts: Sequence[Draft], writer: Writer) -> list[RememberResult]:
        """Take drafts in, in order; every draft has its own result."""
        return self.broker.remember(drafts, writer)

    def edit(self, id: str, text: str, writer: Writer) -> RememberResult:
        """Say something better: a new memory that supersedes the old one, which stays in the log.

        Raises: NotFound, Refused, BadInput.
        """
        old = self.find(id, reader_of(writer))
        if old.owner != writer.person:
            raise Refused(f"`{id}` belongs to {old.owner}", hint="Add a memory of your own.")
        payload = {name: value for name, value in old.payload.items() if name != "source"}
        draft = replace(
            draft_of(old),
            text=text,
            payload=payload,
            outcome=None,
            agent=AgentRef(),
            provenance=Provenance(),
            at=None,
            id=None,
            supersedes=id,
        )
        [result] = self.remember([draft], writer)
        if result.status == "refused":
            raise Refused(result.reason or "It may not be kept")
        return result

    def plan_forgetting(self, ask: Forget) -> ForgetPlan:
        """What a wish to forget comes to; nothing happens yet. A person may forget their own."""
        return plan_forgetting(self.all_events, ask, lambda event: event.owner == ask.by)

    def forget(self, plan: ForgetPlan, actor: Actor) -> int:
        """Carry a plan out: the words leave the log, the index, documents and every other store.

        Returns how many lines of the log lost their words.
        """
        written = {each.id for each in plan.going if each.type == "file_written"}
        papers = {
            str(each.payload.get("path"))
            for each in (self.all_events() if written else ())
            if each.id in written
        }
        lines = forget(plan, self._note_forgotten, self._erase)
        self.index.catch_up_all()
        if papers:
            self.documents.rebuild(actor, forgotten=papers)
        for outbox in self.outboxes:
            outbox.deliver(force=True)
        return lines

    # --- out ---

    def search(self, ask: Ask, reader: Reader) -> SearchAnswer:
        """Find memories that a reader may see, best first."""
        if ask.k is not None and ask.k < 1:
            raise BadInput(f"`k` is {ask.k}; it is at least 1")
        if ask.budget_tokens is not None and ask.budget_tokens < 1:
            raise BadInput(f"`budget_tokens` is {ask.budget_tokens}; it is at least 1")
        return self.index.search(replace(ask, now=ask.now or self.now()), reader)

    def recall(self, ask: Ask, reader: Reader, writer: Writer, *, note: bool = True) -> str:
        """What a prompt should hold for a request, under a budget; what was chosen is logged.

        Empty when nothing fits. The policy of the role and scope decides how much of what.
        """
        applied = self.policies().current(ask.role, ask.scope, writer.session)
        whole = replace(
            ask,
            budget_tokens=ask.budget_tokens or PROMPT_TOKENS,
            in_prompt=True,
            weights=_worth(applied.policy.weights),
            class_budgets=applied.policy.budget,
            scope_limits=applied.policy.k,
        )
        found = self.search(whole, reader).results
        chosen = [each for each in found if each.score >= applied.policy.min_score]
        if chosen and note:
            self.note_recalled(chosen, ask.query, writer, policy=applied.ref._asdict())
        return render_recalled(chosen)

    def note_recalled(
        self, results: Sequence[Result], query: str, writer: Writer, **more: object
    ) -> None:
        """Log that memories were put into a prompt: it counts as use, and they come back never."""
        draft = Draft(
            type="recalled",
            scope="session" if writer.session else "global",
            session=writer.session,
            payload={
                "ids": [each.id for each in results],
                "query": query,
                "reader": writer.agent.id or writer.person,
                **more,
            },
        )
        self.remember([draft], writer)

    def note_outcome(self, outcome: Outcome, task: str, writer: Writer) -> None:
        """Log how a task ended: what was recalled for it is worth more, or less."""
        draft = outcome_draft(outcome, task=task, trace=writer.trace)
        self.remember([draft], writer)

    def find(self, id: str, reader: Reader) -> Event:
        """One memory, also a superseded one. Raises: NotFound."""
        event = self.index.event(id, reader)
        if event is None:
            raise NotFound(f"There is no memory `{id}` that you may see")
        return event

    def show(self, id: str, reader: Reader) -> MemoryDetail:
        """One memory with its history. Raises: NotFound."""
        event = self.find(id, reader)
        line: Mapping[str, Any] = {}
        earlier, later, recalls = list[Event](), list[Event](), list[Event]()
        wanted, replaced = {id}, {event.supersedes}
        events = list(self.all_events())
        for each in reversed(events):
            if each.id in replaced and may_read(reader, each):
                earlier.append(each)
                replaced.add(each.supersedes)
        for each in events:
            if each.supersedes in wanted and may_read(reader, each):
                wanted.add(each.id)
                later.append(each)
            used = each.type == "recalled" and id in each.payload.get("ids", ())
            if used and may_read(reader, each):
                recalls.append(each)
        for log in self.projects.all():
            line = next((each for each in log.read_parsed() if each["id"] == id), line)
        return MemoryDetail(event, line, tuple(earlier[::-1]), tuple(later), tuple(recalls[-20:]))

    def newest(
        self, reader: Reader, *, limit: int, scope: Scope | None = None, project: str | None = None
    ) -> NewestMemories:
        """The newest memories that a reader may see, the latest first, and how many there are."""
        return self.index.newest(reader, limit=limit, scope=scope, project=project)

    def profile(self, person: str) -> Profile:
        """What is known about a person: their keyed preferences and facts."""
        self.index.catch_up_all()
        return profile_of(self.reading, person)

    def superseded_by(self, ids: Collection[str]) -> dict[str, str]:
        """Which memory replaced each of these, if one did."""
        return self.index.superseded_by(ids)

    def overview(self, reader: Reader) -> MemoryOverview:
        """How much there is that a reader may see, where it is kept, and whether it helps."""
        index, stats = self.index, cycle_stats(self.jobs, now=self.now())
        return MemoryOverview(
            totals=index.totals(reader),
            logs=tuple(
                MemoryLog(log.path, log.last_seq(), index.read_up_to(log))
                for log in self.projects.all()
            ),
            index=index.path,
            embedder=index.embedder,
            backends=index.backends,
            cycle=stats.cycle,
            outcomes=stats.outcomes,
        )

    def all_events(self) -> Iterator[Event]:
        """Everything in the logs, whoever may see it."""
        for log in self.projects.all():
            yield from log.read()

    # --- keeping it whole ---

    def maintain(
        self,
        trigger: Trigger,
        *,
        session: str | None = None,
        limits: Limits | None = None,
        model: Summariser | None = None,
    ) -> MaintenanceReport:
        """Run the jobs that belong to an event, within bounds; `model` writes the summaries."""
        self.adopt()
        jobs = replace(self.jobs, model=model)
        return maintain(jobs, trigger, now=self.now(), limits=limits, session=session)

    def adopt(self) -> None:
        """Take in lines that others wrote into a log by hand."""
        writer = Writer(trusted=True)
        for log in self.projects.all():
            adopt(log, lambda drafts: self.remember(drafts, writer))

    def verify(self, actor: Actor) -> list[Trouble]:
        """Compare every log with itself, the index with the logs, the documents with the files."""
        found: list[Trouble] = []
        for log in self.projects.all():
            for each in log.verify().problems:
                found.append(Trouble(f"{each.segment}:{each.line}", each.what, each.fix))
        self.index.catch_up_all()  # to be behind is no fault: the next search reads on
        index = str(self.index.path)
        found += [Trouble(index, each.what, each.fix) for each in self.index.verify()]
        for document in self.documents.check(actor):
            found.append(Trouble(f"memory/{document.path}", document.reason, "Change the text."))
        for outbox in self.outboxes:
            waiting, progress = outbox.pending(), outbox.progress
            if waiting and progress.last_error:
                what = f"{waiting} memories wait to be sent: {progress.last_error}"
                found.append(Trouble("outbox", what, "They are sent when the server answers."))
        return found

    def rebuild(self) -> int:
        """Make every index again from the logs; returns how many events were read."""
        count = self.index.rebuild(self.projects.all())
        for outbox in self.outboxes:
            outbox.restart()
            outbox.deliver(force=True)
        return count

    def rebuild_documents(self, actor: Actor) -> None:
        """Make a person's documents again; what they changed on disk is taken in first."""
        self.documents.rebuild(actor)

    def stats(self) -> MemoryStats:
        """What happened in this memory, what came of it, and how much the index holds."""
        self.index.catch_up_all()
        return replace(cycle_stats(self.jobs, now=self.now()), index=self.index.counts())

    def policies(self) -> PolicyBook:
        """The retrieval policies and their history."""
        return current_book(self.folder, self.lifecycle)

    def close(self) -> None:
        """Let go of every file that was opened."""
        if "index" in vars(self):
            self.index.close()
        for log in self.projects.all() if "projects" in vars(self) else ():
            log.close()

    def _erase(self, ids: Collection[str]) -> int:
        return sum(log.forget(ids) for log in self.projects.all())

    def _note_forgotten(self, draft: Draft) -> None:
        writer = Writer(person=draft.owner or "me", trusted=True)
        [result] = self.remember([draft], writer)
        if result.status == "refused":
            raise PaigeError(result.reason or "The wish to forget could not be logged")
