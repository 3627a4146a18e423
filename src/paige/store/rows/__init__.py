"""Rows of any table as they are copied, moved and taken out."""
