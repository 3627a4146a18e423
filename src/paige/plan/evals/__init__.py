"""Evaluations of lessons: cases, criteria, a judge, reports. Whoever runs them is in `app`."""
