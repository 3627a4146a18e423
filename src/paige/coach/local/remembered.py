"""Which memories help with an issue, judged by rules: shared topics first, then shared words.

Likeness in meaning was the search's work; here a memory is kept only when something can be named
that joins it to the issue.
"""

import re
from dataclasses import dataclass

from paige.coach.answers import (
    MOST_LINE,
    MOST_TEXT,
    DiscardedMemory,
    MemoryFilterAnswer,
    RelevantMemory,
)
from paige.coach.local.topics import catalogue, word_hits
from paige.coach.thinking.services import Recalled

MOST_KEPT = 4
LEAST_WORDS = 3
_WORD = re.compile(r"[^\W\d_]{4,}")
_COMMON = frozenset(
    (
        *("about", "after", "again", "also", "because", "before", "being", "could", "does", "each"),
        *("every", "file", "files", "from", "have", "into", "issue", "just", "learner", "like"),
        *("make", "more", "most", "need", "only", "other", "over", "phase", "plan", "session"),
        *("should", "some", "step", "test", "tests", "than", "that", "their", "them", "then"),
        *("there", "these", "they", "this", "time", "using", "when", "where", "which", "while"),
        *("will", "with", "work", "worked", "would", "your"),
    )
)


@dataclass(frozen=True, slots=True)
class FilterInputs:
    """The issue, its plan, and the memories that sound alike."""

    issue_summary: str
    plan_text: str
    found: tuple[Recalled, ...]


def filter_memories(inputs: FilterInputs) -> MemoryFilterAnswer:
    """Keep what shares a topic or several rare words with the issue."""
    about = f"{inputs.issue_summary}\n{inputs.plan_text}"
    topics = {topic.name for topic in catalogue() if word_hits(topic, about)}
    words = _words(about)
    kept: list[RelevantMemory] = []
    dropped: list[DiscardedMemory] = []
    for memory in inputs.found:
        judged = _judge(memory, topics, words)
        if judged is None or len(kept) == MOST_KEPT:
            reason = (
                "Nothing in it bears on this issue." if judged is None else "Others come first."
            )
            dropped.append(DiscardedMemory(content=memory.content[:MOST_TEXT], reason=reason))
        else:
            kept.append(judged)
    return MemoryFilterAnswer(relevant_memories=kept, discarded=dropped)


def _judge(memory: Recalled, topics: set[str], words: set[str]) -> RelevantMemory | None:
    text = f"{memory.content} {memory.metadata.get('tags', '')}"
    both = [topic.name for topic in catalogue() if topic.name in topics and word_hits(topic, text)]
    shared = sorted(_words(text) & words)
    if len(shared) < LEAST_WORDS and not (both and shared):
        return None
    named = both[0] if both else ", ".join(shared[:LEAST_WORDS])
    return RelevantMemory(
        content=memory.content[:MOST_TEXT],
        relevance="direct" if both else "related",
        connection=f"Both are about {named[:MOST_LINE]}.",
        use_in_coaching="Remind them of it before they begin, and ask what helped then.",
    )


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if word not in _COMMON}
