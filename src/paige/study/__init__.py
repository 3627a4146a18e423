"""The learner's door: courses, sessions, five kinds of exercise."""
