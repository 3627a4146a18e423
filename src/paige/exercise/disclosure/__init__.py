"""Keeps answers back until the hint ladder allows them, whoever wrote the reply."""
