"""Exercises made from a course: chosen, put together, checked."""
