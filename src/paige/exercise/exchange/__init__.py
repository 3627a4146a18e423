"""Decks, quizzes and results in the formats of other programs, both ways."""
