"""Worksheets handed out to a class: their tokens, what comes back, what is counted and kept."""
