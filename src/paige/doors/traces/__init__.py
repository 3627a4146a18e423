"""Traces, as seen from outside."""
