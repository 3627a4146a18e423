"""The hook's slow path: where built-in modules end. What is done there is the guard's."""

from paige.guard.deciding import decide_slowly

__all__ = ["decide_slowly"]
