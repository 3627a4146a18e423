"""Readers of memories that other programs keep: each gives drafts and problems, none writes."""
