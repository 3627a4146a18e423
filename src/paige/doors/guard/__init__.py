"""Guard, as seen from outside."""
