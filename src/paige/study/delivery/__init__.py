"""Exercises given and marked, each modality in its own way."""
