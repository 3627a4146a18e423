"""Orchestra, as seen from outside."""
