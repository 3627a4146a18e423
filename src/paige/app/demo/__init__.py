"""The demo: an installation of its own, and the term that happens in it."""
