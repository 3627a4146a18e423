"""Stores of vectors, and what makes them."""
