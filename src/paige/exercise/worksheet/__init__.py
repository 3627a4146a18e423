"""Worksheets: markdown files that people fill in with an editor of their choice."""
