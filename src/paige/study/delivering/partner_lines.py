"""What a partner says when no model plays the part: a few lines, used in turn."""

from paige.study.values import Exercise

_GLAD = (
    "Ah, now I see it. Thank you!",
    "That makes sense. I will write it down.",
    "Oh! Then I had that the wrong way round.",
)
_UNSURE = (
    "Hm, I do not follow yet. Can you say it in another way?",
    "Are you sure? What makes you think so?",
    "I still do not see why. Could you give me an example?",
)
_PAIR = (
    "Good, then we know what we are after.",
    "Let us see: follow the task for just this input.",
)


def scripted_line(exercise: Exercise, said: str, *, right: bool) -> str:
    """A line of the scripted partner, the same for the same words."""
    turn = sum(map(ord, said))
    if exercise.partner == "pair":
        return _PAIR[0 if right else 1]
    lines = _GLAD if right else _UNSURE
    return lines[turn % len(lines)]
