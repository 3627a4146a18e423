"""Courses: folders that people write, and everything that can be read from them."""
