"""Gates: what may happen, decided by pure functions before it does."""
