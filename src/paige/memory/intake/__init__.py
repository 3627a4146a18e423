"""The way in: drafts are checked, compared with what is known, and logged."""
