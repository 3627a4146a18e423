"""Deciding what a shell command really does."""
