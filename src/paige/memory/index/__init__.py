"""The memory index: a projection of the log for search, which can be thrown away at any time."""
