"""Lessons in the forms that teachers hand round: Word, PDF, slides, worksheet, quiz, calendar."""
