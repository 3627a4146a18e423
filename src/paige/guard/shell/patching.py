"""`apply_patch` as a command: the files that a patch of Codex makes, changes, moves and deletes.

The patch stands in a word or comes as input. Each file is judged like one that a redirection
writes or `rm` deletes. Built-in modules only.
"""

from paige.guard.shell.resolving import Act, Resolver
from paige.guard.shell.script import UNKNOWN, Simple

_WRITES = ("*** Add File: ", "*** Update File: ", "*** Move to: ")
_DELETES = "*** Delete File: "
_MOST_FILES = 200


def apply_patch(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """Add what a patch does to each of its files."""
    patch = "\n".join((*simple.words[1:], simple.stdin))
    named = 0
    for line in patch.splitlines():
        text = line.strip()
        for mark in _WRITES:
            if text.startswith(mark):
                named += 1
                self.writes(text[len(mark) :].strip(), via, simple)
        if text.startswith(_DELETES):
            named += 1
            path = text[len(_DELETES) :].strip()
            self.resolve(simple.bare(("rm", "-f", "--", path)), (*via, "apply_patch"))
        if named > _MOST_FILES:
            break
    if UNKNOWN in patch or named > _MOST_FILES or not named:
        self.opaque(simple.bare(simple.words[:1]), via, "a patch that nobody has read to its end")
    else:
        self.acts.append(Act(simple.bare(simple.words[:1]), via))
    return True
