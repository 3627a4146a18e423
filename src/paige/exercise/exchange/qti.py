"""Quizzes as packages that learning platforms import: QTI 1.2 and QTI 2.1."""

from typing import Literal

from paige.exercise.exchange.qti_12 import write_12
from paige.exercise.exchange.qti_21 import write_21
from paige.exercise.exchange.qti_parts import check_quiz
from paige.exercise.exchange.values import Quiz

QtiVersion = Literal["1.2", "2.1"]


def write_qti(quiz: Quiz, *, version: QtiVersion = "1.2") -> bytes:
    """A zip with the quiz: 1.2 for Canvas and most others, 2.1 for Blackboard, TAO and OpenOlat.

    The same quiz gives the same bytes, and a question keeps its identifier when it is edited.
    Raises: BadInput, naming the question that nobody could answer rightly.
    """
    check_quiz(quiz)
    return write_12(quiz) if version == "1.2" else write_21(quiz)
