"""Lessons without a model: subject knowledge as data, put together by rules that say so."""
