"""Settings, as seen from outside."""
