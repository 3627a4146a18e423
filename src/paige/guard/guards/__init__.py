"""Guards as data: what was learned to be wrong, proved on examples and history before it blocks."""
