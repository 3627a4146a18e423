"""How the coach thinks: what it asks a model (or local rules) for, and what it makes of it."""
