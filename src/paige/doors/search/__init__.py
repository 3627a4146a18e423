"""One search behind all doors, and what waits there."""
