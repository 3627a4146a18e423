"""Standard-library ground: settings, errors, ids, clock, paths, and the vocabulary of events."""
