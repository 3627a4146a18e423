"""What is remembered in the term besides what doors remember by themselves."""

from functools import partial
from typing import Any

from paige.app.demo_term import Happening, Term, content
from paige.app.memory_use import writer_of
from paige.base.errors import NotFound
from paige.memory.event import Draft
from paige.store.documents import NEW


def memory_happenings(term: Term) -> list[Happening]:
    """Notes, and documents that a person wrote."""
    told = content("memory")
    kinds = (("note", _note), ("document", _document))
    return [
        Happening(
            term.moment(each["week"], each["day"], each["at"]), "memory", partial(do, term, each)
        )
        for kind, do in kinds
        for each in told[kind]
    ]


def keep_term(term: Term) -> None:
    """Organise what came together, so that the first search is quick."""
    term.app.memory.open().maintain("compact")


async def _note(term: Term, told: dict[str, Any]) -> None:
    draft = Draft(text=told["text"], scope=told["scope"])
    term.app.memory.open().remember([draft], writer_of(term.app))


async def _document(term: Term, told: dict[str, Any]) -> None:
    documents = term.app.memory.open().documents
    try:
        base = documents.read(term.app.actor, told["path"]).version
    except NotFound:
        base = NEW
    documents.write(term.app.actor, told["path"], told["text"], base=base)
