"""Plan, as seen from outside."""
