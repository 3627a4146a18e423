"""Memory, as seen from outside."""
