"""Learning from what was blocked: patterns, proposals that have to prove themselves, numbers."""
