"""The process a coding CLI starts for every event."""
