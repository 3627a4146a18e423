"""A study session: what it is, how it moves on, where it is kept, and who drives it."""
