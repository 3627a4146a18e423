"""Backup, restore, move."""
