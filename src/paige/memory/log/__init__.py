"""The append-only log: lines in a chain, written by many, read by anyone."""
