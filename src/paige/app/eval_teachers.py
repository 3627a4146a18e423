"""Who answers the questions of an evaluated run: nobody in particular, or a teacher with a wish."""

from collections.abc import Callable
from dataclasses import dataclass, field

from paige.agent.interactions import Interaction, Picked, Reply, Sections, automatic_reply
from paige.plan.adjudicating import REVISE
from paige.plan.evals.cases import Wish

Teacher = Callable[[Interaction], Reply]


def agreeable(asked: Interaction) -> Reply:
    """Takes the first option of everything, marked as such."""
    return automatic_reply(asked)


@dataclass(slots=True)
class Wishing:
    """Wants one section different, says so until it is, and keeps what is proposed to be kept."""

    wish: Wish
    said: set[str] = field(default_factory=set)

    def __call__(self, asked: Interaction) -> Reply:
        """Answer one question."""
        first = automatic_reply(asked)
        reply = Reply(picked=first.picked, texts=first.texts)
        if not isinstance(asked, Sections):
            return reply
        options = {option.id for option in asked.options}
        for section in asked.sections:
            if self._wants(section.id, section.title) and REVISE in options:
                self.said.add(section.id)
                picked = {**reply.picked, section.id: Picked(REVISE, self.wish.says)}
                return Reply(picked=picked, texts=reply.texts)
        return reply

    def _wants(self, section: str, title: str) -> bool:
        """Whether a section is not as wished, and this was not said yet in this lesson."""
        unmet = section == self.wish.section and not title.startswith(self.wish.met)
        return unmet and section not in self.said
