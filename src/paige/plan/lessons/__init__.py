"""Lessons: as values, as markdown, and what is wrong with them."""
