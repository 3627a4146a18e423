"""Builds the application from settings, once."""
