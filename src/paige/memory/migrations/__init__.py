"""Bringing a log to another version of its fields: versions, steps, sealing, swapping."""
