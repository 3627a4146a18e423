"""People and their accounts, as seen from outside."""
