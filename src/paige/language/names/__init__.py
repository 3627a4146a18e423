"""The gate that finds people named in a text."""
