"""Coach, as seen from outside."""
