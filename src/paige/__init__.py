"""Paige: a teaching companion that people run themselves."""

__version__ = "0.1.0"
