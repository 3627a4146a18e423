"""Hashes of passwords for the tests, made with the least work that argon2 takes.

A real one takes a tenth of a second and 46 MiB on purpose, and the tests sign in a thousand times.
What is asked and answered is the same; the real parameters are tested with a fresh interpreter.
"""

from paige.app.accounts import passcode, passwords

MEMORY_KIB = 16


def use() -> None:
    """From now on, hashes of this process take no time worth naming."""
    for module in (passwords, passcode):
        module.PASSES, module.MEMORY_KIB, module.LANES = 1, MEMORY_KIB, 1
